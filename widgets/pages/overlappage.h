// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/overlaptable.h"
#include "models/session.h"

#include <QTimer>
#include <QWidget>

#include <optional>
#include <utility>

class QCheckBox;
class QComboBox;
class QItemSelectionModel;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace stillroom::widgets {

class AgreementPlot;
class ElidedLabel;
class MessageLine;
class OverlapPlot;
class PairStrips;

/// How much the choices of layers agree: all against all at one K, beside what chance gives; and for one pair which layers differ, and every K.
class OverlapPage final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OverlapPage)

public:
    explicit OverlapPage(Session &session, QWidget *parent = nullptr);

Q_SIGNALS:
    void scoreRequested();

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeToolbar();
    QWidget *makeFilter();
    QWidget *makeMatrix();
    QWidget *makePair();
    void follow();
    /// Once after what happens now, however many reasons there are, or when the page is shown next.
    void invalidate();
    void refreshStale();
    void refresh();
    void keepPair();                       ///< the current cell stays with its two choices where rows come and go
    void showPair();
    void refreshNotes();
    void refreshFilter();                  ///< the groups and probes that there are
    [[nodiscard]] ChoiceFilter filter() const;               ///< as it stands in the boxes
    void useFilter();
    void copy() const;
    [[nodiscard]] QString chanceText() const;
    [[nodiscard]] int rowOf(const QString &name) const;
    [[nodiscard]] QString pairText(int a, int b);
    /// How sure the overlap of two scorings is, over other held-out sequences; empty where one of them is none, or keeps no values by sequence.
    [[nodiscard]] QString drawsText(int a, int b);
    [[nodiscard]] const store::Scoring *scoringOf(const comparison::Choice &choice) const;

    Session &m_session;
    OverlapTable m_table;
    QItemSelectionModel *m_current;
    OverlapPlot *m_matrix = nullptr;
    QStackedWidget *m_views = nullptr;
    ElidedLabel *m_chance = nullptr;
    MessageLine *m_nothingScored = nullptr;
    QLabel *m_words = nullptr, *m_count = nullptr;
    QLineEdit *m_filterWords = nullptr;
    QComboBox *m_filterGroup = nullptr, *m_filterProbe = nullptr;
    QCheckBox *m_filterSets = nullptr;
    PairStrips *m_strips = nullptr;
    AgreementPlot *m_curve = nullptr;
    QString m_nameA, m_nameB;              ///< of the pair
    std::optional<std::pair<comparison::Choice, comparison::Choice>> m_curveOf;      ///< whose curve is drawn
    /// Of two scorings' draws at every K: made once for a pair, for K is dragged.
    struct PairDraws {
        std::string a, b;                  ///< names of the choices
        std::vector<analysis::AgreementPoint> curve;
    };
    std::optional<PairDraws> m_pairDraws;
    QTimer m_refreshing;
    bool m_stale = false, m_resetting = false;
};

}  // namespace stillroom::widgets
