# SPDX-License-Identifier: GPL-3.0-or-later
"""What each start of the linear layers is worth: arms of calibration, whole heads or scattered rows, our recipe or the published one, before any training.

    python arms.py PROGRAM SETTINGS.json [--workspace DIR] [--seeds 3] [--jobs 2] [--json FILE]

PROGRAM is stillroom-cli. SETTINGS.json holds "teacher", "num_layers", "data" (as in a spec) and, where they should differ from the defaults below, "percents",
"variants" ({"expand", "recipe", and maybe "calibration"}), "arms", "calibration" and "measuring" (more fields of the calibrate specs, and of the distill specs that only measure), "devices", and "curves": {"keep": [...], "arms": [...], "distill": {fields}}.
One pipeline per seed and variant: every arm is calibrated, and for every share of layers kept (a uniform grid that starts at layer 0) the hybrid is put together and
measured as it is; n is how many seeds came to an end. `curves` then trains hybrids from some arms and keeps held-out KL by tokens. Results stay in the workspace and are used again; an interrupted
call goes on. Prints Markdown tables: mean and 95 % t-interval over seeds. Standard library only.
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
            row = {"expand": variant["expand"], "recipe": variant["recipe"] + json.dumps(variant["calibration"]) if "calibration" in variant else variant["recipe"], "arm": arm, "residual": [statistics.fmean(one["relative_mse"] for one in stage[arm]["result"]["residuals"]) for stage in stages],
                   "floor_share": [floor_share(workspace, stage[arm]) for stage in stages]}
            for percent in settings.get("percents", PERCENTS):
                measures = [stage[f"{arm} {percent}"]["result"]["measures"] for stage in stages]
                for name in ("kl_nats", "perplexity", "hidden_cosine", "recall"):
                    if name in measures[0]:
                        row[f"{name} {percent}"] = [one[name] for one in measures]
            rows.append(row)
    return rows


def print_table(settings, rows):
    percents = settings.get("percents", PERCENTS)
    measured = [name for name in ("kl_nats", "perplexity", "hidden_cosine", "recall") if any(f"{name} {percents[0]}" in row for row in rows)]
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
        settings = json.load(file)
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
    keep(arguments.json, answer)


if __name__ == "__main__":
    main()
