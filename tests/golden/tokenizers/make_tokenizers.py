# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains small tokenizers of every kind and writes what Hugging Face's `tokenizers` and Google's `sentencepiece` make of hostile strings.

Usage: python make_tokenizers.py OUT_DIR [REAL_DIR]     (OUT_DIR: tests/data/text/tokenizers; REAL_DIR: a folder with gpt2/ and qwen3/)
Needs tokenizers 0.23.3, transformers 5.24, sentencepiece 0.2.x. Writes NAME.tokenizer.json or NAME.model, hostile.json and results.json.
Per tokenizer results.json holds hashes in hexadecimal, put together: `strings` for hostile_string(i) and `decoded` for random id sequences, four digits each
(hostile.folded); `characters` for character_string(block) of CHARACTER_BLOCKS, eight digits for sixteen blocks; and `first`: some ids in full.
"""
import io
import json
import pathlib
import sys

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from hostile import ATOMS, PLANES, Random, character_string, fnv1a, folded, hostile_string, result_hash

STRINGS = 3000
DECODED = 400
# Strings with two segmentations of one score, between which sentencepiece 0.1.97 and 0.2.3 choose differently: written as dashes.
UNIGRAM_TIES = {841, 1034, 1794, 2478, 2948}
CHARACTER_BLOCKS = [b for b in range(0x110000 // 64) if b * 64 < 0x32400 or b % 97 == 0 or 0xE0000 <= b * 64 < 0xE0200]
BYTE_CHARS = pre_tokenizers.ByteLevel.alphabet()

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN35 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
O200K = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"
         r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK3 = [r"\p{N}{1,3}", r"[一-龥぀-ゟ゠-ヿ]+",
             r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"]


def corpus():
    """A made-up text in several languages and scripts, long enough for a few hundred merges."""
    sentences = [
        "The old mill stood by the river, and nobody in the village remembered when its wheel had last turned.", "She said that she wouldn't come, but they're waiting anyway; we've all day, I'll see.",
        "In 1987 the tower was 312.5 metres high, 12% more than in 1902 (see table 4).", "def add(a, b):\n    return a + b  # sums\n\nfor i in range(10):\n\tprint(add(i, i))\n",
        "Der Müller mahlte früher jeden Morgen Weizen für die Bäckerei im Dorf.", "La vieille meunière n'écoutait que le bruit de l'eau près du café.", "El niño corrió por la montaña ¿quién lo vio?",
        "Старая мельница стояла у реки, и никто не помнил её колеса.", "Ο παλιός μύλος στεκόταν δίπλα στο ποτάμι.", "河边有一座老磨坊，村里没有人记得它的轮子什么时候转过。", "古い水車小屋は川のほとりに立っていました。", "오래된 방앗간이 강가에 서 있었다.",
        "كانت الطاحونة القديمة بجانب النهر.", "הטחנה הישנה עמדה ליד הנהר.", "पुरानी चक्की नदी के किनारे खड़ी थी।", "โรงสีเก่าตั้งอยู่ริมแม่น้ำ", "Cối xay cũ đứng bên bờ sông.", "👍🏽 great 😀😀 ❤️ ok!!!   ...   --  ==",
        "word Word WORD words the The then there their these those thing think thought", "aaaa aaa aa a abab abcabc xyz xyzzy 000 111 123 1234 2024",
    ]
    lines = []
    random = Random(7)
    for _ in range(400):
        words = sentences[random.below(len(sentences))].split(" ")
        start = random.below(len(words))
        lines.append(" ".join(words[start:] + words[:start]))
    return sentences * 10 + lines


def byte_level(pre, size=700, alphabet=BYTE_CHARS, normalizer=None, **options):
    tokenizer = Tokenizer(models.BPE(**options))
    tokenizer.pre_tokenizer = pre
    tokenizer.decoder = decoders.ByteLevel()
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False, special_tokens=[]))
    return tokenizer


def isolated(*patterns):
    return [pre_tokenizers.Split(Regex(p), "isolated") for p in patterns]


def split_then_bytes(*patterns):
    return pre_tokenizers.Sequence(isolated(*patterns) + [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def special(*names, **flags):
    return [AddedToken(n, special=True, normalized=False, **flags) for n in names]


def gpt2():
    t = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False))
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    t.add_special_tokens(["<|endoftext|>"])
    return t


def roberta():
    # Half of the alphabet is missing, so characters are dropped; the mask takes the space before it.
    t = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True), alphabet=[])
    t.add_special_tokens(special("<s>", "<pad>", "</s>", "<unk>"))
    t.add_special_tokens([AddedToken("[MASK]", lstrip=True, special=True, normalized=False)])
    t.post_processor = processors.RobertaProcessing(("</s>", t.token_to_id("</s>")), ("<s>", t.token_to_id("<s>")))
    return t


def llama3():
    t = byte_level(split_then_bytes(LLAMA3), ignore_merges=True)
    t.add_special_tokens(special("<|begin_of_text|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"))
    bos = ("<|begin_of_text|>", t.token_to_id("<|begin_of_text|>"))
    t.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), processors.TemplateProcessing("<|begin_of_text|> $A", "<|begin_of_text|> $A $B", [bos])])
    return t


def qwen2():
    t = byte_level(split_then_bytes(QWEN2), normalizer=normalizers.NFC())
    t.post_processor = processors.ByteLevel(trim_offsets=False)
    t.add_special_tokens(special("<|endoftext|>", "<|im_start|>", "<|im_end|>"))
    t.add_tokens([AddedToken("<unk>", normalized=False), AddedToken("caf\u00e9!", normalized=True)])
    return t


def qwen35():
    return byte_level(split_then_bytes(QWEN35), normalizer=normalizers.NFC())


def o200k():
    return byte_level(split_then_bytes(O200K))


def deepseek():
    return byte_level(split_then_bytes(*DEEPSEEK3))


def starcoder():
    t = byte_level(pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]))
    t.add_tokens([AddedToken("foo_bar"), AddedToken("word", single_word=True), AddedToken("Lstrip", lstrip=True), AddedToken("Rstrip", rstrip=True), AddedToken(" both ", lstrip=True, rstrip=True)])
    return t


def splits():
    # Every behaviour of Split, Digits in groups, Punctuation, a byte spelling in the middle.
    return byte_level(pre_tokenizers.Sequence([
        pre_tokenizers.Split("o", "merged_with_previous"), pre_tokenizers.Split(Regex(r"[aeiu]"), "merged_with_next"), pre_tokenizers.Split(Regex(r"\s"), "contiguous"),
        pre_tokenizers.Split(Regex(r"[A-Z\n]+"), "removed", invert=False), pre_tokenizers.Split(Regex(r"[^~]+"), "removed", invert=True), pre_tokenizers.Punctuation("merged_with_previous"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False), pre_tokenizers.Digits(individual_digits=False), pre_tokenizers.Split(Regex(r"\b\w{1,3}\B|\W"), "isolated")]))


def llama2(pre=None, normalizer=None):
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    sequence = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    t.normalizer = sequence
    specials = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)]
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=800, show_progress=False, special_tokens=specials, limit_alphabet=90))
    # The byte tokens are plain vocabulary; only the first three are added tokens.
    data = json.loads(t.to_str())
    data["added_tokens"] = data["added_tokens"][:3]
    t = Tokenizer.from_str(json.dumps(data))
    t.normalizer = normalizer or sequence
    t.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    t.post_processor = processors.TemplateProcessing("<s> $A", "<s> $A <s>:1 $B:1", [("<s>", 1)])
    return t


def mistral():
    t = llama2(normalizer=normalizers.Sequence([]))
    data = json.loads(t.to_str())
    data["normalizer"] = None
    t = Tokenizer.from_str(json.dumps(data))
    t.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    t.add_tokens([AddedToken("[MASK]", normalized=False), AddedToken("NORM", normalized=True)])
    return t


def metaspace():
    t = Tokenizer(models.BPE(unk_token="<unk>"))
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(prepend_scheme="always"), pre_tokenizers.CharDelimiterSplit("-")])
    t.normalizer = normalizers.NFKD()
    t.decoder = decoders.Metaspace()
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=600, show_progress=False, special_tokens=["<unk>", "<s>"], limit_alphabet=120))
    return t


def bert_like():
    # Affixes, unknowns one by one, every text normalizer, flags of added tokens on normalized text.
    t = Tokenizer(models.BPE(unk_token="<unk>", continuing_subword_prefix="##", end_of_word_suffix="</w>"))
    t.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.StripAccents(), normalizers.Lowercase(), normalizers.Strip(), normalizers.Replace(Regex(r"\d{2,}"), "9"),
                                         normalizers.Replace("//", "")])
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Punctuation()])
    t.decoder = decoders.BPEDecoder()
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=700, show_progress=False, special_tokens=["<unk>", "<s>"], continuing_subword_prefix="##", end_of_word_suffix="</w>", limit_alphabet=100))
    t.add_tokens([AddedToken("NORM", normalized=True), AddedToken("\u00c9TOILE", normalized=True), AddedToken("word", single_word=True), AddedToken("Lstrip", lstrip=True), AddedToken("Rstrip", rstrip=True, normalized=False),
                  AddedToken("[word]", single_word=True, lstrip=True, rstrip=True)])
    return t


def nfd_fallback():
    # Byte fallback with holes beside an unknown token that is not fused: the order of unknowns and bytes.
    t = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=False))
    t.normalizer = normalizers.NFD()
    t.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    t.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(prepend_scheme="never")])
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=500, show_progress=False, special_tokens=["<unk>"] + [f"<0x{b:02X}>" for b in range(0, 256) if b % 5], limit_alphabet=80))
    data = json.loads(t.to_str())
    data["added_tokens"] = data["added_tokens"][:1]
    return Tokenizer.from_str(json.dumps(data))


def byte_normalizer():
    t = Tokenizer(models.BPE())
    t.normalizer = normalizers.Sequence([normalizers.Replace(Regex(r" ?\p{Han}"), "H"), normalizers.ByteLevel()])
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(corpus()[:60], trainers.BpeTrainer(vocab_size=500, initial_alphabet=BYTE_CHARS, show_progress=False))
    return t


def word_level():
    t = Tokenizer(models.WordLevel(unk_token="<unk>"))
    t.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    t.train_from_iterator(corpus(), trainers.WordLevelTrainer(vocab_size=300, show_progress=False, special_tokens=["<unk>", "<s>", "</s>"]))
    return t


def words():
    t = Tokenizer(models.WordLevel(unk_token="<unk>"))
    t.pre_tokenizer = pre_tokenizers.Whitespace()
    t.normalizer = normalizers.NFKC()
    t.train_from_iterator(corpus(), trainers.WordLevelTrainer(vocab_size=200, show_progress=False, special_tokens=["<unk>"]))
    return t


KINDS = [gpt2, roberta, llama3, qwen2, qwen35, o200k, deepseek, starcoder, splits, llama2, mistral, metaspace, bert_like, nfd_fallback, byte_normalizer, word_level, words]


def older_merges(data):
    """The merges of half of the files in the older spelling, one string each."""
    merges = data["model"].get("merges")
    if merges and all(" " not in part for pair in merges for part in pair):
        data["model"]["merges"] = [" ".join(pair) for pair in merges]
    return data


def results(encode, decode, vocabulary, characters):
    def one(text):
        ids, framed = encode(text, False), encode(text, True)
        return result_hash(ids, framed, decode(ids, False) + "|" + decode(framed, True))

    out = {"strings": "".join(folded(one(hostile_string(i))) for i in range(STRINGS)), "decoded": "", "first": [encode(hostile_string(i), True) for i in range(1, 25)]}
    for i in range(DECODED):
        random = Random(1000003 + i)
        ids = [vocabulary[random.below(len(vocabulary))] for _ in range(random.below(30))]
        out["decoded"] += folded(fnv1a((decode(ids, False) + "|" + decode(ids, True)).encode()))
    if characters:
        blocks = [f"{one(character_string(b)):08x}" for b in CHARACTER_BLOCKS]
        out["characters"] = "".join(f"{fnv1a(''.join(blocks[i:i + 16]).encode()):08x}" for i in range(0, len(blocks), 16))
    return out


def hugging_face(tokenizer, characters=True):
    tokenizer.no_truncation()
    tokenizer.no_padding()
    vocabulary = sorted(tokenizer.get_vocab(with_added_tokens=True).values())
    return results(lambda s, framed: tokenizer.encode(s, add_special_tokens=framed).ids, lambda ids, skip: tokenizer.decode(ids, skip_special_tokens=skip), vocabulary, characters)


def real(folder, name):
    if name == "qwen3":
        return Tokenizer.from_file(str(folder / name / "tokenizer.json"))
    from transformers import AutoTokenizer, GPT2TokenizerFast
    return GPT2TokenizerFast.from_pretrained(str(folder / name))._tokenizer


def sentence_piece(out, name, **options):
    import sentencepiece
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(corpus()), model_writer=model, vocab_size=700, hard_vocab_limit=False, character_coverage=0.98, minloglevel=2, num_threads=1, **options)
    (out / f"{name}.model").write_bytes(model.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    vocabulary = [i for i in range(processor.vocab_size())]
    plain = lambda s: s.replace("<s>", "").replace("</s>", "").replace("<unk>", "").replace("<pad>", "")
    return {"strings": "".join("----" if name == "sp_unigram" and i in UNIGRAM_TIES else folded(fnv1a(",".join(map(str, processor.encode(plain(hostile_string(i))))).encode()))
                               for i in range(STRINGS)),
            "first": [processor.encode(plain(hostile_string(i))) for i in range(1, 25)]}


def llama_without_legacy(out):
    """transformers' Llama tokenizer on a folder with sp_bpe.model and `legacy: false` (needs protobuf)."""
    import tempfile
    from transformers import LlamaTokenizer
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "tokenizer.model").write_bytes((out / "sp_bpe.model").read_bytes())
        (pathlib.Path(folder) / "tokenizer_config.json").write_text('{"legacy":false,"add_bos_token":true}')
        tokenizer = LlamaTokenizer.from_pretrained(folder, legacy=False, add_bos_token=True)
    return results(lambda s, framed: tokenizer.encode(s, add_special_tokens=framed), lambda ids, skip: tokenizer._tokenizer.decode(ids, skip_special_tokens=skip),
                   sorted(tokenizer.get_vocab().values()), False)


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    (out / "hostile.json").write_text(json.dumps({"atoms": ATOMS, "planes": PLANES, "character_blocks": len(CHARACTER_BLOCKS)}, separators=(",", ":")) + "\n")
    table = {}
    for index, kind in enumerate(KINDS):
        data = json.loads(kind().to_str())
        if index % 2:
            data = older_merges(data)
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        (out / f"{kind.__name__}.tokenizer.json").write_text(text, encoding="utf-8")
        table[kind.__name__] = hugging_face(Tokenizer.from_str(text))
    table["sp_bpe"] = sentence_piece(out, "sp_bpe", model_type="bpe", byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False, split_digits=True, user_defined_symbols=["[word]"])
    table["sp_unigram"] = sentence_piece(out, "sp_unigram", model_type="unigram")
    table["sp_bpe_without_legacy"] = llama_without_legacy(out)
    if len(sys.argv) > 2:
        for name in ("gpt2", "qwen3"):
            table["real_" + name] = hugging_face(real(pathlib.Path(sys.argv[2]), name), characters=False)
    (out / "results.json").write_text(json.dumps(table, separators=(",", ":")).replace("},", "},\n") + "\n")


if __name__ == "__main__":
    main()
