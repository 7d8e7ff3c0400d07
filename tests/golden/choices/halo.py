# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/choices/halo.json: the measured R and C of every layer of three teachers, read from the logs that the authors of HALO published
(github.com/thunlp/hybrid-linear-attention, commit 229e301, attn-layer-selection/results), and the scores that numpy makes of them by the formulas of the
paper and of the published code. Argument: a clone of that repository."""
import json
import pathlib
import subprocess
import sys

import numpy as np

clone = sys.argv[1]
COMMIT = "229e301"
RESULTS = "attn-layer-selection/results"
TEACHERS = {"hypenet-2b": ("Qwen3-1.7B", 28), "hypenet-4b": ("Qwen3-4B", 36), "hypenet-8b": ("Qwen3-8B", 36)}


def table(path, metric):
    """{task: value} of the harness's result table; `metric` chooses among the rows of one task (None: the only row)."""
    log = subprocess.run(["git", "-C", clone, "show", f"{COMMIT}:{path}"], check=True, capture_output=True, text=True).stdout
    task, found = "", {}
    for line in log.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not line.startswith("|") or len(cells) != 9 or cells[0] == "Tasks" or cells[0].startswith("-"):
            continue
        task = cells[0] or task
        if metric is None or cells[4] == metric:
            found[task] = float(cells[6])
    return found


out = {"source": f"github.com/thunlp/hybrid-linear-attention, commit {COMMIT}, {RESULTS}", "teachers": []}
for folder, (teacher, layers) in TEACHERS.items():
    recall, commonsense = [], []
    for layer in range(layers):
        path = f"{RESULTS}/layer_sweep_{folder}/{folder}-lightning/layer{layer}"
        r, c = table(f"{path}/retrieval_eval.log", None), table(f"{path}/commonsense_eval.log", "acc_norm")
        assert sorted(r) == ["fda", "ruler_qa_squad", "swde"] and sorted(c) == ["arc_challenge", "arc_easy", "hellaswag"], (folder, layer, r, c)
        recall.append(float(np.mean(list(r.values()))))
        commonsense.append(float(np.mean(list(c.values()))))
    R, C = np.array(recall), np.array(commonsense)
    paper = (R.max() - R) / (C.max() - C + 1e-6)
    code = np.minimum(50, (R.max() - R) / (C.max() - C + 1e-10))
    out["teachers"].append({"teacher": teacher, "recall": recall, "commonsense": commonsense, "paper": paper.tolist(), "code": code.tolist(),
                            "paper_ranking": np.argsort(-paper, kind="stable").tolist(), "code_ranking": np.argsort(-code, kind="stable").tolist()})

path = pathlib.Path(__file__).parents[2] / "data" / "choices" / "halo.json"
path.write_text(json.dumps(out, indent=1) + "\n")
