// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/bootstrapranks.h"
#include "analysis/layersamples.h"
#include "store/scorings.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace stillroom::widgets {

class Session;

/// How scorings would have ranked the layers had other sequences been held out: read and drawn in the background once somebody asks, and kept.
/// Scorings on the same held-out sequences draw the same ones, so that two of them can be compared draw by draw.
class RankDraws final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RankDraws)

public:
    struct Drawn {
        analysis::LayerSamples samples;      ///< what was measured, by sequence
        analysis::BootstrapRanks ranks;
    };

    explicit RankDraws(Session &session);
    /// Null while it is on its way, which `changed` says the end of; and for good where the scoring kept no values by sequence, has fewer than two
    /// sequences, or ranks its layers by something else than their means.
    [[nodiscard]] const Drawn *of(const store::Scoring &scoring);
    /// Asked for, and not here yet.
    [[nodiscard]] bool isOnItsWay(const store::Scoring &scoring) const;

Q_SIGNALS:
    void changed();

private:
    Session &m_session;
    std::map<std::string, std::optional<std::shared_ptr<const Drawn>>> m_drawn;      ///< by artifact; empty: on its way; null: there is none
};

}  // namespace stillroom::widgets
