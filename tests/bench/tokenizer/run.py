# SPDX-License-Identifier: GPL-3.0-or-later
"""Our tokenizer beside Hugging Face's Rust one, one thread each, passes taken in turn.

Usage: python run.py BENCH_TOKENIZER TOKENIZER_JSON [ENGLISH_TEXT] [--passes N]
Prints one JSON line per text and way of calling: medians and spread in MB/s, the ratio, whether the ids agree.
Hugging Face's side is `encode_batch_fast`, which computes no offsets, with its thread pool switched off; `encode` is timed too.
Texts: ENGLISH_TEXT (else a made-up one), cut at empty lines; the same as one document; and a mixed text of several languages, code and hostile strings.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "golden" / "tokenizers"))

from tokenizers import Tokenizer

from hostile import Random, hostile_string
from make_tokenizers import corpus


def mixed(size):
    random, lines, documents = Random(11), corpus(), []
    code = [line for path in sorted(pathlib.Path(os.__file__).parent.glob("*.py"))[:60] for line in path.read_text(encoding="utf-8").split("\n\n")]
    total = 0
    while total < size:
        kind = random.below(10)
        text = lines[random.below(len(lines))] if kind < 5 else code[random.below(len(code))] if kind < 9 else hostile_string(random.below(100000))
        documents.append(text.replace("\0", " "))
        total += len(text.encode())
    return documents


def ids_hash(encodings):
    h = 0
    for encoding in encodings:
        for i in encoding.ids:
            h = (h * 31 + i) & 0xFFFFFFFF
    return h


def compare(name, program, tokenizer_path, tokenizer, documents, passes):
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write("\0".join(documents).encode() + b"\0")
        file.flush()
        ours = subprocess.Popen([program, tokenizer_path, file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        head = json.loads(ours.stdout.readline())
        times = {"stillroom": [], "encode_batch_fast": [], "encode": []}
        same = True
        for i in range(passes + 1):
            ours.stdin.write("\n")
            ours.stdin.flush()
            answer = json.loads(ours.stdout.readline())
            start = time.perf_counter()
            encodings = tokenizer.encode_batch_fast(documents, add_special_tokens=False)
            fast = time.perf_counter() - start
            if i == 0:
                same = answer["hash"] == ids_hash(encodings) and answer["tokens"] == sum(len(e.ids) for e in encodings)
                continue  # both caches are cold
            del encodings
            start = time.perf_counter()
            for document in documents:
                tokenizer.encode(document, add_special_tokens=False)
            times["encode"].append(time.perf_counter() - start)
            times["encode_batch_fast"].append(fast)
            times["stillroom"].append(answer["seconds"])
        ours.stdin.close()
        ours.wait()
    megabytes = head["bytes"] / 1e6
    out = {"text": name, "megabytes": round(megabytes, 3), "documents": head["documents"], "tokens": answer["tokens"], "same_ids": same, "load_seconds": round(head["load_seconds"], 3)}
    for side, seconds in times.items():
        rates = sorted(megabytes / s for s in seconds)
        out[side] = {"mb_per_s": round(statistics.median(rates), 2), "spread": [round(rates[0], 2), round(rates[-1], 2)]}
    out["ratio_to_fastest"] = round(out["stillroom"]["mb_per_s"] / max(out["encode_batch_fast"]["mb_per_s"], out["encode"]["mb_per_s"]), 2)
    print(json.dumps(out), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("tokenizer")
    parser.add_argument("english", nargs="?")
    parser.add_argument("--passes", type=int, default=5)
    options = parser.parse_args()
    tokenizer = Tokenizer.from_file(options.tokenizer)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    text = pathlib.Path(options.english).read_text(encoding="utf-8", errors="replace") if options.english else "\n\n".join(line for line in corpus() if line.isascii()) * 40
    documents = [part for part in text.replace("\0", " ").split("\n\n") if part]
    for name, part in (("english, paragraphs", documents), ("english, one document", [text.replace("\0", " ")]), ("mixed", mixed(2_000_000))):
        compare(name, options.program, options.tokenizer, tokenizer, part, options.passes)


if __name__ == "__main__":
    main()
