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

QString gridName(const QString &grid)
{
    const std::pair<const char *, QString> known[] = {
        {"uniform-start", Names::tr("uniform, from the first layer")},
        {"uniform-end", Names::tr("uniform, to the last layer")},
        {"uniform-rounded", Names::tr("uniform, both ends")},
        {"uniform-latter-half", Names::tr("uniform, latter half")},
    };
    for (const auto &[name, words] : known)
        if (grid == QLatin1String(name))
            return words;
    return grid;
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

QString selectorMark(const QString &selector)
{
    static const std::pair<const char *, const char *> known[] = {
        {"ga-s2", "GA-S2"}, {"gr-s2", "GR-S2"}, {"ga-s1", "GA-S1"}, {"zero-shot-ga", "zero-shot GA"}, {"ga-s2-gla", "GA-S2 (GLA)"}, {"ar", "AR"}, {"ar-mh", "AR-MH"}, {"mse", "MSE"},
        {"ppl", "PPL"}, {"postnas", "PostNAS"}, {"smart", "SMART"}, {"halo", "HALO"},
    };
    for (const auto &[name, mark] : known)
        if (selector == QLatin1String(name))
            return QString::fromLatin1(mark);
    return selector;
}

QString choiceName(const comparison::Choice &choice)
{
    const QString selector = selectorMark(QString::fromStdString(choice.selector)), probe = QString::fromStdString(choice.probe).toUpper();
    switch (choice.origin) {
    case comparison::Origin::Scoring: return Names::tr("%1 · %2").arg(selector, probe);
    case comparison::Origin::Smart: return Names::tr("SMART of %1 · %2").arg(selector, probe);
    case comparison::Origin::Uniform: return gridName(selector);
    case comparison::Origin::Random: return Names::tr("random (seed %1)").arg(choice.seed);
    case comparison::Origin::Published: return Names::tr("published %1 · %2").arg(selector, probe);
    case comparison::Origin::ByHand: break;
    }
    return Names::tr("your set by hand");
}

QString seedName(std::int64_t seed)
{
    return Names::tr("seed %1").arg(seed);
}

QString runName(const QString &uuid)
{
    return Names::tr("run %1").arg(uuid.left(8));
}

QString distinctName(const QString &name, const QString &distinction)
{
    return Names::tr("%1 · %2").arg(name, distinction);
}

QString layerNames(const experiment::LayerSet &layers)
{
    QStringList names;
    for (const int layer : layers)
        names << QString::number(layer);
    return names.isEmpty() ? Names::tr("none") : names.join(QStringLiteral(", "));
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
