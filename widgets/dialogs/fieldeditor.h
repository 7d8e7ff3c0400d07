// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/spec.h"

#include <QString>
#include <QWidget>

#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace stillroom::widgets {

/// What one field of a spec is edited with. Empty, or on the default, it is left to the default, which shows through in grey.
/// What a person types is said as it stands, even if no field would take it: core judges, and has the words.
class FieldEditor : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FieldEditor)

public:
    using QWidget::QWidget;
    virtual void showValue(const nlohmann::json &value) = 0;     ///< null: the default
    [[nodiscard]] virtual nlohmann::json value() const = 0;      ///< null: the default
    virtual void setPreset(const nlohmann::json &preset) = 0;    ///< the default may follow from other fields
    /// The part that the keyboard goes to first. It is no focus proxy of the whole: Tab stops at the proxies of what stands elsewhere in its order.
    [[nodiscard]] QWidget *entry() const { return m_entry; }

protected:
    void setEntry(QWidget *entry) { m_entry = entry; }

Q_SIGNALS:
    void edited();                                               ///< by a person

private:
    QWidget *m_entry = nullptr;
};

/// Values with what they are called: for a text that is one of a list only the program knows.
using Suggestions = std::vector<std::pair<std::string, QString>>;

/// \param preset  the default, as JSON; null: there is none, or the program finds it
/// \returns null for objects with fields of their own, lists of them, and whole specs: they are forms.
[[nodiscard]] FieldEditor *makeFieldEditor(const experiment::Field &field, const nlohmann::json &preset, const Suggestions &suggestions, QWidget *parent);
/// The default in words; empty where there is none.
[[nodiscard]] QString presetText(const experiment::Field &field, const nlohmann::json &preset);

}  // namespace stillroom::widgets
