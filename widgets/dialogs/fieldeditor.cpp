// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/fieldeditor.h"

#include "experiment/jsontext.h"
#include "error.h"
#include "views/choicebox.h"
#include "views/labels.h"
#include "views/names.h"
#include "views/numberlist.h"
#include "views/specwords.h"

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

using experiment::Field, experiment::FieldType;
using nlohmann::json;

struct FieldWords {
    Q_DECLARE_TR_FUNCTIONS(FieldWords)
};

/// As one writes it: "0.001", "30", "7e-6".
QString numberText(const json &number)
{
    static const QRegularExpression emptyDigits(QStringLiteral(R"(\.0$|(?<=e[-+])0)"));
    return QString::fromStdString(number.dump()).remove(emptyDigits);
}

QString textOf(const json &value)
{
    return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString::fromStdString(experiment::compactJson(value));
}

/// The text itself where it is no number: core says what is wrong with it.
json numberIn(const QString &text)
{
    bool isWhole = false, isNumber = false;
    const QString trimmed = text.trimmed();
    const qlonglong whole = trimmed.toLongLong(&isWhole);
    const double number = trimmed.toDouble(&isNumber);
    if (isWhole)
        return whole;
    return isNumber && std::isfinite(number) ? json(number) : json(text.toStdString());
}

/// Numbers of any size, stepped by their last but one digit; empty: the default.
class NumberBox final : public QAbstractSpinBox {
public:
    NumberBox(const Field &field, const json &preset, QWidget *parent) : QAbstractSpinBox(parent), m_field(field)
    {
        setPreset(preset);
        setMinimumWidth(fontMetrics().averageCharWidth() * 16);
        setMaximumWidth(fontMetrics().averageCharWidth() * 22);
    }
    using QAbstractSpinBox::lineEdit;
    void setPreset(const json &preset)
    {
        m_preset = preset;
        lineEdit()->setPlaceholderText(presetText(m_field, preset));
    }
    void stepBy(int steps) override
    {
        const json now = lineEdit()->text().isEmpty() ? m_preset : numberIn(lineEdit()->text());
        double value = now.is_number() ? now.get<double>() : std::clamp(0.0, m_field.minimum, m_field.maximum);
        for (int i = 0; i < std::abs(steps); ++i)
            value = stepped(value, steps > 0);
        value = std::clamp(value, m_field.minimum, m_field.maximum);
        lineEdit()->setText(m_field.type == FieldType::Integer ? QString::number(static_cast<qint64>(value)) : QString::number(value, 'g', 6));
        lineEdit()->selectAll();
    }
    QValidator::State validate(QString &, int &) const override { return QValidator::Acceptable; }

protected:
    [[nodiscard]] StepEnabled stepEnabled() const override { return StepUpEnabled | StepDownEnabled; }

private:
    [[nodiscard]] double stepped(double value, bool up) const
    {
        const bool isWhole = m_field.type == FieldType::Integer;
        const double size = std::abs(value);
        double step = size > 0.0 ? std::pow(10.0, std::floor(std::log10(size)) - 1.0) : isWhole ? 1.0 : 0.1;
        // Going down from 0.1 the step is that of what lies below it.
        if (size > 0.0 && (value > 0.0) != up && std::abs(size - 10.0 * step) < 1e-9 * size)
            step /= 10.0;
        step = isWhole ? std::max(1.0, step) : step;
        return std::round((value + (up ? step : -step)) / step) * step;
    }
    Field m_field;
    json m_preset;
};

/// A page of editors is scrolled with the wheel: what the pointer happens to rest on must not change under it.
class WheelGuard final : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::Wheel || static_cast<QWidget *>(watched)->hasFocus())
            return false;
        event->ignore();
        return true;
    }
};

void guardWheel(QWidget *editor)
{
    editor->setFocusPolicy(Qt::StrongFocus);
    editor->installEventFilter(new WheelGuard(editor));
}

class NumberEditor final : public FieldEditor {
public:
    NumberEditor(const Field &field, const json &preset, QWidget *parent) : FieldEditor(parent), m_box(new NumberBox(field, preset, this))
    {
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        row->addWidget(m_box);
        row->addWidget(new QuietLabel(unitName(field.unit), this), 1);
        setEntry(m_box);
        guardWheel(m_box);
        connect(m_box->lineEdit(), &QLineEdit::textChanged, this, [this] { m_showing ? void() : Q_EMIT edited(); });
    }
    void showValue(const json &value) override
    {
        if (value == this->value())
            return;
        m_showing = true;
        m_box->lineEdit()->setText(value.is_null() ? QString() : value.is_number() ? numberText(value) : textOf(value));
        m_showing = false;
    }
    void setPreset(const json &preset) override { m_box->setPreset(preset); }
    [[nodiscard]] json value() const override { return m_box->lineEdit()->text().trimmed().isEmpty() ? json() : numberIn(m_box->lineEdit()->text()); }

private:
    NumberBox *m_box;
    bool m_showing = false;
};

/// Texts, and what is written in one line: lists of numbers, options as JSON.
class LineEditor final : public FieldEditor {
public:
    LineEditor(const Field &field, const json &preset, QWidget *parent) : FieldEditor(parent), m_field(field), m_line(new QLineEdit(this))
    {
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(m_line);
        LineEditor::setPreset(preset);
        setEntry(m_line);
        connect(m_line, &QLineEdit::textChanged, this, [this] { m_showing ? void() : Q_EMIT edited(); });
    }
    void showValue(const json &value) override
    {
        if (value == this->value())
            return;
        m_showing = true;
        m_line->setText(shown(value));
        m_showing = false;
    }
    void setPreset(const json &preset) override
    {
        m_line->setPlaceholderText(m_field.type == FieldType::IntegerList ? FieldWords::tr("for example 0-3, 5")
                                   : m_field.type == FieldType::Object    ? FieldWords::tr("for example %1").arg(QStringLiteral(R"({"short_conv": true})"))
                                                                          : presetText(m_field, preset));
    }
    [[nodiscard]] json value() const override
    {
        const QString text = m_line->text();
        if (text.isEmpty())
            return {};
        if (m_field.type == FieldType::IntegerList) {
            const auto numbers = numbersIn(text);
            return numbers ? json(*numbers) : json(text.toStdString());
        }
        if (m_field.type != FieldType::Object)
            return text.toStdString();
        const json parsed = json::parse(text.toStdString(), nullptr, false);
        return parsed.is_discarded() ? json(text.toStdString()) : parsed;
    }

private:
    [[nodiscard]] QString shown(const json &value) const
    {
        if (value.is_null() || value.empty())
            return {};
        const bool isList = value.is_array() && std::all_of(value.begin(), value.end(), [](const json &one) { return one.is_number_integer(); });
        return isList ? numbersText(value.get<std::vector<std::int64_t>>()) : textOf(value);
    }
    Field m_field;
    QLineEdit *m_line;
    bool m_showing = false;
};

/// One of several values.
class ChoiceEditor final : public FieldEditor {
public:
    struct Option {
        json value;                  ///< null: left to the program
        QString name;
    };
    ChoiceEditor(std::vector<Option> options, json preset, bool isEditable, QWidget *parent) : FieldEditor(parent), m_options(std::move(options)), m_preset(std::move(preset)), m_box(new ChoiceBox(this))
    {
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(m_box);
        row->addStretch(1);
        for (const Option &option : m_options)
            m_box->addItem(option.name);
        m_box->setEditable(isEditable);
        m_box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        m_box->setMinimumWidth(fontMetrics().averageCharWidth() * 12);      // gives way in a narrow window
        setEntry(m_box);
        guardWheel(m_box);
        showValue({});
        connect(m_box, &QComboBox::currentTextChanged, this, [this] {
            if (!m_showing)
                Q_EMIT edited();
        });
    }
    void showValue(const json &value) override
    {
        const json wanted = value.is_null() ? m_preset : value;
        m_showing = true;
        auto found = std::find_if(m_options.begin(), m_options.end(), [&](const Option &one) { return one.value == wanted; });
        if (found == m_options.end() && !m_box->isEditable()) {
            m_options.push_back({wanted, textOf(wanted)});
            m_box->addItem(m_options.back().name);
            found = m_options.end() - 1;
        }
        if (found == m_options.end())
            m_box->setEditText(textOf(wanted));
        else
            m_box->setCurrentIndex(static_cast<int>(found - m_options.begin()));
        m_showing = false;
    }
    void setPreset(const json &preset) override { m_preset = preset; }
    [[nodiscard]] json value() const override
    {
        const int index = m_box->isEditable() ? m_box->findText(m_box->currentText()) : m_box->currentIndex();
        const json chosen = index >= 0 ? m_options[static_cast<std::size_t>(index)].value : json(m_box->currentText().toStdString());
        return chosen == m_preset ? json() : chosen;
    }

private:
    std::vector<Option> m_options;
    json m_preset;
    QComboBox *m_box;
    bool m_showing = false;
};

class CheckEditor final : public FieldEditor {
public:
    CheckEditor(bool preset, QWidget *parent) : FieldEditor(parent), m_preset(preset), m_box(new QCheckBox(this))
    {
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(m_box);
        row->addStretch(1);
        setEntry(m_box);
        m_box->setChecked(preset);
        connect(m_box, &QCheckBox::clicked, this, &FieldEditor::edited);
    }
    void setPreset(const json &preset) override { m_preset = preset.is_boolean() && preset.get<bool>(); }
    void showValue(const json &value) override { m_box->setChecked(value.is_boolean() ? value.get<bool>() : m_preset); }
    [[nodiscard]] json value() const override { return m_box->isChecked() == m_preset ? json() : json(m_box->isChecked()); }

private:
    bool m_preset;
    QCheckBox *m_box;
};

/// Texts from a short list: one box each.
class SubsetEditor final : public FieldEditor {
public:
    SubsetEditor(const Field &field, json preset, QWidget *parent) : FieldEditor(parent), m_choices(field.choices), m_preset(std::move(preset))
    {
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(4);
        for (const std::string &choice : m_choices) {
            m_boxes.push_back(new QCheckBox(fieldChoiceName(QString::fromStdString(choice)), this));
            column->addWidget(m_boxes.back());
            connect(m_boxes.back(), &QCheckBox::clicked, this, &FieldEditor::edited);
        }
        setEntry(m_boxes.front());
        showValue({});
    }
    void showValue(const json &value) override
    {
        const json wanted = value.is_null() ? m_preset : value;
        for (std::size_t i = 0; i < m_boxes.size(); ++i)
            m_boxes[i]->setChecked(std::find(wanted.begin(), wanted.end(), json(m_choices[i])) != wanted.end());
    }
    void setPreset(const json &preset) override { m_preset = preset; }
    [[nodiscard]] json value() const override
    {
        json chosen = json::array();
        for (std::size_t i = 0; i < m_boxes.size(); ++i)
            if (m_boxes[i]->isChecked())
                chosen.push_back(m_choices[i]);
        return chosen == m_preset ? json() : chosen;
    }

private:
    std::vector<std::string> m_choices;
    json m_preset;
    std::vector<QCheckBox *> m_boxes;
};

/// One path a line.
class FilesEditor final : public FieldEditor {
public:
    explicit FilesEditor(QWidget *parent) : FieldEditor(parent), m_lines(new QPlainTextEdit(this))
    {
        auto *files = new QPushButton(FieldWords::tr("Add files…"), this), *folder = new QPushButton(FieldWords::tr("Add folder…"), this);
        m_lines->setTabChangesFocus(true);
        m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
        m_lines->setPlaceholderText(FieldWords::tr("one file or folder a line"));
        m_lines->setFixedHeight(m_lines->fontMetrics().lineSpacing() * 4);
        auto *buttons = new QHBoxLayout;
        buttons->setSpacing(8);
        for (QPushButton *button : {files, folder}) {
            button->setAutoDefault(false);
            buttons->addWidget(button);
        }
        buttons->addStretch(1);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(4);
        column->addWidget(m_lines);
        column->addLayout(buttons);
        setEntry(m_lines);
        connect(m_lines, &QPlainTextEdit::textChanged, this, [this] { m_showing ? void() : Q_EMIT edited(); });
        connect(files, &QPushButton::clicked, this, [this] { append(QFileDialog::getOpenFileNames(this, FieldWords::tr("Files"))); });
        connect(folder, &QPushButton::clicked, this, [this] { append({QFileDialog::getExistingDirectory(this, FieldWords::tr("A folder of files"))}); });
    }
    void showValue(const json &value) override
    {
        if (value == this->value())
            return;
        QStringList lines;
        for (const json &one : value)
            lines << textOf(one);
        m_showing = true;
        m_lines->setPlainText(lines.join(QLatin1Char('\n')));
        m_showing = false;
    }
    void setPreset(const json &) override {}      // none is the only one
    [[nodiscard]] json value() const override
    {
        json files = json::array();
        for (const QString &line : m_lines->toPlainText().split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            files.push_back(line.toStdString());
        return files.empty() ? json() : files;
    }

private:
    void append(QStringList files)
    {
        files.removeAll(QString());
        if (files.isEmpty())
            return;
        const QString before = m_lines->toPlainText();
        m_lines->setPlainText(before + (before.isEmpty() || before.endsWith(QLatin1Char('\n')) ? QString() : QStringLiteral("\n")) + files.join(QLatin1Char('\n')));
    }
    QPlainTextEdit *m_lines;
    bool m_showing = false;
};

FieldEditor *makeChoice(const Field &field, const json &preset, const Suggestions &suggestions, QWidget *parent)
{
    std::vector<ChoiceEditor::Option> options;
    if (preset.is_null())
        options.push_back({json(), FieldWords::tr("automatic")});
    for (const auto &[value, name] : suggestions)
        options.push_back({json(value), name});
    if (field.type == FieldType::Bool)
        options.insert(options.end(), {{json(true), FieldWords::tr("yes")}, {json(false), FieldWords::tr("no")}});
    if (field.type == FieldType::Device)
        options.insert(options.end(), {{json("auto"), QStringLiteral("auto")}, {json("cpu"), QStringLiteral("cpu")}, {json("cuda:0"), QStringLiteral("cuda:0")}});
    for (const std::string &choice : field.choices)
        options.push_back({json(choice), fieldChoiceName(QString::fromStdString(choice))});
    return new ChoiceEditor(std::move(options), preset, field.type == FieldType::Device, parent);
}

}  // namespace

QString presetText(const Field &field, const json &preset)
{
    if (preset.is_null())
        return !field.optional ? QString() : field.type == FieldType::Text ? FieldWords::tr("left out") : FieldWords::tr("automatic");
    if (preset.is_boolean())
        return preset.get<bool>() ? FieldWords::tr("yes") : FieldWords::tr("no");
    if (preset.is_number())
        return numberText(preset);
    if (preset.is_string())
        return field.type == FieldType::Choice ? fieldChoiceName(textOf(preset)) : textOf(preset);
    return preset.empty() ? QString() : textOf(preset);
}

FieldEditor *makeFieldEditor(const Field &field, const json &preset, const Suggestions &suggestions, QWidget *parent)
{
    if (!suggestions.empty())
        return makeChoice(field, preset, suggestions, parent);
    switch (field.type) {
    case FieldType::Bool: return preset.is_boolean() ? static_cast<FieldEditor *>(new CheckEditor(preset.get<bool>(), parent)) : makeChoice(field, preset, {}, parent);
    case FieldType::Choice:
    case FieldType::Device: return makeChoice(field, preset, {}, parent);
    case FieldType::Integer:
    case FieldType::Number: return new NumberEditor(field, preset, parent);
    case FieldType::Text:
    case FieldType::IntegerList: return new LineEditor(field, preset, parent);
    case FieldType::TextList: return field.choices.empty() ? static_cast<FieldEditor *>(new FilesEditor(parent)) : new SubsetEditor(field, preset, parent);
    case FieldType::Object: return field.fields.empty() ? new LineEditor(field, preset, parent) : nullptr;
    case FieldType::ObjectList:
    case FieldType::Spec: break;
    }
    return nullptr;
}

}  // namespace stillroom::widgets
