# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/analysis/statistics.json: values of scipy for the statistics of the room analysis. Needs numpy and scipy."""
import json
import pathlib

import numpy as np
import scipy
from scipy import signal, special, stats

rng = np.random.default_rng(20)
out = {"scipy": scipy.__version__, "quantiles": [], "beta": [], "tau": [], "intervals": [], "paired": [], "smooth": []}
for degrees in [1, 2, 2.5, 3, 4, 7, 9, 29, 63, 255, 1000, 1e5]:
    for probability in [0.001, 0.025, 0.3, 0.5, 0.6, 0.9, 0.95, 0.975, 0.995, 0.9995, 0.999999]:
        out["quantiles"].append([probability, degrees, stats.t.ppf(probability, degrees)])
for a, b in [(0.5, 0.5), (1, 3), (2.5, 0.5), (31.5, 0.5), (500, 0.5), (4, 70)]:
    for x in [0.0, 1e-6, 0.05, 0.3, 0.5, 0.77, 0.99, 1.0]:
        out["beta"].append([x, a, b, special.betainc(a, b, x)])
for n, levels in [(2, 2), (6, 3), (6, 100), (28, 5), (28, 10_000), (36, 10_000), (80, 20)]:
    a, b = rng.integers(0, levels, n), rng.integers(0, levels, n)
    out["tau"].append({"a": a.tolist(), "b": b.tolist(), "tau": None if np.ptp(a) == 0 or np.ptp(b) == 0 else float(stats.kendalltau(a, b).statistic)})
for n in [2, 3, 5, 64]:
    for level in [0.5, 0.9, 0.95, 0.99]:
        x = rng.normal(0.3, 2.0, n)
        y = x * 0.8 + rng.normal(0, 0.1, n)
        low, high = stats.t.interval(level, n - 1, loc=x.mean(), scale=stats.sem(x))
        out["intervals"].append({"x": x.tolist(), "level": level, "mean": x.mean(), "se": stats.sem(x), "low": low, "high": high})
        paired = stats.ttest_rel(x, y).confidence_interval(level)
        out["paired"].append({"x": x.tolist(), "y": y.tolist(), "level": level, "low": paired.low, "high": paired.high})
for weight in [0.0, 0.5, 0.9, 0.999]:
    x = np.cumsum(rng.normal(size=200))
    biased = signal.lfilter([1 - weight], [1, -weight], x)
    out["smooth"].append({"x": x.tolist(), "weight": weight, "y": (biased / (1 - weight ** np.arange(1, 201))).tolist()})

path = pathlib.Path(__file__).parents[2] / "data" / "analysis" / "statistics.json"
path.write_text(json.dumps(out) + "\n")
