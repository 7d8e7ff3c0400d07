# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens per second of a real teacher, ours beside transformers + PyTorch, one round of each in turn.

    python throughput.py --program BENCH_THROUGHPUT [--model FILE.gguf] [--batch 1] [--tokens 512] [--threads 1] [--rounds 5] [--device cpu] [--dtype float32]

Prints one JSON document: medians and the spread of both, and their ratio (ours / transformers'; above 1 is faster), also of
processor time, which other work on the machine disturbs less.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import torch
from transformers import AutoModelForCausalLM

DEFAULT_MODEL = os.environ.get("STILLROOM_SMOLLM2") or str(
    pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "stillroom/models/SmolLM2-135M-Instruct.Q4_1.gguf")


class Ours:
    def __init__(self, options):
        command = [options.program, options.model, options.batch, options.tokens, options.threads, options.device, options.dtype]
        environment = {**os.environ, "OMP_NUM_THREADS": str(options.threads)}
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def run(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.peak_bytes = answer["peak_bytes"]
        return answer["seconds"], answer["cpu_seconds"], answer["loss"]


class Transformers:
    def __init__(self, options):
        path = pathlib.Path(options.model)
        place = dict(pretrained_model_name_or_path=str(path.parent), gguf_file=path.name) if path.suffix == ".gguf" else dict(pretrained_model_name_or_path=str(path))
        self.model = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32).to(options.device)
        self.cast = torch.autocast(torch.device(options.device).type, torch.bfloat16, enabled=options.dtype == "bfloat16")
        vocabulary = self.model.config.vocab_size
        self.ids = ((torch.arange(options.batch * options.tokens) * 7919 + 13) % vocabulary).view(options.batch, options.tokens).to(options.device)

    def loss(self):
        with self.cast:
            logits = self.model(self.ids, use_cache=False).logits.float()
        return torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), self.ids[:, 1:].flatten())

    def run(self, what):
        start, cpu_start = time.perf_counter(), time.process_time()
        if what == "forward":
            with torch.no_grad():
                loss = self.loss()
        else:
            self.model.zero_grad(set_to_none=True)
            loss = self.loss()
            loss.backward()
        value = loss.item()
        self.peak_bytes = torch.cuda.max_memory_allocated() if self.ids.is_cuda else 0
        return time.perf_counter() - start, time.process_time() - cpu_start, value


def summary(seconds, num_tokens):
    rates = sorted(num_tokens / s for s in seconds)
    return {"tokens_per_second": statistics.median(rates), "slowest": rates[0], "fastest": rates[-1]}


def ratio(seconds):
    return statistics.median(theirs / mine for mine, theirs in zip(seconds["ours"], seconds["transformers"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--model", default=DEFAULT_MODEL)
    for name, default in (("batch", 1), ("tokens", 512), ("threads", 1), ("rounds", 5)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="float32")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    sides = {"ours": Ours(options), "transformers": Transformers(options)}
    result = {"batch": options.batch, "tokens": options.tokens, "threads": options.threads, "rounds": options.rounds, "device": options.device, "dtype": options.dtype,
              "torch": torch.__version__}
    for what in ("forward", "forward+backward"):
        seconds, cpu_seconds, losses = {name: [] for name in sides}, {name: [] for name in sides}, {}
        for turn in range(options.rounds + 1):   # the first round warms up
            for name, side in sides.items():
                took, cpu_took, losses[name] = side.run("forward" if what == "forward" else "train")
                if turn > 0:
                    seconds[name].append(took)
                    cpu_seconds[name].append(cpu_took)
                print(f"{what} {name}: {took:.2f} s", file=sys.stderr)
        rates = {name: summary(seconds[name], options.batch * options.tokens) for name in sides}
        result[what] = {**rates, "ratio": ratio(seconds), "ratio_of_cpu_time": ratio(cpu_seconds), "losses": losses}
        if options.device != "cpu":
            result[what]["peak_gib"] = {name: side.peak_bytes / 2**30 for name, side in sides.items()}
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
