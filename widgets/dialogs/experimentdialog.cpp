// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/experimentdialog.h"

#include "dialogs/fieldform.h"
#include "error.h"
#include "experiment/spec.h"
#include "views/choicebox.h"
#include "views/costline.h"
#include "views/focusring.h"
#include "views/names.h"
#include "views/numberlist.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

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

/// What the schema of calibrations says of these fields.
std::vector<FieldForm::FieldAndDefault> calibrationFields()
{
    std::vector<FieldForm::FieldAndDefault> fields;
    for (const char *name : {"sequences", "maps_tokens", "taylor_error", "recipe"})
        for (const experiment::Field &field : experiment::kindSchema("calibrate").fields)
            if (field.name == name)
                fields.emplace_back(field, nlohmann::json::parse(field.defaultJson));
    return fields;
}

/// The fields of this selector with their schema, as a form takes them.
std::vector<FieldForm::FieldAndDefault> fieldsOf(const SelectorOffer &offer)
{
    const auto &schema = experiment::kindSchema("score").fields;
    std::vector<FieldForm::FieldAndDefault> fields;
    for (const auto &[name, preset] : offer.fields) {
        const auto field = std::find_if(schema.begin(), schema.end(), [&, &wanted = name](const experiment::Field &one) { return one.name == wanted; });
        if (field != schema.end())
            fields.emplace_back(*field, nlohmann::json::parse(preset, nullptr, false));
    }
    return fields;
}

}  // namespace

ExperimentDialog::ExperimentDialog(Kind kind, Subject subject, const SelectorOffers &offers, Background &estimates, Background &timings, QWidget *parent)
    : QDialog(parent), m_kind(kind), m_subject(std::move(subject)), m_offers(offers), m_cost(new CostLine(offers, estimates, timings, this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(kind == Kind::Score ? tr("Score layers") : kind == Kind::Distil ? tr("Distil the hybrid") : tr("Calibrate linear layers"));
    m_buttons->button(QDialogButtonBox::Ok)->setText(kind == Kind::Score ? tr("Score") : kind == Kind::Distil ? tr("Distil") : tr("Calibrate"));
    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(makeForm());
    auto *column = new QVBoxLayout(this);
    column->setSpacing(12);
    column->addWidget(m_scroll, 1);
    column->addWidget(m_cost);
    column->addWidget(m_buttons);
    connect(m_cost, &CostLine::answered, this, [this] { m_buttons->button(QDialogButtonBox::Ok)->setEnabled(true); });
    connect(m_cost, &CostLine::refused, this, [this] { m_buttons->button(QDialogButtonBox::Ok)->setEnabled(false); });
    connect(m_buttons, &QDialogButtonBox::accepted, this, [this] {
        remember();
        accept();
    });
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QPushButton *button : findChildren<QPushButton *>())      // Enter scores, also while it cannot yet
        button->setAutoDefault(false);
    m_buttons->button(QDialogButtonBox::Ok)->setDefault(true);
    if (m_selector) {
        showSelector();
        m_selector->setFocus();
    } else if (QWidget *first = m_arm ? static_cast<QWidget *>(m_arm) : m_length) {
        first->setFocus();      // not the button that leaves things as they are
    }
    alignLabels();
    refresh();
    fit();
}

/// As high as what is in it, so that no hole stands under a short form; what is higher than the screen scrolls.
void ExperimentDialog::fit()
{
    const QWidget &form = *m_scroll->widget();
    const int formWidth = std::max(fontMetrics().averageCharWidth() * 90, form.minimumSizeHint().width() + m_scroll->verticalScrollBar()->sizeHint().width());
    const int formHeight = form.layout()->hasHeightForWidth() ? form.layout()->totalHeightForWidth(formWidth) : form.sizeHint().height();
    const QMargins margins = layout()->contentsMargins();
    m_scroll->setMinimumWidth(form.minimumSizeHint().width() + m_scroll->verticalScrollBar()->sizeHint().width());
    m_scroll->setMaximumHeight(formHeight);
    const QSize whole(formWidth + margins.left() + margins.right(),
                      formHeight + m_cost->sizeHint().height() + m_buttons->sizeHint().height() + 2 * layout()->spacing() + margins.top() + margins.bottom());
    setMaximumHeight(whole.height());
    resize(screen() ? whole.boundedTo(screen()->availableSize() * 0.9) : whole);
}

QWidget *ExperimentDialog::makeForm()
{
    auto *box = new QWidget(this);
    auto *form = new QFormLayout(box);
    form->setContentsMargins(focusRingWidth, focusRingWidth, focusRingWidth, focusRingWidth);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    m_form = form;
    if (m_kind == Kind::Score && !m_offers.list.empty())
        addSelectors(*form);
    if (m_kind == Kind::Calibrate)
        addStart(*form);
    if (m_subject.fixed) {
        auto *given = new QLabel(m_kind == Kind::Calibrate ? tr("The data is the demo's own: its recall task.") : tr("Data and lengths are the demo's own: its recall task, with the lengths that were measured for it."), box);
        given->setWordWrap(true);
        form->addRow(given);
    } else {
        addTexts(*form);
        addLengths(*form);
    }
    if (m_kind == Kind::Score)
        addSeed(*form);
    return box;
}

void ExperimentDialog::addSelectors(QFormLayout &form)
{
    m_selector = new ChoiceBox(this);
    m_selector->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (const SelectorOffer &offer : m_offers.list) {
        const QString reason = whyNot(offer), name = selectorName(QString::fromStdString(offer.name));
        m_selector->addItem(reason.isEmpty() ? name : tr("%1: %2").arg(name, reason), QString::fromStdString(offer.name));
        static_cast<QStandardItemModel *>(m_selector->model())->item(m_selector->count() - 1)->setEnabled(reason.isEmpty());
    }
    const int last = m_selector->findData(QSettings().value(QStringLiteral("experiment/selector"), m_subject.fixed ? QStringLiteral("ga-s2") : QStringLiteral("zero-shot-ga")));
    m_selector->setCurrentIndex(last >= 0 && whyNot(m_offers.list[static_cast<std::size_t>(last)]).isEmpty() ? last : 0);
    m_measures = new QLabel(this);
    m_measures->setWordWrap(true);
    m_measures->setSizePolicy(QSizePolicy::Expanding, m_measures->sizePolicy().verticalPolicy());      // as wide as there is room
    m_measures->setAccessibleName(tr("What it measures"));
    m_optionsPlace = new QWidget(this);
    auto *place = new QVBoxLayout(m_optionsPlace);
    place->setContentsMargins(0, 0, 0, 0);
    form.addRow(tr("&Selector:"), m_selector);
    form.addRow(QString(), m_measures);
    form.addRow(m_optionsPlace);
    connect(m_selector, &QComboBox::currentIndexChanged, this, [this] {
        showSelector();
        fit();
        refresh();
    });
}

void ExperimentDialog::addStart(QFormLayout &form)
{
    const QSettings settings;
    m_arm = new ChoiceBox(this);
    m_arm->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (const char *arm : {"both", "phase-1", "phase-2", "naive-copy", "zero-gate", "small-gate"})
        m_arm->addItem(armName(QString::fromLatin1(arm)), QString::fromLatin1(arm));
    m_arm->setCurrentIndex(std::max(0, m_arm->findData(settings.value(QStringLiteral("experiment/arm"), QStringLiteral("both")))));
    m_arm->setToolTip(tr("Phase 1 sets decays and write gates from what the teacher's attention does; phase 2 aligns every layer with the teacher's output.\nThe others are starts to compare them with."));
    m_phaseTwoSteps = countBox(this, 1, 1'000'000, 50, settings.value(QStringLiteral("experiment/phaseTwoSteps"), 300).toInt(), tr(" steps"));
    m_layers = new QLineEdit(this);
    m_layers->setPlaceholderText(tr("all, or for example 0-3, 5"));
    m_layers->setAccessibleName(tr("Layers"));
    m_options = new FieldForm(calibrationFields(), this);
    form.addRow(tr("Sta&rt by:"), m_arm);
    form.addRow(tr("Phase &2:"), m_phaseTwoSteps);
    form.addRow(tr("La&yers:"), m_layers);
    form.addRow(m_options);
    connect(m_arm, &QComboBox::currentIndexChanged, this, &ExperimentDialog::refresh);
    connect(m_phaseTwoSteps, &QSpinBox::valueChanged, this, &ExperimentDialog::refresh);
    connect(m_layers, &QLineEdit::textChanged, this, &ExperimentDialog::refresh);
    connect(m_options, &FieldForm::changed, this, &ExperimentDialog::refresh);
}

void ExperimentDialog::addTexts(QFormLayout &form)
{
    m_files = new QListWidget(this);
    m_files->addItems(QSettings().value(QStringLiteral("experiment/files")).toStringList());
    m_files->setAccessibleName(tr("Texts"));
    m_files->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_files->setFixedHeight(fontMetrics().height() * 5);
    auto *files = new QPushButton(tr("Add &files…"), this), *folder = new QPushButton(tr("Add f&older…"), this), *remove = new QPushButton(tr("&Remove"), this);
    connect(files, &QPushButton::clicked, this, &ExperimentDialog::addFiles);
    connect(folder, &QPushButton::clicked, this, &ExperimentDialog::addFolder);
    connect(remove, &QPushButton::clicked, this, [this] {
        qDeleteAll(m_files->selectedItems());
        refresh();
    });
    auto *row = new QHBoxLayout;
    for (QPushButton *button : {files, folder, remove})
        row->addWidget(button);
    row->addStretch(1);
    auto *texts = new QVBoxLayout;
    texts->addWidget(m_files);
    texts->addLayout(row);
    form.addRow(tr("Texts (.txt, .md, .rst, .jsonl):"), texts);
}

void ExperimentDialog::addLengths(QFormLayout &form)
{
    const QSettings settings;
    m_length = countBox(this, 32, 65536, 128, settings.value(QStringLiteral("experiment/length"), 512).toInt(), tr(" tokens"));
    m_heldOut = countBox(this, 2, 100'000, 8, settings.value(QStringLiteral("experiment/heldOut"), 16).toInt(), tr(" sequences"));
    form.addRow(tr("Sequence &length:"), m_length);
    if (m_kind == Kind::Calibrate) {
        form.addRow(tr("&Held out:"), m_heldOut);
        for (QSpinBox *box : {m_length, m_heldOut})
            connect(box, &QSpinBox::valueChanged, this, &ExperimentDialog::refresh);
        return;
    }
    m_alignTokens = countBox(this, 1, 2'000'000'000, 50'000, settings.value(QStringLiteral("experiment/alignTokens"), 200'000).toInt(), tr(" tokens"));
    m_trainTokens = countBox(this, 1, 2'000'000'000, 50'000, settings.value(QStringLiteral("experiment/trainTokens"), 100'000).toInt(), tr(" tokens"));
    form.addRow(tr("Stage &1, all layers together:"), m_alignTokens);
    form.addRow(m_kind == Kind::Score ? tr("Stage &2, each student:") : tr("Stage &2:"), m_trainTokens);
    form.addRow(tr("&Held out:"), m_heldOut);
    for (QSpinBox *box : {m_length, m_alignTokens, m_trainTokens, m_heldOut})
        connect(box, &QSpinBox::valueChanged, this, &ExperimentDialog::refresh);
}

void ExperimentDialog::addSeed(QFormLayout &form)
{
    m_seed = countBox(this, 0, 2'000'000'000, 1, firstSeed(), {});
    m_seed->setToolTip(tr("Every random number follows from it: the same seed measures the same again, another one how much chance there is in it"));
    m_equal = new QLabel(this);
    m_equal->setWordWrap(true);
    m_equal->setTextFormat(Qt::PlainText);
    m_equal->setSizePolicy(QSizePolicy::Expanding, m_equal->sizePolicy().verticalPolicy());
    m_equal->setAccessibleName(tr("Equal run"));
    m_equal->hide();
    form.addRow(tr("S&eed:"), m_seed);
    form.addRow(QString(), m_equal);
    connect(m_seed, &QSpinBox::valueChanged, this, [this] {
        m_isSeedGiven = m_isSeedGiven || !m_isChoosingSeed;
        refresh();
    });
}

int ExperimentDialog::firstSeed() const
{
    const SelectorOffer *offer = chosen();
    const nlohmann::json mixer = m_subject.spec.value("mixer", nlohmann::json::object());
    const std::int64_t seed = nextSeed(m_subject.made, offer ? offer->name : std::string("ga-s2"), mixer.is_object() ? mixer.value("kind", std::string()) : std::string(),
                                       m_subject.fixed ? m_subject.fixed->value("seed", std::int64_t{1}) : 1);
    return static_cast<int>(std::min<std::int64_t>(seed, 2'000'000'000));
}

const MadeScoring *ExperimentDialog::equalOne() const
{
    if (!m_seed || m_subject.made.empty())
        return nullptr;
    try {
        return equalScoring(m_subject.made, experiment::completeSpec(spec()));
    } catch (const Error &) {      // said where the cost would be
        return nullptr;
    }
}

/// One column of labels, though the selector's own fields are a form of their own.
void ExperimentDialog::alignLabels()
{
    QList<QLabel *> labels;
    for (const QFormLayout *form : {m_form, m_options ? m_options->rows() : nullptr})
        for (int row = 0; form && row < form->rowCount(); ++row)
            if (const QLayoutItem *item = form->itemAt(row, QFormLayout::LabelRole); item && qobject_cast<QLabel *>(item->widget()))
                labels << static_cast<QLabel *>(item->widget());
    int widest = 0;
    for (const QLabel *label : labels)
        widest = std::max(widest, label->sizeHint().width());
    for (QLabel *label : labels)
        label->setMinimumWidth(widest);
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

const SelectorOffer *ExperimentDialog::chosen() const
{
    return m_selector && m_selector->currentIndex() >= 0 ? &m_offers.list[static_cast<std::size_t>(m_selector->currentIndex())] : nullptr;
}

QString ExperimentDialog::whyNot(const SelectorOffer &offer) const
{
    if (offer.needsRecall && !m_subject.fixed && !m_subject.hasTokenizer)      // a model of one's own reads texts, and passkeys are hidden in these
        return tr("needs the teacher's tokenizer");
    if (offer.needsTokenizer && !m_subject.hasTokenizer)
        return tr("needs the teacher's tokenizer");
    return {};
}

void ExperimentDialog::showSelector()
{
    const SelectorOffer &offer = *chosen();
    const QString words = selectorMeasures(QString::fromStdString(offer.name));
    m_measures->setText(words.isEmpty() ? QString::fromStdString(offer.help) : tr("%1.").arg(words));
    delete m_options;
    m_options = new FieldForm(fieldsOf(offer), m_optionsPlace);
    m_optionsPlace->layout()->addWidget(m_options);
    m_optionsPlace->setVisible(!m_options->isEmpty());
    QWidget *before = m_selector;
    for (QWidget *editor : m_options->findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
        if (editor->focusPolicy() != Qt::NoFocus) {
            setTabOrder(before, editor);
            before = editor;
        }
    connect(m_options, &FieldForm::changed, this, &ExperimentDialog::refresh);
    if (m_seed && !m_isSeedGiven) {
        m_isChoosingSeed = true;
        m_seed->setValue(firstSeed());
        m_isChoosingSeed = false;
    }
    alignLabels();
}

void ExperimentDialog::refresh()
{
    if (m_isChoosingSeed)      // once, when it is chosen
        return;
    const SelectorOffer *offer = chosen();
    if (m_alignTokens)
        m_alignTokens->setEnabled(!offer || offer->needsStageOne);
    if (m_trainTokens)
        m_trainTokens->setEnabled(!offer || offer->trains);
    if (m_phaseTwoSteps)
        m_phaseTwoSteps->setEnabled(alignsByPhaseTwo());
    const MadeScoring *equal = equalOne();
    if (m_equal) {
        m_equal->setText(equal ? tr("An equal run exists: %1. Measured again with this seed, its numbers come out the same.").arg(equal->name) : QString());
        m_equal->setVisible(equal);
    }
    const QString reason = mistake();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
    if (reason.isEmpty())
        m_cost->ask(spec(), m_subject.workspace);
    else
        m_cost->refuse(reason);
}

bool ExperimentDialog::alignsByPhaseTwo() const
{
    return m_arm && (m_arm->currentData() == QLatin1String("both") || m_arm->currentData() == QLatin1String("phase-2"));
}

QString ExperimentDialog::mistake() const
{
    if (m_layers && !numbersIn(m_layers->text()))
        return tr("Layers are numbers and ranges with commas between, such as 0-3, 5.");
    return m_files && m_files->count() == 0 ? tr("Add at least one text.") : QString();
}

void ExperimentDialog::remember() const
{
    QSettings settings;
    if (m_selector)
        settings.setValue(QStringLiteral("experiment/selector"), m_selector->currentData());
    if (m_arm) {
        settings.setValue(QStringLiteral("experiment/arm"), m_arm->currentData());
        settings.setValue(QStringLiteral("experiment/phaseTwoSteps"), m_phaseTwoSteps->value());
    }
    if (m_subject.fixed)
        return;
    QStringList files;
    for (int row = 0; row < m_files->count(); ++row)
        files << m_files->item(row)->text();
    settings.setValue(QStringLiteral("experiment/files"), files);
    settings.setValue(QStringLiteral("experiment/length"), m_length->value());
    settings.setValue(QStringLiteral("experiment/heldOut"), m_heldOut->value());
    if (!m_alignTokens)
        return;
    settings.setValue(QStringLiteral("experiment/alignTokens"), m_alignTokens->value());
    settings.setValue(QStringLiteral("experiment/trainTokens"), m_trainTokens->value());
}

nlohmann::json ExperimentDialog::settings() const
{
    nlohmann::json made;
    if (m_subject.fixed) {
        made = *m_subject.fixed;
    } else {
        nlohmann::json files = nlohmann::json::array();
        for (int row = 0; row < m_files->count(); ++row)
            files.push_back(m_files->item(row)->text().toStdString());
        const auto steps = [&](int tokens, int batch) { return std::max(1, tokens / (batch * m_length->value())); };
        made = {{"data", {{"source", "text"}, {"files", files}, {"sequence_length", m_length->value()}, {"held_out_sequences", m_heldOut->value()}}}};
        if (m_alignTokens)
            made.update({{"alignment", {{"steps", steps(m_alignTokens->value(), alignBatch)}, {"batch_sequences", alignBatch}}},
                         {"steps", steps(m_trainTokens->value(), trainBatch)}, {"batch_sequences", trainBatch}});
    }
    if (m_arm) {
        made["arm"] = m_arm->currentData().toString().toStdString();
        made["layers"] = numbersIn(m_layers->text()).value_or(std::vector<std::int64_t>());
        if (alignsByPhaseTwo())
            made["phase_2"] = {{"steps", m_phaseTwoSteps->value()}};
        made.update(m_options->values());
    }
    if (m_seed)
        made["seed"] = m_seed->value();
    if (const SelectorOffer *offer = chosen()) {
        made["selector"] = offer->name;
        made.update(m_options->values());
    }
    return made;
}

nlohmann::json ExperimentDialog::spec() const
{
    nlohmann::json whole = m_subject.spec;
    whole.merge_patch(settings());
    return whole;
}

}  // namespace stillroom::widgets
