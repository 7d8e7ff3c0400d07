# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile strings by a seeded rule, the same as tests/unit/text/hostilestrings.cpp follows, and the hash that stands for a result."""

MASK = (1 << 64) - 1

ATOMS = [
    "a", "Hello", " world", "the", " The", "ing", "don't", "I'LL", "we've", "'re", "'S", "'\u017f", "it's", "y'all'd", " ", "  ", "   ", "\t", "\n", "\r\n", "\n\n",
    " \n", "\n ", "\u00a0", "\u3000", "\u2003", "\u200b", "\u200d", "\ufeff", "\u180e", "\u0085", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x00", "\x01", "\x7f", "0", "7", "12", "123", "1234567",
    "3.14", "1,000", "\u0663\u0664", "\u00bd", "\u00b2", "\u2167", "\u4e09", "\u0967\u0968", "\U0001d7d8", ".", ",", "!", "?!", "...", "\u2026", "(", ")", "[]", "{", "}", "<", ">", "<|", "|>", "#", "$", "%", "&",
    "*", "+", "-", "--", "/", "//", "\\", "=", "==", "@", "^", "_", "__", "`", "~", "\"", "'", "\u2019", "\u201c", "\u201d", "\u00ab", "\u00bb", "\u20ac", "\u00a3", "\u00a9", "caf\u00e9", "cafe\u0301", "\u00e9", "e\u0301", "\u0301",
    "\u0327\u0301", "\u0301\u0327", "a\u0323\u0302", "\u1ea5", "\u00c5", "\u212b", "\u2126", "\u0130", "\u0131", "\u00df", "\u1e9e", "\ufb01", "\ufb03", "\u01c5", "\u0149", "\u03a3", "\u03c2", "\u0391\u03b8\u03ae\u03bd\u03b1",
    "\u041f\u0440\u0438\u0432\u0435\u0442", " \u043c\u0438\u0440", "\u0439", "\u0438\u0306", "\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05c1", "\u0645\u0631\u062d\u0628\u0627", "\u0644\u0627", "\u0640", "\u064b", "\u0928\u092e\u0938\u094d\u0924\u0947", "\u0915\u094d\u0937", "\u09be",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "\u0e33", "\u1780\u17b6", "\u4f60\u597d", "\u4e16\u754c", "\u3002", "\uff0c", "\u65e5\u672c\u8a9e", "\u3053\u3093\u306b\u3061\u306f", "\u30ab\u3099", "\u30ac", "\uff76\uff9e", "\uff21\uff11", "\ud55c\uad6d\uc5b4", "\u1112\u1161\u11ab", "\ud558\u11ab",
    "\uac00\u11a8", "\U00020000", "\U0002a6d6", "\u2f800"[:1] + "0", "\U0002f800", "\U00013000", "\U00010400", "\U0001e900", "\U0001d400", "\U0001f600", "\U0001f44d\U0001f3fd", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f", "\U0001f1e9\U0001f1ea", "\U000e0041",
    "\ufffd", "\uffff", "\U0010ffff", "\ue000", "\U000f0000", "\u0378", "\u2fe0", "\u093c", "\u0958", "\u0344", "\u0f73", "\u2adc", "\ufb1d", "\u0340", "\u1100\u1161", "\u302a", "\u0345", "\u0360", "\u20dd", "\U0001d15e", "\u00ad", "\u2060", "\u202e",
    "\u2581", "\u2581a", "\u0120", "\u010a", "\u00c4", "<0x41>", "<0xE4>", "<unk>", "<s>", "</s>", "<pad>", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "[MASK]", "[CLS]", "word", " word ", "[word]", "Lstrip", "Rstrip", " both ", "caf\u00e9!", "NORM", "norm", "\u00c9TOILE", "<|end", "endoftext|>",
    "aaaa", "abab", "xyz", "ZZ", "qu", "\u03b1\u03b2", "foo_bar", "fooBar", "HTTPServer", "x=1;", "// c", "http://e.x/?q=1&r=2", "a@b.cd", "1e-5", "0xFF", "C++", "#hash", "tl;dr", "\u2212", "\u00d7", "\u00b0C",
]
PLANES = [(0x20, 0x7E), (0xA0, 0x24F), (0x250, 0x6FF), (0x700, 0x1CFF), (0x1D00, 0x2BFF), (0x2C00, 0x33FF), (0x3400, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFF), (0x11000, 0x1DFFF), (0x1E000, 0x1FFFF), (0x20000, 0x323FF),
          (0x40000, 0xE0FFF), (0x10000, 0x10FFFF)]


class Random:
    """splitmix64 (Steele, Lea and Flood 2014)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (z ^ (z >> 31)) % n


def hostile_string(index):
    if index == 0:
        return ""
    random = Random(index)
    out = ""
    for _ in range(1 + random.below(12)):
        kind = random.below(10)
        if kind < 6:
            out += ATOMS[random.below(len(ATOMS))]
        elif kind == 6:
            first, last = PLANES[random.below(len(PLANES))]
            out += chr(first + random.below(last - first + 1))
        elif kind == 7:
            atom = ATOMS[random.below(len(ATOMS))]
            out += atom * (2 + random.below(8))
        elif kind == 8:
            out += chr(random.below(128))
        else:
            out += " " * random.below(4) + str(random.below(100000))
    if index % 100 == 99:
        out += ATOMS[random.below(len(ATOMS))] * 200
    return "".join(c if not 0xD800 <= ord(c) < 0xE000 else "\ufffd" for c in out)


def character_string(block):
    """Every character of a block of 64 after a letter, a digit, a space and alone on a line."""
    return "".join(f"a{c}1{c} {c}\n{c}B'{c}" for c in map(chr, range(64 * block, 64 * block + 64)) if not 0xD800 <= ord(c) < 0xE000)


def fnv1a(data):
    h = 0x811C9DC5
    for byte in data:
        h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
    return h


def folded(h):
    return f"{(h ^ (h >> 16)) & 0xFFFF:04x}"


def result_hash(ids, ids_special, decoded):
    text = ",".join(map(str, ids)) + "|" + ",".join(map(str, ids_special)) + "|" + decoded
    return fnv1a(text.encode("utf-8"))
