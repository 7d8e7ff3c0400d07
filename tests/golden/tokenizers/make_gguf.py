# SPDX-License-Identifier: GPL-3.0-or-later
"""What llama.cpp makes of hostile strings with small GGUF vocabularies, one per way of splitting.

Usage: python make_gguf.py LLVOCAB DATA_DIR      (DATA_DIR: tests/data/text/tokenizers, with gpt2.tokenizer.json and sp_bpe.model; writes gguf_results.json)
LLVOCAB is a small program built against llama.cpp (b of llama-cpp-python 0.3.36): it loads the vocabulary of the GGUF in argv[1], reads texts that end in NUL
from standard input and prints llama_tokenize(text, add_special = argc > 2, parse_special = true) as one JSON list a line.
Needs gguf and sentencepiece. Texts are hostile_string(i) and character_string(block) without their NUL characters. Hashes of joined ids: `strings` eight digits for four
strings, `characters` eight digits for sixteen blocks.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import gguf
import sentencepiece

from hostile import character_string, fnv1a, hostile_string
from make_tokenizers import CHARACTER_BLOCKS

PRE_TYPES = ("default llama-bpe dbrx glm4 jais-2 minicpm5 deepseek-llm deepseek-coder deepseek-v3 falcon smollm gpt-2 qwen2 qwen35 bloom viking tekken chameleon gpt-4o "
             "bailingmoe seed-coder ufakzeka laguna").split()
STRINGS = 1200


def byte_pairs(path, pre, data):
    writer = gguf.GGUFWriter(path, "llama")
    vocabulary = dict(data["model"]["vocab"])
    special = {t["content"]: t["id"] for t in data["added_tokens"]}
    vocabulary.update(special)
    tokens = [t for t, _ in sorted(vocabulary.items(), key=lambda item: item[1])]
    merges = [m if isinstance(m, str) else " ".join(m) for m in data["model"]["merges"]]
    # A few tokens are taken away, so that merges pass through spellings that are no tokens and some bytes have none.
    tokens = [f"gone{i}" if i % 23 == 11 and t not in special else t for i, t in enumerate(tokens)]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types([3 if t in special else 4 if t == "gone11" else 1 for t in tokens])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(5)
    writer.add_eos_token_id(6)
    finish(writer)


def sentence_pieces(path, model):
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    ids = range(processor.vocab_size())
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list([processor.id_to_piece(i) for i in ids])
    writer.add_token_scores([processor.get_score(i) for i in ids])
    writer.add_token_types([2 if processor.is_unknown(i) else 3 if processor.is_control(i) else 6 if processor.is_byte(i) else 1 for i in ids])
    writer.add_add_eos_token(True)
    finish(writer)


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    data = json.loads((folder / "gpt2.tokenizer.json").read_text(encoding="utf-8"))
    texts = [hostile_string(i).replace("\0", "") for i in range(STRINGS)] + [character_string(b).replace("\0", "") for b in CHARACTER_BLOCKS]
    table = {}
    with tempfile.TemporaryDirectory() as temporary:
        for name in PRE_TYPES + ["llama"]:
            path = pathlib.Path(temporary) / f"{name}.gguf"
            if name == "llama":
                sentence_pieces(path, (folder / "sp_bpe.model").read_bytes())
            else:
                byte_pairs(path, name, data)
            lines = subprocess.run([program, str(path), "special"], input="\0".join(texts).encode() + b"\0", capture_output=True, check=True).stdout.decode().splitlines()
            ids = [line.strip("[]") for line in lines]
            assert len(ids) == len(texts)
            strings, blocks = ids[:STRINGS], ids[STRINGS:]
            table[name] = {"strings": "".join(f"{fnv1a('|'.join(strings[i:i + 4]).encode()):08x}" for i in range(0, STRINGS, 4)),
                           "characters": "".join(f"{fnv1a('|'.join(blocks[i:i + 16]).encode()):08x}" for i in range(0, len(blocks), 16))}
    (folder / "gguf_results.json").write_text(json.dumps(table, separators=(",", ":")).replace("},", "},\n") + "\n")


if __name__ == "__main__":
    main()
