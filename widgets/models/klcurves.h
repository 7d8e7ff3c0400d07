// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison/klagainstk.h"

#include <QObject>

#include <map>
#include <memory>
#include <string>

namespace stillroom::widgets {

class Session;

/// Held-out KL against K of scorings' rankings: read in the background once somebody asks, and kept. Where hybrids come or go the measured ones are read again.
class KlCurves final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(KlCurves)

public:
    explicit KlCurves(Session &session);
    /// Null while it is on its way, which `changed` says the end of, and for a scoring without a ranking. What is read again stays as it was until then.
    [[nodiscard]] const comparison::KlAgainstK *of(const store::Scoring &scoring);
    /// Asked for, and not all here yet.
    [[nodiscard]] bool isOnItsWay(const store::Scoring &scoring) const;

Q_SIGNALS:
    void changed();
    void outdated();      ///< there may be more by now: who shows it asks again

private:
    struct Kept {
        experiment::Ranking ranking;
        std::string artifact;
        std::shared_ptr<const comparison::KlAgainstK> read;      ///< null: not yet
        bool isOutdated = true;                                  ///< nobody has asked since
        int errand = 0;                                          ///< the last one
        int answered = 0;                                        ///< the one that `read` came of
    };
    void ask(const store::Scoring &scoring, const std::string &name, Kept &kept);
    void take(const std::string &name, int errand, std::shared_ptr<const comparison::KlAgainstK> found);
    Session &m_session;
    std::map<std::string, Kept> m_kept;                          ///< by scoring
    int m_numErrands = 0;
};

}  // namespace stillroom::widgets
