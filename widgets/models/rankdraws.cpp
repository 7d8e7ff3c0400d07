// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rankdraws.h"

#include "error.h"
#include "models/session.h"

#include <QPointer>

#include <filesystem>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int numDraws = 2000;

std::shared_ptr<const analysis::BootstrapRanks> drawn(const std::filesystem::path &workspace, const std::string &artifact, const experiment::Ranking &ranking, const std::string &heldOut)
{
    auto values = store::heldOutValues(workspace, artifact, static_cast<int>(ranking.size()));
    if (!values)
        return nullptr;
    try {
        const analysis::LayerSamples samples(std::move(values->values_LS), values->higherIsBetter);
        if (samples.numSequences() < 2 || samples.ranking() != ranking)
            return nullptr;
        return std::make_shared<const analysis::BootstrapRanks>(samples, numDraws, store::drawSeed(heldOut));
    } catch (const Error &) {      // a value that is not finite, lists that differ in length: what is a by-product is done without
        return nullptr;
    }
}

}  // namespace

RankDraws::RankDraws(Session &session) : QObject(&session), m_session(session)
{
    connect(&session, &Session::teacherChanged, this, [this] { m_drawn.clear(); });
}

const analysis::BootstrapRanks *RankDraws::of(const store::Scoring &scoring)
{
    if (scoring.artifact.empty() || !scoring.ranking)
        return nullptr;
    if (const auto known = m_drawn.find(scoring.artifact); known != m_drawn.end())
        return known->second.get();
    m_drawn[scoring.artifact] = nullptr;
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

}  // namespace stillroom::widgets
