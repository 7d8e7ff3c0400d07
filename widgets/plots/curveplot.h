// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QStringList>
#include <QWidget>

class QCustomPlot;
class QCPGraph;
class QCPItemText;

namespace stillroom::widgets {

/// One or two series of the running job over tokens, live; L toggles a logarithmic axis, R shows everything again.
class CurvePlot final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CurvePlot)

public:
    struct Series {
        QString key, name;
    };
    CurvePlot(Session &session, std::vector<Series> series, const QString &valueTitle, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void refresh();
    void applyPalette();
    void setLogarithmic(bool on);
    Session &m_session;
    std::vector<Series> m_series;
    QString m_valueTitle;
    QCustomPlot *m_plot;
    std::vector<QCPGraph *> m_graphs;
    QCPItemText *m_empty;
    bool m_logarithmic = false;
};

}  // namespace stillroom::widgets
