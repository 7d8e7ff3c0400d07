// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rankdraws.h"

#include "comparison/rankedsamples.h"
#include "models/session.h"

#include <QPointer>

#include <filesystem>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int numDraws = 2000;

std::shared_ptr<const RankDraws::Drawn> drawn(const std::filesystem::path &workspace, const std::string &artifact, const experiment::Ranking &ranking, const std::string &heldOut)
{
    auto samples = comparison::rankedSamples(workspace, artifact, ranking);
    if (!samples)
        return nullptr;
    analysis::BootstrapRanks ranks(*samples, numDraws, store::drawSeed(heldOut));
    return std::make_shared<const RankDraws::Drawn>(RankDraws::Drawn{std::move(*samples), std::move(ranks)});
}

}  // namespace

RankDraws::RankDraws(Session &session) : QObject(&session), m_session(session)
{
    connect(&session, &Session::teacherChanged, this, [this] { m_drawn.clear(); });
}

const RankDraws::Drawn *RankDraws::of(const store::Scoring &scoring)
{
    if (scoring.artifact.empty() || !scoring.ranking)
        return nullptr;
    if (const auto known = m_drawn.find(scoring.artifact); known != m_drawn.end())
        return known->second ? known->second->get() : nullptr;
    m_drawn[scoring.artifact] = std::nullopt;
    m_session.withStore("rank draws of " + scoring.artifact, [self = QPointer<RankDraws>(this), workspace = m_session.workspace(), artifact = scoring.artifact, ranking = *scoring.ranking,
                                                              heldOut = scoring.heldOut](store::Workspace &) -> Background::Answer {
        auto found = drawn(workspace, artifact, ranking, heldOut);
        return [self, artifact, found = std::move(found)] {
            if (!self || !self->m_drawn.contains(artifact))      // another teacher's by now
                return;
            self->m_drawn[artifact] = found;
            Q_EMIT self->changed();
        };
    });
    return nullptr;
}

bool RankDraws::isOnItsWay(const store::Scoring &scoring) const
{
    const auto asked = m_drawn.find(scoring.artifact);
    return asked != m_drawn.end() && !asked->second;
}

}  // namespace stillroom::widgets
