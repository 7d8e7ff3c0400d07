// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

#include <vector>

class QFormLayout;
class QLabel;

namespace stillroom::widgets {

/// What is known of the selected layer, or of the model when none is selected.
class Inspector final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Inspector)

public:
    explicit Inspector(Session &session, QWidget *parent = nullptr);

private:
    struct Row {
        QString label, value;
    };
    void refresh();
    void fill(const std::vector<Row> &rows);
    [[nodiscard]] std::vector<Row> layerRows(int layer) const;
    [[nodiscard]] std::vector<Row> modelRows() const;
    Session &m_session;
    QLabel *m_title, *m_hint;
    QFormLayout *m_rows;
};

}  // namespace stillroom::widgets
