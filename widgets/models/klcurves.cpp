// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/klcurves.h"

#include "error.h"
#include "log.h"
#include "models/session.h"

#include <QPointer>

#include <utility>

namespace stillroom::widgets {
namespace {

std::string nameOfScoring(const store::Scoring &scoring)
{
    return scoring.run + '/' + scoring.task + '/' + scoring.selector + '/' + scoring.mixer;
}

}  // namespace

KlCurves::KlCurves(Session &session) : QObject(&session), m_session(session)
{
    connect(&session, &Session::teacherChanged, this, [this] { m_kept.clear(); });
    connect(&session, &Session::hybridsChanged, this, [this] {
        for (auto &[name, kept] : m_kept)
            kept.isOutdated = true;
        Q_EMIT outdated();
    });
}

const comparison::KlAgainstK *KlCurves::of(const store::Scoring &scoring)
{
    if (!scoring.ranking)
        return nullptr;
    const std::string name = nameOfScoring(scoring);
    Kept &kept = m_kept[name];
    if (kept.ranking != *scoring.ranking || kept.artifact != scoring.artifact)
        kept = {*scoring.ranking, scoring.artifact, nullptr, true, 0, 0};
    if (std::exchange(kept.isOutdated, false))
        ask(scoring, name, kept);
    return kept.read.get();
}

/// What a stage predicts stays: of that only the hybrids are read again.
void KlCurves::ask(const store::Scoring &scoring, const std::string &name, Kept &kept)
{
    kept.errand = ++m_numErrands;
    store::Scoring asked;      // without its evaluations, which may be many
    asked.mixer = scoring.mixer;
    asked.ranking = scoring.ranking;
    asked.artifact = scoring.artifact;
    asked.seed = scoring.seed;
    asked.settings = scoring.settings;
    m_session.withStore("KL against K of " + name, [self = QPointer<KlCurves>(this), name, errand = kept.errand, before = kept.read, asked = std::move(asked),
                                                    teacher = m_session.teacher().argument.toStdString()](store::Workspace &workspace) -> Background::Answer {
        auto found = std::make_shared<comparison::KlAgainstK>();
        try {
            if (before && !before->predicted.points.empty())
                *found = {before->predicted, comparison::measuredKl(workspace, asked, teacher)};
            else
                *found = comparison::klAgainstK(workspace, asked, teacher);
        } catch (const Error &error) {      // an answer all the same: the plot would wait for it
            log::warning(error.what());
        }
        return [self, name, errand, found = std::shared_ptr<const comparison::KlAgainstK>(std::move(found))] {
            if (self)
                self->take(name, errand, found);
        };
    });
}

void KlCurves::take(const std::string &name, int errand, std::shared_ptr<const comparison::KlAgainstK> found)
{
    const auto known = m_kept.find(name);
    if (known == m_kept.end() || known->second.errand != errand)      // of another teacher by now, of another ranking, or asked again
        return;
    known->second.read = std::move(found);
    known->second.answered = errand;
    Q_EMIT changed();
}

bool KlCurves::isOnItsWay(const store::Scoring &scoring) const
{
    const auto asked = m_kept.find(nameOfScoring(scoring));
    return asked != m_kept.end() && asked->second.errand != asked->second.answered;
}

}  // namespace stillroom::widgets
