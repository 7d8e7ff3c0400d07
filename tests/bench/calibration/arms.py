# SPDX-License-Identifier: GPL-3.0-or-later
"""What each start of the linear layers is worth: arms of calibration, whole heads or scattered rows, our recipe or the published one, before any training.

    python arms.py PROGRAM SETTINGS.json [--workspace DIR] [--seeds 3] [--jobs 2] [--json FILE]

PROGRAM is stillroom-cli. demo.json and smollm2.json beside this file are such settings. SETTINGS.json holds "teacher", "num_layers", "data" (as in a spec) and, where they should differ from the defaults below, "percents",
"variants" ({"expand", "recipe", and maybe "calibration"}), "arms", "calibration" and "measuring" (more fields of the calibrate specs, and of the distill specs that only measure), "devices", and "curves": {"keep": [...], "arms": [...], "distill": {fields}}.
One pipeline per seed and variant: every arm is calibrated, and for every share of layers kept (a uniform grid that starts at layer 0) the hybrid is put together and
measured as it is; n is how many seeds came to an end. smollm2.json takes what `stillroom-cli fetch smollm2 austen` brings. `curves` then trains hybrids from some arms and keeps held-out KL by tokens. Results stay in the workspace and are used again; an interrupted
call goes on. Prints Markdown tables: mean and 95 % t-interval over seeds. Standard library only.

Tokens to a target: the first place of a held-out curve at or below a KL. Between two measurements KL is taken to run straight over tokens; "≤" says that the first measurement lies there
already. Targets are ln m for m of 1.10, 1.15, 1.20 and 1.25 — the mean KL at which perplexity is about m times the teacher's, where the teacher fits the text — and the last KL of the
seed's own curve of the first arm of "curves". Given twice: tokens of stage 2 alone, and with what the start had read before: its calibration tokens once for Phase 1, and as often as
Phase 2 stepped over them.
"""
import argparse
import concurrent.futures
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

T_975 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
ARMS = ["naive-copy", "zero-gate", "small-gate", "phase-1", "phase-2", "both"]
VARIANTS = [{"expand": "head", "recipe": "stillroom"}, {"expand": "row", "recipe": "stillroom"}, {"expand": "row", "recipe": "published"}]
PERCENTS = [25, 50, 75]
MEASURES = ("kl_nats", "perplexity", "hidden_cosine", "recall")
MULTIPLES = [1.10, 1.15, 1.20, 1.25]     # of the teacher's perplexity, as published


def at_home(value):
    """Settings with ~ in paths spelt out."""
    if isinstance(value, dict):
        return {name: at_home(one) for name, one in value.items()}
    if isinstance(value, list):
        return [at_home(one) for one in value]
    return os.path.expanduser(value) if isinstance(value, str) else value


def uniform(num_layers, percent):
    keep = math.floor(num_layers * percent / 100 + 0.5)
    stride = num_layers / keep
    return sorted({math.floor(i * stride) for i in range(keep)})


def run(program, workspace, spec, environment):
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump(spec, file)
    try:
        while True:
            done = subprocess.run([program, "run", file.name, "--workspace", workspace, "--json", "--resume"], capture_output=True, text=True, env=environment)
            if "another process is computing" not in done.stderr:
                break
            time.sleep(5)       # variants share stages; its result will be used
    finally:
        os.unlink(file.name)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}")
    return json.loads(done.stdout)


def calibrate_spec(settings, variant, arm):
    asked = {**settings.get("calibration", {}), **variant.get("calibration", {})}
    fields = {name: value for name, value in asked.items() if name not in ("phase_1", "phase_2") or arm in (name.replace("_", "-"), "both")}
    return {"kind": "calibrate", "teacher": settings["teacher"], "data": settings["data"], "mixer": {"kind": "gdn", "expand": variant["expand"]}, "arm": arm, "recipe": variant["recipe"],
            **fields}


def distill_spec(settings, variant, arm, keep, **fields):
    return {"kind": "distill", "teacher": settings["teacher"], "data": settings["data"], "mixer": {"kind": "gdn", "expand": variant["expand"]}, "keep": keep, "init": f"stage:{arm}", **fields}


def pipeline(settings, variant, seed, device):
    stages = []
    for arm in settings.get("arms", ARMS):
        stages.append({"task": arm, "spec": calibrate_spec(settings, variant, arm)})
        for percent in settings.get("percents", PERCENTS):
            stages.append({"task": f"{arm} {percent}", "spec": distill_spec(settings, variant, arm, uniform(settings["num_layers"], percent), steps=0, **settings.get("measuring", {}))})
    return {"kind": "pipeline", "seed": seed, "device": device, "stages": stages}


def curve(settings, variant, arm, seed, device):
    asked = settings["curves"]
    stages = [{"task": arm, "spec": calibrate_spec(settings, variant, arm)},
              {"task": "distill", "spec": distill_spec(settings, variant, arm, asked["keep"], **asked["distill"])}]
    return {"kind": "pipeline", "seed": seed, "device": device, "stages": stages}


def floor_share(workspace, stage):
    with open(os.path.join(workspace, "artifacts", stage["key"], "calibration.json")) as file:
        layers = json.load(file).get("layers", [])
    heads = [head for layer in layers for head in layer["heads"] if head["sigma"] is not None]
    return sum(head["sigma_at_floor"] for head in heads) / len(heads) if heads else None


def interval(values):
    mean = statistics.fmean(values)
    if len(values) < 2:
        return f"{mean:.4g}"
    half = T_975[len(values) - 1] * statistics.stdev(values) / math.sqrt(len(values))
    return f"{mean:.4g} [{mean - half:.4g}, {mean + half:.4g}]"


def in_parallel(tasks, jobs):
    """{name: result}; says what failed and goes on."""
    results = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(task): name for name, task in tasks.items()}
        for done in concurrent.futures.as_completed(running):
            name = running[done]
            try:
                results[name] = done.result()
                print(f"done: {name}", file=sys.stderr, flush=True)
            except RuntimeError as error:
                print(f"failed: {name}: {error}", file=sys.stderr, flush=True)
    return results


def arms_table(settings, workspace, results, seeds):
    rows = []
    for index, variant in enumerate(settings.get("variants", VARIANTS)):
        for arm in settings.get("arms", ARMS):
            stages = [results[(index, seed)]["stages"] for seed in seeds if (index, seed) in results]
            if not stages:
                continue
            recipe = variant["recipe"] + (" " + json.dumps(variant["calibration"]) if "calibration" in variant else "")
            row = {"expand": variant["expand"], "recipe": recipe, "arm": arm, "residual": [statistics.fmean(one["relative_mse"] for one in stage[arm]["result"]["residuals"]) for stage in stages],
                   "floor_share": [floor_share(workspace, stage[arm]) for stage in stages]}
            for percent in settings.get("percents", PERCENTS):
                measures = [stage[f"{arm} {percent}"]["result"]["measures"] for stage in stages]
                for name in MEASURES:
                    if name in measures[0]:
                        row[f"{name} {percent}"] = [one[name] for one in measures]
            rows.append(row)
    return rows


def print_table(settings, rows):
    percents = settings.get("percents", PERCENTS)
    measured = [name for name in MEASURES if any(f"{name} {percents[0]}" in row for row in rows)]
    for name in measured:
        print(f"\n{name}, by share of layers kept\n\n| expand | recipe | arm | n | residual | σ at floor | " + " | ".join(f"{p} %" for p in percents) + " |")
        print("|---|---|---|---|---|---|" + "---|" * len(percents))
        for row in rows:
            shares = [share for share in row["floor_share"] if share is not None]
            print(f"| {row['expand']} | {row['recipe']} | {row['arm']} | {len(row['residual'])} | {interval(row['residual'])} | {f'{100 * statistics.fmean(shares):.0f} %' if shares else '–'} | "
                  + " | ".join(interval(row[f"{name} {p}"]) for p in percents) + " |")


def held_out_curve(workspace, key):
    """[[tokens, KL], …] of a stage, from the lines of every run that worked on it."""
    points, runs = {}, os.path.join(workspace, "runs")
    for name in os.listdir(runs):
        with open(os.path.join(runs, name, "events.jsonl")) as file:
            events = [json.loads(line) for line in file]
        tasks = {event["task"] for event in events if event["type"] == "started" and event.get("key") == key}
        points.update({event["tokens"]: event["value"] for event in events
                       if event["type"] == "metric" and event["task"] in tasks and event["series"] == "distill/held_out_kl"})
    return sorted(points.items())


def tokens_to(curve, target):
    """(tokens, whether the curve begins there) of the first place at or below a KL; None where it is never reached.

    >>> tokens_to([(0, 2.0), (100, 1.0), (200, 0.5)], 0.75)
    (150.0, False)
    >>> tokens_to([(0, 2.0), (100, 1.0), (200, 1.5), (300, 0.5)], 1.0)
    (100.0, False)
    >>> tokens_to([(50, 0.3), (100, 0.2)], 0.3)
    (50, True)
    >>> tokens_to([(0, 2.0), (100, 1.0)], 0.9)
    """
    before = None
    for tokens, kl in curve:
        if kl <= target:
            if before is None:
                return tokens, True
            return before[0] + (tokens - before[0]) * (before[1] - target) / (before[1] - kl), False
        before = (tokens, kl)
    return None


def read_before(one):
    """Tokens that a start had read: those of Phase 1 once, those of Phase 2 in every step."""
    return (one["calibration_tokens"] if one["arm"] in ("phase-1", "both") else 0) + one["alignment_tokens"]


def reached(curves, target_of, extra):
    """Of one arm, over seeds: tokens in words."""
    found = [(tokens_to(one["kl_by_tokens"], target_of(one)), extra(one)) for one in curves]
    there = [place[0] + more for place, more in found if place is not None]
    if not there:
        return "–"
    text = ("≤ " if any(place is not None and place[1] for place, _ in found) else "") + f"{statistics.fmean(there):,.0f}"
    return text if len(there) == len(found) else f"{text} ({len(there)} of {len(found)} seeds)"


def print_targets(settings, curves):
    arms = settings["curves"]["arms"]
    last = {one["seed"]: one["kl_by_tokens"][-1][1] for one in curves if one["arm"] == arms[0] and one["kl_by_tokens"]}
    targets = [(f"{m:.2f} × ({math.log(m):.3f})", lambda one, m=m: math.log(m)) for m in MULTIPLES] + [(f"last of {arms[0]}", lambda one: last.get(one["seed"], -math.inf))]
    for title, extra in (("of stage 2 alone", lambda one: 0), ("with those that the start had read", read_before)):
        print(f"\ntokens to a KL, {title}: mean over seeds\n\n| arm | n | begins at | ends at | " + " | ".join(name for name, _ in targets) + " |")
        print("|---|---|---|---|" + "---|" * len(targets))
        for arm in arms:
            own = [one for one in curves if one["arm"] == arm and one["kl_by_tokens"]]
            if own:
                print(f"| {arm} | {len(own)} | {interval([one['kl_by_tokens'][0][1] for one in own])} | {interval([one['kl_by_tokens'][-1][1] for one in own])} | "
                      + " | ".join(reached(own, target_of, extra) for _, target_of in targets) + " |")


def keep(path, answer):
    if path:
        with open(path, "w") as file:
            json.dump(answer, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("settings")
    parser.add_argument("--workspace", default="calibration-arms")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    with open(arguments.settings) as file:
        settings = at_home(json.load(file))
    seeds = range(1, arguments.seeds + 1)
    devices = settings.get("devices", ["auto"])
    variants = list(enumerate(settings.get("variants", VARIANTS)))
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    tasks = {}
    for number, (index, seed) in enumerate((index, seed) for seed in seeds for index, _ in variants):
        spec = pipeline(settings, variants[index][1], seed, devices[number % len(devices)])
        tasks[(index, seed)] = lambda spec=spec: run(arguments.program, arguments.workspace, spec, environment)
    rows = arms_table(settings, arguments.workspace, in_parallel(tasks, arguments.jobs), seeds)
    print_table(settings, rows)
    answer = {"settings": settings, "arms": rows}
    keep(arguments.json, answer)
    if "curves" in settings:
        tasks = {}
        for number, (arm, seed) in enumerate((arm, seed) for seed in seeds for arm in settings["curves"]["arms"]):
            spec = curve(settings, {"expand": "head", "recipe": "stillroom"}, arm, seed, devices[number % len(devices)])
            tasks[(arm, seed)] = lambda spec=spec: run(arguments.program, arguments.workspace, spec, environment)
        answer["curves"] = [{"arm": arm, "seed": seed, "kl_by_tokens": held_out_curve(arguments.workspace, result["stages"]["distill"]["key"]),
                             "calibration_tokens": result["stages"][arm]["result"]["calibration_tokens"], "alignment_tokens": result["stages"][arm]["result"]["tokens"],
                             "measures": result["stages"]["distill"]["result"]["measures"]} for (arm, seed), result in in_parallel(tasks, arguments.jobs).items()]
        print_targets(settings, answer["curves"])
    keep(arguments.json, answer)


if __name__ == "__main__":
    main()
