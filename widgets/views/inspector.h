// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

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
    void refresh();
    void row(const QString &label, const QString &value);
    void showLayer(int layer);
    void showModel();
    Session &m_session;
    QLabel *m_title;
    QFormLayout *m_rows;
};

}  // namespace stillroom::widgets
