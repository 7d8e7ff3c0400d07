#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads the shipped demo teacher with transformers and tokenizers, checks it there, and writes what they give to tests/data/procedures/demoteacher.*.

Usage: demoteacher.py TEACHER_FOLDER OUT_FOLDER        (torch, transformers, tokenizers, safetensors)
"""
import json
import pathlib
import sys

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, Qwen2ForCausalLM

TEXTS = ["k00 v63 f00 k63", "  k07\tv01\n k07 ", "f05 f06 hello k1 k01", "", "k00<eos>k01 <unk> v00", "<eos>", "K00 k00,k01"]


def main():
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    torch.set_num_threads(1)
    model, report = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    assert isinstance(model, Qwen2ForCausalLM), type(model)
    assert not any(report[kind] for kind in ("missing_keys", "unexpected_keys", "mismatched_keys")), report
    # AutoTokenizer of transformers 5 takes every model of type qwen2 for one with Qwen2's own vocabulary, whatever tokenizer_config.json says.
    fast, tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json")), PreTrainedTokenizerFast.from_pretrained(folder)
    ids_of = {}
    for text in TEXTS:
        ids_of[text] = fast.encode(text).ids
        assert tokenizer(text)["input_ids"] == ids_of[text], text

    pairs = [(3 * n % 64, 64 + (5 * n + 1) % 64) for n in range(20)]
    queries = [7, 0, 19, 7, 12, 3, 18, 1, 10, 15, 5, 2, 9, 14]
    ids = [t for pair in pairs for t in pair] + [t for n in queries for t in pairs[n]] + [128 + n for n in (3, 17, 30, 2)]
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits
    right = [int(logits[0, 40 + 2 * i].argmax()) == pairs[n][1] for i, n in enumerate(queries)]
    assert all(right), right
    prompt = ids[:43]  # ends in the second query, key 0
    continued = model.generate(torch.tensor([prompt]), max_new_tokens=1, do_sample=False)[0, len(prompt):].tolist()
    assert continued == [pairs[0][1]], continued
    out.mkdir(parents=True, exist_ok=True)
    save_file({"input_ids": torch.tensor([ids]), "logits": logits.contiguous()}, out / "demoteacher.safetensors")
    (out / "demoteacher.json").write_text(json.dumps({"texts": [{"text": text, "ids": found} for text, found in ids_of.items()]}, indent=1) + "\n")
    print("transformers loads it, answers", len(right), "queries, tokenizes", len(ids_of), "texts")


main()
