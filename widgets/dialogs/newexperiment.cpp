// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/newexperiment.h"

#include "dialogs/specform.h"
#include "error.h"
#include "experiment/jsontext.h"
#include "models/commandline.h"
#include "views/choicebox.h"
#include "views/costline.h"
#include "views/jsonedit.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/messageline.h"
#include "views/names.h"
#include "views/specwords.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSaveFile>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {
namespace {

using nlohmann::json;

const QString kindSetting = QStringLiteral("newexperiment/kind"), geometrySetting = QStringLiteral("newexperiment/geometry"), halvesSetting = QStringLiteral("newexperiment/halves"), lastSetting = QStringLiteral("newexperiment/last");

const QKeySequence runKeys(Qt::CTRL | Qt::Key_Return);

/// In the order in which one comes to them. What a model writes is shown in a terminal only.
constexpr const char *offeredKinds[] = {"score", "distill", "calibrate", "align", "evaluate", "inspect", "pipeline", "train-teacher"};

bool has(const experiment::KindSchema &schema, const char *field)
{
    return std::any_of(schema.fields.begin(), schema.fields.end(), [&](const experiment::Field &one) { return one.name == field; });
}

bool hasStage(const json &stages, const QString &kind)
{
    return std::any_of(stages.begin(), stages.end(), [&](const json &stage) { return stage.is_object() && SpecDocument::kindOf(stage.value("spec", json())) == kind; });
}

QString onlySpecFile(const QMimeData &data)
{
    const QList<QUrl> urls = data.urls();
    const QString path = urls.size() == 1 ? urls.front().toLocalFile() : QString();
    return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ? path : QString();
}

}  // namespace

NewExperiment::NewExperiment(Subject subject, const SelectorOffers &offers, Background &estimates, Background &timings, QWidget *parent)
    : QDialog(parent), m_subject(std::move(subject)), m_offers(offers), m_own(m_subject.workspace)
{
    setWindowTitle(tr("New experiment"));
    setWindowFlags(Qt::Window);
    setAcceptDrops(true);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    QLayout *head = makeHead();      // in the order of the tab key
    m_form = new SpecForm(m_document, m_offers, m_subject.mixers, this);
    m_form->setReachedAfter(m_save);
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_form);
    scroll->viewport()->setBackgroundRole(QPalette::Base);
    m_form->setBackgroundRole(QPalette::Base);
    m_halves = new QSplitter(Qt::Horizontal, this);
    m_halves->addWidget(scroll);
    m_halves->addWidget(makeText());
    m_notice = new MessageLine(MessageLine::Kind::Notice, this);
    m_problem = new MessageLine(MessageLine::Kind::Problem, this);
    m_cost = new CostLine(offers, estimates, timings, this);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addLayout(head);
    m_halves->setChildrenCollapsible(false);
    m_halves->setHandleWidth(16);
    scroll->setMinimumWidth(fontMetrics().averageCharWidth() * 56);
    m_halves->setStretchFactor(0, 3);
    m_halves->setStretchFactor(1, 2);
    m_halves->setSizes({600, 400});
    column->addWidget(m_halves, 1);
    column->addWidget(m_notice);
    column->addWidget(m_problem);
    column->addWidget(m_cost);
    column->addLayout(makeFoot());
    connect(&m_document, &SpecDocument::rewritten, this, &NewExperiment::showRewritten);
    connect(&m_document, &SpecDocument::specChanged, this, &NewExperiment::showKind);
    connect(&m_document, &SpecDocument::judged, this, &NewExperiment::judge);
    connect(m_form, &SpecForm::stageWanted, this, &NewExperiment::addStage);
    connect(m_cost, &CostLine::answered, this, [this] { m_run->setEnabled(m_document.isValid()); });
    connect(m_cost, &CostLine::refused, &m_document, &SpecDocument::blame);
    connect(m_notice, &MessageLine::nextStepRequested, this, &NewExperiment::restorePreset);
    const QSettings settings;
    if (!restoreGeometry(settings.value(geometrySetting).toByteArray())) {
        const QSize wanted(fontMetrics().averageCharWidth() * 160, fontMetrics().height() * 44);
        resize(screen() ? wanted.boundedTo(screen()->availableSize() * 0.9) : wanted);
    }
    m_halves->restoreState(settings.value(halvesSetting).toByteArray());
    const QString last = settings.value(kindSetting).toString();
    m_document.replace(beginning(m_kind->findData(last) >= 0 ? last : QString::fromLatin1(offeredKinds[0])));
    m_text->document()->clearUndoRedoStacks();
    m_text->document()->setModified(false);
    m_kind->setFocus();
}

std::vector<std::pair<QString, QString>> NewExperiment::keys()
{
    const auto shown = [](const QKeySequence &key) { return key.toString(QKeySequence::NativeText); };
    return {{shown(runKeys), tr("Run the experiment")}, {shown(QKeySequence::Open), tr("Open a spec")}, {shown(QKeySequence::Save), tr("Save the spec")}, {shown(QKeySequence::Cancel), tr("Close the window")}};
}

NewExperiment::~NewExperiment()
{
    m_text->disconnect(this);
    QSettings settings;
    if (m_text->document()->isModified())
        settings.setValue(lastSetting, m_text->toPlainText());
    settings.setValue(kindSetting, m_document.kind());
    settings.setValue(geometrySetting, saveGeometry());
    settings.setValue(halvesSetting, m_halves->saveState());
}

QLayout *NewExperiment::makeHead()
{
    m_kind = new ChoiceBox(this);
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_kind->setAccessibleName(tr("Kind of experiment"));
    for (const char *kind : offeredKinds)
        m_kind->addItem(kindName(QString::fromLatin1(kind)), QString::fromLatin1(kind));
    connect(m_kind, &QComboBox::activated, this, [this](int index) { changeKind(m_kind->itemData(index).toString()); });
    auto *label = new QLabel(tr("&Kind:"), this);
    label->setBuddy(m_kind);
    m_about = new ElidedLabel(Voice::Quiet, this);
    m_presets = new QPushButton(tr("&Presets"), this);
    m_presets->setToolTip(tr("Settings to start from: quick ones, published ones, your own. Teacher and data stay."));
    m_presets->setMenu(new QMenu(m_presets));
    m_presets->menu()->setToolTipsVisible(true);
    connect(m_presets->menu(), &QMenu::aboutToShow, this, &NewExperiment::fillPresets);
    auto *open = new QPushButton(tr("&Open spec…"), this);
    m_save = new QPushButton(tr("Sa&ve spec…"), this);
    open->setToolTip(tr("A spec from a file; a .json file can be dropped here too (Ctrl+O)"));
    m_save->setToolTip(tr("The JSON into a file, as stillroom-cli run takes it (Ctrl+S)"));
    addButtonKey(*open, QKeySequence::Open);
    addButtonKey(*m_save, QKeySequence::Save);
    connect(open, &QPushButton::clicked, this, &NewExperiment::askForFile);
    connect(m_save, &QPushButton::clicked, this, &NewExperiment::saveFile);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(label);
    line->addWidget(m_kind);
    line->addWidget(m_about, 1);
    line->addWidget(m_presets);
    line->addWidget(open);
    line->addWidget(m_save);
    return line;
}

QWidget *NewExperiment::makeText()
{
    auto *half = new QWidget(this);
    m_text = new JsonEdit(half);
    m_text->setAccessibleName(tr("The experiment as JSON"));
    m_text->setAcceptDrops(false);      // a file that is dropped is opened
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_rewriting)
            m_document.write(m_text->toPlainText());
    });
    auto *label = new QLabel(tr("&JSON:"), half);
    label->setBuddy(m_text);
    m_all = new QCheckBox(tr("Show all de&faults"), half);
    m_all->setToolTip(tr("Every field with its value, instead of those that differ from their defaults"));
    connect(m_all, &QCheckBox::toggled, &m_document, &SpecDocument::showDefaults);
    auto *head = new QHBoxLayout;
    head->addWidget(label);
    head->addStretch(1);
    head->addWidget(m_all);
    m_faultLine = new QWidget(half);
    m_fault = new QLabel(m_faultLine);
    m_fault->setWordWrap(true);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_fault->setAccessibleName(tr("What is wrong"));
    m_toFault = new QPushButton(tr("S&how"), m_faultLine);
    m_toFault->setToolTip(tr("Goes to the field, or to the line"));
    connect(m_toFault, &QPushButton::clicked, this, &NewExperiment::showProblem);
    auto *faultLine = new QHBoxLayout(m_faultLine);
    faultLine->setContentsMargins(0, 0, 0, 0);
    faultLine->setSpacing(8);
    faultLine->addWidget(m_fault, 1);
    faultLine->addWidget(m_toFault, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout(half);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_text, 1);
    column->addWidget(m_faultLine);
    return half;
}

QLayout *NewExperiment::makeFoot()
{
    m_copy = new QPushButton(tr("Copy &command line"), this);
    m_copy->setToolTip(tr("A line that runs this spec in a terminal, with its results in the same workspace"));
    m_run = new QPushButton(tr("&Run"), this);
    m_run->setToolTip(tr("Runs it in the background (%1)").arg(runKeys.toString(QKeySequence::NativeText)));
    addButtonKey(*m_run, runKeys);
    auto *cancel = new QPushButton(tr("C&lose"), this);
    connect(m_copy, &QPushButton::clicked, this, &NewExperiment::copyCommand);
    connect(m_run, &QPushButton::clicked, this, &NewExperiment::run);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    for (QPushButton *button : findChildren<QPushButton *>())      // Enter belongs to the fields
        button->setAutoDefault(false);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_copy);
    line->addStretch(1);
    line->addWidget(cancel);
    line->addWidget(m_run);
    line->insertWidget(2, new QuietLabel(tr("%1 runs it").arg(runKeys.toString(QKeySequence::NativeText)), this));
    return line;
}

/// What a person begins with: the kind, on what is open.
json NewExperiment::specOf(const QString &kind) const
{
    const experiment::KindSchema &schema = experiment::kindSchema(kind.toStdString());
    json spec = {{"kind", schema.kind}};
    for (const char *model : {"teacher", "model"})
        if (has(schema, model) && !m_subject.teacher.isEmpty() && kind != QLatin1String("train-teacher"))
            spec[model] = m_subject.teacher.toStdString();
    if (has(schema, "mixer"))
        spec["mixer"] = {{"kind", m_subject.mixer.toStdString()}};
    if (has(schema, "data") && kind != QLatin1String("train-teacher") && !m_subject.data.empty())
        spec["data"] = m_subject.data;
    if (kind == QLatin1String("distill") && !m_subject.keep.empty())
        spec["keep"] = m_subject.keep;
    if (kind == QLatin1String("pipeline")) {
        spec["stages"] = {{{"task", "score"}, {"spec", stageOf(QStringLiteral("score"))}}, {{"task", "distil"}, {"spec", stageOf(QStringLiteral("distill"))}}};
    }
    return spec;
}

/// Within a pipeline that has a stage "score" before it.
json NewExperiment::stageOf(const QString &kind) const
{
    json spec = beginning(kind);
    if (kind == QLatin1String("distill")) {
        spec.erase("keep");
        spec.update({{"keep_percent", 25}, {"scores", "stage:score"}});
    }
    return spec;
}

/// The same with what was measured for this teacher.
json NewExperiment::beginning(const QString &kind) const
{
    const json spec = specOf(kind);
    for (const SpecPreset &preset : m_subject.presets)
        if (SpecDocument::kindOf(preset.spec) == kind)
            return withPreset(spec, preset.spec);
    return spec;
}

void NewExperiment::changeKind(const QString &kind)
{
    if (kind == m_document.kind())
        return;
    // What both kinds are about goes along.
    json spec = beginning(kind);
    for (const char *name : {"teacher", "model", "mixer", "data", "name", "notes", "seed", "device", "compute_type", "threads"})
        if (const json given = m_document.spec().value(name, json()); !given.is_null() && has(experiment::kindSchema(kind.toStdString()), name))
            spec[name] = given;
    m_document.replace(spec);
}

void NewExperiment::addStage(const QString &kind)
{
    json stages = m_document.at("stages");
    if (!stages.is_array())
        stages = json::array();
    std::string task = kind.toStdString();
    const auto isTaken = [&] { return std::any_of(stages.begin(), stages.end(), [&](const json &stage) { return stage.value("task", json()) == json(task); }); };
    for (int number = 2; isTaken(); ++number)
        task = kind.toStdString() + '-' + std::to_string(number);
    stages.push_back({{"task", task}, {"spec", beginning(kind)}});
    m_document.set("stages", stages);
}

void NewExperiment::load(const json &spec)
{
    m_document.replace(experiment::withoutDefaults(spec));
}

void NewExperiment::openFile(const QString &path)
{
    try {
        // As it is written, also where it is wrong: here it can be mended.
        m_text->replaceText(QString::fromStdString(experiment::readTextFile(path.toStdString(), experiment::maximumSpecBytes, tr("The spec %1").arg(path).toStdString())));
    } catch (const Error &error) {
        say(QString::fromStdString(error.what()));
    }
}

void NewExperiment::say(const QString &problem)
{
    m_problem->showText(problem);
}

void NewExperiment::showRewritten()
{
    m_rewriting = true;
    m_text->replaceText(m_document.text());
    m_rewriting = false;
}

void NewExperiment::showKind()
{
    m_kind->setCurrentIndex(m_kind->findData(m_document.kind()));
    for (const experiment::KindSchema &schema : experiment::kinds())
        if (m_document.kind() == QString::fromStdString(schema.kind))
            m_about->setText(schemaWords(schema.help));
}

void NewExperiment::judge()
{
    const std::optional<experiment::SpecFault> &fault = m_document.fault();
    m_faultLine->setVisible(fault.has_value());
    const QString message = fault ? QString::fromStdString(fault->message) : QString();
    static const QRegularExpression ownPlace(QStringLiteral(R"(\bline \d+, column \d+)"));      // errors of syntax name theirs
    const bool namesPlace = message.contains(ownPlace), hasPlace = fault && (namesPlace || !fault->field.empty() || fault->line > 1);
    m_text->markLine(hasPlace ? fault->line : 0);      // the line that is said
    m_fault->setText(hasPlace && !namesPlace ? tr("Line %1: %2").arg(fault->line).arg(message) : message);
    if (!m_document.isValid()) {
        m_asked = {};
        m_run->setEnabled(false);
        m_copy->setEnabled(false);
        m_cost->refuse(tr("Cost: not known until the spec is right."));
        return;
    }
    m_copy->setEnabled(true);
    if (m_document.completed() == m_asked)
        return;
    m_asked = m_document.completed();
    m_run->setEnabled(false);
    m_cost->ask(m_asked, m_subject.workspace);
}

void NewExperiment::showProblem()
{
    if (const auto &fault = m_document.fault(); fault && !m_form->goTo(fault->field))
        m_text->goToMark();
}

void NewExperiment::fillPresets()
{
    QMenu &menu = *m_presets->menu();
    menu.clear();
    for (const SpecPreset &preset : m_subject.presets)
        if (SpecDocument::kindOf(preset.spec) == m_document.kind())
            addPreset(menu, preset);
    for (const SpecPreset &preset : shippedPresets(m_document.kind()))
        addPreset(menu, preset);
    menu.addSeparator();
    QStringList problems;
    const std::vector<SpecPreset> own = m_own.list(m_document.kind(), &problems);
    if (!problems.isEmpty())
        say(problems.join(QLatin1Char('\n')));
    for (const SpecPreset &preset : own)
        addPreset(menu, preset);
    if (!own.empty())
        menu.addSeparator();
    menu.addAction(tr("&Save as a preset…"), this, &NewExperiment::savePreset);
    QMenu *remove = menu.addMenu(tr("&Delete"));
    remove->setEnabled(!own.empty());
    for (const SpecPreset &preset : own)
        remove->addAction(preset.name, this, [this, name = preset.name] { deletePreset(name); });
    menu.addSeparator();
    QAction *last = menu.addAction(tr("What was &written last"), this, [this] { m_text->replaceText(QSettings().value(lastSetting).toString()); });
    last->setToolTip(tr("As this window was left before"));
    last->setEnabled(QSettings().contains(lastSetting));
    menu.addAction(tr("&Defaults of this kind"), this, [this] { m_document.replace(specOf(m_document.kind())); });
}

void NewExperiment::addPreset(QMenu &menu, const SpecPreset &preset)
{
    QAction *action = menu.addAction(preset.name);
    action->setToolTip(preset.purpose);
    action->setStatusTip(preset.purpose);
    connect(action, &QAction::triggered, this, [this, preset = preset.spec] {
        json spec = m_document.spec();
        json stages = spec.value("stages", json());
        // A stage that the preset brings along is about what is open, too.
        if (const json added = preset.is_object() ? preset.value("stages", json()) : json(); added.is_array()) {
            json whole = stages.is_array() ? stages : json::array();
            for (const json &stage : added)
                if (const QString kind = SpecDocument::kindOf(stage.is_object() ? stage.value("spec", json()) : json()); m_kind->findData(kind) >= 0 && !hasStage(whole, kind))
                    whole.push_back({{"task", kind.toStdString()}, {"spec", stageOf(kind)}});
            spec["stages"] = whole;
        }
        m_document.replace(withPreset(spec, preset));
    });
}

void NewExperiment::savePreset()
{
    bool ok = false;
    const QString name = QInputDialog::getText(this, tr("Save as a preset"), tr("Name:"), QLineEdit::Normal, {}, &ok).trimmed();
    if (!ok || name.isEmpty())
        return;
    if (m_own.has(name) && QMessageBox::question(this, tr("Save as a preset"), tr("There is a preset “%1” already. Replace it?").arg(name), QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel) != QMessageBox::Yes)
        return;
    try {
        m_own.save(name, m_document.spec());
    } catch (const Error &error) {
        say(QString::fromStdString(error.what()));
    }
}

void NewExperiment::deletePreset(const QString &name)
{
    try {
        m_deleted = m_own.remove(name);
        m_notice->showText(tr("The preset “%1” is deleted.").arg(name));
        m_notice->setNextStep(m_deleted ? tr("Undo") : QString());
    } catch (const Error &error) {
        say(QString::fromStdString(error.what()));
    }
}

void NewExperiment::restorePreset()
{
    try {
        m_own.save(m_deleted->name, m_deleted->spec);
        m_notice->hide();
    } catch (const Error &error) {
        say(QString::fromStdString(error.what()));
    }
}

void NewExperiment::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a spec"), {}, tr("Specs (*.json)"));
    if (!path.isEmpty())
        openFile(path);
}

void NewExperiment::saveFile()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the spec"), QStringLiteral("%1.json").arg(m_document.kind()), tr("Specs (*.json)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(m_text->toPlainText().toUtf8() + '\n') < 0 || !file.commit())
        say(tr("The spec cannot be written to %1: %2").arg(path, file.errorString()));
}

void NewExperiment::copyCommand()
{
    QGuiApplication::clipboard()->setText(runCommandLine(m_document.essence(), m_subject.workspace));
    m_notice->showText(tr("The command line is copied."));
    m_notice->setNextStep({});
}

void NewExperiment::run()
{
    m_problem->hide();
    Q_EMIT runRequested(m_document.essence());
}

void NewExperiment::dragEnterEvent(QDragEnterEvent *event)
{
    if (!onlySpecFile(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void NewExperiment::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    openFile(onlySpecFile(*event->mimeData()));
}

}  // namespace stillroom::widgets
