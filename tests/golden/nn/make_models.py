# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny random models of every family that is read, with what transformers makes of them in fp32 (eager attention, CPU, one thread).

    python make_models.py OUT        needs torch, transformers 5.24, safetensors

Each OUT/NAME holds config.json, model.safetensors (bf16: values are exact, files are small) and golden.safetensors:
input_ids [1,T], logits, hidden_states.N, attn_output.N, loss, grad.NAME of every parameter; generated [1,22]: the first 6 ids of the row and
16 greedy ones (EOS does not stop it); padded_ids, padded_mask [2,9] and padded_generated [2,25]: two prompts padded on the left and 16 ids more.
"""
import json
import pathlib
import sys

import torch
from safetensors.torch import save_file
from transformers import LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM, Qwen2Config, Qwen2ForCausalLM, Qwen3Config, Qwen3ForCausalLM

SHAPE = dict(hidden_size=24, intermediate_size=28, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, vocab_size=40,
             max_position_embeddings=64, tie_word_embeddings=True, bos_token_id=1, eos_token_id=2)
NUM_TOKENS = 34


def llama(rope=None, **changes):
    rope = rope or {"rope_type": "default", "rope_theta": 10000.0}
    return LlamaForCausalLM, LlamaConfig(**{**SHAPE, "rope_parameters": rope, **changes})


# NAME: (model class, config), old style of config.json?
MODELS = {
    "llama_plain": (llama(num_key_value_heads=4, tie_word_embeddings=False), False),
    "llama_linear": (llama({"rope_type": "linear", "rope_theta": 10000.0, "factor": 2.5}, hidden_act="gelu"), True),
    "llama_dynamic": (llama({"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0}, max_position_embeddings=16, hidden_act="gelu_pytorch_tanh"), False),
    "llama_yarn": (llama({"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 16}, head_dim=8), True),
    "llama_yarn_mscale": (llama({"rope_type": "yarn", "rope_theta": 5000.0, "factor": 4.0, "original_max_position_embeddings": 16, "mscale": 1.0, "mscale_all_dim": 0.5,
                                 "beta_fast": 4.0, "beta_slow": 0.5, "truncate": False}, head_dim=8), False),
    "llama3": (llama({"rope_type": "llama3", "rope_theta": 500.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 16}), True),
    "llama_biases": (llama(attention_bias=True, mlp_bias=True, pad_token_id=3), False),
    "qwen2": ((Qwen2ForCausalLM, Qwen2Config(**SHAPE, rope_parameters={"rope_type": "default", "rope_theta": 1e6})), True),
    "qwen2_sliding": ((Qwen2ForCausalLM, Qwen2Config(**SHAPE, rope_parameters={"rope_type": "default", "rope_theta": 1e6}, use_sliding_window=True, sliding_window=8,
                                                     max_window_layers=1)), False),
    "qwen3": ((Qwen3ForCausalLM, Qwen3Config(**{**SHAPE, "tie_word_embeddings": False}, head_dim=10, rope_parameters={"rope_type": "default", "rope_theta": 1e6})), False),
    "mistral": ((MistralForCausalLM, MistralConfig(**SHAPE, head_dim=8, sliding_window=7, rope_parameters={"rope_type": "default", "rope_theta": 10000.0})), True),
}


def randomise(model, seed):
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            values = 0.25 * torch.randn(parameter.shape, generator=generator)
            parameter.copy_((values + 1 if "norm" in name else values).bfloat16().float())


def old_style(config):
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    kind = rope.pop("rope_type")
    config["rope_scaling"] = None if kind == "default" else {"type" if kind == "linear" else "rope_type": kind, **rope}
    config["torch_dtype"] = config.pop("dtype")
    config.pop("layer_types", None)
    return config


def greedy(model, ids, mask=None):
    out = model.generate(ids, attention_mask=torch.ones_like(ids) if mask is None else mask, max_new_tokens=16, do_sample=False, eos_token_id=None, pad_token_id=0,
                         return_dict_in_generate=True, output_logits=True)
    best = torch.stack(out.logits).topk(2, dim=-1).values
    gap = (best[..., 0] - best[..., 1]).min().item()
    assert gap > 2e-3, f"a near-tie ({gap}) decides a greedy token: choose another seed"
    return out.sequences


def golden(model, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, model.config.vocab_size, (1, NUM_TOKENS), generator=generator)
    if model.config.pad_token_id is not None:
        ids[0, 5] = model.config.pad_token_id
    attention_outputs = []
    hooks = [layer.self_attn.register_forward_hook(lambda _m, _i, o: attention_outputs.append(o[0])) for layer in model.model.layers]
    out = model(ids, output_hidden_states=True, use_cache=False)
    for hook in hooks:
        hook.remove()
    loss = torch.nn.functional.cross_entropy(out.logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    loss.backward()
    arrays = {"input_ids": ids, "logits": out.logits, "loss": loss.reshape(1)}
    arrays |= {f"hidden_states.{n}": h for n, h in enumerate(out.hidden_states)}
    arrays |= {f"attn_output.{n}": h for n, h in enumerate(attention_outputs)}
    arrays |= {f"grad.{name}": p.grad for name, p in model.named_parameters()}
    with torch.no_grad():
        arrays["generated"] = greedy(model, ids[:, :6])
        arrays["padded_ids"] = torch.stack([torch.cat([torch.zeros(5, dtype=torch.long), ids[0, 10:14]]), ids[0, 20:29]])
        arrays["padded_mask"] = torch.tensor([[0] * 5 + [1] * 4, [1] * 9])
        arrays["padded_generated"] = greedy(model, arrays["padded_ids"], arrays["padded_mask"])
    return {name: value.detach().contiguous() for name, value in arrays.items()}


def main():
    torch.set_num_threads(1)
    out = pathlib.Path(sys.argv[1])
    for seed, (name, ((kind, config), old)) in enumerate(MODELS.items()):
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        config._attn_implementation = "eager"
        model = kind(config).eval().float()
        for attempt in range(100):
            randomise(model, 1000 * seed + attempt)
            model.zero_grad()
            try:
                arrays = golden(model, 1000 * seed + attempt)
                break
            except AssertionError as tie:
                print(name, tie)
        save_file(arrays, folder / "golden.safetensors")
        weights = {n: p.detach().bfloat16() for n, p in model.named_parameters()}
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        written = {**config.to_diff_dict(), "dtype": "bfloat16", "architectures": [kind.__name__]}
        (folder / "config.json").write_text(json.dumps(old_style(written) if old else written, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
