// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include <utility>
#include <vector>

class QLineEdit;
class QTreeWidget;

namespace stillroom::widgets {

/// Keys and what they do, of one place of the window.
struct KeyGroup {
    QString title;
    std::vector<std::pair<QString, QString>> rows;      ///< keys, what they do
};

/// Every key of the window, by place; words at the top leave those that they are found in.
class KeySheet final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(KeySheet)

public:
    /// \param first  index of the group that it opens at
    KeySheet(const std::vector<KeyGroup> &groups, int first, QWidget *parent);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void filter(const QString &words);
    QLineEdit *m_words;
    QTreeWidget *m_list;
};

}  // namespace stillroom::widgets
