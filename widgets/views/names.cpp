// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/names.h"

#include <QCoreApplication>

#include <utility>

namespace stillroom::widgets {
namespace {

struct Names {
    Q_DECLARE_TR_FUNCTIONS(Names)
};

QString featureName(const QString &feature)
{
    const std::pair<const char *, QString> known[] = {
        {"qkv_bias", Names::tr("biases on queries, keys and values")},
        {"output_bias", Names::tr("bias after attention")},
        {"qk_norm", Names::tr("norms on queries and keys")},
        {"rope", Names::tr("rotary positions")},
        {"rope_scaling", Names::tr("scaled rotary positions")},
        {"sliding_window", Names::tr("sliding window")},
        {"grouped_query", Names::tr("grouped queries")},
        {"wide_heads", Names::tr("head width other than D/H")},
    };
    for (const auto &[name, words] : known)
        if (feature == QLatin1String(name))
            return words;
    return feature;
}

}  // namespace

QString selectorName(const QString &selector)
{
    if (selector == QLatin1String("ga-s2"))
        return Names::tr("GA-S2 (short distillation)");
    if (selector == QLatin1String("zero-shot-ga"))
        return Names::tr("zero-shot (no training)");
    if (selector == QLatin1String("ga-s1"))
        return Names::tr("stage-1 residual (first look)");
    return selector;
}

QString phaseName(const QString &phase)
{
    if (phase == QLatin1String("packing"))
        return Names::tr("packing the texts");
    if (phase == QLatin1String("stage 1"))
        return Names::tr("stage 1");
    if (phase == QLatin1String("stage 2"))
        return Names::tr("stage 2");
    if (phase == QLatin1String("zero-shot scoring"))
        return Names::tr("zero-shot scores");
    if (phase.startsWith(QLatin1String("scoring")))
        return Names::tr("training every candidate");
    return phase;
}

QString featureNames(const QStringList &features)
{
    QStringList names;
    for (const QString &feature : features)
        names << featureName(feature);
    return names.isEmpty() ? Names::tr("nothing") : names.join(QStringLiteral(", "));
}

}  // namespace stillroom::widgets
