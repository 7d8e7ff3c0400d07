// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/rundetails.h"
#include "models/session.h"

#include <QTimer>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;

namespace stillroom::widgets {

/// What is known of the selected layer, or of the model when none is selected; or of an experiment while its table is in front.
class Inspector final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Inspector)

public:
    explicit Inspector(Session &session, QWidget *parent = nullptr);
    /// \param row  none: back to the layer, or the model
    void showExperiment(const std::optional<store::ExperimentRow> &row);

private:
    struct Row {
        QString label, value;
    };
    void refresh();
    void fill(const std::vector<Row> &rows);
    [[nodiscard]] std::vector<Row> layerRows(int layer) const;
    [[nodiscard]] std::vector<Row> scoreRows(int layer) const;
    [[nodiscard]] std::vector<Row> placeRows(int layer) const;       ///< in the ranking that is shown
    [[nodiscard]] std::vector<Row> choiceRows(int layer) const;      ///< who else keeps it
    [[nodiscard]] std::vector<Row> headRows(int layer) const;        ///< of the calibration that is looked at
    [[nodiscard]] std::vector<Row> modelRows() const;
    [[nodiscard]] std::vector<Row> experimentRows() const;
    void readDetails();
    Session &m_session;
    QTimer m_refreshing;                          ///< once after an event, however many signals it brings
    QLabel *m_title, *m_hint;
    QGridLayout *m_rows;
    std::vector<std::pair<QLabel *, QLabel *>> m_labels;      ///< name and value of every row that there ever was
    QPushButton *m_copyKey;
    std::optional<store::ExperimentRow> m_experiment;
    RunDetails m_details;                         ///< of the experiment, once they are read
};

}  // namespace stillroom::widgets
