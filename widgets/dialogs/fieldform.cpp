// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/fieldform.h"

#include "views/choicebox.h"
#include "views/names.h"
#include "views/specwords.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::widgets {
namespace {

constexpr int decimals = 6;

/// Without the zeros that six decimals would put behind everything.
class ShortNumberBox final : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    [[nodiscard]] QString textFromValue(double value) const override { return locale().toString(value, 'f', QLocale::FloatingPointShortest); }
};

int within(double value)
{
    return static_cast<int>(std::clamp(value, -1e9, 1e9));
}

}  // namespace

FieldForm::FieldForm(const std::vector<FieldAndDefault> &fields, QWidget *parent) : QWidget(parent), m_rows(new QFormLayout(this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    for (const auto &[field, preset] : fields)
        add(field, preset, {});
}

void FieldForm::add(const experiment::Field &field, const nlohmann::json &preset, const std::string &object)
{
    if (field.type == experiment::FieldType::Object) {
        for (const experiment::Field &inner : field.fields)
            add(inner, preset.is_object() && preset.contains(inner.name) ? preset.at(inner.name) : nlohmann::json(), field.name);
        return;
    }
    Editor editor{object, field.name, {}};
    QWidget *widget = makeEditor(field, preset.is_null() ? nlohmann::json::parse(field.defaultJson) : preset, editor);
    if (!widget)
        return;
    const QString name = fieldName(QString::fromStdString(object), QString::fromStdString(field.name));
    widget->setAccessibleName(name);
    widget->setToolTip(fieldTip(field, object.empty() ? field.name : object + '.' + field.name, {}));
    auto *label = new QLabel(tr("%1:").arg(name), this);
    label->setBuddy(widget);
    label->setToolTip(widget->toolTip());
    m_rows->addRow(label, widget);
    m_editors.push_back(std::move(editor));
}

/// Null for a type that no selector's own field has.
QWidget *FieldForm::makeEditor(const experiment::Field &field, const nlohmann::json &preset, Editor &editor)
{
    using experiment::FieldType;
    if (field.type == FieldType::Bool) {
        auto *box = new QCheckBox(this);
        box->setChecked(preset.is_boolean() && preset.get<bool>());
        connect(box, &QCheckBox::toggled, this, &FieldForm::changed);
        editor.value = [box]() -> nlohmann::json { return box->isChecked(); };
        return box;
    }
    if (field.type == FieldType::Choice) {
        auto *box = new ChoiceBox(this);
        for (const std::string &choice : field.choices)
            box->addItem(fieldChoiceName(QString::fromStdString(choice)), QString::fromStdString(choice));
        box->setCurrentIndex(std::max(0, box->findData(preset.is_string() ? QString::fromStdString(preset.get<std::string>()) : QString())));
        connect(box, &QComboBox::currentIndexChanged, this, &FieldForm::changed);
        editor.value = [box]() -> nlohmann::json { return box->currentData().toString().toStdString(); };
        return box;
    }
    if (field.type == FieldType::Integer) {
        auto *box = new QSpinBox(this);
        const bool mayBeLeft = preset.is_null();
        box->setRange(within(field.minimum) - (mayBeLeft ? 1 : 0), within(field.maximum));
        if (mayBeLeft)
            box->setSpecialValueText(tr("automatic"));
        box->setValue(preset.is_number() ? preset.get<int>() : box->minimum());
        box->setGroupSeparatorShown(true);
        connect(box, &QSpinBox::valueChanged, this, &FieldForm::changed);
        editor.value = [box, mayBeLeft]() -> nlohmann::json { return mayBeLeft && box->value() == box->minimum() ? nlohmann::json() : nlohmann::json(box->value()); };
        return box;
    }
    if (field.type == FieldType::Number) {
        auto *box = new ShortNumberBox(this);
        box->setDecimals(decimals);
        box->setRange(std::max(field.minimum, -1e9), std::min(field.maximum, 1e9));
        box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        box->setValue(preset.is_number() ? preset.get<double>() : box->minimum());
        connect(box, &QDoubleSpinBox::valueChanged, this, &FieldForm::changed);
        editor.value = [box]() -> nlohmann::json { return box->value(); };
        return box;
    }
    return nullptr;
}

nlohmann::json FieldForm::values() const
{
    nlohmann::json all = nlohmann::json::object();
    for (const Editor &editor : m_editors) {
        const nlohmann::json value = editor.value();
        if (!value.is_null())
            (editor.object.empty() ? all : all[editor.object])[editor.name] = value;
    }
    return all;
}

}  // namespace stillroom::widgets
