# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/analysis/agreement.json: values of scipy, numpy and the package `rbo` (PyPI, 0.1.3) for comparisons of sets and rankings.
Run in a virtual environment with numpy, scipy and rbo."""
import itertools
import json
import pathlib

import numpy as np
import rbo
import scipy
from scipy import stats

rng = np.random.default_rng(21)
out = {"scipy": scipy.__version__, "rbo": "0.1.3", "overlap": [], "rbo_ext": [], "concordance": [], "kemeny": [], "bootstrap": {}}

for layers, a, b in [(6, 2, 2), (6, 3, 4), (28, 7, 7), (28, 7, 10), (28, 14, 14), (36, 9, 9), (36, 9, 10), (36, 18, 18), (80, 1, 40), (200, 60, 75)]:
    chance = stats.hypergeom(layers, a, b)
    shared = np.arange(max(0, a + b - layers), min(a, b) + 1)
    jaccard, probability = shared / (a + b - shared), chance.pmf(shared)
    out["overlap"].append({"layers": layers, "a": a, "b": b, "shared": shared.tolist(), "probability": probability.tolist(), "at_least": chance.sf(shared - 1).tolist(),
                           "at_most": chance.cdf(shared).tolist(), "mean_jaccard": float((jaccard * probability).sum()),
                           "quantiles": [[q, float(chance.ppf(q) / (a + b - chance.ppf(q)))] for q in (0.025, 0.2, 0.5, 0.9, 0.975)]})

for lengths in [(1, 1), (5, 5), (28, 28), (36, 36), (5, 9), (9, 18), (3, 36), (7, 7)]:
    for p in [0.1, 0.5, 0.9, 0.98]:
        a = rng.permutation(40)[: lengths[0]].tolist()
        b = rng.permutation(40)[: lengths[1]].tolist()
        if lengths[0] == lengths[1] == 28:
            b = sorted(a, key=lambda layer: a.index(layer) + rng.normal(0, 4))
        out["rbo_ext"].append({"a": a, "b": b, "p": p, "value": float(rbo.RankingSimilarity(a, b).rbo_ext(p))})

for m, layers in [(2, 6), (3, 28), (5, 36), (4, 4)]:
    rankings = [rng.permutation(layers) for _ in range(m)]
    places = np.argsort(rankings, axis=1)
    # Kendall's W from the mean of Spearman's rank correlations over all pairs
    mean = np.mean([stats.spearmanr(x, y).statistic for x, y in itertools.combinations(places, 2)])
    out["concordance"].append({"rankings": [r.tolist() for r in rankings], "w": float((mean * (m - 1) + 1) / m), "mean_places": (places.mean(axis=0) + 1).tolist(),
                               "se": stats.sem(places, axis=0).tolist()})

for m, layers in [(3, 5), (3, 7), (4, 6), (5, 7)]:
    for _ in range(6):
        base = rng.permutation(layers)
        rankings = [np.argsort(np.argsort(base) + rng.normal(0, 2.5, layers)) for _ in range(m)]
        places = np.argsort(rankings, axis=1)
        def against(order):
            return sum(int((place[list(order)][:, None] > place[list(order)][None, :])[np.triu_indices(layers, 1)].sum()) for place in places)
        best = min(itertools.permutations(range(layers)), key=lambda order: (against(order), order))
        out["kemeny"].append({"rankings": [r.tolist() for r in rankings], "ranking": list(best), "against": against(best)})

# An independent bootstrap: numpy's generator, 200 000 draws. Ours must agree within its own sampling error.
layers, sequences, draws = 8, 20, 200_000
values = rng.normal(0, 1, (layers, sequences)) * 0.6 + rng.normal(0, 1, sequences) + np.linspace(0, 1.4, layers)[rng.permutation(layers), None]
times = rng.multinomial(sequences, np.full(sequences, 1 / sequences), size=draws)
order = np.argsort(times @ values.T, axis=1, kind="stable")
within = np.array([[(order[:, :k] == layer).any(axis=1).mean() for k in range(1, layers + 1)] for layer in range(layers)])
out["bootstrap"] = {"values": values.tolist(), "within": within.tolist()}

path = pathlib.Path(__file__).parents[2] / "data" / "analysis" / "agreement.json"
path.write_text(json.dumps(out) + "\n")
