#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/checkpoint: what transformers, safetensors and gguf say about small files of theirs.

Usage: make_checkpoint_goldens.py OUT_FOLDER      (transformers 5.24, torch 2.13, safetensors 0.8, gguf 0.19, numpy 2)
Everything is drawn from fixed seeds; a second run writes the same bytes.
"""
import json
import shutil
import sys
from pathlib import Path

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType as T
from safetensors.numpy import save_file as save_numpy
from safetensors.torch import save_file as save_torch
from transformers import AutoConfig, AutoModelForCausalLM

OUT = Path(sys.argv[1])

SMALL = dict(hidden_size=64, intermediate_size=48, num_hidden_layers=3, num_attention_heads=4, vocab_size=40)
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192)

# name -> config.json; every one is given to transformers as it stands.
CONFIGS = {
    "llama defaults": dict(SMALL, model_type="llama"),
    "llama old style": dict(SMALL, model_type="llama", rope_theta=500000.0, rope_scaling=None, torch_dtype="bfloat16", num_key_value_heads=2,
                            tie_word_embeddings=True, rms_norm_eps=1e-5, max_position_embeddings=131072, bos_token_id=5, eos_token_id=[6, 7],
                            pad_token_id=8, transformers_version="4.40.0", architectures=["LlamaForCausalLM"], pretraining_tp=1, use_cache=True),
    "llama new style": dict(SMALL, model_type="llama", rope_parameters=dict(rope_type="default", rope_theta=250000.0), dtype="float16", head_dim=32,
                            num_key_value_heads=1, max_position_embeddings=4096, bos_token_id=None, eos_token_id=None),
    "llama3 old style": dict(SMALL, model_type="llama", rope_theta=500000.0, max_position_embeddings=131072, rope_scaling=LLAMA3),
    "llama3 new style": dict(SMALL, model_type="llama", max_position_embeddings=131072, rope_parameters=dict(LLAMA3, rope_theta=500000.0)),
    "llama3 original length outside": dict(SMALL, model_type="llama", rope_theta=500000.0, max_position_embeddings=131072, rope_scaling=LLAMA3,
                                           original_max_position_embeddings=4096),
    "llama3 without original length": dict(SMALL, model_type="llama", rope_theta=500000.0, max_position_embeddings=2048,
                                           rope_scaling={k: v for k, v in LLAMA3.items() if k != "original_max_position_embeddings"}),
    "linear, old key": dict(SMALL, model_type="llama", rope_scaling=dict(type="linear", factor=4.0)),
    "dynamic, old key": dict(SMALL, model_type="llama", rope_theta=20000, rope_scaling=dict(type="dynamic", factor=2.0)),
    "yarn": dict(SMALL, model_type="llama", max_position_embeddings=131072,
                 rope_scaling=dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32768)),
    "yarn, all fields": dict(SMALL, model_type="llama", max_position_embeddings=16384,
                             rope_parameters=dict(rope_type="yarn", factor=40.0, original_max_position_embeddings=4096, rope_theta=10000, beta_fast=31,
                                                  beta_slow=2, mscale=0.707, mscale_all_dim=0.5, attention_factor=1.25, truncate=False)),
    "yarn, zeros and nulls": dict(SMALL, model_type="llama", max_position_embeddings=16384,
                                  rope_parameters=dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=4096, rope_theta=10000.0, beta_fast=0,
                                                       beta_slow=None, attention_factor=None)),
    "rope_scaling replaces rope_parameters": dict(SMALL, model_type="llama", rope_scaling=dict(type="linear", factor=3.0), rope_theta=7000.0,
                                                  rope_parameters=dict(rope_type="default", rope_theta=9000.0)),
    "theta inside wins": dict(SMALL, model_type="llama", rope_theta=7000.0, rope_parameters=dict(rope_type="default", rope_theta=9000.0)),
    "llama biases": dict(SMALL, model_type="llama", attention_bias=True, mlp_bias=True, hidden_act="gelu"),
    "smollm2": dict(SMALL, model_type="llama", is_llama_config=True, rope_interleaved=False, rope_theta=100000, tie_word_embeddings=True,
                    num_key_value_heads=2, rms_norm_eps=1e-05, max_position_embeddings=8192, bos_token_id=1, eos_token_id=2, pad_token_id=2,
                    **{"transformers.js_config": {"kv_cache_dtype": {"q4f16": "float16"}}}),
    "qwen2 defaults": dict(SMALL, model_type="qwen2", num_key_value_heads=4),
    "qwen2.5": dict(SMALL, model_type="qwen2", num_key_value_heads=2, rope_theta=1000000.0, sliding_window=131072, max_window_layers=21,
                    use_sliding_window=False, tie_word_embeddings=True, use_mrope=False, bos_token_id=3, eos_token_id=3, attention_dropout=0.0),
    "qwen2 windows": dict(SMALL, model_type="qwen2", num_key_value_heads=2, use_sliding_window=True, sliding_window=16, max_window_layers=1),
    "qwen2 windows, default length": dict(SMALL, model_type="qwen2", num_key_value_heads=2, use_sliding_window=True, max_window_layers=2),
    "qwen2 windows from layer 28": dict(SMALL, model_type="qwen2", num_key_value_heads=2, use_sliding_window=True, sliding_window=16),
    "qwen2 null window": dict(SMALL, model_type="qwen2", num_key_value_heads=2, use_sliding_window=True, sliding_window=None, max_window_layers=0),
    "qwen2 layer types": dict(SMALL, model_type="qwen2", num_key_value_heads=2, use_sliding_window=True, sliding_window=16,
                              layer_types=["sliding_attention", "full_attention", "sliding_attention"]),
    "qwen2 old name of a layer type": dict(SMALL, model_type="qwen2", num_key_value_heads=2, layer_types=["attention"] * 3),
    "qwen2 null kv heads": dict(SMALL, model_type="qwen2", num_key_value_heads=None),
    "qwen2 head_dim": dict(SMALL, model_type="qwen2", num_key_value_heads=2, head_dim=24),
    "qwen3 defaults": dict(SMALL, model_type="qwen3", num_key_value_heads=2),
    "qwen3": dict(SMALL, model_type="qwen3", num_key_value_heads=2, head_dim=24, rope_theta=1000000, rope_scaling=None, attention_bias=False,
                  tie_word_embeddings=True, max_window_layers=28, sliding_window=None, use_sliding_window=False),
    "qwen3 biases and windows": dict(SMALL, model_type="qwen3", num_key_value_heads=2, head_dim=16, attention_bias=True, use_sliding_window=True,
                                     sliding_window=9, max_window_layers=2),
    "mistral defaults": dict(SMALL, model_type="mistral", num_attention_heads=8),
    "mistral without window": dict(SMALL, model_type="mistral", num_key_value_heads=2, sliding_window=None, rope_theta=1000000.0, head_dim=32),
    "mistral window": dict(SMALL, model_type="mistral", num_key_value_heads=2, sliding_window=12, rms_norm_eps=1e-5, hidden_act="gelu_pytorch_tanh"),
}


def rope_of(config):
    rope = dict(config.rope_parameters)
    kind = rope.pop("rope_type")
    rope.pop("type", None)
    return dict(rope, kind=kind)


def windows_of(config):
    layers = range(config.num_hidden_layers)
    if config.model_type == "llama":
        return [0 for _ in layers]
    if config.model_type == "mistral":
        return [config.sliding_window or 0 for _ in layers]
    return [config.sliding_window if config.layer_types[i] == "sliding_attention" else 0 for i in layers]


def ids_of(value):
    return [] if value is None else value if isinstance(value, list) else [value]


def expected_of(given):
    given = dict(given)
    config = AutoConfig.for_model(given.pop("model_type"), **json.loads(json.dumps(given)))
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    tied = {"lm_head.weight"} if config.tie_word_embeddings else set()
    weights = {name: list(value.shape) for name, value in model.state_dict().items() if name not in tied}
    rope = rope_of(config)
    # How transformers itself turns the RoPE fields into frequencies, for whoever computes with them.
    inv_freq = type(model.model.rotary_emb)(config).inv_freq.double().tolist()
    head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return dict(model_type=config.model_type, num_key_value_heads=config.num_key_value_heads, head_dim=head_dim, rms_norm_eps=config.rms_norm_eps,
                max_position_embeddings=config.max_position_embeddings, tie_word_embeddings=config.tie_word_embeddings, hidden_act=config.hidden_act,
                rope=rope, inv_freq=inv_freq, windows=windows_of(config), bos=config.bos_token_id, pad=config.pad_token_id,
                eos=ids_of(config.eos_token_id), parameters=sum(int(np.prod(shape)) for shape in weights.values()), weights=weights)


def write_configs():
    cases = [dict(name=name, config=config, expected=expected_of(config)) for name, config in CONFIGS.items()]
    (OUT / "configs.json").write_text(json.dumps(cases, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n")


def write_safetensors():
    rng = np.random.default_rng(1)
    values = rng.standard_normal((3, 5)).astype(np.float32)
    plain = {"f64": values.astype(np.float64) * 1e-3, "f32": values, "scalar": np.float32(2.5).reshape(()), "empty": np.zeros((0, 4), np.float32),
             "i64": np.array([-2**63, 2**63 - 1, 5]), "i32": np.array([[-2**31], [2**31 - 1]], np.int32), "i16": np.array([-32768, 32767], np.int16),
             "i8": np.array([-128, 127], np.int8), "u8": np.array([0, 255], np.uint8), "bool": np.array([True, False, True])}
    tensors = {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in plain.items()}
    halves = torch.arange(0, 1 << 16, 37, dtype=torch.int32).to(torch.uint16).view(torch.float16)
    tensors["f16"] = halves[torch.isfinite(halves)].clone()
    brains = torch.arange(0, 1 << 16, 41, dtype=torch.int32).to(torch.uint16).view(torch.bfloat16)
    tensors["bf16"] = brains[torch.isfinite(brains)].clone()
    save_torch(tensors, OUT / "dtypes.safetensors", metadata={"made_by": "safetensors"})
    floats = {name: tensors[name].to(torch.float32) for name in ("f64", "f32", "scalar", "empty", "f16", "bf16")}
    integers = {name: tensors[name].to(torch.int64) for name in ("i64", "i32", "i16", "i8", "u8", "bool")}
    save_torch({**floats, **integers}, OUT / "dtypes_expected.safetensors")


def write_sharded():
    torch.manual_seed(2)
    config = AutoConfig.for_model("llama", hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
                                  vocab_size=30, max_position_embeddings=64)
    model = AutoModelForCausalLM.from_config(config).to(torch.bfloat16)
    folder = OUT / "sharded"
    shutil.rmtree(folder, ignore_errors=True)
    model.save_pretrained(folder, max_shard_size="4KB")
    save_torch({name: value.float().contiguous() for name, value in model.state_dict().items()}, OUT / "sharded_expected.safetensors")


def random_halves(rng, count, low=-8.0, high=2.0):
    sign = rng.choice([-1.0, 1.0], count)
    return (sign * np.exp2(rng.uniform(low, high, count))).astype(np.float16)


# type -> byte positions of the float16 fields of a block (a random float16 could be NaN)
HALVES = {T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0], T.Q2_K: [80, 82], T.Q3_K: [108], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208]}


def random_blocks(rng, kind, count):
    size = gguf.GGML_QUANT_SIZES[kind][1]
    raw = rng.integers(0, 256, (count, size), dtype=np.uint8)
    for at in HALVES[kind]:
        # from ordinary scales down to subnormal float16
        raw[:, at:at + 2] = random_halves(rng, count, low=-24.0).view(np.uint8).reshape(count, 2)
    return raw


def write_dequantised():
    rng = np.random.default_rng(3)
    tensors = {}
    for kind in HALVES:
        raw = random_blocks(rng, kind, 6 if gguf.GGML_QUANT_SIZES[kind][0] == 256 else 24)
        tensors[f"{kind.name}.raw"] = raw.reshape(-1)
        tensors[f"{kind.name}.values"] = gguf.dequantize(raw, kind).astype(np.float32).reshape(-1)
    save_numpy(tensors, OUT / "dequantised.safetensors")


NAMES = {"attn_norm.weight": "input_layernorm.weight", "ffn_norm.weight": "post_attention_layernorm.weight", "ffn_gate.weight": "mlp.gate_proj.weight",
         "ffn_up.weight": "mlp.up_proj.weight", "ffn_down.weight": "mlp.down_proj.weight", "attn_q.weight": "self_attn.q_proj.weight",
         "attn_k.weight": "self_attn.k_proj.weight", "attn_v.weight": "self_attn.v_proj.weight", "attn_output.weight": "self_attn.o_proj.weight",
         "attn_q.bias": "self_attn.q_proj.bias", "attn_k.bias": "self_attn.k_proj.bias", "attn_v.bias": "self_attn.v_proj.bias",
         "attn_output.bias": "self_attn.o_proj.bias", "attn_q_norm.weight": "self_attn.q_norm.weight", "attn_k_norm.weight": "self_attn.k_norm.weight"}


def interleave(weight, heads):
    """llama.cpp's order of the rows of q and k in conversions of Llama models."""
    return weight.reshape(heads, 2, weight.shape[0] // heads // 2, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


def write_gguf(name, arch, seed, kinds, biases=(), qk_norm=False, tied=True, rope_freqs=None, extra=None, head_dim=16, layers=1):
    """One small model; `kinds` are the types of its matrices in turn. The expected values are Hugging Face's names and order."""
    rng = np.random.default_rng(seed)
    hidden, wide, heads, kv, vocab = 32, 64, 4, 2, 24
    writer = gguf.GGUFWriter(OUT / f"{name}.gguf", arch)
    writer.add_name(f"Tiny {name}")
    writer.add_block_count(layers)
    writer.add_context_length(512)
    writer.add_embedding_length(hidden)
    writer.add_feed_forward_length(wide)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    if head_dim != hidden // heads:
        writer.add_key_length(head_dim)
        writer.add_value_length(head_dim)
    writer.add_rope_dimension_count(head_dim)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    for call in extra or []:
        call(writer)
    expected, turn = {}, 0

    def add(ours, theirs, shape, interleaved_heads=0, matrix=True):
        nonlocal turn
        values = rng.standard_normal(shape).astype(np.float32)
        kind = T.F32
        if matrix:
            kind, turn = kinds[turn % len(kinds)], turn + 1
        stored = gguf.quantize(values, kind)
        read = gguf.dequantize(stored, kind).reshape(shape)
        if interleaved_heads:
            # `values` play the file's order; what transformers would hold is that order undone
            back = np.empty_like(read)
            order = interleave(np.arange(shape[0]), interleaved_heads)
            back[order] = read
            read = back
        writer.add_tensor(ours, stored, raw_dtype=kind)
        expected[theirs] = np.ascontiguousarray(read.astype(np.float32))

    add("token_embd.weight", "model.embed_tokens.weight", (vocab, hidden))
    add("output_norm.weight", "model.norm.weight", (hidden,), matrix=False)
    if not tied:
        add("output.weight", "lm_head.weight", (vocab, hidden))
    shapes = {"attn_q": (heads * head_dim, hidden), "attn_k": (kv * head_dim, hidden), "attn_v": (kv * head_dim, hidden), "attn_output": (hidden, heads * head_dim),
              "ffn_gate": (wide, hidden), "ffn_up": (wide, hidden), "ffn_down": (hidden, wide)}
    for layer in range(layers):
        def put(part, shape, interleaved_heads=0, matrix=True):
            add(f"blk.{layer}.{part}", f"model.layers.{layer}.{NAMES[part]}", shape, interleaved_heads, matrix)
        put("attn_norm.weight", (hidden,), matrix=False)
        put("ffn_norm.weight", (hidden,), matrix=False)
        for part, shape in shapes.items():
            turned = {"attn_q": heads, "attn_k": kv}.get(part, 0) if arch == "llama" else 0
            put(part + ".weight", shape, turned)
            if part in biases:
                put(part + ".bias", shape[:1], turned, matrix=False)
        if qk_norm:
            put("attn_q_norm.weight", (head_dim,), matrix=False)
            put("attn_k_norm.weight", (head_dim,), matrix=False)
    if rope_freqs is not None:
        writer.add_tensor("rope_freqs.weight", rope_freqs)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    save_numpy(expected, OUT / f"{name}_expected.safetensors")


def llama3_factors(head_dim, theta, factor, low, high, original):
    """Per frequency, what llama.cpp divides by: transformers' unscaled inverse frequency over its scaled one."""
    config = AutoConfig.for_model("llama", hidden_size=head_dim * 4, num_attention_heads=4, head_dim=head_dim, max_position_embeddings=original * int(factor),
                                  rope_parameters=dict(rope_type="llama3", factor=factor, low_freq_factor=low, high_freq_factor=high,
                                                       original_max_position_embeddings=original, rope_theta=theta))
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
    scaled = LlamaRotaryEmbedding(config).inv_freq.double().numpy()
    plain = 1.0 / theta ** (np.arange(0, head_dim, 2) / head_dim)
    return (plain / scaled).astype(np.float32)


def write_ggufs():
    def metadata(writer):
        writer.add_token_list(["<a>", "b\n", "ü"])
        writer.add_token_scores([0.5, -1.0, float("inf")])
        writer.add_token_types([1, 3, -1])
        writer.add_add_bos_token(True)
        writer.add_uint64("test.large", 2**64 - 1)
        writer.add_int8("test.small", -5)
        writer.add_float64("test.wide", 0.1)
        writer.add_string("test.text", "naïve")

    def yarn(writer):
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(4.0)
        writer.add_rope_scaling_orig_ctx_len(128)

    write_gguf("gguf_llama", "llama", 4, [T.Q4_0, T.Q4_1, T.Q5_0, T.Q5_1, T.Q8_0, T.F16, T.F32, T.BF16], extra=[metadata], head_dim=8, layers=2)
    write_gguf("gguf_llama_bias", "llama", 5, [T.Q8_0], biases=("attn_q", "attn_k", "attn_v", "attn_output"), tied=False,
               rope_freqs=llama3_factors(16, 10000.0, 8.0, 1.0, 4.0, 64))
    write_gguf("gguf_qwen2", "qwen2", 6, [T.Q8_0, T.Q4_0], biases=("attn_q", "attn_k", "attn_v"), head_dim=8, extra=[yarn])
    write_gguf("gguf_qwen3", "qwen3", 7, [T.Q8_0, T.F16], qk_norm=True)


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    write_configs()
    write_safetensors()
    write_sharded()
    write_dequantised()
    write_ggufs()
