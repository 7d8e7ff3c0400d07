# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention statistics from transformers' own probabilities, reduced in numpy float64.

    python attention.py MODELS OUT        needs torch, transformers 5.24, safetensors, numpy; MODELS is tests/data/nn/models

OUT/NAME.safetensors for grouped-query models with q/k/v biases (qwen2), q/k norms (qwen3) and a sliding window (mistral): input_ids [3,34]
and, per number of dropped keys N = 0, 1, 4, arrays [layers, heads] N.distance, N.versus_uniform, N.sink, N.entropy, N.relative_entropy, N.distance_error
(standard error over sequences), [layers, heads, bins] N.lag_share, N.entropy_by_position, and once context_rms, context_square, output_rms [layers, heads].
Bins: 0, 1, 2, 3, [4,6), [6,8), [8,12), …
"""
import pathlib
import sys

import numpy as np
import torch
from safetensors.numpy import save_file
from transformers import AutoModelForCausalLM

STARTS = np.array([0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48])


def attention(model, ids):
    """Probabilities [L][B,H,T,T], values [L][B,G,T,d] and output projections [L][D,H*d], in float64."""
    values = []
    hooks = [layer.self_attn.v_proj.register_forward_hook(lambda _m, _i, out: values.append(out)) for layer in model.model.layers]
    with torch.no_grad():
        maps = model(torch.from_numpy(ids), output_attentions=True, use_cache=False).attentions
    for hook in hooks:
        hook.remove()
    dim = model.model.layers[0].self_attn.head_dim
    split = [v.double().unflatten(2, (-1, dim)).transpose(1, 2).numpy() for v in values]
    return [a.double().numpy() for a in maps], split, [layer.self_attn.o_proj.weight.detach().double().numpy() for layer in model.model.layers]


def rows_of(maps, dropped, window):
    """Everything row by row: dicts of lists over (sequence, row) for one head."""
    result = []
    for sequence in maps:
        rows = []
        for t in range(dropped, sequence.shape[0]):
            row = sequence[t].copy()
            row[:dropped] = 0
            seen = [s for s in range(dropped, t + 1) if not window or t - s < window]
            row /= row.sum()
            distance = lambda s: max(t - s, 0.5)
            entropy = -sum(row[s] * np.log(row[s]) for s in seen if row[s] > 0)
            rows.append(dict(t=t, distance=sum(row[s] * distance(s) for s in seen), uniform=np.mean([distance(s) for s in seen]), entropy=entropy,
                             relative=entropy / np.log(len(seen)) if len(seen) > 1 else None, lags=[(t - s, row[s]) for s in seen]))
        result.append(rows)
    return result


def statistics(maps, dropped, window):
    sequences = rows_of(maps, dropped, window)
    rows = [row for sequence in sequences for row in sequence]
    mean = lambda key: np.mean([row[key] for row in rows])
    binned = lambda value: np.searchsorted(STARTS, value, side="right") - 1
    bins = binned(max(row["t"] for row in rows)) + 1
    lag, entropy, count = np.zeros(bins), np.zeros(bins), np.zeros(bins)
    for row in rows:
        entropy[binned(row["t"])] += row["entropy"]
        count[binned(row["t"])] += 1
        for value, mass in row["lags"]:
            lag[binned(value)] += mass
    with np.errstate(invalid="ignore"):
        by_position = entropy / count
    means = [np.mean([row["distance"] for row in sequence]) for sequence in sequences]
    return dict(distance=mean("distance"), versus_uniform=mean("distance") / mean("uniform"), sink=maps[:, :, 0].mean(), entropy=mean("entropy"),
                relative_entropy=np.mean([row["relative"] for row in rows if row["relative"] is not None]),
                distance_error=np.std(means, ddof=1) / np.sqrt(len(means)), lag_share=lag / len(rows), entropy_by_position=by_position)


def golden(model, ids, window):
    maps, values, projections = attention(model, ids)
    heads, groups, dim = maps[0].shape[1], values[0].shape[1], values[0].shape[-1]
    arrays = {}
    for dropped in (0, 1, 4):
        found = [[statistics(layer[:, h], dropped, window) for h in range(heads)] for layer in maps]
        for key in found[0][0]:
            arrays[f"{dropped}.{key}"] = np.array([[head[key] for head in layer] for layer in found])
    contexts = [np.stack([layer[:, h] @ v[:, h * groups // heads] for h in range(heads)], 1) for layer, v in zip(maps, values)]
    arrays["context_rms"] = np.array([np.sqrt((y ** 2).mean(-1)).mean((0, 2)) for y in contexts])
    arrays["context_square"] = np.array([(y ** 2).mean((0, 2, 3)) for y in contexts])
    arrays["output_rms"] = np.array([[np.sqrt(((y[:, h] @ w[:, h * dim:(h + 1) * dim].T) ** 2).mean()) for h in range(heads)] for y, w in zip(contexts, projections)])
    return arrays | {"input_ids": ids}


def main():
    models, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for seed, name in enumerate(["qwen2", "qwen3", "mistral"]):
        model = AutoModelForCausalLM.from_pretrained(models / name, dtype=torch.float32, attn_implementation="eager").eval()
        ids = np.random.default_rng(seed).integers(0, model.config.vocab_size, (3, 34))
        window = getattr(model.config, "sliding_window", None) if name == "mistral" else None
        arrays = golden(model, ids, window)
        save_file({key: np.ascontiguousarray(value) for key, value in arrays.items()}, out / f"{name}.safetensors")


if __name__ == "__main__":
    main()
