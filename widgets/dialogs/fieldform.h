// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/spec.h"

#include <QWidget>

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

class QFormLayout;

namespace stillroom::widgets {

/// Fields of a spec as a form, built from their schema: range, unit and choices from there, objects row by row.
class FieldForm final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FieldForm)

public:
    /// A field and what it is when left out; what the schema says where this is null.
    using FieldAndDefault = std::pair<experiment::Field, nlohmann::json>;
    explicit FieldForm(const std::vector<FieldAndDefault> &fields, QWidget *parent = nullptr);
    /// {name: value}; what is left to the program is left out.
    [[nodiscard]] nlohmann::json values() const;
    [[nodiscard]] QFormLayout *rows() const { return m_rows; }
    [[nodiscard]] bool isEmpty() const { return m_editors.empty(); }

Q_SIGNALS:
    void changed();

private:
    /// Of one value: which field, in which object (empty: none), and how it is read; null: left to the program.
    struct Editor {
        std::string object, name;
        std::function<nlohmann::json()> value;
    };
    void add(const experiment::Field &field, const nlohmann::json &preset, const std::string &object);
    QWidget *makeEditor(const experiment::Field &field, const nlohmann::json &preset, Editor &editor);
    QFormLayout *m_rows;
    std::vector<Editor> m_editors;
};

}  // namespace stillroom::widgets
