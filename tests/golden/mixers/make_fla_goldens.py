# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden values of the linear mixers from flash-linear-attention's own layers.

    pip install --no-deps --target DIR fla-core==0.6.0 flash-linear-attention==0.6.0 einops==0.8.2 triton==3.9.0
    PYTHONPATH=DIR python make_fla_goldens.py ../../data/mixers        (torch 2.13 and transformers 5.24 on the CPU)

The layers' own forward runs (projections, activations, grouping of heads, masks). Their Triton kernels need a GPU, so each is replaced by the
torch reference of the same package: naive_recurrent_gated_delta_rule, naive_gdn_gate, naive_recurrent_gla, rms_norm_ref. The short convolution
has none there: torch's conv1d with groups takes its place.

Per case: every parameter as `p.NAME`, the input x [B,T,D], a 0/1 mask where the case has padding, the output y [B,T,D], a random dy (zero on padding),
and the gradients of sum(y * dy) as `d.NAME` and `dx`; all float32. The metadata holds the mixer's options.
"""
import json
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

import fla.layers.gated_deltanet as gdn_file
import fla.layers.gla as gla_file
from fla.modules.norm.layernorm_gated import rms_norm_ref
from fla.ops.gated_delta_rule.gate import naive_gdn_gate
from fla.ops.gated_delta_rule.naive import naive_recurrent_gated_delta_rule
from fla.ops.gla.naive import naive_recurrent_gla


def by_sequence(run, tensors, cu_seqlens):
    """The reference knows no packed sequences: runs it on each alone."""
    if cu_seqlens is None:
        return run(*tensors)
    pieces = [run(*(t[:, a:b] for t in tensors)) for a, b in zip(cu_seqlens[:-1].tolist(), cu_seqlens[1:].tolist())]
    return torch.cat(pieces, dim=1)


def gated_delta_rule(q, k, v, g, beta, A_log, dt_bias, allow_neg_eigval, cu_seqlens=None, **_):
    def run(q, k, v, g, beta):
        def normed(x):
            return x * torch.rsqrt(x.square().sum(-1, keepdim=True) + 1e-6)

        repeats = v.shape[2] // q.shape[2]
        q, k = (normed(x).repeat_interleave(repeats, dim=2) for x in (q, k))
        return naive_recurrent_gated_delta_rule(q, k, v, beta, g)[0]

    beta = beta.sigmoid() * (2 if allow_neg_eigval else 1)
    return by_sequence(run, (q, k, v, naive_gdn_gate(g, A_log, dt_bias), beta), cu_seqlens), None


def gla(q, k, v, gk=None, g=None, cu_seqlens=None, **_):
    gk = g if gk is None else gk
    return by_sequence(lambda *t: naive_recurrent_gla(*t)[0], (q, k, v, gk), cu_seqlens), None


class Convolution(torch.nn.Module):
    """ShortConvolution's weight, with torch's convolution in place of its kernel."""

    def __init__(self, original):
        super().__init__()
        self.weight = original.weight

    def forward(self, x, cu_seqlens=None, **_):
        def run(x):
            taps = self.weight.shape[-1]
            y = F.conv1d(F.pad(x.transpose(1, 2), (taps - 1, 0)), self.weight, groups=self.weight.shape[0])
            return F.silu(y).transpose(1, 2)

        return by_sequence(run, (x,), cu_seqlens), None


class Norm(torch.nn.Module):
    def __init__(self, original):
        super().__init__()
        self.weight, self.eps = original.weight, original.eps

    def forward(self, x, z=None):
        return rms_norm_ref(x, self.weight, None, z=z, eps=self.eps, norm_before_gate=True)


def on_cpu(layer):
    for name, child in list(layer.named_children()):
        if name.endswith("conv1d"):
            setattr(layer, name, Convolution(child))
        elif "norm" in name:
            setattr(layer, name, Norm(child))
    if hasattr(layer, "_use_fused_qkv_conv"):
        layer._use_fused_qkv_conv = lambda **_: False   # one convolution per stream: the same sums
    return layer


gdn_file.chunk_gated_delta_rule = gdn_file.fused_recurrent_gated_delta_rule = gated_delta_rule
gla_file.chunk_gla = gla_file.fused_recurrent_gla = gla

# name: (class, arguments of fla's layer, our options, padding)
CASES = {
    "gdn_v4": (gdn_file.GatedDeltaNet, dict(hidden_size=16, num_heads=3, head_dim=8, expand_v=1, use_short_conv=False, norm_eps=1e-6),
               dict(num_heads=3, head_dim=8, norm_eps=1e-6), False),
    "gdn_everything": (gdn_file.GatedDeltaNet,
                       dict(hidden_size=16, num_heads=2, num_v_heads=4, head_dim=8, expand_v=1.5, allow_neg_eigval=True, use_short_conv=True, norm_eps=1e-5),
                       dict(num_heads=2, num_v_heads=4, head_dim=8, expand_v=1.5, allow_neg_eigval=True, short_conv=True, norm_eps=1e-5), True),
    "gdn_no_gate": (gdn_file.GatedDeltaNet,
                    dict(hidden_size=16, num_heads=2, head_dim=12, expand_v=1, use_gate=False, use_short_conv=True, conv_size=3, norm_eps=1e-5),
                    dict(num_heads=2, head_dim=12, output_gate=False, short_conv=True, conv_size=3, norm_eps=1e-5), False),
    "gla_v1": (gla_file.GatedLinearAttention, dict(hidden_size=16, num_heads=2, expand_k=1.0, expand_v=1.0, norm_eps=1e-6),
               dict(num_heads=2, expand_k=1.0, expand_v=1.0, norm_eps=1e-6), False),
    "gla_everything": (gla_file.GatedLinearAttention,
                       dict(hidden_size=16, num_heads=4, num_kv_heads=2, expand_k=0.5, expand_v=1.0, use_short_conv=True, conv_size=4, feature_map="relu",
                            clamp_min=-0.085, gate_logit_normalizer=8, gate_low_rank_dim=6, norm_eps=1e-5),
                       dict(num_heads=4, num_kv_heads=2, expand_k=0.5, expand_v=1.0, short_conv=True, feature_map="relu", clamp_min=-0.085,
                            gate_logit_normalizer=8.0, gate_low_rank_dim=6, norm_eps=1e-5), True),
    "gla_no_gate": (gla_file.GatedLinearAttention, dict(hidden_size=16, num_heads=2, expand_k=0.5, expand_v=2.0, use_output_gate=False, norm_eps=1e-5),
                    dict(num_heads=2, expand_k=0.5, expand_v=2.0, output_gate=False, norm_eps=1e-5), False),
}


def make(name, folder):
    layer_class, arguments, options, padded = CASES[name]
    torch.manual_seed(sorted(CASES).index(name))
    layer = on_cpu(layer_class(layer_idx=0, **arguments).float())
    with torch.no_grad():
        for parameter_name, parameter in layer.named_parameters():
            if "norm" in parameter_name:
                parameter.add_(0.3 * torch.randn_like(parameter))
    width, batch, tokens = arguments["hidden_size"], 2, 70
    x = torch.randn(batch, tokens, width, requires_grad=True)
    dy = torch.randn(batch, tokens, width)
    mask = None
    if padded:
        mask = torch.ones(batch, tokens, dtype=torch.long)
        mask[0, :5] = 0          # left
        mask[1, 60:] = 0         # right
        mask[1, 20:23] = 0       # in between
        dy = dy * mask[..., None]
    y = layer(x, attention_mask=mask)[0]
    (y * dy).sum().backward()
    arrays = {"x": x.detach(), "dy": dy, "y": y.detach(), "dx": x.grad}
    if padded:
        arrays["mask"] = mask
    for parameter_name, parameter in layer.named_parameters():
        arrays["p." + parameter_name] = parameter.detach()
        arrays["d." + parameter_name] = parameter.grad
    save_file({k: v.contiguous() for k, v in arrays.items()}, folder / f"fla_{name}.safetensors",
              metadata={"options": json.dumps(options), "kind": name.split("_")[0], "hidden_size": str(width)})


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        make(case, target)
