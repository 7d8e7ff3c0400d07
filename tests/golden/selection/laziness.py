# SPDX-License-Identifier: GPL-3.0-or-later
"""LightTransfer's laziness of tiny models, from the attention probabilities that transformers itself gives (output_attentions, eager, float64).

    python laziness.py MODELS OUT.safetensors        needs torch, transformers 5.24, safetensors; MODELS is tests/data/nn/models

Per model: MODEL/input_ids [2,T], MODEL/attention_mask (the second row is padded on the left; transformers gets its valid tokens alone), and
MODEL/W_SINK_RECENT [L,2]: laziness by layer and row. transformers takes the softmax in float32 whatever the model's type.
"""
import pathlib
import sys

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM

MODELS = ["llama_plain", "llama3", "llama_biases", "qwen2_sliding", "qwen3", "mistral"]
SETTINGS = [(5, 2, 6), (1, 0, 3), (40, 4, 10), (3, 1, 0), (4, 4, 1020)]
NUM_TOKENS, PADDING = 30, 8


def laziness(attention_hqk, last, sink, recent):
    """Mean over heads and the last queries of the mass on the first and the most recent keys."""
    tokens = attention_hqk.shape[-1]
    kept = set(range(min(sink, tokens))) | set(range(max(0, tokens - recent), tokens))
    queries = range(max(0, tokens - last), tokens)
    return sum(head[query, key].item() for head in attention_hqk for query in queries for key in kept) / (len(attention_hqk) * len(queries))


def main():
    torch.set_num_threads(1)
    arrays = {}
    for seed, name in enumerate(MODELS):
        folder = pathlib.Path(sys.argv[1]) / name
        model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float64).eval()
        ids = torch.randint(4, model.config.vocab_size, (2, NUM_TOKENS), generator=torch.Generator().manual_seed(seed))
        mask = torch.ones_like(ids)
        mask[1, :PADDING] = 0
        with torch.no_grad():
            rows = [model(ids[row:row + 1, mask[row].bool()], output_attentions=True, use_cache=False).attentions for row in range(2)]
        arrays[f"{name}/input_ids"], arrays[f"{name}/attention_mask"] = ids, mask
        for setting in SETTINGS:
            values = [[laziness(rows[row][layer][0].double(), *setting) for row in range(2)] for layer in range(len(rows[0]))]
            arrays[f"{name}/" + "_".join(map(str, setting))] = torch.tensor(values, dtype=torch.float64)
    save_file(arrays, sys.argv[2])


if __name__ == "__main__":
    main()
