// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/experimenttable.h"
#include "models/savedfilters.h"

#include <QPointer>
#include <QVariantMap>
#include <QWidget>

#include <map>
#include <optional>
#include <utility>
#include <vector>

class QAction;
class QCheckBox;
class QComboBox;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QMenu;
class QTableView;
class QToolButton;

namespace stillroom::widgets {

class MessageLine;
class QuietLabel;

/// Every experiment of the workspace in one table that one could work in alone: search, sort, repetitions together, baseline, pins, tags, notes, the trash.
class RunsPage final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RunsPage)

public:
    explicit RunsPage(Session &session, QWidget *parent = nullptr);
    ~RunsPage() override;
    /// Steps of undo, for the window's menu.
    [[nodiscard]] QUndoStack &edits() { return m_list.edits(); }
    /// Those of the table's list; the trash is not one of them unless it is shown.
    [[nodiscard]] const std::vector<store::ExperimentRow> &experiments() const { return m_list.rows(); }
    [[nodiscard]] std::optional<store::ExperimentRow> experiment(const QString &run, const QString &task) const;
    /// Search, order, groups and selection, for the next start. To be set once the experiments have been read; what does not hold any more stays as it is.
    [[nodiscard]] QVariantMap view() const;
    void setView(const QVariantMap &view);
    /// The current one of those that are selected; none where nothing is.
    [[nodiscard]] std::optional<store::ExperimentRow> chosen() const;
    /// Widths, order and which are shown, as far as they are not the first ones.
    [[nodiscard]] QVariantMap columns() const;
    void setColumns(const QVariantMap &columns);
    /// Selects it once the experiments have been read anew, out of the search if need be; says where it is not among them.
    void showRun(const QString &run);

Q_SIGNALS:
    void experimentsRead();
    /// A new experiment like this one. \param task  of a pipeline's stage; empty: the run itself
    void experimentRequested(const QString &run, const QString &task);
    void compareRequested(const std::vector<stillroom::store::ExperimentRow> &rows);
    /// A person wants to see what it found.
    void openRequested(const stillroom::store::ExperimentRow &row);
    void chosenChanged();                     ///< another one, or another state of it

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    using Key = std::pair<std::string, std::string>;      ///< run and task
    QLayout *makeSearch();
    QWidget *makeTable();
    void makeActions();
    QAction *addAction(const QString &text, const QKeySequence &key, void (RunsPage::*act)());
    [[nodiscard]] int presetWidth(const QString &column) const;
    [[nodiscard]] int markWidth(const QString &column) const;
    [[nodiscard]] int columnOf(const QString &id) const;      ///< -1: there is none
    void sortBy(const QString &id, Qt::SortOrder order);
    void search();
    void refresh();
    void refreshActions();
    void showOrder();
    void followColumns();                                 ///< widths, order and which are shown, for the columns that there are
    void rememberColumns();
    void refreshColumnMenu();
    [[nodiscard]] QModelIndexList selectedRows() const;
    [[nodiscard]] std::vector<Key> selectedKeys() const;
    void select(const std::vector<Key> &keys);
    void pin();
    void lock();
    /// Why some of them are not thrown away; nothing where none is pinned or locked.
    void sayKept(bool pinned, bool locked);
    void tag();
    void untag();
    void rename();
    void editNotes();
    void setBaseline();
    void trash();
    void copy();
    void copyLatex();
    void copyMarkdown();
    [[nodiscard]] report::Table shownTable() const;
    void copyLink();
    void compare();
    void showWanted();
    void open();
    void openAt(const QModelIndex &cell);
    bool leaveSearch(const QKeyEvent &key);
    bool moveInTable(const QKeyEvent &key);
    void chooseRow(int row);                              ///< and no other one
    void sayTrashed(const QStringList &runs, bool restored);
    /// After a step of undo: what had been thrown away is selected again once it is there.
    void followEdits(int index);
    void comeBack();
    void takeAsPattern();

    ExperimentList m_list;
    ExperimentTable m_table;
    SavedFilters m_filters{m_list.edits(), this};
    QLineEdit *m_words = nullptr;
    QCheckBox *m_grouped = nullptr, *m_trash = nullptr;
    QComboBox *m_spread = nullptr;                        ///< there is one only where repetitions stand together
    QToolButton *m_columns = nullptr, *m_edit = nullptr;
    QMenu *m_columnMenu = nullptr;
    QuietLabel *m_count = nullptr;
    QLabel *m_empty = nullptr;
    MessageLine *m_problem = nullptr, *m_said = nullptr;
    QTableView *m_view = nullptr;
    std::vector<QAction *> m_onSelection;                 ///< what needs a selected row
    QAction *m_trashAction = nullptr, *m_untagAction = nullptr;
    std::vector<Key> m_kept;                              ///< selected while the rows are read anew
    int m_keptRow = -1;                                   ///< of the current one
    std::map<int, std::vector<Key>> m_thrown;             ///< what an edit threw away or restored, by its number
    std::vector<Key> m_back;                              ///< to be selected once they are there, unless a person does something else first
    QPointer<QWidget> m_keyboardThen;                     ///< where it was when they were called back
    int m_edits = 0;                                      ///< steps done
    bool m_following = false;
    QString m_wanted;                                     ///< run that is to be shown once the rows are read
};

}  // namespace stillroom::widgets
