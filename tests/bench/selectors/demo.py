# SPDX-License-Identifier: GPL-3.0-or-later
"""Every selector beside the truth, on the demo teacher: all pairs of layers are distilled, and each selector is judged by the pair that it chooses.

    python demo.py PROGRAM [--workspace DIR] [--seeds 3] [--keep 2] [--selector NAME ...] [--json FILE]

PROGRAM is stillroom-cli. Results stay in the workspace and are used again. Prints a Markdown table: KL regret (KL of the chosen pair less that of the best pair
of its seed, nats per token) with the 95 % t-interval over seeds, recall, the tokens and seconds that the selector took beside stage 1, which all share.
A selector that cannot work on this teacher says why. Beside each selector as it is stand the settings that others report by (VARIANTS), SMART by the KLs of two
selectors, and the uniform grids. Standard library only.
"""
import argparse
import itertools
import json
import math
import statistics
import subprocess
import sys

T_975 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
STAGE_ONE = ["--alignment.steps", "150", "--alignment.batch-sequences", "16", "--alignment.learning-rate", "3e-3"]
COMMON = ["--teacher", "demo", "--mixer.kind", "gdn", "--data.sequence-length", "96", *STAGE_ONE]
SHORT = ["--steps", "30", "--batch-sequences", "16", "--learning-rate-mixers", "1e-3", "--learning-rate-rest", "1e-4", "--weight-decay", "0", "--evaluations", "3"]
FINAL = ["--steps", "40", *SHORT[2:]]


class Refused(Exception):
    pass


def call(program, workspace, command, *arguments):
    resumes = [] if command == "select" else ["--resume"]
    done = subprocess.run([program, command, *arguments, "--workspace", workspace, "--json", *resumes], capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}")
    return json.loads(done.stdout)


def selector_names(program):
    listed = subprocess.run([program, "score", "--list-selectors", "--json"], capture_output=True, text=True, check=True).stdout
    return [one["name"] for one in json.loads(listed)["selectors"]]


# Settings of selectors that others report by, beside their defaults: (selector, what it is called in the table, options).
VARIANTS = [
    *((name, f"{name}, skip-first 2", ["--skip-first", "2"]) for name in ("ppl-bypass", "kl-bypass", "mse-bypass", "ar", "ar-mh")),
    *((name, f"{name}, perplexity", ["--score-by", "perplexity"]) for name in ("zero-shot-ga", "zero-shot-gr")),
    *((name, f"{name}, {form}", ["--residual", form]) for name in ("ga-s1", "gr-s1") for form in ("rms", "squared")),
    ("halo", "halo, formula code", ["--formula", "code"]),
    ("gates", "gates, softmax (DASH)", ["--gates.form", "softmax"]),
]
# SMART chooses by the KLs that another selector measured: (whose, what it is called).
SMART = [("ga-s2", "smart of ga-s2"), ("zero-shot-ga", "smart of zero-shot-ga")]
GRIDS = ["uniform-start", "uniform-end", "uniform-rounded", "uniform-latter-half"]


def wanted(options):
    """(selector, name in the table, options): each selector as it is, then its variants."""
    for name in options.selector or selector_names(options.program):
        own = {"exhaustive": ["--set-size", str(options.keep)], "beam-search": ["--beam.largest-keep", str(options.keep)]}.get(name, [])
        yield name, name, own
        for selector, called, extra in VARIANTS:
            if selector == name:
                yield name, called, extra


def truth(program, workspace, seed, num_layers, keep):
    """Measures of the distilled hybrid, by set."""
    found = {}
    for layers in itertools.combinations(range(num_layers), keep):
        result = call(program, workspace, "distill", *COMMON, *FINAL, "--seed", str(seed), "--keep", ",".join(map(str, layers)))
        found[layers] = result["measures"]
        print(f"seed {seed}: {layers} KL {result['measures']['kl_nats']:.4f} recall {result['measures']['recall']:.3f}", file=sys.stderr)
    return found


def chosen(scored, keep):
    for one in scored.get("sets", []):
        if len(one["layers"]) == keep:
            return tuple(sorted(one["layers"]))
    return tuple(sorted(scored["ranking"][:keep]))


def interval(values):
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, -math.inf, math.inf
    half = T_975[len(values) - 1] * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def row(name, sets, measured, spent=None):
    regrets = [found[layers]["kl_nats"] - min(one["kl_nats"] for one in found.values()) for layers, found in zip(sets, measured)]
    mean, low, high = interval(regrets)
    return {"selector": name, "sets": sets, "regret_nats": regrets, "regret_mean": mean, "regret_low": low, "regret_high": high,
            "recall": [found[layers]["recall"] for layers, found in zip(sets, measured)], **(spent or {})}


def average_pair(measured, keep):
    """What a random pair gets: the mean over all of them."""
    regrets = [statistics.fmean(one["kl_nats"] for one in found.values()) - min(one["kl_nats"] for one in found.values()) for found in measured]
    mean, low, high = interval(regrets)
    return {"selector": "random (mean of all)", "sets": [], "regret_nats": regrets, "regret_mean": mean, "regret_low": low, "regret_high": high,
            "recall": [statistics.fmean(one["recall"] for one in found.values()) for found in measured]}


def by_rule(options, rule, *source):
    result = call(options.program, options.workspace, "select", *source, "--selector", rule, "-k", str(options.keep), *([] if source else ["--layers", str(options.layers)]))
    return tuple(result["selected"])


def judged_selector(options, measured, selector, name, extra):
    """The rows of one selector: its own, and those of SMART by its scores."""
    scored = [call(options.program, options.workspace, "score", *COMMON, *SHORT, "--selector", selector, "--seed", str(seed), *extra) for seed in range(1, options.seeds + 1)]
    sets = [chosen(one, options.keep) for one in scored]
    spent = [one.get("cost", {}).get("spent", {}) for one in scored]
    cost = {"tokens": statistics.median(one.get("training_tokens", 0) + one.get("forward_tokens", 0) for one in spent), "seconds": statistics.median(one["seconds"] for one in scored)}
    print(f"{name}: {sets}", file=sys.stderr)
    yield row(name, sets, measured, cost)
    for whose, called in SMART:
        if name == whose:
            yield row(called, [by_rule(options, "smart", one["key"]) for one in scored], measured, cost)


def judge(options, measured):
    rows, refused = [average_pair(measured, options.keep)], []
    for rule in GRIDS:
        try:
            rows.append(row(rule, [by_rule(options, rule)] * options.seeds, measured))
        except Refused as reason:
            refused.append((rule, str(reason)))
    for selector, name, extra in wanted(options):
        try:
            rows += judged_selector(options, measured, selector, name, extra)
        except Refused as reason:
            refused.append((name, str(reason)))
    return sorted(rows, key=lambda one: one["regret_mean"]), refused


def text_of(sets):
    return " ".join("{" + ",".join(map(str, layers)) + "}" for layers in sets) or "–"


def table(rows, refused):
    lines = ["| selector | layers by seed | KL regret (nats/token) | 95 % interval | recall by seed | tokens | seconds |", "|---|---|---|---|---|---|---|"]
    for one in rows:
        lines.append(f"| {one['selector']} | {text_of(one['sets'])} | {one['regret_mean']:.4f} | [{one['regret_low']:.4f}, {one['regret_high']:.4f}] | "
                     f"{' '.join(f'{value:.3f}' for value in one['recall'])} | {one.get('tokens', 0) / 1e3:,.0f} k | {one.get('seconds', 0):.1f} |")
    lines += [f"{name}: {why}" for name, why in refused]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--workspace", default="selectors-on-the-demo")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--keep", type=int, default=2)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--selector", action="append")
    parser.add_argument("--json")
    options = parser.parse_args()
    measured = [truth(options.program, options.workspace, seed, options.layers, options.keep) for seed in range(1, options.seeds + 1)]
    rows, refused = judge(options, measured)
    print(table(rows, refused))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"rows": rows, "refused": refused, "truth": [{",".join(map(str, layers)): one for layers, one in found.items()} for found in measured]}, file, indent=1)


if __name__ == "__main__":
    main()
