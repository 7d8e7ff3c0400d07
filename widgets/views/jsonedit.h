// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace stillroom::widgets {

/// JSON to write in: fixed pitch, numbered lines, names and values told apart, one line marked as wrong. Tab leaves it.
class JsonEdit final : public QPlainTextEdit {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JsonEdit)

public:
    explicit JsonEdit(QWidget *parent = nullptr);
    /// As one step that can be undone, with the cursor where it was: only what differs is replaced.
    void replaceText(const QString &text);
    void markLine(int line);                     ///< from 1; 0: none
    [[nodiscard]] int markedLine() const { return m_marked; }
    void goToMark();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    class Numbers;
    void paintNumbers(QPainter &painter) const;
    [[nodiscard]] int numbersWidth() const;
    void makeRoom();
    void showMark();
    Numbers *m_numbers;
    int m_marked = 0;
};

}  // namespace stillroom::widgets
