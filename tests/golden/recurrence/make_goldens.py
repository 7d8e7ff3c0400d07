# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden values of the recurrence from torch references that are not ours.

    pip download --no-deps fla-core==0.6.0 && unzip fla_core-0.6.0-py3-none-any.whl 'fla/ops/*naive*.py' -d DIR
    python make_goldens.py DIR ../../data/recurrence/references.safetensors        (torch 2.13, transformers 5.24, einops 0.8.2; CPU, fp32)

transformers: torch_chunk_gated_delta_rule of Qwen3-Next. flash-linear-attention: the naive recurrences of GLA, KDA, the delta rule, SimpleGLA
(one decay per head, as RetNet's and mLSTM's), the generalised delta rule with separate a and b (RWKV-7's), and RWKV-6 (reads before it writes;
its bonus u is 0 here). Only those files are loaded: the package itself needs a GPU.

Per case NAME: NAME.q, .k, .v, .g, .beta, .alpha (what the reference takes, as [B,T,H,…]), .initial_state, .o, .final_state, random .do and
.dfinal_state, and the gradients of sum(o·do) + sum(final_state·dfinal_state) as NAME.dq, … Every reference scales q by K^-1/2 itself.
"""
import importlib.util
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from transformers.models.qwen3_next.modeling_qwen3_next import torch_chunk_gated_delta_rule

B, T, H, K, V = 1, 67, 2, 8, 6


def load(folder, path):
    spec = importlib.util.spec_from_file_location(path.replace("/", "_"), Path(folder) / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def heads_first(run):
    """The reference takes [B,H,T,…]."""
    def wrapped(initial_state, **tensors):
        o, state = run(initial_state=initial_state, **{name: x.transpose(1, 2) for name, x in tensors.items()})
        return o.transpose(1, 2), state
    return wrapped


def make(name, run, inputs, out):
    inputs = {key: x.clone().requires_grad_() for key, x in inputs.items()}
    inputs["initial_state"] = torch.randn(B, H, K, V).requires_grad_()
    o, state = run(**inputs)
    do, dstate = torch.randn_like(o), torch.randn_like(state)
    ((o * do).sum() + (state * dstate).sum()).backward()
    for key, x in inputs.items():
        out[f"{name}.{key}"] = x.detach()
        out[f"{name}.d{key}"] = x.grad
    out.update({f"{name}.o": o.detach(), f"{name}.final_state": state.detach(), f"{name}.do": do, f"{name}.dfinal_state": dstate})


def main():
    folder, target = sys.argv[1:]
    torch.manual_seed(3)
    gla = load(folder, "fla/ops/gla/naive.py").naive_recurrent_gla
    kda = load(folder, "fla/ops/kda/naive.py").naive_recurrent_kda
    delta = load(folder, "fla/ops/delta_rule/naive.py").delta_rule_recurrence
    simple = load(folder, "fla/ops/simple_gla/naive.py").naive_recurrent_simple_gla
    dplr = load(folder, "fla/ops/generalized_delta_rule/dplr/naive.py").dplr_recurrence
    rwkv6 = load(folder, "fla/ops/rwkv6/recurrent_naive.py").naive_recurrent_rwkv6

    def key():
        return torch.randn(B, T, H, K)

    def common(unit_keys):
        k = F.normalize(key(), dim=-1) if unit_keys else key()
        return {"q": key(), "k": k, "v": torch.randn(B, T, H, V)}

    beta, scalar = lambda: torch.rand(B, T, H), lambda: F.logsigmoid(torch.randn(B, T, H))
    channel = lambda: F.logsigmoid(torch.randn(B, T, H, K))
    out = {}
    make("gated_delta_rule", lambda **x: torch_chunk_gated_delta_rule(query=x["q"], key=x["k"], value=x["v"], g=x["g"], beta=x["beta"],
         initial_state=x["initial_state"], output_final_state=True), common(True) | {"g": scalar(), "beta": beta()}, out)
    make("gla", lambda **x: gla(x["q"], x["k"], x["v"], x["g"], x["initial_state"], True), common(False) | {"g": channel()}, out)
    make("kda", lambda **x: kda(x["q"], x["k"], x["v"], x["g"], x["beta"], initial_state=x["initial_state"], output_final_state=True),
         common(True) | {"g": channel() * 2, "beta": beta()}, out)
    make("delta_rule", heads_first(lambda **x: delta(**x)), common(True) | {"beta": beta()}, out)
    make("simple_gla", lambda **x: simple(**x), common(False) | {"g": scalar()}, out)
    erase = F.normalize(key(), dim=-1)
    make("dplr", heads_first(lambda **x: dplr(x["q"], x["k"], x["v"], x["alpha"], x["beta"], x["g"], x["initial_state"])),
         common(False) | {"alpha": -erase, "beta": erase * torch.rand(B, T, H, K), "g": -0.6065306597 * torch.rand(B, T, H, K)}, out)
    make("rwkv6", heads_first(lambda **x: rwkv6(x["q"], x["k"], x["v"], x["g"], torch.zeros(H, K), initial_state=x["initial_state"],
         output_final_state=True)), common(False) | {"g": -torch.exp(torch.randn(B, T, H, K))}, out)
    save_file({name: x.contiguous() for name, x in out.items()}, target)


main()
