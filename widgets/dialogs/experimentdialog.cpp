// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/experimentdialog.h"

#include "views/quantities.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::widgets {
namespace {

constexpr int alignBatch = 4, trainBatch = 4;

QSpinBox *countBox(QWidget *parent, int minimum, int maximum, int step, int value, const QString &suffix)
{
    auto *box = new QSpinBox(parent);
    box->setRange(minimum, maximum);
    box->setSingleStep(step);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setGroupSeparatorShown(true);
    return box;
}

}  // namespace

ExperimentDialog::ExperimentDialog(Kind kind, int numLayers, QWidget *parent)
    : QDialog(parent), m_kind(kind), m_numLayers(numLayers), m_files(new QListWidget(this)), m_cost(new QLabel(this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(kind == Kind::Score ? tr("Score layers") : tr("Distil the hybrid"));
    const QSettings settings;
    m_files->addItems(settings.value(QStringLiteral("experiment/files")).toStringList());
    m_files->setAccessibleName(tr("Texts"));
    m_files->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_length = countBox(this, 32, 65536, 128, settings.value(QStringLiteral("experiment/length"), 512).toInt(), tr(" tokens"));
    m_alignTokens = countBox(this, 1, 2'000'000'000, 50'000, settings.value(QStringLiteral("experiment/alignTokens"), 200'000).toInt(), tr(" tokens"));
    m_trainTokens = countBox(this, 1, 2'000'000'000, 50'000, settings.value(QStringLiteral("experiment/trainTokens"), 100'000).toInt(), tr(" tokens"));
    m_heldOut = countBox(this, 2, 100'000, 8, settings.value(QStringLiteral("experiment/heldOut"), 16).toInt(), tr(" sequences"));
    auto *files = new QPushButton(tr("Add &files…"), this), *folder = new QPushButton(tr("Add f&older…"), this), *remove = new QPushButton(tr("&Remove"), this);
    connect(files, &QPushButton::clicked, this, &ExperimentDialog::addFiles);
    connect(folder, &QPushButton::clicked, this, &ExperimentDialog::addFolder);
    connect(remove, &QPushButton::clicked, this, [this] {
        qDeleteAll(m_files->selectedItems());
        refresh();
    });
    auto *fileRow = new QHBoxLayout;
    for (QPushButton *button : {files, folder, remove})
        fileRow->addWidget(button);
    fileRow->addStretch(1);

    auto *form = new QFormLayout;
    auto *texts = new QVBoxLayout;
    texts->addWidget(m_files);
    texts->addLayout(fileRow);
    form->addRow(tr("Texts (.txt, .md, .rst, .jsonl):"), texts);
    if (kind == Kind::Score) {
        m_selector = new QComboBox(this);
        m_selector->addItem(tr("zero-shot: no training after stage 1, quick"), QStringLiteral("zero-shot-ga"));
        m_selector->addItem(tr("GA-S2: a short distillation per layer"), QStringLiteral("ga-s2"));
        m_selector->addItem(tr("stage-1 residual: the first look alone"), QStringLiteral("ga-s1"));
        m_selector->setCurrentIndex(std::max(0, m_selector->findData(settings.value(QStringLiteral("experiment/selector"), QStringLiteral("zero-shot-ga")))));
        form->addRow(tr("&Selector:"), m_selector);
        connect(m_selector, &QComboBox::currentIndexChanged, this, &ExperimentDialog::refresh);
    }
    form->addRow(tr("Sequence &length:"), m_length);
    form->addRow(tr("Stage &1, all layers together:"), m_alignTokens);
    form->addRow(kind == Kind::Score ? tr("Stage &2, each layer:") : tr("Stage &2:"), m_trainTokens);
    form->addRow(tr("&Held out:"), m_heldOut);
    m_cost->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(m_cost);
    column->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, [this] {
        remember();
        accept();
    });
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QSpinBox *box : {m_length, m_alignTokens, m_trainTokens, m_heldOut})
        connect(box, &QSpinBox::valueChanged, this, &ExperimentDialog::refresh);
    refresh();
}

void ExperimentDialog::addFiles()
{
    m_files->addItems(QFileDialog::getOpenFileNames(this, tr("Texts to train and measure on"), {}, tr("Texts (*.txt *.text *.md *.rst *.jsonl)")));
    refresh();
}

void ExperimentDialog::addFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder of texts"));
    if (!folder.isEmpty())
        m_files->addItem(folder);
    refresh();
}

void ExperimentDialog::refresh()
{
    const bool trains = !m_selector || m_selector->currentData().toString() == QLatin1String("ga-s2");
    m_trainTokens->setEnabled(trains);
    const double students = m_kind == Kind::Score ? m_numLayers + 1 : 1;
    const double total = m_alignTokens->value() + (trains ? students * m_trainTokens->value() : 0.0);
    m_cost->setText(m_files->count() == 0 ? tr("Add at least one text.") : tr("Cost: about %1 tokens of training in all. An equal stage 1 that is there already is reused.").arg(shortCount(total)));
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(m_files->count() > 0);
}

void ExperimentDialog::remember() const
{
    QSettings settings;
    QStringList files;
    for (int row = 0; row < m_files->count(); ++row)
        files << m_files->item(row)->text();
    settings.setValue(QStringLiteral("experiment/files"), files);
    settings.setValue(QStringLiteral("experiment/length"), m_length->value());
    settings.setValue(QStringLiteral("experiment/alignTokens"), m_alignTokens->value());
    settings.setValue(QStringLiteral("experiment/trainTokens"), m_trainTokens->value());
    settings.setValue(QStringLiteral("experiment/heldOut"), m_heldOut->value());
    if (m_selector)
        settings.setValue(QStringLiteral("experiment/selector"), m_selector->currentData());
}

nlohmann::json ExperimentDialog::settings() const
{
    nlohmann::json files = nlohmann::json::array();
    for (int row = 0; row < m_files->count(); ++row)
        files.push_back(m_files->item(row)->text().toStdString());
    const auto steps = [&](int tokens, int batch) { return std::max(1, tokens / (batch * m_length->value())); };
    nlohmann::json made = {{"data", {{"source", "text"}, {"files", files}, {"sequence_length", m_length->value()}, {"held_out_sequences", m_heldOut->value()}}},
                           {"alignment", {{"steps", steps(m_alignTokens->value(), alignBatch)}, {"batch_sequences", alignBatch}}},
                           {"steps", steps(m_trainTokens->value(), trainBatch)}, {"batch_sequences", trainBatch}};
    if (m_selector)
        made["selector"] = m_selector->currentData().toString().toStdString();
    return made;
}

}  // namespace stillroom::widgets
