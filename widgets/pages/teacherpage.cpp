// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/teacherpage.h"

#include "views/labels.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace stillroom::widgets {

TeacherPage::TeacherPage(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_title(headingLabel({}, HeadingLevel::Page, this)), m_subtitle(new QuietLabel({}, this)), m_score(new QPushButton(tr("&Score layers"), this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    m_subtitle->setWordWrap(true);
    m_subtitle->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_title);
    column->addWidget(m_subtitle);
    column->addSpacing(8);
    column->addLayout(makeButtons());
    column->addSpacing(8);
    m_factsColumn = new QVBoxLayout;
    column->addLayout(m_factsColumn);
    column->addStretch(1);
    connect(&session, &Session::teacherChanged, this, &TeacherPage::refresh);
    connect(&session, &Session::jobKindChanged, this, &TeacherPage::refreshButtons);
    refresh();
}

QLayout *TeacherPage::makeButtons()
{
    auto *folder = new QPushButton(tr("&Open folder…"), this), *file = new QPushButton(tr("Open &GGUF…"), this), *demo = new QPushButton(tr("Open &demo"), this);
    folder->setToolTip(tr("A Hugging Face folder with config.json and safetensors (Ctrl+O)"));
    file->setToolTip(tr("A GGUF file (Ctrl+Shift+O)"));
    demo->setToolTip(tr("The 0.2 M parameter teacher that ships with the program"));
    m_score->setToolTip(tr("Measure what each layer gains as a softmax layer (Ctrl+R)"));
    connect(m_score, &QPushButton::clicked, this, &TeacherPage::scoreRequested);
    connect(folder, &QPushButton::clicked, this, &TeacherPage::openFolderRequested);
    connect(file, &QPushButton::clicked, this, &TeacherPage::openFileRequested);
    connect(demo, &QPushButton::clicked, this, [this] { m_session.openTeacher(QStringLiteral("demo")); });
    for (const auto &[before, after] : {std::pair{folder, file}, std::pair{file, demo}, std::pair{demo, m_score}})
        setTabOrder(before, after);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    for (QPushButton *button : {folder, file, demo})
        row->addWidget(button);
    row->addSpacing(16);
    row->addWidget(m_score);
    row->addStretch(1);
    return row;
}

/// A heading and the grid under it.
QGridLayout *TeacherPage::section(const QString &title)
{
    auto *column = static_cast<QVBoxLayout *>(m_facts->layout());
    column->addSpacing(16);
    column->addWidget(headingLabel(title, HeadingLevel::Section, m_facts));
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(6);
    column->addLayout(grid);
    return grid;
}

void TeacherPage::addShape()
{
    const ModelDescription &t = m_session.teacher();
    const QLocale locale;
    QGridLayout *grid = section(tr("Shape"));
    const auto fact = [&](int row, int column, const QString &name, const QString &value) {
        grid->addWidget(new QuietLabel(name, m_facts), row, column * 2, Qt::AlignTop);
        auto *text = valueLabel(value, name, m_facts);
        text->setWordWrap(true);
        grid->addWidget(text, row, column * 2 + 1, Qt::AlignTop);
    };
    fact(0, 0, tr("Layers"), locale.toString(t.numLayers));
    fact(1, 0, tr("Width"), tr("%1, MLP %2 (%3)").arg(locale.toString(t.hiddenSize), locale.toString(t.intermediateSize), t.activation));
    fact(2, 0, tr("Heads"), tr("%1 query, %2 key/value, %3 wide").arg(t.numHeads).arg(t.numKvHeads).arg(t.headDim));
    fact(3, 0, tr("Vocabulary"), t.tiedHead ? tr("%1, head tied to the embedding").arg(locale.toString(t.vocabSize)) : locale.toString(t.vocabSize));
    fact(0, 1, tr("Parameters"), tr("%1 (%2 as float32)").arg(shortCount(static_cast<double>(t.parameters)), shortBytes(static_cast<double>(t.parameters) * 4.0)));
    fact(1, 1, tr("Context"), tr("%1 tokens, RoPE base %2 (%3)").arg(locale.toString(t.contextTokens), locale.toString(t.ropeTheta, 'g', 6), t.ropeType));
    fact(2, 1, tr("KV cache"), tr("%1 per token (bf16)").arg(shortBytes(static_cast<double>(t.kvBytesPerToken))));
    fact(3, 1, tr("Stored as"), t.storedTypes.join(QStringLiteral(", ")));
    fact(4, 0, tr("Features"), featureNames(t.features));
    fact(4, 1, tr("Tokenizer"), !t.tokenizerProblem.isEmpty() ? t.tokenizerProblem : t.hasTokenizer ? tr("understood") : tr("none in the folder"));
    for (const int column : {1, 3})
        grid->setColumnStretch(column, 1);
}

void TeacherPage::addMixers()
{
    QGridLayout *grid = section(tr("What a linear layer takes"));
    const QString heads[] = {tr("Mixer"), tr("Parameters a layer"), tr("State a layer"), tr("Does not carry over")};
    for (int column = 0; column < 4; ++column)
        grid->addWidget(new QuietLabel(heads[column], m_facts), 0, column, column == 1 || column == 2 ? Qt::AlignRight : Qt::AlignLeft);
    int row = 1;
    for (const MixerSupport &mixer : m_session.teacher().mixers) {
        const QString name = mixer.kind.toUpper();
        grid->addWidget(valueLabel(name, heads[0], m_facts), row, 0);
        grid->addWidget(valueLabel(shortCount(static_cast<double>(mixer.parametersPerLayer)), name, m_facts), row, 1, Qt::AlignRight);
        grid->addWidget(valueLabel(shortBytes(static_cast<double>(mixer.stateBytesPerLayer)), name, m_facts), row, 2, Qt::AlignRight);
        auto *lost = valueLabel(featureNames(mixer.doesNotCarry), name, m_facts);
        lost->setWordWrap(true);
        grid->addWidget(lost, row++, 3);
    }
    grid->setColumnStretch(3, 1);
}

void TeacherPage::addExports()
{
    QGridLayout *grid = section(tr("Export"));
    int row = 0;
    for (const ExportSupport &one : m_session.teacher().exports) {
        grid->addWidget(new QuietLabel(one.format, m_facts), row, 0, Qt::AlignTop);
        auto *text = valueLabel(one.exact ? tr("exact") : tr("not exact: %1").arg(one.reasons.join(QStringLiteral("; "))), one.format, m_facts);
        text->setWordWrap(true);
        grid->addWidget(text, row++, 1);
    }
    grid->setColumnStretch(1, 1);
}

void TeacherPage::rebuildFacts()
{
    delete m_facts;
    m_facts = new QWidget(this);
    auto *column = new QVBoxLayout(m_facts);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    addShape();
    addMixers();
    addExports();
    m_factsColumn->addWidget(m_facts);
}

void TeacherPage::refreshButtons()
{
    const ModelDescription &t = m_session.teacher();
    m_score->setVisible(t.isValid());
    m_score->setEnabled(t.isTeacher() && !m_session.job().isRunning());
}

void TeacherPage::refresh()
{
    const ModelDescription &t = m_session.teacher();
    refreshButtons();
    if (!t.isValid()) {
        m_title->setText(tr("Open a teacher"));
        m_subtitle->setText(tr("A Hugging Face folder (Llama, Qwen2, Qwen3, Mistral, SmolLM2) or a GGUF file; drop it anywhere in this window."));
        return;
    }
    m_title->setText(t.name);
    m_subtitle->setText(t.argument == QLatin1String("demo")
                            ? tr("This is a 0.2 M parameter teacher that can recall (its local heads were initialised, retrieval was learned). Drag K on the Layers page. Then open your own model.")
                            : tr("%1 · %2 · %3").arg(t.architecture, t.format, t.path));
    rebuildFacts();
}

}  // namespace stillroom::widgets
