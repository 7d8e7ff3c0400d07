// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/background.h"
#include "models/selectoroffers.h"

#include <QWidget>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

class QLabel;
class QPushButton;

namespace stillroom::widgets {

/// What an experiment costs, said while it is being written: tokens at once, seconds, memory and disk when it is asked to time the teacher.
class CostLine final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CostLine)

public:
    /// \param estimates, timings  where costs are worked out: two threads, so that no cost waits for a teacher that is being timed. All three outlive the line.
    CostLine(const SelectorOffers &offers, Background &estimates, Background &timings, QWidget *parent = nullptr);
    ~CostLine() override;
    void ask(const nlohmann::json &spec, const std::filesystem::path &workspace);
    /// Nothing to ask: why it cannot be run.
    void refuse(const QString &reason);
    /// Whether what was asked last has an answer, so that it can be run.
    [[nodiscard]] bool isAnswered() const { return m_answered; }

Q_SIGNALS:
    void answered();                                ///< it can be run
    void refused(const QString &reason);            ///< the experiment itself would refuse it

private:
    void say(const StatedCost &cost);
    void askForTime();
    [[nodiscard]] bool isTiming() const { return m_timing && *m_timing == m_asked; }
    void stopTiming();
    void takeTime(const nlohmann::json &spec, const QString &words);
    void showTime();

    const SelectorOffers &m_offers;
    Background &m_estimates, &m_timings;
    std::string m_errand;                           ///< of this line alone: several windows ask on the same threads
    nlohmann::json m_asked;                         ///< whose cost is shown, or on its way
    std::filesystem::path m_workspace;
    bool m_answered = false, m_canBeTimed = false;
    std::optional<nlohmann::json> m_timing;         ///< what is being timed
    std::map<std::string, QString> m_times;         ///< in words, by the spec: looked at again it is not timed again
    QLabel *m_cost, *m_seconds;
    QPushButton *m_time;
};

}  // namespace stillroom::widgets
