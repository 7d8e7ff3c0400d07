# SPDX-License-Identifier: GPL-3.0-or-later
"""What transformers makes of a model when one layer's attention output is zero: the golden values of the bypass selectors.

    python ablation.py ../../data/nn/models ../../data/selection/ablation.json        needs torch, transformers 5.24, safetensors

Per model: input_ids; nll of the whole model and, by layer, with that layer's attention output zeroed; kl = mean over positions of KL(whole || zeroed);
hidden_mse = mean over positions and channels of the squared difference of the states after the final norm. fp32 forward, sums in float64.
"""
import json
import pathlib
import sys

import torch
from transformers import AutoModelForCausalLM

MODELS = ["llama_biases", "mistral", "qwen2", "qwen3"]


def states(model, ids):
    out = model(ids, output_hidden_states=True, use_cache=False)
    return out.hidden_states[-1][0].double(), torch.log_softmax(out.logits[0].double(), -1)


def ablation(folder):
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    ids = torch.randint(0, model.config.vocab_size, (1, 48), generator=torch.Generator().manual_seed(4))
    nll = lambda logp: -logp[:-1].gather(1, ids[0, 1:, None]).mean().item()
    hidden, logp = states(model, ids)
    golden = {"input_ids": ids[0].tolist(), "nll": nll(logp), "ablation_nll": [], "ablation_kl": [], "ablation_mse": []}
    for layer in model.model.layers:
        hook = layer.self_attn.register_forward_hook(lambda _m, _i, out: (torch.zeros_like(out[0]), *out[1:]))
        zeroed_hidden, zeroed_logp = states(model, ids)
        hook.remove()
        golden["ablation_nll"].append(nll(zeroed_logp))
        golden["ablation_kl"].append((logp.exp() * (logp - zeroed_logp)).sum(-1).mean().item())
        golden["ablation_mse"].append((hidden - zeroed_hidden).square().mean().item())
    return golden


@torch.no_grad()
def main():
    torch.set_num_threads(1)
    models, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    out.write_text(json.dumps({name: ablation(models / name) for name in MODELS}, indent=1) + "\n")


if __name__ == "__main__":
    main()
