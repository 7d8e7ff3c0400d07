// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <optional>
#include <utility>

namespace stillroom::widgets {

/// The x axis that the curve plots of a page share, in its own unit: where one looks on it, and which part is in sight.
class LinkedAxis final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LinkedAxis)

public:
    explicit LinkedAxis(QObject *parent = nullptr) : QObject(parent) {}
    /// Of the crosshair; none: nobody looks anywhere.
    [[nodiscard]] const std::optional<double> &place() const { return m_place; }
    void lookAt(const std::optional<double> &place);
    /// From where to where; none: as much as each plot has.
    [[nodiscard]] const std::optional<std::pair<double, double>> &range() const { return m_range; }
    void show(const std::optional<std::pair<double, double>> &range);
    [[nodiscard]] bool isLogarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool on);

Q_SIGNALS:
    void placeChanged();
    void rangeChanged();
    void scaleChanged();

private:
    std::optional<double> m_place;
    std::optional<std::pair<double, double>> m_range;
    bool m_logarithmic = false;
};

}  // namespace stillroom::widgets
