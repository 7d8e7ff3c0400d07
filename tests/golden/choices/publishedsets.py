# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes resources/published/layersets.json: which layers the published configurations of KL-guided layer selection (arXiv 2512.20569) keep.
Argument: a clone of github.com/fla-org/hybrid-distillation. Only the layer numbers are taken, in their order in the file. Needs PyYAML."""
import json
import pathlib
import re
import subprocess
import sys

import yaml

clone = sys.argv[1]
COMMIT = "d7467e37d359ac873242d2902d23a9fd47de746b"

TEACHERS = [
    {"name": "llama-3.2-3b", "also": ["llama3_3b"], "model": "Llama-3.2-3B-Instruct", "num_layers": 28, "hidden_size": 3072},
    {"name": "qwen2.5-1.5b", "also": ["qwen2_1_5b"], "model": "Qwen2.5-1.5B-Instruct", "num_layers": 28, "hidden_size": 1536},
    {"name": "qwen2.5-3b", "also": ["qwen2_3b"], "model": "Qwen2.5-3B-Instruct", "num_layers": 36, "hidden_size": 2048},
    {"name": "qwen2.5-7b", "also": ["qwen2_7b"], "model": "Qwen2.5-7B-Instruct", "num_layers": 28, "hidden_size": 3584},
]
PROBES = [
    {"name": "gdn", "also": ["gdn_v4"], "meaning": "Gated DeltaNet with an output gate and no convolution"},
    {"name": "gla", "also": ["gla_v1"], "meaning": "gated linear attention"},
]
SELECTORS = [
    {"name": "ga-s2", "also": ["ga_s2", "ga_s2_set1", "qa_s2"], "ranked": True, "meaning": "greedy addition after stage 2, ranked with GDN students; for gla the same list is used again"},
    {"name": "ga-s2-gla", "also": ["gla_v1_ranking", "ga_s2_self_gla"], "ranked": True, "meaning": "greedy addition after stage 2, ranked with GLA students"},
    {"name": "ar", "also": [], "ranked": True, "meaning": "loss of associative recall when the layer's attention is zeroed"},
    {"name": "ar-mh", "also": ["ar_mutihop", "ar_multihop"], "ranked": True, "meaning": "the same with keys that alias earlier keys"},
    {"name": "ppl", "also": [], "ranked": True, "meaning": "perplexity baseline; how it was measured is not published"},
    {"name": "mse", "also": [], "ranked": True, "meaning": "activation error baseline; how it was measured is not published"},
    {"name": "smart", "also": [], "ranked": False, "meaning": "near-equidistant layers with sensitive ends, after Zebra-Llama"},
    {"name": "uniform", "also": [], "ranked": False, "meaning": "fixed stride, start- or end-aligned"},
    {"name": "postnas", "also": ["jet_nemotron"], "ranked": False, "meaning": "the layers that Jet-Nemotron-4B keeps: full attention in 17, 20, 32, sliding windows in the others"},
]
NOTES = {
    "qwen2_1_5b_gdn_v4_hybrid_0_25_ga_s2": "listed in ascending order: the ranking is not known",
    "qwen2_1_5b_gdn_v4_hybrid_0_33_ga_s2_set1": "listed in ascending order: the ranking is not known; the best nine at steps 500, 1000, 1500, 3500, 4000 and 4500",
    "qwen2_1_5b_gdn_v4_hybrid_0_5_ga_s2": "a copy of the 25 % configuration, not half of the layers",
}


def find(entries, text):
    """The entry whose name in the repository is exactly `text`."""
    return next(entry for entry in entries if text in [entry["name"], *entry["also"]])


def git(*arguments):
    return subprocess.run(["git", "-C", clone, *arguments], check=True, capture_output=True, text=True).stdout


sets = []
for path in git("ls-tree", "-r", COMMIT, "--name-only", "configs").split():
    parts = re.fullmatch(r"configs/(([a-z0-9_]+?)_(gdn_v4|gla_v1)_hybrid_(?:(0_\d+)_)?([a-z0-9_]+))/stage2\.yaml", path)
    if not parts:
        continue                                        # stage 1, or one of the single-layer runs that scores come from
    config, teacher, probe, ratio, selector = parts.groups()
    layers = yaml.safe_load(git("show", f"{COMMIT}:{path}"))["student_model"]["keep_full_attention_layers"]
    budget = f"{100 * float(ratio.replace('_', '.', 1)):g}" if ratio else f"k{len(layers)}"
    chosen = find(SELECTORS, selector)
    entry = {"teacher": find(TEACHERS, teacher)["name"], "probe": find(PROBES, probe)["name"], "budget": budget, "selector": chosen["name"], "layers": layers,
             "ranked": chosen["ranked"] and layers != sorted(layers), "config": config}
    if config in NOTES:
        entry["note"] = NOTES[config]
    sets.append(entry)

order = [[e["name"] for e in group] for group in (TEACHERS, PROBES, SELECTORS)]
sets.sort(key=lambda s: (order[0].index(s["teacher"]), order[1].index(s["probe"]), float(s["budget"].lstrip("k")), order[2].index(s["selector"])))
source = {"repository": "github.com/fla-org/hybrid-distillation", "commit": COMMIT, "file": "configs/CONFIG/stage2.yaml: student_model.keep_full_attention_layers",
          "layers": "numbered from 0, in the order of the file; where `ranked`, the best first"}


def rows(entries):
    return "[\n" + ",\n".join("  " + json.dumps(entry) for entry in entries) + "\n ]"


path = pathlib.Path(__file__).parents[3] / "resources" / "published" / "layersets.json"
path.write_text('{\n "schema": 1,\n "source": ' + json.dumps(source) + f',\n "teachers": {rows(TEACHERS)},\n "probes": {rows(PROBES)},\n "selectors": {rows(SELECTORS)},\n "sets": {rows(sets)}\n}}\n')
print(len(sets), "sets")
