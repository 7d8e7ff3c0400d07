// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>
#include <QWidget>

#include <functional>
#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace stillroom::widgets {

class QuietLabel;

/// The tab key goes through the editors of `whole` after `before`, in the order in which they were made.
void reachAfter(QWidget *before, const QWidget &whole);

/// A part of a form under a heading that opens and closes it. Its editors are made when it is first opened: a spec has more fields than anybody looks at.
class FormSection final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FormSection)

public:
    using Fill = std::function<void(QVBoxLayout &rows)>;
    /// \param paths  of the fields and objects in it
    FormSection(const QString &title, const QString &tip, std::vector<std::string> paths, Fill fill, QWidget *parent);
    [[nodiscard]] const std::vector<std::string> &paths() const { return m_paths; }
    [[nodiscard]] bool contains(const std::string &path) const;
    void setOpen(bool open);
    /// The tab key goes from the heading through what it holds.
    void orderKeys() { reachAfter(m_heading, *m_body); }
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    /// Said beside the heading. \param hasProblem  something in it is wrong
    void setSummary(int numChanged, bool hasProblem);

Q_SIGNALS:
    void filled();

private:
    QToolButton *m_heading;
    QuietLabel *m_summary;
    QLabel *m_problem;
    QWidget *m_body;
    QVBoxLayout *m_rows;
    std::vector<std::string> m_paths;
    Fill m_fill;                                    ///< empty once it has been done
    bool m_isOpen = false;
};

}  // namespace stillroom::widgets
