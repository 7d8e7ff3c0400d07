// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

class QStyleOptionComboBox;

namespace stillroom::widgets {

/// A combo box that may be narrower than its names: the chosen one loses its middle to an ellipsis then, because names differ at their ends. It is said whole in the tool tip, above what the box says of itself, and every name stands whole in the list.
class ChoiceBox final : public QComboBox {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ChoiceBox)

public:
    explicit ChoiceBox(QWidget *parent = nullptr);
    /// Takes the room of `letters` letters at least, more where its row has it, whatever the names in it: a page is not widened by them.
    void letGiveWay(int letters);
    /// What stands in it: the chosen name, or what is said while none is chosen, elided where there is no room.
    [[nodiscard]] QString shownText() const;
    void showPopup() override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] int roomFor(const QStyleOptionComboBox &option) const;
    void sayWholeName();
    QString m_meaning;               ///< the tool tip as it was set
    bool m_isSaying = false;
};

}  // namespace stillroom::widgets
