#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/text/recalltask.json: sequences of the recall tasks from a second implementation that draws the same counter-based numbers.

Usage: recalltask.py OUT.json        (standard library only)
"""
import json
import math
import sys

MASK = (1 << 64) - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def seed_for(seed, purpose, layer=0, index=0):
    h = mix(seed)
    for byte in purpose.encode():
        h = mix(h ^ byte)
    h = mix(h ^ len(purpose))
    h = mix(h ^ layer)
    return mix(h ^ index)


class Draws:
    def __init__(self, seed):
        self.key, self.n = mix(seed), 0

    def bits(self):
        value = mix(self.key ^ mix(self.n))
        self.n += 1
        return value

    def unit(self):
        return ((self.bits() >> 11) + 0.5) / 2**53

    def below(self, bound):
        limit = MASK - MASK % bound
        while (value := self.bits()) >= limit:
            pass
        return value % bound

    def distinct(self, count, bound):
        rest, out = list(range(bound)), []
        for i in range(count):
            j = i + self.below(bound - i)
            rest[i], rest[j] = rest[j], rest[i]
            out.append(rest[i])
        return out


def chain(seed, fillers):
    draws, table = Draws(seed_for(seed, "filler-chain")), {}
    for a in range(fillers):
        for b in range(fillers):
            likely = draws.below(fillers)
            table[a, b] = (likely, [f for f in range(fillers) if f != likely][draws.below(fillers - 1)])
    return table


def recall_mix(num_keys, num_values, num_fillers, pairs, length, chain_seed, seed, index):
    table, draws = chain(chain_seed, num_fillers), Draws(seed_for(seed, "recall-mix", 0, index))
    keys, values = draws.distinct(pairs, num_keys), draws.distinct(pairs, num_values)
    pair = [(k, num_keys + v) for k, v in zip(keys, values)]
    ids, targets = [t for kv in pair for t in kv], [0] * (2 * pairs)
    while len(ids) < length:
        if draws.unit() < 0.7:
            ids += pair[draws.below(pairs)]
            targets += [1, 0]
            continue
        run = []
        for i in range(2 + draws.below(3)):
            if i < 2:
                run.append(draws.below(num_fillers))
            else:
                run.append(table[run[-2], run[-1]][0 if draws.unit() < 0.8 else 1])
        ids += [num_keys + num_values + f for f in run]
        targets += [0] + [2] * (len(run) - 2) + [0]
    return ids[:length], targets[:length - 1] + [0]


def mqar(vocab_size, length, pairs, passes, power_a, random_fillers, seed, index):
    draws, half = Draws(seed_for(seed, "mqar", 0, index)), vocab_size // 2
    keys = [1 + k for k in draws.distinct(pairs, half - 1)]
    values = [half + v for v in draws.distinct(pairs, vocab_size - half)]
    listed = 2 * pairs * passes
    scores = [((power_a - 1) * math.log(g + 1) - math.log(-math.log(draws.unit())), g) for g in range((length - listed) // 2)]
    slots = [g for _, g in sorted(scores, reverse=True)[:pairs]]
    ids = [t for kv in zip(keys, values) for t in kv] * passes
    ids += [draws.below(vocab_size) if random_fillers else 0 for _ in range(length - listed)]
    answers = [-100] * length
    for key, value, slot in zip(keys, values, slots):
        ids[listed + 2 * slot], answers[listed + 2 * slot] = key, value
    return ids, answers


def main():
    out = {"mix": [], "mqar": []}
    for spec in (dict(num_keys=64, num_values=64, num_fillers=32, pairs=20, length=96, chain_seed=1, seed=1, index=0),
                 dict(num_keys=64, num_values=64, num_fillers=32, pairs=20, length=96, chain_seed=1, seed=2**63 + 11, index=12345),
                 dict(num_keys=5, num_values=7, num_fillers=2, pairs=5, length=41, chain_seed=9, seed=3, index=1)):
        ids, targets = recall_mix(**spec)
        out["mix"].append({**spec, "ids": ids, "targets": targets})
    for spec in (dict(vocab_size=256, length=64, pairs=4, passes=1, power_a=0.01, random_fillers=True, seed=1, index=0),
                 dict(vocab_size=8192, length=64, pairs=8, passes=2, power_a=1.0, random_fillers=False, seed=5, index=7),
                 dict(vocab_size=41, length=40, pairs=10, passes=1, power_a=0.01, random_fillers=True, seed=6, index=2)):
        ids, answers = mqar(**spec)
        out["mqar"].append({**spec, "ids": ids, "answers": answers})
    with open(sys.argv[1], "w") as file:
        file.write("{\n")
        file.write(",\n".join(f'"{kind}": [\n' + ",\n".join(json.dumps(e, separators=(",", ":")) for e in entries) + "\n]" for kind, entries in out.items()))
        file.write("\n}\n")


main()
