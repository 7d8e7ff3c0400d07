// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/continuations.h"

#include "models/jobrunner.h"
#include "views/labels.h"
#include "views/messageline.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int usualTokens = 64, mostTokens = 4096, linesOfPrompt = 4, mostWriters = 6;

}  // namespace

Continuations::Continuations(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_prompt(new QPlainTextEdit(this)), m_list(new QListWidget(this)), m_tokens(new QSpinBox(this)), m_seed(new QSpinBox(this)), m_temperature(new QDoubleSpinBox(this)),
      m_chat(new QCheckBox(tr("&chat template"), this)), m_write(new QPushButton(tr("Wr&ite"), this)), m_cancel(new QPushButton(tr("Cance&l"), this)), m_problem(new MessageLine(MessageLine::Kind::Problem, this)), m_texts(new QSplitter(Qt::Horizontal, this))
{
    m_prompt->setObjectName(QStringLiteral("prompt"));
    m_prompt->setAccessibleName(tr("Prompt"));
    m_prompt->setPlaceholderText(tr("A text to be continued"));
    m_prompt->setTabChangesFocus(true);
    m_list->setAccessibleName(tr("Who writes"));
    m_list->setToolTip(tr("Space chooses; up to %n side by side", nullptr, mostWriters));
    for (QWidget *one : std::initializer_list<QWidget *>{m_prompt, m_list})
        one->setFixedHeight(fontMetrics().lineSpacing() * linesOfPrompt + 16);
    m_texts->setChildrenCollapsible(false);
    auto *inputs = new QHBoxLayout;
    inputs->setSpacing(8);
    inputs->addWidget(m_prompt, 3);
    inputs->addWidget(m_list, 2);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_problem);
    column->addLayout(inputs);
    column->addLayout(makeSettings());
    column->addWidget(m_texts, 1);
    connect(m_write, &QPushButton::clicked, this, &Continuations::write);
    connect(m_cancel, &QPushButton::clicked, this, &Continuations::cancel);
    connect(&session.jobs().queue(), &JobQueue::changed, this, &Continuations::refreshButton);
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut), &QShortcut::activated, this, &Continuations::write);
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &Continuations::refreshButton);
    connect(m_list, &QListWidget::itemChanged, this, [this] {
        m_chosenByHand = m_chosenByHand || !m_listing;
        refreshButton();
    });
    connect(&session, &Session::teacherChanged, this, [this] {
        m_chosenByHand = false;
        listWriters();
    });
    connect(&session, &Session::hybridsChanged, this, &Continuations::listWriters);
    connect(&session.job(), &JobFeed::events, this, &Continuations::take);
    connect(&session.job(), &JobFeed::ended, this, &Continuations::end);
    listWriters();
}

void Continuations::suggest(const QString &prompt)
{
    if (m_prompt->toPlainText().isEmpty())
        m_prompt->setPlainText(prompt);
}

QLayout *Continuations::makeSettings()
{
    m_tokens->setRange(1, mostTokens);
    m_tokens->setValue(usualTokens);
    m_temperature->setRange(0.0, 10.0);
    m_temperature->setSingleStep(0.1);
    m_temperature->setSpecialValueText(tr("greedy"));
    m_temperature->setToolTip(tr("0: always the likeliest token"));
    m_seed->setRange(0, 1'000'000'000);
    m_seed->setValue(1);
    m_write->setToolTip(tr("Ctrl+Enter"));
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    for (const auto &[name, input] : {std::pair<QString, QWidget *>{tr("&Tokens:"), m_tokens}, {tr("Temper&ature:"), m_temperature}, {tr("See&d:"), m_seed}}) {
        auto *label = new QLabel(name, this);
        label->setBuddy(input);
        input->setAccessibleName(QString(name).remove(QLatin1Char('&')).remove(QLatin1Char(':')));
        row->addWidget(label);
        row->addWidget(input);
        if (input != m_tokens)
            m_choices << label << input;
    }
    m_choices << m_list << m_chat;
    row->addWidget(m_chat);
    row->addStretch(1);
    row->addWidget(m_cancel);
    row->addWidget(m_write);
    return row;
}

/// What was chosen stays chosen; at first the teacher and its newest hybrid.
void Continuations::listWriters()
{
    std::vector<std::pair<QString, QString>> writers;       // name, model
    const ModelDescription &teacher = m_session.teacher();
    if (teacher.isValid())
        writers.emplace_back(teacher.name, teacher.argument);
    const std::vector<MeasuredHybrid> hybrids = m_session.hybrids();
    for (auto hybrid = hybrids.rbegin(); hybrid != hybrids.rend(); ++hybrid)
        if (!hybrid->model.isEmpty())
            writers.emplace_back(tr("%1, softmax in %2 · KL %3").arg(probeName(hybrid->mixer), layerNames(hybrid->layers), measureDigits(hybrid->klNats)), hybrid->model);
    QStringList models, wereChosen;
    for (const Writer &one : chosen())
        wereChosen << one.model;
    m_listing = true;
    m_list->clear();
    for (const auto &[name, model] : writers) {
        if (models.contains(model))
            continue;
        models << model;
        auto *item = new QListWidgetItem(name, m_list);
        item->setData(Qt::UserRole, model);
        item->setToolTip(model);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        const bool marked = m_chosenByHand ? wereChosen.contains(model) : models.size() <= 2;
        item->setCheckState(marked ? Qt::Checked : Qt::Unchecked);
    }
    m_listing = false;
    m_chat->setVisible(teacher.hasChatTemplate && !m_authors);
    m_chat->setChecked(m_chat->isChecked() && teacher.hasChatTemplate);
    refreshButton();
}

std::vector<Continuations::Writer> Continuations::chosen() const
{
    std::vector<Writer> writers;
    for (const Author &one : m_authors.value_or(std::vector<Author>()))
        if (!one.model.isEmpty())
            writers.push_back({one.name, one.model});
    for (int row = 0; !m_authors && row < m_list->count() && std::ssize(writers) < mostWriters; ++row)
        if (const QListWidgetItem *item = m_list->item(row); item->checkState() == Qt::Checked)
            writers.push_back({item->text(), item->data(Qt::UserRole).toString()});
    return writers;
}

void Continuations::refreshButton()
{
    const ModelDescription &teacher = m_session.teacher();
    const QueuedJob *own = ownJob();
    m_cancel->setEnabled(own && own->state != JobState::Cancelling);
    if (m_authors) {      // each has a tokenizer of its own, or says that it has none
        m_write->setEnabled(!own && !m_prompt->toPlainText().isEmpty() && !chosen().empty());
        return;
    }
    m_write->setEnabled(teacher.hasTokenizer && !m_prompt->toPlainText().isEmpty() && !chosen().empty());
    m_write->setToolTip(teacher.isValid() && !teacher.hasTokenizer ? tr("This model has no tokenizer that is understood, so it cannot read a text.") : tr("Ctrl+Enter"));
}

nlohmann::json Continuations::spec() const
{
    nlohmann::json stages = nlohmann::json::array();
    for (const Writer &writer : chosen()) {
        const nlohmann::json one{{"kind", "generate"}, {"model", writer.model.toStdString()}, {"prompt", m_prompt->toPlainText().toStdString()}, {"max_new_tokens", m_tokens->value()},
                                 {"temperature", m_temperature->value()}, {"seed", m_seed->value()}, {"chat", m_chat->isChecked()}};
        stages.push_back({{"task", taskName(stages.size())}, {"spec", one}});
    }
    return {{"kind", "pipeline"}, {"stages", stages}};
}

void Continuations::write()
{
    if (!m_write->isEnabled())
        return;
    m_problem->hide();
    ++m_asked;
    std::vector<Author> authors;
    for (const Writer &one : chosen())
        authors.push_back({one.name, one.model, {}});
    showAnew(m_authors.value_or(authors));
    m_run.clear();
    m_session.run(spec());
    refreshButton();
}

void Continuations::setAuthors(std::vector<Author> authors)
{
    if (m_authors == authors)
        return;
    const auto writes = [&authors](const Writer &writer) { return !writer.task.empty() && std::any_of(authors.begin(), authors.end(), [&](const Author &one) { return one.model == writer.model; }); };
    if (!m_authors || std::none_of(m_writers.begin(), m_writers.end(), writes)) {
        cancel();                // what still writes for others
        ++m_asked;
        m_run.clear();
        m_problem->hide();
    }
    m_authors = std::move(authors);
    m_temperature->setValue(0.0);
    m_chat->setChecked(false);
    for (QWidget *choice : m_choices)
        choice->hide();
    showWriters(*m_authors);
    for (const Writer &writer : m_writers)
        if (!writer.model.isEmpty() && writer.task.empty())
            writer.text->setPlaceholderText(tr("Write a prompt and press Ctrl+Enter: each goes on with the likeliest token at every place."));
    refreshButton();
}

/// Those that stood here before keep their places' contents: what they wrote cost time.
void Continuations::showWriters(const std::vector<Author> &authors)
{
    std::vector<Writer> now;
    for (const Author &one : authors)
        now.push_back(takeWriter(one));
    for (const Writer &gone : std::exchange(m_writers, std::move(now)))
        delete gone.place;
    for (std::size_t i = 0; i < m_writers.size(); ++i) {
        m_texts->insertWidget(static_cast<int>(i), m_writers[i].place);
        m_texts->setStretchFactor(static_cast<int>(i), 1);
        m_writers[i].place->show();
    }
    m_texts->setSizes(QList<int>(m_texts->count(), m_texts->width() / std::max(1, m_texts->count())));
}

/// For a new prompt: nothing of an old one stays.
void Continuations::showAnew(const std::vector<Author> &authors)
{
    for (const Writer &gone : std::exchange(m_writers, {}))
        delete gone.place;
    showWriters(authors);
    std::size_t stage = 0;      // those that cannot write have none
    for (Writer &writer : m_writers)
        if (!writer.model.isEmpty())
            writer.task = taskName(stage++);
}

/// Out of those that are shown, under its name of now; a new one where it is not among them. Who cannot write says why, which may have changed.
Continuations::Writer Continuations::takeWriter(const Author &author)
{
    const auto known = author.model.isEmpty() ? m_writers.end() : std::find_if(m_writers.begin(), m_writers.end(), [&](const Writer &one) { return one.model == author.model; });
    if (known == m_writers.end())
        return makeWriter(author);
    Writer writer = std::move(*known);
    m_writers.erase(known);
    rename(writer, author.name);
    return writer;
}

Continuations::Writer Continuations::makeWriter(const Author &author)
{
    Writer writer{author.name, author.model};
    writer.place = new QWidget;
    auto *column = new QVBoxLayout(writer.place);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(new ElidedLabel(Voice::Quiet, writer.place));
    writer.text = new QPlainTextEdit(writer.place);
    writer.text->setReadOnly(true);
    writer.text->setTabChangesFocus(true);
    writer.text->setPlaceholderText(author.model.isEmpty() ? author.obstacle : tr("waits for its turn…"));
    column->addWidget(writer.text, 1);
    rename(writer, author.name);
    return writer;
}

void Continuations::rename(Writer &writer, const QString &name)
{
    writer.name = name;
    writer.place->findChild<ElidedLabel *>()->setText(name);
    writer.text->setAccessibleName(tr("What %1 writes").arg(name));
}

/// Two of these pages hear of the same jobs.
std::string Continuations::taskName(std::size_t writer) const
{
    return (m_authors ? "run-" : "writer-") + std::to_string(m_asked) + "-" + std::to_string(writer + 1);
}

const QueuedJob *Continuations::ownJob() const
{
    const QString task = QLatin1Char('"') + QString::fromStdString(taskName(0)) + QLatin1Char('"');
    for (const QueuedJob &job : m_session.jobs().queue().jobs())
        if (job.kind == QLatin1String("pipeline") && job.spec.contains(task))
            return &job;
    return nullptr;
}

void Continuations::cancel()
{
    const QueuedJob *job = ownJob();
    if (!job)
        return;
    const bool waits = !job->isActive();
    m_session.jobs().cancel(QString(job->run));
    if (waits)      // it leaves the queue without a last word
        stopped(tr("The job was stopped before all had written."));
    refreshButton();
}

void Continuations::stopped(const QString &why)
{
    m_problem->showText(why);
    for (const Writer &writer : m_writers)
        if (!writer.task.empty())
            writer.text->setPlaceholderText({});
}

Continuations::Writer *Continuations::writerOf(const std::string &task)
{
    const auto found = std::find_if(m_writers.begin(), m_writers.end(), [&](const Writer &one) { return !one.task.empty() && one.task == task; });
    return found == m_writers.end() ? nullptr : &*found;
}

void Continuations::take(const std::vector<experiment::Event> &events)
{
    for (const experiment::Event &event : events) {
        Writer *writer = writerOf(event.task);
        if (!writer)
            continue;
        m_run = event.run;
        if (std::holds_alternative<experiment::Started>(event.body))
            writer->text->setPlaceholderText(tr("writes…"));
        else if (const auto *text = std::get_if<experiment::Text>(&event.body); text && text->name == "continuation")
            writer->text->setPlainText(QString::fromStdString(text->text));
    }
}

/// A stage that was there already said nothing on its way: its text is in the result.
void Continuations::end(const experiment::Event &last)
{
    const auto *finished = std::get_if<experiment::Finished>(&last.body);
    if (!finished && last.run == m_run) {
        const auto *failed = std::get_if<experiment::Failed>(&last.body);
        stopped(failed ? QString::fromStdString(failed->message) : tr("The job was stopped before all had written."));
        return;
    }
    const nlohmann::json result = finished ? nlohmann::json::parse(finished->resultJson, nullptr, false) : nlohmann::json();
    if (!result.is_object() || !result.contains("stages") || !result["stages"].is_object())
        return;
    for (const auto &[task, stage] : result["stages"].items()) {
        Writer *writer = writerOf(task);
        const nlohmann::json rows = writer && stage.is_object() ? stage.value("result", nlohmann::json::object()).value("continuations", nlohmann::json::array()) : nlohmann::json::array();
        if (!rows.empty() && rows.front().is_object())
            writer->text->setPlainText(QString::fromStdString(rows.front().value("text", std::string())));
        if (writer && writer->text->toPlainText().isEmpty())
            writer->text->setPlaceholderText(tr("wrote nothing: the end of the text was its first token"));
    }
}

}  // namespace stillroom::widgets
