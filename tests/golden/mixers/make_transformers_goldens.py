# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden values of Gated DeltaNet from transformers' torch reference (Qwen3NextGatedDeltaNet and Qwen3_5GatedDeltaNet) on the CPU.

    python make_transformers_goldens.py ../../data/mixers        (torch 2.13, transformers 5.24)

Both have a short convolution; the cases differ in how many value heads share a query/key head. The fused projections are taken apart here, so that
the file holds our names: q_proj, k_proj, v_proj, g_proj, a_proj, b_proj, the three convolutions, A_log, dt_bias, o_norm, o_proj.
Per case: parameters `p.NAME`, x [B,T,D], y [B,T,D], a random dy, gradients of sum(y * dy) as `d.NAME` and `dx`; then the continuation
x_next [B,1,D] → y_next with the layer's cache after x. All float32. The metadata holds the mixer's options.
"""
import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import DynamicCache, Qwen3_5TextConfig, Qwen3NextConfig
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5GatedDeltaNet
from transformers.models.qwen3_next.modeling_qwen3_next import Qwen3NextGatedDeltaNet

WIDTH, KEY_DIM, VALUE_DIM, TAPS = 16, 8, 12, 4


def config(config_class, key_heads, value_heads):
    return config_class(hidden_size=WIDTH, num_hidden_layers=1, layer_types=["linear_attention"], linear_num_key_heads=key_heads,
                        linear_num_value_heads=value_heads, linear_key_head_dim=KEY_DIM, linear_value_head_dim=VALUE_DIM,
                        linear_conv_kernel_dim=TAPS, rms_norm_eps=1e-6, hidden_act="silu")


def plain_rows(key_heads, value_heads):
    """Sizes of q, k, v, z and of b, a."""
    k, v = key_heads * KEY_DIM, value_heads * VALUE_DIM
    return [k, k, v, v], [value_heads, value_heads]


def qwen3_5_parts(named, key_heads, value_heads):
    (q, k, v, _), _ = plain_rows(key_heads, value_heads)
    parts = dict(zip(["q_proj.weight", "k_proj.weight", "v_proj.weight"], named["in_proj_qkv.weight"].split([q, k, v])))
    return parts | {"g_proj.weight": named["in_proj_z.weight"], "b_proj.weight": named["in_proj_b.weight"], "a_proj.weight": named["in_proj_a.weight"]}


def qwen3_next_parts(named, key_heads, value_heads):
    """Rows lie per key head: q, k, then its value heads' v and z; b and a likewise."""
    group = value_heads // key_heads
    qkvz = named["in_proj_qkvz.weight"].view(key_heads, -1, WIDTH).split([KEY_DIM, KEY_DIM, group * VALUE_DIM, group * VALUE_DIM], dim=1)
    ba = named["in_proj_ba.weight"].view(key_heads, 2 * group, WIDTH).split([group, group], dim=1)
    names = ["q_proj.weight", "k_proj.weight", "v_proj.weight", "g_proj.weight", "b_proj.weight", "a_proj.weight"]
    return {name: part.reshape(-1, WIDTH) for name, part in zip(names, [*qkvz, *ba])}


def our_names(named, key_heads, value_heads):
    split = qwen3_next_parts if "in_proj_qkvz.weight" in named else qwen3_5_parts
    parts = split(named, key_heads, value_heads)
    (q, k, v, _), _ = plain_rows(key_heads, value_heads)
    parts |= dict(zip(["q_conv1d.weight", "k_conv1d.weight", "v_conv1d.weight"], named["conv1d.weight"].split([q, k, v])))
    return parts | {"A_log": named["A_log"], "dt_bias": named["dt_bias"], "o_norm.weight": named["norm.weight"], "o_proj.weight": named["out_proj.weight"]}


CASES = {"qwen3_next_gva2": (Qwen3NextGatedDeltaNet, Qwen3NextConfig, 2, 4),
         "qwen3_5_gva3": (Qwen3_5GatedDeltaNet, Qwen3_5TextConfig, 1, 3)}


def make(name, folder):
    layer_class, config_class, key_heads, value_heads = CASES[name]
    torch.manual_seed(sorted(CASES).index(name))
    made = config(config_class, key_heads, value_heads)
    layer = layer_class(made, layer_idx=0).float()
    with torch.no_grad():
        layer.norm.weight.add_(0.3 * torch.randn_like(layer.norm.weight))
        layer.dt_bias.copy_(torch.empty_like(layer.dt_bias).uniform_(-4, -1))
    x = torch.randn(2, 70, WIDTH, requires_grad=True)
    dy, x_next = torch.randn(2, 70, WIDTH), torch.randn(2, 1, WIDTH)
    y = layer(x)
    (y * dy).sum().backward()
    with torch.no_grad():
        cache = DynamicCache(config=made)
        layer(x, cache=cache)
        y_next = layer(x_next, cache=cache)
    arrays = {"x": x.detach(), "dy": dy, "y": y.detach(), "dx": x.grad, "x_next": x_next, "y_next": y_next}
    named = dict(layer.named_parameters())
    arrays |= {"p." + n: t for n, t in our_names({n: p.detach() for n, p in named.items()}, key_heads, value_heads).items()}
    arrays |= {"d." + n: t for n, t in our_names({n: p.grad for n, p in named.items()}, key_heads, value_heads).items()}
    options = dict(num_heads=key_heads, num_v_heads=value_heads, head_dim=KEY_DIM, expand_v=VALUE_DIM / KEY_DIM, short_conv=True, conv_size=TAPS, norm_eps=1e-6)
    save_file({k: v.contiguous() for k, v in arrays.items()}, folder / f"transformers_{name}.safetensors",
              metadata={"options": json.dumps(options), "kind": "gdn", "hidden_size": str(WIDTH)})


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        make(case, target)
