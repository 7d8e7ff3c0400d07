// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/runspage.h"

#include "models/comparison.h"
#include "models/deeplink.h"
#include "models/tablecopy.h"
#include "report/latex.h"
#include "report/markdown.h"
#include "views/choicebox.h"
#include "views/controlstyle.h"
#include "views/filtermenu.h"
#include "views/labels.h"
#include "views/messageline.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QStringListModel>
#include <QStyle>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace stillroom::widgets {
namespace {

const QString columnSettings = QStringLiteral("runs"), hiddenSetting = QStringLiteral("runs/hidden"), shownSetting = QStringLiteral("runs/shown"), orderSetting = QStringLiteral("runs/order"), widthSetting = QStringLiteral("runs/width/");

/// Short enough to stand in the line of the search; the tool tip has the whole of it.
QString spreadMark(analysis::Spread spread)
{
    switch (spread) {
    case analysis::Spread::Interval95: return RunsPage::tr("± 95 %");
    case analysis::Spread::StandardError: return RunsPage::tr("± SE");
    case analysis::Spread::StandardDeviation: return RunsPage::tr("± SD");
    case analysis::Spread::Range: return RunsPage::tr("min–max");
    }
    return {};
}

/// As wide as what it says of a group.
QString widestGroup(analysis::Spread spread)
{
    return spread == analysis::Spread::Range ? QStringLiteral("0.0000 [0.0000 … 0.0000] (00)") : QStringLiteral("0.0000 ± 0.0000 (00)");
}

/// Completes the word that is being written, and keeps those before it.
class WordCompleter final : public QCompleter {
public:
    using QCompleter::QCompleter;
    [[nodiscard]] QString pathFromIndex(const QModelIndex &index) const override
    {
        const QString written = static_cast<QLineEdit *>(widget())->text();
        return written.left(written.lastIndexOf(QLatin1Char(' ')) + 1) + QCompleter::pathFromIndex(index);
    }
    [[nodiscard]] QStringList splitPath(const QString &path) const override { return {path.mid(path.lastIndexOf(QLatin1Char(' ')) + 1)}; }
};

}  // namespace

RunsPage::RunsPage(Session &session, QWidget *parent) : QWidget(parent), m_list(session), m_table(m_list)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 16, 8);
    column->setSpacing(8);
    column->addLayout(makeSearch());
    m_problem = new MessageLine(MessageLine::Kind::Problem, this);
    column->addWidget(m_problem);
    column->addWidget(makeTable(), 1);
    m_said = new MessageLine(MessageLine::Kind::Notice, this);
    m_said->setNextStep(tr("Und&o"));
    connect(m_said, &MessageLine::nextStepRequested, this, [this] { m_list.edits().undo(); });
    connect(&m_list.edits(), &QUndoStack::indexChanged, this, &RunsPage::followEdits);
    m_empty = new QLabel(this);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    column->addWidget(m_empty, 1);
    column->addWidget(m_said);
    makeActions();
    connect(&m_table, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        m_kept = selectedKeys();
        m_keptRow = m_view->currentIndex().row();
    });
    connect(&m_table, &QAbstractItemModel::modelReset, this, &RunsPage::refresh);
    refresh();
    sortBy(QStringLiteral("started"), Qt::DescendingOrder);
    connect(&m_list, &ExperimentList::changed, this, [this] {      // after the table
        showWanted();
        Q_EMIT experimentsRead();
    });
}

/// The list's steps go with it, and say so: to nobody, since what follows them is gone by then.
RunsPage::~RunsPage()
{
    m_list.edits().disconnect(this);
}

int RunsPage::columnOf(const QString &id) const
{
    const auto &columns = m_table.columns();
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto &one) { return one.id == id; });
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

void RunsPage::sortBy(const QString &id, Qt::SortOrder order)
{
    if (const int column = columnOf(id); column >= 0)
        m_view->sortByColumn(column, order);
}

QLayout *RunsPage::makeSearch()
{
    m_words = new QLineEdit(this);
    m_words->setPlaceholderText(tr("Search: words, tag:paper, k=8, kl<0.2, -status:failed"));
    m_words->setAccessibleName(tr("Search"));
    m_words->setToolTip(tr("Parts between spaces must all hold: words; a text field and what it holds (tag:, kind:, teacher=); a number (k=8, kl<0.2, recall>=0.9). -part must not hold; quotes hold spaces together. (Ctrl+F)"));
    m_words->setClearButtonEnabled(true);
    m_words->setCompleter(new WordCompleter(new QStringListModel(m_words), m_words));
    m_words->completer()->setCaseSensitivity(Qt::CaseInsensitive);
    connect(m_words, &QLineEdit::textChanged, this, &RunsPage::search);
    m_words->installEventFilter(this);
    m_grouped = new QCheckBox(tr("&Together, all but the seed"), this);
    m_grouped->setToolTip(tr("Experiments that differ in nothing but their seed become one line: their mean, how far they spread, and how many they are"));
    connect(m_grouped, &QCheckBox::toggled, this, [this](bool on) {
        m_table.setGrouped(on);
        m_spread->setVisible(on);
    });
    m_spread = new ChoiceBox(this);
    m_spread->setAccessibleName(tr("What stands beside the mean"));
    m_spread->setToolTip(tr("What stands beside the mean of a line of repetitions"));
    for (const analysis::Spread spread : {analysis::Spread::Interval95, analysis::Spread::StandardError, analysis::Spread::StandardDeviation, analysis::Spread::Range}) {
        m_spread->addItem(spreadMark(spread), static_cast<int>(spread));
        m_spread->setItemData(m_spread->count() - 1, spreadText(spread), Qt::ToolTipRole);
        m_spread->setItemData(m_spread->count() - 1, spreadText(spread), Qt::AccessibleTextRole);
    }
    m_spread->hide();
    connect(m_spread, &QComboBox::currentIndexChanged, this, [this] { m_table.setSpread(static_cast<analysis::Spread>(m_spread->currentData().toInt())); });
    m_trash = new QCheckBox(tr("Tr&ash"), this);
    m_trash->setToolTip(tr("What was thrown away: select it and restore it"));
    connect(m_trash, &QCheckBox::toggled, this, [this](bool on) { m_list.showTrash(on); });
    m_columns = new QToolButton(this);
    m_columns->setText(tr("Columns"));
    m_columns->setPopupMode(QToolButton::InstantPopup);
    m_columnMenu = new QMenu(m_columns);
    m_columns->setMenu(m_columnMenu);
    connect(m_columnMenu, &QMenu::aboutToShow, this, &RunsPage::refreshColumnMenu);
    m_edit = new QToolButton(this);
    m_edit->setText(tr("Edit"));
    m_edit->setPopupMode(QToolButton::InstantPopup);
    m_edit->setMenu(new QMenu(m_edit));
    m_count = new QuietLabel({}, this);
    auto *row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_words, 1);
    row->addWidget(new FilterMenu(m_filters, *m_words, *this));
    for (QWidget *widget : std::initializer_list<QWidget *>{m_grouped, m_spread, m_trash, m_columns, m_edit, m_count})
        row->addWidget(widget);
    return row;
}

QWidget *RunsPage::makeTable()
{
    m_view = new QTableView(this);
    m_view->setModel(&m_table);
    m_view->setAccessibleName(tr("Experiments"));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);      // Tab leaves the table
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(rowHeight(*this));
    m_view->horizontalHeader()->setSectionsMovable(true);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setMinimumSectionSize(leastHitArea);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->setSortingEnabled(true);
    connect(m_view->horizontalHeader(), &QHeaderView::sectionResized, this, &RunsPage::rememberColumns);
    connect(m_view->horizontalHeader(), &QHeaderView::sectionMoved, this, &RunsPage::rememberColumns);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::refreshActions);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &RunsPage::chosenChanged);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::chosenChanged);
    connect(m_view, &QTableView::pressed, this, [this] { m_back.clear(); });
    connect(m_view, &QTableView::doubleClicked, this, &RunsPage::openAt);
    m_view->installEventFilter(this);
    return m_view;
}

QAction *RunsPage::addAction(const QString &text, const QKeySequence &key, void (RunsPage::*act)())
{
    auto *action = new QAction(text, m_view);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, act);
    m_view->addAction(action);
    m_edit->menu()->addAction(action);
    m_onSelection.push_back(action);
    return action;
}

/// Single letters hold while the table has the keyboard; the menu names them all.
void RunsPage::makeActions()
{
    addAction(tr("&Open what it found"), Qt::Key_Return, &RunsPage::open)->setShortcuts({Qt::Key_Return, Qt::Key_Enter});
    addAction(tr("&Pin or unpin"), Qt::Key_P, &RunsPage::pin);
    addAction(tr("Loc&k or unlock"), Qt::Key_L, &RunsPage::lock);
    addAction(tr("&Baseline on or off"), Qt::Key_B, &RunsPage::setBaseline);
    addAction(tr("Co&mpare"), Qt::Key_D, &RunsPage::compare);
    addAction(tr("New e&xperiment from this run…"), QKeySequence(QStringLiteral("Shift+N")), &RunsPage::takeAsPattern);
    addAction(tr("Add &tag…"), Qt::Key_T, &RunsPage::tag);
    m_untagAction = addAction(tr("Remove ta&g…"), QKeySequence(QStringLiteral("Shift+T")), &RunsPage::untag);
    addAction(tr("&Rename"), Qt::Key_F2, &RunsPage::rename);
    addAction(tr("Edit &notes…"), Qt::Key_N, &RunsPage::editNotes);
    m_trashAction = addAction(tr("Move to the tras&h"), QKeySequence::Delete, &RunsPage::trash);
    addAction(tr("&Copy"), QKeySequence::Copy, &RunsPage::copy);
    addAction(tr("Copy as LaT&eX"), {}, &RunsPage::copyLatex);
    addAction(tr("Copy as Mark&down"), {}, &RunsPage::copyMarkdown);
    addAction(tr("Copy &link"), QKeySequence(QStringLiteral("Ctrl+Shift+C")), &RunsPage::copyLink);
    m_edit->menu()->addSeparator();
    for (QAction *action : {m_list.edits().createUndoAction(this, tr("&Undo")), m_list.edits().createRedoAction(this, tr("&Redo"))})
        m_edit->menu()->addAction(action);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](const QPoint &at) { m_edit->menu()->popup(m_view->viewport()->mapToGlobal(at)); });
    auto *find = new QAction(tr("Search the runs"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, m_words, [this] {
        m_words->setFocus(Qt::ShortcutFocusReason);
        m_words->selectAll();
    });
    QWidget::addAction(find);
}

void RunsPage::search()
{
    m_back.clear();
    const QString problem = m_table.setQuery(m_words->text());
    if (problem.isEmpty())
        m_problem->hide();
    else
        m_problem->showText(problem);
}

void RunsPage::refresh()
{
    static_cast<QStringListModel *>(m_words->completer()->model())->setStringList(m_table.queryFields());
    followColumns();
    showOrder();
    select(m_kept);
    if (!m_view->currentIndex().isValid() && m_table.rowCount() > 0)      // what was there is gone: the keyboard stays where it was
        m_view->selectionModel()->setCurrentIndex(m_table.index(std::clamp(m_keptRow, 0, m_table.rowCount() - 1), columnOf(QStringLiteral("name"))), QItemSelectionModel::NoUpdate);
    const int all = m_table.numExperiments(), found = m_table.numFound();
    m_count->setText(found == all ? tr("%n experiments", nullptr, all) : tr("%1 of %2 experiments").arg(found).arg(all));
    m_empty->setText(all > 0 ? tr("No experiment is like that. Take a word out of the search.") : m_list.showsTrash() ? tr("The trash is empty.") : tr("No runs yet. Score the layers of a teacher (Ctrl+R): what it finds stands here."));
    m_empty->setVisible(found == 0);
    m_view->setVisible(found > 0);
    refreshActions();
    comeBack();
    Q_EMIT chosenChanged();
}

/// The header keeps the number of a column, and measures that have come since have moved the others.
void RunsPage::showOrder()
{
    const QSignalBlocker quiet(m_view->horizontalHeader());      // it is sorted so already
    m_view->horizontalHeader()->setSortIndicator(columnOf(m_table.sortColumn()), m_table.sortOrder());
}

void RunsPage::refreshActions()
{
    const bool any = m_view->selectionModel()->hasSelection();
    for (QAction *action : m_onSelection)
        action->setEnabled(any);
    m_trashAction->setText(m_list.showsTrash() ? tr("&Restore from the trash") : tr("Move to the tras&h"));
}

int RunsPage::presetWidth(const QString &column) const
{
    constexpr double longDate = 1797719280.0;      // late in a December, late in the day
    const int letter = letterWidth(fontMetrics());
    if (m_table.isGrouped() && column.startsWith(QLatin1String("measure/")))
        return fontMetrics().horizontalAdvance(widestGroup(m_table.spread())) + letter * 3;
    if (column == QLatin1String("name"))
        return letter * 33;
    if (column == QLatin1String("started"))
        return fontMetrics().horizontalAdvance(startedText(longDate)) + letter * 4;
    if (column == QLatin1String("k"))
        return letter * 6;
    return letter * (column == QLatin1String("probe") || column == QLatin1String("tokens") ? 9 : column == QLatin1String("kind") || column == QLatin1String("status") || column == QLatin1String("seconds") ? 11 : 13);
}

/// A mark and what is around it; with the sign of the order where the table is sorted by it.
int RunsPage::markWidth(const QString &column) const
{
    const QStyle &style = *m_view->style();
    const int margin = style.pixelMetric(QStyle::PM_HeaderMargin, nullptr, m_view);
    const int sign = m_table.sortColumn() == column ? style.pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, m_view) + margin : 0;
    return std::max(leastHitArea, style.pixelMetric(QStyle::PM_SmallIconSize, nullptr, m_view) + 2 * margin + sign);
}

void RunsPage::followColumns()
{
    m_following = true;
    const QSettings settings;
    const QStringList hidden = settings.value(hiddenSetting).toStringList(), shown = settings.value(shownSetting).toStringList(), order = settings.value(orderSetting).toStringList();
    const int letter = letterWidth(fontMetrics());
    QHeaderView *header = m_view->horizontalHeader();
    for (int i = 0; i < m_table.columnCount(); ++i) {
        const ExperimentTable::Column &column = m_table.columns()[static_cast<std::size_t>(i)];
        m_view->setColumnHidden(i, column.isShownAtFirst ? hidden.contains(column.id) : !shown.contains(column.id));
        const int preset = std::max(presetWidth(column.id), fontMetrics().horizontalAdvance(column.title) + letter * 5);      // with the sign of the order
        header->setSectionResizeMode(i, column.isMark ? QHeaderView::Fixed : QHeaderView::Interactive);
        header->resizeSection(i, column.isMark ? markWidth(column.id) : settings.value(widthSetting + column.id, preset).toInt());
    }
    int place = 0;
    for (const QString &id : order)
        for (int i = 0; i < m_table.columnCount(); ++i)
            if (m_table.columns()[static_cast<std::size_t>(i)].id == id)
                header->moveSection(header->visualIndex(i), place++);
    m_following = false;
}

void RunsPage::rememberColumns()
{
    if (m_following)
        return;
    QSettings settings;
    const QHeaderView *header = m_view->horizontalHeader();
    QStringList hidden, shown, order;
    for (int place = 0; place < m_table.columnCount(); ++place) {
        const int i = header->logicalIndex(place);
        const ExperimentTable::Column &column = m_table.columns()[static_cast<std::size_t>(i)];
        order << column.id;
        if (column.isShownAtFirst && header->isSectionHidden(i))
            hidden << column.id;
        if (!column.isShownAtFirst && !header->isSectionHidden(i))
            shown << column.id;
        if (!header->isSectionHidden(i) && !column.isMark)
            settings.setValue(widthSetting + column.id, header->sectionSize(i));
    }
    settings.setValue(hiddenSetting, hidden);
    settings.setValue(shownSetting, shown);
    settings.setValue(orderSetting, order);
}

void RunsPage::refreshColumnMenu()
{
    m_columnMenu->clear();
    for (int i = 0; i < m_table.columnCount(); ++i) {
        const ExperimentTable::Column &column = m_table.columns()[static_cast<std::size_t>(i)];
        QAction *action = m_columnMenu->addAction(column.title);
        action->setCheckable(true);
        action->setChecked(!m_view->isColumnHidden(i));
        action->setEnabled(column.id != QLatin1String("name"));
        connect(action, &QAction::toggled, this, [this, i](bool on) {
            m_view->setColumnHidden(i, !on);
            rememberColumns();
        });
    }
}

QModelIndexList RunsPage::selectedRows() const { return m_view->selectionModel()->selectedRows(); }

std::vector<RunsPage::Key> RunsPage::selectedKeys() const
{
    std::vector<Key> keys;
    for (const QModelIndex &row : selectedRows())
        keys.emplace_back(m_table.group(row.row()).first().uuid, m_table.group(row.row()).first().task);
    return keys;
}

void RunsPage::select(const std::vector<Key> &keys)
{
    const std::set<Key> wanted(keys.begin(), keys.end());
    QItemSelection selection;
    for (int row = 0; row < m_table.rowCount() && !wanted.empty(); ++row)
        if (const store::ExperimentRow &one = m_table.group(row).first(); wanted.contains({one.uuid, one.task}))
            selection.select(m_table.index(row, 0), m_table.index(row, m_table.columnCount() - 1));
    if (!selection.isEmpty())
        m_view->selectionModel()->setCurrentIndex(selection.indexes().front(), QItemSelectionModel::NoUpdate);
    m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

void RunsPage::pin()
{
    const QModelIndexList rows = selectedRows();
    const bool all = std::all_of(rows.begin(), rows.end(), [this](const QModelIndex &row) { return m_table.group(row.row()).first().pinned; });
    m_list.setPinned(m_table.runsOf(rows), !all);
}

void RunsPage::lock()
{
    const QModelIndexList rows = selectedRows();
    const bool all = std::all_of(rows.begin(), rows.end(), [this](const QModelIndex &row) { return m_table.group(row.row()).first().locked; });
    m_list.setLocked(m_table.runsOf(rows), !all);
}

void RunsPage::setBaseline()
{
    const QModelIndexList rows = selectedRows();
    if (!rows.isEmpty())
        m_table.setBaseline(m_table.isBaseline(rows.front().row()) ? -1 : rows.front().row());
}

void RunsPage::tag()
{
    const QStringList runs = m_table.runsOf(selectedRows());
    bool ok = false;
    const QString text = QInputDialog::getText(this, tr("Add a tag"), tr("Tag for %n runs:", nullptr, static_cast<int>(runs.size())), QLineEdit::Normal, {}, &ok);
    if (ok)
        m_list.addTag(runs, text);
}

void RunsPage::untag()
{
    const QModelIndexList rows = selectedRows();
    QStringList tags;
    for (const QModelIndex &row : rows)
        for (const std::string &one : m_table.group(row.row()).first().tags)
            if (const QString text = QString::fromStdString(one); !tags.contains(text))
                tags << text;
    if (tags.isEmpty())
        return;
    bool ok = tags.size() == 1;
    const QString chosen = ok ? tags.front() : QInputDialog::getItem(this, tr("Remove a tag"), tr("Tag:"), tags, 0, false, &ok);
    if (ok)
        m_list.removeTag(m_table.runsOf(rows), chosen);
}

void RunsPage::rename()
{
    const QModelIndexList rows = selectedRows();
    if (rows.isEmpty())
        return;
    if (m_table.group(rows.front().row()).first().locked)
        return m_problem->showText(tr("A locked run keeps its name: unlock it (L) to rename it."));
    const QModelIndex cell = m_table.index(rows.front().row(), columnOf(QStringLiteral("name")));
    m_view->setCurrentIndex(cell);
    m_view->edit(cell);
}

void RunsPage::editNotes()
{
    const QModelIndexList rows = selectedRows();
    if (rows.isEmpty())
        return;
    const store::ExperimentRow &row = m_table.group(rows.front().row()).first();
    const QString run = QString::fromStdString(row.uuid);
    bool ok = false;
    const QString text = QInputDialog::getMultiLineText(this, tr("Notes"), tr("Notes of the run:"), QString::fromStdString(row.notes), &ok);
    if (ok)
        m_list.setNotes(run, text);
}

void RunsPage::trash()
{
    const QModelIndexList rows = selectedRows();
    const bool restores = m_list.showsTrash();
    const QStringList runs = m_table.runsOf(rows);
    const auto any = [&](bool store::ExperimentRow::*mark) {
        return !restores && std::any_of(m_list.rows().begin(), m_list.rows().end(), [&](const store::ExperimentRow &row) { return row.*mark && runs.contains(QString::fromStdString(row.uuid)); });
    };
    const bool pinned = any(&store::ExperimentRow::pinned), locked = any(&store::ExperimentRow::locked);
    const std::vector<Key> keys = selectedKeys();
    const int before = m_list.edits().index();
    m_said->hide();
    m_list.setTrashed(runs, !restores);
    if (m_list.edits().index() > before) {
        if (const auto edit = m_list.editAt(before))
            m_thrown[*edit] = keys;
        sayTrashed(runs, restores);
    }
    sayKept(pinned, locked);
}

void RunsPage::sayKept(bool pinned, bool locked)
{
    if (locked)
        m_problem->showText(tr("Locked runs stay: unlock them (L) to throw them away."));
    else if (pinned)
        m_problem->showText(tr("Pinned runs stay: unpin them (P) to throw them away."));
}

/// One line may stand for many: its repetitions, or the other stages of its run.
void RunsPage::sayTrashed(const QStringList &runs, bool restored)
{
    int count = 0;
    std::set<QString> titles;
    for (const store::ExperimentRow &row : m_list.rows())
        if ((restored || (!row.pinned && !row.locked)) && runs.contains(QString::fromStdString(row.uuid))) {
            ++count;
            titles.insert(runTitle(row));
        }
    if (titles.size() == 1 && count > 1)
        m_said->showText((restored ? tr("%n experiments of %1 restored from the trash.", nullptr, count) : tr("%n experiments of %1 moved to the trash.", nullptr, count)).arg(*titles.begin()));
    else if (count == 1)
        m_said->showText((restored ? tr("%1 restored from the trash.") : tr("%1 moved to the trash.")).arg(*titles.begin()));
    else
        m_said->showText(restored ? tr("%n experiments restored from the trash.", nullptr, count) : tr("%n experiments moved to the trash.", nullptr, count));
}

void RunsPage::followEdits(int index)
{
    m_back.clear();
    const auto undone = index < m_edits ? m_list.editAt(m_edits - 1) : std::nullopt;
    if (const auto thrown = undone ? m_thrown.find(*undone) : m_thrown.end(); thrown != m_thrown.end())
        m_back = thrown->second;
    m_edits = index;
    m_said->hide();
    m_keyboardThen = QApplication::focusWidget();      // the button that called them back is gone
}

void RunsPage::comeBack()
{
    const auto isThere = [this](const Key &key) {
        for (int row = 0; row < m_table.rowCount(); ++row)
            if (const store::ExperimentRow &one = m_table.group(row).first(); one.uuid == key.first && one.task == key.second)
                return true;
        return false;
    };
    if (m_back.empty() || !std::all_of(m_back.begin(), m_back.end(), isThere))
        return;
    select(std::exchange(m_back, {}));
    if (isVisible() && (!QApplication::focusWidget() || QApplication::focusWidget() == m_keyboardThen))      // a person is not called away from elsewhere
        m_view->setFocus(Qt::OtherFocusReason);
}

/// The current row, where it is one of several that are selected.
std::optional<store::ExperimentRow> RunsPage::chosen() const
{
    const QModelIndexList rows = selectedRows();
    if (rows.isEmpty())
        return std::nullopt;
    const int current = m_view->currentIndex().row();
    const bool isOne = std::any_of(rows.begin(), rows.end(), [&](const QModelIndex &one) { return one.row() == current; });
    return m_table.group(isOne ? current : rows.front().row()).first();
}

void RunsPage::open()
{
    if (const auto row = chosen())
        Q_EMIT openRequested(*row);
}

/// Where a double click does not write.
void RunsPage::openAt(const QModelIndex &cell)
{
    if (!(m_table.flags(cell) & Qt::ItemIsEditable))
        open();
}

bool RunsPage::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress && m_table.rowCount() > 0) {
        const auto &key = *static_cast<const QKeyEvent *>(event);
        if (watched == m_words && leaveSearch(key))
            return true;
        if (watched == m_view && moveInTable(key))
            return true;
    }
    return QWidget::eventFilter(watched, event);
}

/// Whom a search found is at hand: Return and ↓ go from its line to the first of them, or to those that are selected. While words are offered these keys are theirs, and do not come here.
bool RunsPage::leaveSearch(const QKeyEvent &key)
{
    const bool isReturn = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    if ((!isReturn && key.key() != Qt::Key_Down) || (key.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    m_view->setFocus(Qt::OtherFocusReason);
    if (!m_view->selectionModel()->hasSelection())
        chooseRow(0);
    return true;
}

/// Qt's own moves of Ctrl+Home and Ctrl+End leave the selection on rows that are out of sight, and its first ↓ where nothing is selected passes over the row with the frame.
bool RunsPage::moveInTable(const QKeyEvent &key)
{
    m_back.clear();      // a person chooses
    const bool first = key.key() == Qt::Key_Home, last = key.key() == Qt::Key_End;
    if ((first || last) && key.modifiers() == Qt::ControlModifier) {
        chooseRow(first ? 0 : m_table.rowCount() - 1);
        return true;
    }
    const bool starts = (key.key() == Qt::Key_Down || key.key() == Qt::Key_Up) && (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier && !m_view->selectionModel()->hasSelection();
    if (starts)
        chooseRow(std::max(0, m_view->currentIndex().row()));
    return starts;
}

void RunsPage::chooseRow(int row)
{
    const QModelIndex cell = m_table.index(row, m_view->currentIndex().isValid() ? m_view->currentIndex().column() : columnOf(QStringLiteral("name")));
    m_view->selectionModel()->setCurrentIndex(cell, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_view->scrollTo(cell);
}

/// The uppermost one is the baseline.
void RunsPage::compare()
{
    QModelIndexList chosen = selectedRows();
    std::sort(chosen.begin(), chosen.end(), [](const QModelIndex &a, const QModelIndex &b) { return a.row() < b.row(); });
    std::vector<store::ExperimentRow> rows;
    for (const QModelIndex &row : chosen)
        for (const store::ExperimentRow *member : m_table.group(row.row()).members)
            rows.push_back(*member);
    if (rows.size() < 2 || rows.size() > static_cast<std::size_t>(Comparison::most))
        m_problem->showText(tr("Two to six experiments can be compared, and %1 are selected.").arg(rows.size()));
    else
        Q_EMIT compareRequested(rows);
}

void RunsPage::takeAsPattern()
{
    const QModelIndexList rows = selectedRows();
    if (rows.isEmpty())
        return;
    const store::ExperimentRow &row = m_table.group(rows.front().row()).first();
    Q_EMIT experimentRequested(QString::fromStdString(row.uuid), QString::fromStdString(row.task));
}

void RunsPage::copy()
{
    std::vector<int> all(static_cast<std::size_t>(m_table.columnCount()));
    std::iota(all.begin(), all.end(), 0);
    QGuiApplication::clipboard()->setMimeData(tableClipboard(m_table.copied(selectedRows(), all), shownTable()));
}

void RunsPage::copyLatex()
{
    QGuiApplication::clipboard()->setText(QString::fromStdString(report::latexText(shownTable())));
}

void RunsPage::copyMarkdown()
{
    QGuiApplication::clipboard()->setText(QString::fromStdString(report::markdownText(shownTable())));
}

/// The selected rows with the columns that are to be seen, in their order.
report::Table RunsPage::shownTable() const
{
    const QHeaderView *header = m_view->horizontalHeader();
    std::vector<int> shown;
    for (int place = 0; place < header->count(); ++place)
        if (const int column = header->logicalIndex(place); !header->isSectionHidden(column))
            shown.push_back(column);
    return m_table.copied(selectedRows(), shown);
}

void RunsPage::copyLink()
{
    QStringList links;
    for (const QString &run : m_table.runsOf(selectedRows()))
        links << runLink(run);
    QGuiApplication::clipboard()->setText(links.join(QLatin1Char('\n')));
}

std::optional<store::ExperimentRow> RunsPage::experiment(const QString &run, const QString &task) const
{
    const std::string uuid = run.toStdString(), stage = task.toStdString();
    const auto &rows = m_list.rows();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const store::ExperimentRow &one) { return one.uuid == uuid && one.task == stage; });
    return found == rows.end() ? std::nullopt : std::optional(*found);
}

QVariantMap RunsPage::view() const
{
    QStringList selected;
    for (const auto &[run, task] : selectedKeys())
        selected << QString::fromStdString(run) + QLatin1Char('/') + QString::fromStdString(task);
    return {{QStringLiteral("search"), m_words->text()}, {QStringLiteral("sorted"), m_table.sortColumn()}, {QStringLiteral("descending"), m_table.sortOrder() == Qt::DescendingOrder},
            {QStringLiteral("together"), m_grouped->isChecked()}, {QStringLiteral("spread"), m_spread->currentData()}, {QStringLiteral("selected"), selected}};
}

void RunsPage::setView(const QVariantMap &view)
{
    if (view.isEmpty())
        return;
    m_spread->setCurrentIndex(std::max(0, m_spread->findData(view.value(QStringLiteral("spread"), 0).toInt())));
    m_grouped->setChecked(view.value(QStringLiteral("together")).toBool());
    sortBy(view.value(QStringLiteral("sorted")).toString(), view.value(QStringLiteral("descending")).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_words->setText(view.value(QStringLiteral("search")).toString());
    if (!m_problem->isHidden())      // a measure that there is none of any more
        m_words->clear();
    std::vector<Key> keys;
    for (const QString &one : view.value(QStringLiteral("selected")).toStringList())
        keys.emplace_back(one.section(QLatin1Char('/'), 0, 0).toStdString(), one.section(QLatin1Char('/'), 1).toStdString());
    select(keys);
}

QVariantMap RunsPage::columns() const
{
    QSettings settings;
    settings.beginGroup(columnSettings);
    QVariantMap kept;
    for (const QString &key : settings.allKeys())
        kept.insert(key, settings.value(key));
    return kept;
}

void RunsPage::setColumns(const QVariantMap &columns)
{
    QSettings settings;
    settings.remove(columnSettings);
    for (auto one = columns.begin(); one != columns.end(); ++one)
        settings.setValue(columnSettings + QLatin1Char('/') + one.key(), one.value());
    m_following = true;
    QHeaderView *header = m_view->horizontalHeader();
    for (int i = 0; i < m_table.columnCount(); ++i)
        header->moveSection(header->visualIndex(i), i);
    followColumns();
}

void RunsPage::showRun(const QString &run)
{
    m_wanted = run;
    m_trash->setChecked(false);
    m_list.read();
}

void RunsPage::showWanted()
{
    if (m_wanted.isEmpty())
        return;
    const QString run = std::exchange(m_wanted, {});
    const std::string uuid = run.toStdString();
    const auto rowOf = [&] {
        for (int row = 0; row < m_table.rowCount(); ++row)
            if (const auto &members = m_table.group(row).members; std::any_of(members.begin(), members.end(), [&](const store::ExperimentRow *one) { return one->uuid == uuid; }))
                return row;
        return -1;
    };
    const bool known = std::any_of(m_list.rows().begin(), m_list.rows().end(), [&](const store::ExperimentRow &one) { return one.uuid == uuid; });
    if (!known) {
        m_problem->showText(tr("There is no run %1 in this workspace, or it is in the trash.").arg(run));
        return;
    }
    if (rowOf() < 0)
        m_words->clear();
    if (rowOf() < 0)      // a look at a model
        m_words->setText(QStringLiteral("kind:inspect"));
    m_view->selectRow(rowOf());
    m_view->scrollTo(m_table.index(rowOf(), columnOf(QStringLiteral("name"))));
    m_view->setFocus(Qt::OtherFocusReason);
}

}  // namespace stillroom::widgets
