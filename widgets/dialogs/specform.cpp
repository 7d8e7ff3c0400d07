// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/specform.h"

#include "dialogs/formsection.h"
#include "views/choicebox.h"
#include "views/focusring.h"
#include "views/labels.h"
#include "views/names.h"
#include "views/palette.h"
#include "views/specwords.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace stillroom::widgets {
namespace {

using experiment::Field, experiment::FieldType;
using nlohmann::json;
using Fields = std::vector<Field>;

/// Plain fields by what they are about, each part in the order in which one thinks of them. What is in neither list is the subject of the experiment.
constexpr std::array trainingFields{"steps", "tokens", "batch_sequences", "micro_batch_sequences", "learning_rate", "learning_rate_mixers", "learning_rate_rest", "fast_group", "train", "loss",
                                    "schedule", "warmup_steps", "min_lr_ratio", "decay_fraction", "temperature", "ce_weight", "reverse_kl_weight", "other_tokens_weight", "weight_decay",
                                    "clip_norm", "beta1", "beta2", "eps", "kl_budget_mb", "checkpoint_blocks"};
constexpr std::array measuringFields{"evaluations", "evaluate_at_tokens", "include_all_linear", "window", "stride"};
constexpr std::array runFields{"name", "notes", "seed", "device", "compute_type", "threads", "group_size", "checkpoint_interval_seconds"};

template <typename Names>
int placeIn(const Names &names, const std::string &name)
{
    const auto found = std::find_if(names.begin(), names.end(), [&](const char *one) { return name == one; });
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

/// Takes the named ones out, in the order of the names.
template <typename Names>
Fields taken(Fields &fields, const Names &names)
{
    Fields chosen;
    for (const Field &field : fields)
        if (placeIn(names, field.name) >= 0)
            chosen.push_back(field);
    std::erase_if(fields, [&](const Field &field) { return placeIn(names, field.name) >= 0; });
    std::stable_sort(chosen.begin(), chosen.end(), [&](const Field &a, const Field &b) { return placeIn(names, a.name) < placeIn(names, b.name); });
    return chosen;
}

bool isForm(const Field &field)
{
    return field.type == FieldType::ObjectList || (field.type == FieldType::Object && !field.fields.empty());
}

Fields formsIn(Fields &fields)
{
    Fields forms;
    std::copy_if(fields.begin(), fields.end(), std::back_inserter(forms), isForm);
    std::erase_if(fields, isForm);
    return forms;
}

std::string lastName(const std::string &path)
{
    return path.substr(path.find_last_of('.') == std::string::npos ? 0 : path.find_last_of('.') + 1);
}

/// "data.recall." → "recall", "stages[1]." → "stages".
std::string objectOf(const std::string &prefix)
{
    const std::string name = prefix.empty() ? std::string() : lastName(prefix.substr(0, prefix.size() - 1));
    return name.substr(0, name.find('['));
}

QString nameOf(const Field &field, const std::string &prefix)
{
    const std::string object = objectOf(prefix);
    return fieldName(QString::fromStdString(object == "spec" ? std::string() : object), QString::fromStdString(field.name));
}

bool endsWith(const std::string &text, std::string_view end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

int numLeaves(const json &value)
{
    if (!value.is_object())
        return 1;
    int leaves = 0;
    for (const json &inner : value)
        leaves += numLeaves(inner);
    return leaves;
}

}  // namespace

SpecForm::SpecForm(SpecDocument &document, const SelectorOffers &offers, QStringList mixers, QWidget *parent)
    : QWidget(parent), m_document(document), m_offers(offers), m_mixers(std::move(mixers))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    connect(&m_document, &SpecDocument::specChanged, this, &SpecForm::refresh);
    connect(&m_document, &SpecDocument::judged, this, &SpecForm::refreshProblems);
    refresh();
}

QString SpecForm::outline() const
{
    QString text = m_document.kind();
    for (const json &stage : m_document.at("stages"))
        text += QLatin1Char('/') + (stage.is_object() ? SpecDocument::kindOf(stage.value("spec", json())) : QString());
    return text;
}

void SpecForm::build()
{
    m_isBuilding = true;
    for (const FormSection *section : m_sections)
        if (section->isOpen())
            m_remembered.push_back(section->paths().front());
    m_rows.clear();
    m_sections.clear();
    if (m_content) {
        m_content->hide();      // what it said when it lost the keyboard is about no row any more
        m_content->deleteLater();
    }
    m_content = new QWidget(this);
    m_lineHeight = QLineEdit().sizeHint().height();
    m_labelWidth = fontMetrics().averageCharWidth() * 28;
    auto *column = new QVBoxLayout(m_content);
    column->setContentsMargins(focusRingWidth, focusRingWidth, 8, focusRingWidth);
    column->setSpacing(4);
    for (const experiment::KindSchema &schema : experiment::kinds())
        if (m_document.kind() == QString::fromStdString(schema.kind))
            addKind(schema, {}, *column);
    column->addStretch(1);
    layout()->addWidget(m_content);
    if (!m_sections.empty())
        m_sections.front()->setOpen(true);
    if (m_reachedAfter)
        reachAfter(m_reachedAfter, *m_content);
    else if (!m_sections.empty())
        m_sections.front()->orderKeys();
    m_isBuilding = false;
    QTimer::singleShot(0, this, [this, generation = ++m_generation] { openRemembered(generation); });
}

void SpecForm::openRemembered(int generation)
{
    if (generation != m_generation)
        return;
    const auto isRemembered = [this](const FormSection *section) { return !section->isOpen() && std::find(m_remembered.begin(), m_remembered.end(), section->paths().front()) != m_remembered.end(); };
    const auto next = std::find_if(m_sections.begin(), m_sections.end(), isRemembered);
    if (next == m_sections.end()) {
        m_remembered.clear();
        return;
    }
    FormSection *section = *next;      // opening it may bring others
    std::erase(m_remembered, section->paths().front());
    section->setOpen(true);
    QTimer::singleShot(0, this, [this, generation] { openRemembered(generation); });
}

void SpecForm::follow(FormSection &section)
{
    m_sections.push_back(&section);
    connect(&section, &FormSection::filled, this, [this, &section] {
        if (m_isBuilding)      // both once at its end
            return;
        section.orderKeys();
        refresh();
    });
}

void SpecForm::addKind(const experiment::KindSchema &schema, const std::string &prefix, QVBoxLayout &column)
{
    Fields subject = schema.fields;
    const Fields run = taken(subject, runFields);
    Fields training = schema.kind == "evaluate" ? Fields() : taken(subject, trainingFields);
    const Fields measuring = schema.kind == "evaluate" ? Fields() : taken(subject, measuringFields);
    const Fields objects = formsIn(subject);
    const auto pathsOf = [&](const Fields &fields) {
        std::vector<std::string> paths;
        for (const Field &field : fields)
            paths.push_back(prefix + field.name);
        return paths;
    };
    std::vector<std::string> subjectPaths = pathsOf(subject);
    const auto mixer = std::find_if(objects.begin(), objects.end(), [](const Field &field) { return field.name == "mixer"; });
    if (mixer != objects.end()) {      // three fields that belong to the subject
        subjectPaths.push_back(prefix + "mixer");
        subject.push_back(*mixer);
    }
    if (!subject.empty())
        addSection(tr("&Experiment"), schemaWords(schema.help), subjectPaths, subject, prefix, column);
    const auto addObject = [&](const Field &field) { addSection(nameOf(field, prefix), schemaWords(field.help), {prefix + field.name}, field.fields, prefix + field.name + '.', column); };
    const auto comesFirst = [](const Field &field) { return field.name == "data" || field.name == "model" || field.name == "alignment"; };
    for (const Field &field : objects)
        if (field.type == FieldType::ObjectList)
            addStages(prefix + field.name, column);
        else if (comesFirst(field))
            addObject(field);
    if (!training.empty())
        addSection(schema.kind == "score" || schema.kind == "distill" ? tr("Stage &2") : tr("Trainin&g"), tr("Steps, batches, learning rates and what is minimised"), pathsOf(training), training, prefix, column);
    for (const Field &field : objects)
        if (field.type != FieldType::ObjectList && !comesFirst(field) && field.name != "mixer")
            addObject(field);
    if (!measuring.empty())
        addSection(tr("&Measuring"), tr("When and what is measured on the held-out data"), pathsOf(measuring), measuring, prefix, column);
    addSection(tr("R&un and machine"), tr("Name, seed, device, threads: none but the seed changes the numbers"), pathsOf(run), run, prefix, column);
}

FormSection *SpecForm::addSection(const QString &title, const QString &tip, std::vector<std::string> paths, const Fields &fields, const std::string &prefix, QVBoxLayout &column)
{
    auto *section = new FormSection(title, tip, std::move(paths), [this, fields, prefix](QVBoxLayout &rows) { addRows(fields, prefix, rows); }, column.parentWidget());
    column.addWidget(section);
    follow(*section);
    return section;
}

void SpecForm::addRows(const Fields &fields, const std::string &prefix, QVBoxLayout &rows)
{
    for (const Field &field : fields) {
        const std::string path = prefix + field.name;
        if (field.name == "mixer" && field.type == FieldType::Object)
            addRows(field.fields, path + '.', rows);
        else if (field.type == FieldType::Object && !field.fields.empty())
            addSection(nameOf(field, prefix), schemaWords(field.help), {path}, field.fields, path + '.', rows);
        else
            addRow(field, prefix, rows);
    }
}

void SpecForm::addRow(const Field &field, const std::string &prefix, QVBoxLayout &rows)
{
    const std::string path = prefix + field.name;
    auto *whole = new QWidget(rows.parentWidget());
    const json preset = presetOf(field, path);
    FieldEditor *editor = makeFieldEditor(field, preset, suggestionsFor(path), whole);
    if (!editor) {
        delete whole;
        return;
    }
    const QString name = nameOf(field, prefix);
    auto *label = new QLabel(tr("%1:").arg(name), whole);
    label->setWordWrap(label->sizeHint().width() > m_labelWidth);      // most are one line, which is quicker to lay out
    label->setFixedWidth(m_labelWidth);
    QWidget *inner = editor->entry();
    label->setBuddy(inner);
    editor->setAccessibleName(name);
    const auto *button = qobject_cast<const QAbstractButton *>(inner);      // one of several boxes has words of its own
    inner->setAccessibleName(button && !button->text().isEmpty() ? tr("%1: %2").arg(name, button->text()) : name);
    inner->setAccessibleDescription(schemaWords(field.help));
    auto *problem = new QLabel(whole);
    problem->setWordWrap(true);
    problem->setTextFormat(Qt::PlainText);
    problem->setAccessibleName(tr("Problem with %1").arg(name));
    problem->hide();
    auto *fieldColumn = new QVBoxLayout;
    fieldColumn->setSpacing(4);
    fieldColumn->addWidget(editor);
    fieldColumn->addWidget(problem);
    auto *line = new QHBoxLayout(whole);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(label, 0, Qt::AlignTop);
    line->addLayout(fieldColumn, 1);
    label->setMinimumHeight(m_lineHeight);      // on the line of its editor
    rows.addWidget(whole);
    m_rows.push_back({path, field, preset, editor, label, problem, whole});
    tell(m_rows.back());
    connect(editor, &FieldEditor::edited, this, [this, path] {
        const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &one) { return one.path == path; });
        if (row != m_rows.end())
            edit(Row(*row));      // the form may be built anew meanwhile
    });
}

void SpecForm::tell(const Row &row)
{
    const QString tip = fieldTip(row.field, row.path, presetText(row.field, row.preset));
    for (QWidget *widget : std::initializer_list<QWidget *>{row.label, row.editor, row.editor->entry()})
        widget->setToolTip(tip);
}

void SpecForm::edit(const Row &row)
{
    const json value = row.editor->value();
    const std::size_t nameAt = row.path.size() - row.field.name.size();
    const std::string why = value.is_null() ? std::string() : experiment::refusalOf(row.field, row.path.substr(0, nameAt), value);
    if (why.empty())
        m_document.set(row.path, value);
    else
        m_document.refuse(row.path, QString::fromStdString(why));
}

SpecForm::Reader SpecForm::readerOf(const std::string &path) const
{
    const std::size_t stage = path.rfind(".spec.");
    const std::string prefix = stage == std::string::npos ? std::string() : path.substr(0, stage + std::string_view(".spec.").size());
    const std::string own = path.substr(prefix.size());
    const json kind = m_document.at(prefix + "kind"), selector = m_document.at(prefix + "selector");
    return {kind == json("score"), selector.is_string() ? selector.get<std::string>() : "ga-s2", own.substr(0, own.find('.')), own.find('.') != std::string::npos};
}

const json &SpecForm::parsed(const std::string &text) const
{
    const auto [found, isNew] = m_parsed.try_emplace(text);
    if (isNew)
        found->second = json::parse(text, nullptr, false);
    return found->second;
}

json SpecForm::presetOf(const Field &field, const std::string &path) const
{
    const Reader reader = readerOf(path);
    for (const SelectorOffer &offer : m_offers.list)
        for (const auto &[name, text] : offer.fields)
            if (reader.scores && offer.name == reader.selector && name == reader.field) {
                const json &preset = parsed(text);
                const json inner = !reader.isInside ? preset : preset.is_object() ? preset.value(field.name, json()) : json();
                if (!inner.is_null() && !inner.is_discarded())
                    return inner;
            }
    return parsed(field.defaultJson);
}

Suggestions SpecForm::suggestionsFor(const std::string &path) const
{
    Suggestions found;
    if (path == "selector" || endsWith(path, ".spec.selector"))
        for (const SelectorOffer &offer : m_offers.list)
            found.emplace_back(offer.name, selectorName(QString::fromStdString(offer.name)));
    if (endsWith(path, "mixer.kind"))
        for (const QString &mixer : m_mixers)
            found.emplace_back(mixer.toStdString(), probeName(mixer));
    return found;
}

bool SpecForm::isRead(const std::string &path) const
{
    const Reader reader = readerOf(path);
    if (!reader.scores || !m_document.at(path).is_null())
        return true;
    bool isOfSome = false;
    for (const SelectorOffer &offer : m_offers.list)
        for (const auto &[name, preset] : offer.fields)
            if (name == reader.field) {
                if (offer.name == reader.selector)
                    return true;
                isOfSome = true;
            }
    return !isOfSome;
}

void SpecForm::refresh()
{
    if (m_isBuilding)      // once at its end, and not for every section that opens
        return;
    if (const QString now = outline(); now != m_outline) {
        m_outline = now;
        build();
    }
    for (Row &row : m_rows) {
        const json value = m_document.at(row.path);
        if (json preset = presetOf(row.field, row.path); preset != row.preset) {
            row.preset = std::move(preset);
            row.editor->setPreset(row.preset);
            tell(row);
        }
        if (!m_document.isRefused(row.path))
            row.editor->showValue(value);
        row.whole->setVisible(isRead(row.path));
        QFont font = row.label->font();
        font.setBold(!value.is_null() && value != row.preset);
        row.label->setFont(font);
    }
    refreshProblems();
}

void SpecForm::refreshProblems()
{
    if (outline() != m_outline)      // another form is about to be built: these are the old one's rows
        return;
    for (const Row &row : m_rows) {
        const QString why = m_document.problemAt(row.path);
        row.problem->setText(why);
        row.problem->setVisible(!why.isEmpty());
    }
    refreshSections();
}

int SpecForm::numChanged(const std::string &path, const json &essence) const
{
    const json *at = &essence;
    std::string rest = path;
    while (!rest.empty()) {
        const std::size_t end = rest.find('.');
        const std::string name = rest.substr(0, end);
        const std::size_t bracket = name.find('[');
        const std::string member = name.substr(0, bracket);
        if (!at->is_object() || !at->contains(member))
            return 0;
        at = &at->at(member);
        if (bracket != std::string::npos) {
            const std::size_t index = std::stoul(name.substr(bracket + 1));
            if (!at->is_array() || index >= at->size())
                return 0;
            at = &at->at(index);
        }
        rest = end == std::string::npos ? std::string() : rest.substr(end + 1);
    }
    return numLeaves(*at);
}

void SpecForm::refreshSections()
{
    const json &essence = m_document.essence();
    const std::vector<std::string> problems = m_document.problems();
    for (FormSection *section : m_sections) {
        int changed = 0;
        for (const std::string &path : section->paths())
            changed += numChanged(path, essence);
        section->setSummary(changed, std::any_of(problems.begin(), problems.end(), [&](const std::string &path) { return section->contains(path); }));
        section->setVisible(std::any_of(section->paths().begin(), section->paths().end(), [&](const std::string &path) { return isRead(path); }));
    }
}

bool SpecForm::goTo(const std::string &path)
{
    for (std::size_t i = 0; i < m_sections.size(); ++i)      // opening one may bring others
        if (m_sections[i]->contains(path))
            m_sections[i]->setOpen(true);
    const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &one) { return one.path == path; });
    if (row == m_rows.end())
        return false;
    row->editor->entry()->setFocus(Qt::OtherFocusReason);
    return true;
}

void SpecForm::changeStages(const std::function<void(json &)> &change)
{
    json stages = m_document.at("stages");
    if (!stages.is_array())
        stages = json::array();
    change(stages);
    m_document.set("stages", stages);
}

/// Stage by stage, each a form of its own kind.
void SpecForm::addStages(const std::string &path, QVBoxLayout &column)
{
    const json stages = m_document.at(path);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const std::string own = path + '[' + std::to_string(i) + ']';
        const QString kind = SpecDocument::kindOf(stages[i].value("spec", json()));
        const auto fill = [this, own, kind, i, numStages = stages.size()](QVBoxLayout &rows) {
            Field task;
            task.name = "task";
            for (const Field &field : experiment::kindSchema("pipeline").fields)
                for (const Field &inner : field.fields)
                    if (inner.name == task.name)
                        task = inner;
            addRow(task, own + '.', rows);
            for (const experiment::KindSchema &schema : experiment::kinds())
                if (kind == QString::fromStdString(schema.kind))
                    addKind(schema, own + ".spec.", rows);
            auto *up = new QPushButton(tr("Earlier"), rows.parentWidget()), *down = new QPushButton(tr("Later"), rows.parentWidget()), *remove = new QPushButton(tr("Remove the stage"), rows.parentWidget());
            up->setEnabled(i > 0);
            down->setEnabled(i + 1 < numStages);
            auto *line = new QHBoxLayout;
            line->setSpacing(8);
            for (QPushButton *button : {up, down, remove}) {
                button->setAutoDefault(false);
                line->addWidget(button);
            }
            line->addStretch(1);
            rows.addLayout(line);
            // The stages change after the click: it is delivered to a button that goes with the old form.
            const auto later = [this](std::function<void(json &)> change) { QMetaObject::invokeMethod(this, [this, change = std::move(change)] { changeStages(change); }, Qt::QueuedConnection); };
            connect(up, &QPushButton::clicked, this, [later, i] { later([i](json &all) { std::swap(all[i], all[i - 1]); }); });
            connect(down, &QPushButton::clicked, this, [later, i] { later([i](json &all) { std::swap(all[i], all[i + 1]); }); });
            connect(remove, &QPushButton::clicked, this, [later, i] { later([i](json &all) { all.erase(i); }); });
        };
        auto *section = new FormSection(tr("%1. %2", "number and kind of a stage").arg(i + 1).arg(kindName(kind)), {}, {own}, fill, column.parentWidget());
        column.addWidget(section);
        follow(*section);
    }
    auto *add = new ChoiceBox(column.parentWidget());
    add->setAccessibleName(tr("Kind of the new stage"));
    for (const char *kind : {"align", "calibrate", "score", "distill", "evaluate"})
        add->addItem(kindName(QString::fromLatin1(kind)), QString::fromLatin1(kind));
    auto *button = new QPushButton(tr("&Add stage"), column.parentWidget());
    button->setAutoDefault(false);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(button);
    line->addWidget(add);
    line->addStretch(1);
    column.addLayout(line);
    connect(button, &QPushButton::clicked, this, [this, add] {
        const QString kind = add->currentData().toString();
        QMetaObject::invokeMethod(this, [this, kind] { Q_EMIT stageWanted(kind); }, Qt::QueuedConnection);
    });
}

}  // namespace stillroom::widgets
