// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/teacherpage.h"

#include "views/jobsstrip.h"
#include "views/palette.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace stillroom::widgets {
namespace {

/// Feature names of the description, for people.
QString featureName(const QString &feature)
{
    if (feature == QLatin1String("qkv_bias"))
        return TeacherPage::tr("biases on queries, keys and values");
    if (feature == QLatin1String("output_bias"))
        return TeacherPage::tr("bias after attention");
    if (feature == QLatin1String("qk_norm"))
        return TeacherPage::tr("norms on queries and keys");
    if (feature == QLatin1String("rope"))
        return TeacherPage::tr("rotary positions");
    if (feature == QLatin1String("rope_scaling"))
        return TeacherPage::tr("scaled rotary positions");
    if (feature == QLatin1String("sliding_window"))
        return TeacherPage::tr("sliding window");
    if (feature == QLatin1String("grouped_query"))
        return TeacherPage::tr("grouped queries");
    if (feature == QLatin1String("wide_heads"))
        return TeacherPage::tr("head width other than D/H");
    return feature;
}

QString featureList(const QStringList &features)
{
    QStringList names;
    for (const QString &feature : features)
        names << featureName(feature);
    return names.isEmpty() ? TeacherPage::tr("nothing") : names.join(QStringLiteral(", "));
}

}  // namespace

TeacherPage::TeacherPage(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_title(new QLabel(this)), m_subtitle(new QLabel(this)), m_support(new QLabel(this)), m_facts(nullptr),
      m_score(new QPushButton(tr("&Score layers"), this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 16);
    column->setSpacing(12);
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 1.6);
    m_title->setFont(large);
    m_subtitle->setWordWrap(true);
    m_support->setWordWrap(true);
    m_support->setTextFormat(Qt::RichText);
    m_support->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *folder = new QPushButton(tr("&Open folder…"), this), *file = new QPushButton(tr("Open &GGUF…"), this), *demo = new QPushButton(tr("Open &demo"), this);
    folder->setToolTip(tr("A Hugging Face folder with config.json and safetensors (Ctrl+O)"));
    file->setToolTip(tr("A GGUF file (Ctrl+Shift+O)"));
    demo->setToolTip(tr("The 0.2 M parameter teacher that ships with the program"));
    m_score->setDefault(true);
    m_score->setToolTip(tr("Measure what each layer gains as a softmax layer (Ctrl+R)"));
    connect(folder, &QPushButton::clicked, this, &TeacherPage::openFolderRequested);
    connect(file, &QPushButton::clicked, this, &TeacherPage::openFileRequested);
    connect(demo, &QPushButton::clicked, this, [this] { m_session.openTeacher(QStringLiteral("demo")); });
    connect(m_score, &QPushButton::clicked, this, &TeacherPage::scoreRequested);
    column->addWidget(m_title);
    column->addWidget(m_subtitle);
    m_factsBox = new QWidget(this);
    column->addWidget(m_factsBox);
    column->addWidget(m_support);
    column->addStretch(1);
    auto *buttons = new QHBoxLayout;
    for (QPushButton *button : {folder, file, demo})
        buttons->addWidget(button);
    buttons->addStretch(1);
    buttons->addWidget(m_score);
    column->addLayout(buttons);
    connect(&session, &Session::teacherChanged, this, &TeacherPage::refresh);
    connect(&session, &Session::jobKindChanged, this, &TeacherPage::refresh);
    refresh();
}

void TeacherPage::fact(int row, int column, const QString &label, const QString &value)
{
    auto *name = new QLabel(label, m_factsBox), *text = new QLabel(value, m_factsBox);
    QPalette quiet = palette();
    quiet.setColor(QPalette::WindowText, quietTextColour(palette()));
    name->setPalette(quiet);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setAccessibleName(label);
    m_facts->addWidget(name, row, column * 2, Qt::AlignTop | Qt::AlignLeft);
    m_facts->addWidget(text, row, column * 2 + 1, Qt::AlignTop | Qt::AlignLeft);
}

void TeacherPage::fillFacts()
{
    qDeleteAll(m_factsBox->findChildren<QLabel *>());
    delete m_factsBox->layout();
    m_facts = new QGridLayout(m_factsBox);
    m_facts->setContentsMargins(0, 0, 0, 0);
    m_facts->setHorizontalSpacing(24);
    m_facts->setVerticalSpacing(6);
    m_facts->setColumnStretch(3, 1);
    const ModelDescription &t = m_session.teacher();
    const QLocale locale;
    fact(0, 0, tr("Layers"), locale.toString(t.numLayers));
    fact(1, 0, tr("Width"), tr("%1, MLP %2 (%3)").arg(locale.toString(t.hiddenSize), locale.toString(t.intermediateSize), t.activation));
    fact(2, 0, tr("Heads"), tr("%1 query, %2 key/value, %3 wide").arg(t.numHeads).arg(t.numKvHeads).arg(t.headDim));
    fact(3, 0, tr("Vocabulary"), t.tiedHead ? tr("%1, head tied to the embedding").arg(locale.toString(t.vocabSize)) : locale.toString(t.vocabSize));
    fact(0, 1, tr("Parameters"), tr("%1 (%2 as float32)").arg(shortCount(static_cast<double>(t.parameters)), shortBytes(static_cast<double>(t.parameters) * 4.0)));
    fact(1, 1, tr("Context"), tr("%1 tokens, RoPE base %2 (%3)").arg(locale.toString(t.contextTokens), locale.toString(t.ropeTheta, 'g', 6), t.ropeType));
    fact(2, 1, tr("KV cache"), tr("%1 per token (bf16)").arg(shortBytes(static_cast<double>(t.kvBytesPerToken))));
    fact(3, 1, tr("Stored as"), t.storedTypes.join(QStringLiteral(", ")));
}

void TeacherPage::fillSupport()
{
    const ModelDescription &t = m_session.teacher();
    QString html = QStringLiteral("<p>") + tr("Features: %1.").arg(featureList(t.features)).toHtmlEscaped() + QStringLiteral("</p><ul>");
    for (const MixerSupport &mixer : t.mixers)
        html += QStringLiteral("<li><b>%1</b>: %2</li>")
                    .arg(mixer.kind.toUpper().toHtmlEscaped(), tr("%1 parameters and %2 of state a layer; it does not carry over: %3")
                                                                   .arg(shortCount(static_cast<double>(mixer.parametersPerLayer)), shortBytes(static_cast<double>(mixer.stateBytesPerLayer)), featureList(mixer.doesNotCarry))
                                                                   .toHtmlEscaped());
    for (const ExportSupport &one : t.exports)
        html += QStringLiteral("<li>%1</li>").arg((one.exact ? tr("Export as %1: exact").arg(one.format) : tr("Export as %1: not exact (%2)").arg(one.format, one.reasons.join(QStringLiteral("; ")))).toHtmlEscaped());
    html += QStringLiteral("</ul>");
    if (!t.tokenizerProblem.isEmpty())
        html += QStringLiteral("<p>") + tr("Tokenizer: %1").arg(t.tokenizerProblem).toHtmlEscaped() + QStringLiteral("</p>");
    m_support->setText(html);
}

void TeacherPage::refresh()
{
    const ModelDescription &t = m_session.teacher();
    m_score->setEnabled(t.isValid() && t.isTeacher() && !m_session.job().isRunning());
    m_factsBox->setVisible(t.isValid());
    m_support->setVisible(t.isValid());
    if (!t.isValid()) {
        m_title->setText(tr("Open a teacher"));
        m_subtitle->setText(tr("A Hugging Face folder (Llama, Qwen2, Qwen3, Mistral, SmolLM2) or a GGUF file; drop it anywhere in this window."));
        return;
    }
    m_title->setText(t.name);
    m_subtitle->setText(t.argument == QLatin1String("demo")
                            ? tr("This is a 0.2 M parameter teacher that can recall (its local heads were initialised, retrieval was learned). Drag K on the Layers page. Then open your own model.")
                            : tr("%1 · %2 · %3").arg(t.architecture, t.format, t.path));
    fillFacts();
    fillSupport();
}

}  // namespace stillroom::widgets
