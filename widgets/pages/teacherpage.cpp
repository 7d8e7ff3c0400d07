// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/teacherpage.h"

#include "pages/continuations.h"
#include "views/labels.h"
#include "views/names.h"
#include "views/quantities.h"
#include "views/tokenizertryout.h"

#include <QGridLayout>
#include <QHash>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace stillroom::widgets {
namespace {

/// Eight pairs of a key and its value, two fillers, and one key again: the demo teacher goes on with that key's value, v05.

}  // namespace

TeacherPage::TeacherPage(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_title(nameHeading(HeadingLevel::Page, this)), m_subtitle(new QuietLabel({}, this)), m_tabs(new QTabWidget(this)), m_tokenizer(new TokenizerTryout(m_tabs)), m_continuations(new Continuations(session, m_tabs)), m_score(new QPushButton(tr("&Score layers…"), this))
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
    auto *scroll = new QScrollArea(m_tabs);
    auto *about = new QWidget;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(about);
    scroll->viewport()->setBackgroundRole(QPalette::Base);
    about->setBackgroundRole(QPalette::Base);
    scroll->setAccessibleName(tr("What the model is"));
    m_factsColumn = new QVBoxLayout(about);
    m_factsColumn->setContentsMargins(0, 0, 0, 0);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("About the model"));
    m_tabs->addTab(scroll, tr("&What it is"));
    m_tabs->addTab(m_tokenizer, tr("Toke&nizer"));
    m_tabs->addTab(m_continuations, tr("Side &by side"));
    m_tabs->setTabToolTip(1, tr("What tokens a text becomes"));
    m_tabs->setTabToolTip(2, tr("One prompt, continued by the teacher and its hybrids"));
    column->addWidget(m_tabs, 1);
    connect(&session, &Session::teacherChanged, this, &TeacherPage::refresh);
    connect(&session, &Session::jobKindChanged, this, &TeacherPage::refreshButtons);
    refresh();
}

QLayout *TeacherPage::makeButtons()
{
    auto *folder = new QPushButton(tr("&Open folder…"), this), *file = new QPushButton(tr("Open &GGUF…"), this), *demo = new QPushButton(tr("Open de&mo"), this);
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

QString TeacherPage::partName(const QString &part)
{
    static const QHash<QString, const char *> words{{QStringLiteral("embedding"), QT_TR_NOOP("embedding")}, {QStringLiteral("attention"), QT_TR_NOOP("attention")}, {QStringLiteral("linear"), QT_TR_NOOP("linear mixers")}, {QStringLiteral("mlp"), QT_TR_NOOP("MLP")},
                                                    {QStringLiteral("norms"), QT_TR_NOOP("norms")}, {QStringLiteral("head"), QT_TR_NOOP("output head")}};
    const auto found = words.constFind(part);
    return found == words.constEnd() ? part : tr(*found);
}

void TeacherPage::addParts()
{
    const ModelDescription &t = m_session.teacher();
    QGridLayout *grid = section(tr("Where the parameters are"));
    const QString heads[] = {tr("Part"), tr("Parameters"), tr("Share"), tr("As float32")};
    for (int column = 0; column < 4; ++column)
        grid->addWidget(new QuietLabel(heads[column], m_facts), 0, column, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
    int row = 1;
    for (const ModelPart &part : t.parts) {
        if (part.parameters == 0)      // a tied head
            continue;
        const auto count = static_cast<double>(part.parameters);
        const QString name = partName(part.name), values[] = {shortCount(count), tr("%1 %").arg(QLocale().toString(100.0 * count / static_cast<double>(std::max<qint64>(1, t.parameters)), 'f', 1)), shortBytes(4.0 * count)};
        grid->addWidget(valueLabel(name, heads[0], m_facts), row, 0);
        for (int column = 1; column < 4; ++column)
            grid->addWidget(valueLabel(values[column - 1], name + QStringLiteral(", ") + heads[column], m_facts), row, column, Qt::AlignRight);
        ++row;
    }
    grid->setColumnStretch(4, 1);
}

/// Equal neighbours share a line.
void TeacherPage::addLayers()
{
    const ModelDescription &t = m_session.teacher();
    QGridLayout *grid = section(tr("Layers"));
    const auto windowOf = [&](int layer) { return static_cast<std::size_t>(layer) < t.windowTokens.size() ? t.windowTokens[static_cast<std::size_t>(layer)] : 0; };
    int row = 0;
    for (int first = 0, next = 0; first < t.numLayers; first = next) {
        while (next < t.numLayers && t.layerKinds.value(next) == t.layerKinds.value(first) && windowOf(next) == windowOf(first))
            ++next;
        std::vector<int> layers(static_cast<std::size_t>(next - first));
        std::iota(layers.begin(), layers.end(), first);
        const QString kind = t.layerKinds.value(first) == QLatin1String("softmax") ? tr("softmax") : probeName(t.layerKinds.value(first)), name = rangesText(layers);
        const QString sight = t.layerKinds.value(first) != QLatin1String("softmax") ? tr("a state of fixed size") : windowOf(first) > 0 ? tr("sees the last %n tokens", nullptr, static_cast<int>(windowOf(first))) : tr("sees the whole text");
        grid->addWidget(valueLabel(name, tr("Layers"), m_facts), row, 0);
        grid->addWidget(valueLabel(kind, name, m_facts), row, 1);
        grid->addWidget(valueLabel(sight, name, m_facts), row++, 2);
    }
    grid->setColumnStretch(3, 1);
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
    addParts();
    addLayers();
    addMixers();
    addExports();
    column->addStretch(1);
    m_factsColumn->addWidget(m_facts);
}

void TeacherPage::refreshButtons()
{
    const ModelDescription &t = m_session.teacher();
    m_score->setVisible(t.isValid());
    m_score->setEnabled(t.isTeacher());
}

void TeacherPage::refresh()
{
    const ModelDescription &t = m_session.teacher();
    refreshButtons();
    m_tabs->setVisible(t.isValid());
    if (!t.isValid()) {
        m_title->setText(tr("Open a teacher"));
        m_subtitle->setText(tr("A Hugging Face folder (Llama, Qwen2, Qwen3, Mistral, SmolLM2) or a GGUF file; drop it anywhere in this window."));
        return;
    }
    m_title->setText(teacherName(t.name));
    m_subtitle->setText(t.argument == QLatin1String("demo")
                            ? tr("This is a 0.2 M parameter teacher that can recall (its local heads were initialised, retrieval was learned). Drag K on the Layers page. Then open your own model.")
                            : tr("%1 · %2 · %3").arg(t.architecture, t.format, t.path));
    rebuildFacts();
    m_tokenizer->setTokenizer(t.tokenizerPath, !t.tokenizerProblem.isEmpty() ? t.tokenizerProblem : tr("There is no tokenizer in the folder."));
    if (t.argument == QLatin1String("demo")) {      // whose words nobody guesses
        m_tokenizer->suggest(demoPrompt);
        m_continuations->suggest(demoPrompt);
    }
}

}  // namespace stillroom::widgets
