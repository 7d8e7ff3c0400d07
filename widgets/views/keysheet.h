// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include <utility>
#include <vector>

namespace stillroom::widgets {

/// Keys and what they do, of one place of the window.
struct KeyGroup {
    QString title;
    std::vector<std::pair<QString, QString>> rows;      ///< keys, what they do
};

/// Every key of the window, by place.
class KeySheet final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(KeySheet)

public:
    KeySheet(const std::vector<KeyGroup> &groups, QWidget *parent);
};

}  // namespace stillroom::widgets
