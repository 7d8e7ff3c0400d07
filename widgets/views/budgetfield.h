// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

#include <cstdint>

class QLineEdit;

namespace stillroom::widgets {

/// K as what it takes: the KV cache of one sequence at a context length, "64 MiB at 32k". Another one is written, and K becomes the largest that fits into it;
/// another K, and it says what that takes.
class BudgetField final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(BudgetField)

public:
    explicit BudgetField(Session &session, QWidget *parent = nullptr);

Q_SIGNALS:
    /// What was written is no budget, and why; empty: it is one.
    void refused(const QString &why);

private:
    void use();
    void refresh();
    [[nodiscard]] QString textOf(int keep) const;
    Session &m_session;
    QLineEdit *m_text;
    std::int64_t m_context = std::int64_t{32} * 1024;      ///< tokens, as it was written last
};

}  // namespace stillroom::widgets
