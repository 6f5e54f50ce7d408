"""The compiled core called with arguments of every wrong kind: it may raise, it must not crash.

python tests/fuzz/fuzz_binding.py [ROUNDS] [--core FOLDER]   (a folder with another build of the core)
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import json
import random
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).parents[2]
RAISED = (TypeError, ValueError, IndexError, OverflowError, MemoryError, RuntimeError)
WORDS = ["the", "cat", "sat", "on", "a", "mat", "", "Straße", "running", "x" * 300]
HUGE = (
    -(2**63),
    -(2**31) - 1,
    -2,
    -1,
    0,
    1,
    3,
    63,
    64,
    1001,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**40,
    2**62,
    2**63 - 1,
    2**64,
)
FLOATS = (float("nan"), float("inf"), float("-inf"), -1.0, 0.0, 1e-320, 0.5, 1.0, 1e308)
DTYPES = ("int8", "int64", "uint32", "uint64", "float32", "float64", "bool", "complex64", "object", "U3", "M8[s]")


class World:
    """Objects that belong together. Those of another world have the same types and do not fit."""

    def __init__(self, core: Any, rng: random.Random) -> None:
        self.rng = rng
        self.vocab = core.Vocab()
        self.words_of = lambda n: [" ".join(rng.choices(WORDS, k=rng.randrange(8))) for _ in range(n)]
        outputs, references = (np.cumsum([0] + [rng.randrange(3) for _ in range(3)]) for _ in range(2))
        own = [-1] * int(outputs[-1])
        self.arrays = (outputs.astype(np.int64), references.astype(np.int64), np.array(own, np.int64))
        self.layout = core.Layout(*self.arrays)
        self.texts, self.reference_texts = self.words_of(int(outputs[-1])), self.words_of(int(references[-1]))
        self.outputs = core.tokenize(self.texts, "unicode", self.vocab)
        self.references = core.tokenize(self.reference_texts, "unicode", self.vocab)
        self.map = core.WordMap()
        self.map.extend_porter(self.vocab)
        variants = core.tokenize(self.words_of(len(self.references)), "unicode", self.vocab)
        self.variants = variants
        self.of = np.arange(len(self.references), dtype=np.int64)
        self.lattices = core.Lattices(self.references, variants, variants, variants, self.of)
        self.units = [[1, 0, 0, 0], [2, 1, 4, 0], [0, 0, 0, 0]]
        self.counts = core.overlap(self.outputs, self.references, self.layout, self.units, [])[0]
        self.bitext = core.tokenize(self.words_of(4), "unicode", self.vocab)
        self.aligned = core.align(self.bitext, self.bitext, 1, 1, 0.2, 0.2, 0.0, 50, 0)
        self.table, self.documents = core.NgramTable(3), core.DocumentTable(2)
        self.counter = core.NGramCounter()
        self.counter.add("\n".join(self.words_of(5)) + "\n")
        self.grams, _, _ = self.counter.finish(3, 1, [0, 0, 0])
        self.mono = core.MonoText([("cat", "cat", "", [1], 0), ("5", "5", "5", [], 1)], [(0, 2, "cat5", "c5", "", [])])
        size = max(self.outputs.vocab_size, self.references.vocab_size)
        self.vectors, self.ends = np.ones((size, 3), np.float32), np.array([0, size // 2, size], np.int64)
        self.known, self.parts = np.ones(size, np.uint8), np.arange(size, dtype=np.int64).reshape(-1, 1)
        lexicon = core.build_lexicon(["cat", "mat"], np.array([1, 2], np.uint32), ["0|"])
        self.lexicon_file = np.frombuffer(lexicon, np.uint8)
        self.lexicon = core.Lexicon(self.lexicon_file)
        limits = np.array([8, 4, 2, 3, 3, 0.0])
        self.split_rules = (["", "s"], ["", "en"], np.ones(64, np.uint8), limits, limits)
        weights = np.zeros(core.split_weights(), np.float32)
        self.split_settings = (self.lexicon, *self.split_rules, weights, True, True, False, True, 2)
        self.splitter = core.Splitter(*self.split_settings)
        lines = (
            '{"id": 1, "outputs": {"A": "caf\\u00e9 <b>"}, "references": ["r"]}\n{"id": "x", "outputs": {"A": ""}}\n'
        )
        self.lines = lines.encode()
        self.items = core.read_json_items(self.lines)
        self.column = self.items.outputs
        self.sums = core.ExactSums()
        self.sums.grow(3)
        self.model = [
            getattr(self.grams, name)
            for name in ("prob1", "back1", "begin2", "word2", "prob2", "back2", "begin3", "word3", "prob3")
        ]


class Word(NamedTuple):
    """A word as the parser makes them."""

    form: str
    lemma: str
    pos: str
    tag: str
    features: str
    head: int
    relation: str


@cache
def read_weights() -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read the weights of the English parser: the file of the models in the repository."""
    content = (ROOT / "models" / "base" / "assay_models" / "parser" / "en.safetensors").read_bytes()
    size = 8 + int.from_bytes(content[:8], "little")
    entries = {name: entry for name, entry in json.loads(content[8:size]).items() if name != "__metadata__"}
    kinds = {"F32": "<f4", "I32": "<i4", "U8": "u1"}
    arrays = {
        name: np.frombuffer(
            content[size + entry["data_offsets"][0] : size + entry["data_offsets"][1]], kinds[entry["dtype"]]
        )
        for name, entry in entries.items()
    }
    return arrays, json.loads(arrays["tables"].tobytes())


@cache
def read_parser(core: Any) -> Any:
    return core.Parser(*read_weights(), Word)


@cache
def read_encoder(core: Any) -> Any:
    """Return an encoder of one layer with weights that are zero."""
    width, shape, arc = 32, 8, 3
    sizes = {"pos": 2, "tag": 2, "feats": 2, "lemma": 2, "dep": 2}
    rows = {
        **{f"encoder.{name}.weight": (n, width) for name, n in (("piece", 3000), ("position", 9), ("shape", 5))},
        **{f"mix_{name}.shape.weight": (5, shape) for name in ("tags", "trees", "keep")},
        **{f"encoder.layers.0.{name}.weight": (n, width) for name, n in (("qkv", 3 * width), ("out", width))},
        **{f"encoder.layers.0.{name}.weight": (width, width) for name in ("up", "down")},
        **{f"columns.{name}.weight": (2, width + shape) for name in ("pos", "tag", "feats", "lemma")},
        "start.weight": (1, width + shape),
        "keep_in.weight": (4, width + shape),
        "keep_out.weight": (1, 4),
        **{
            f"{name}.{side}.weight": (arc, width + shape)
            for name in ("arc", "relation")
            for side in ("dependent", "head")
        },
        "arc.weight": (arc + 1, arc + 1),
        "relation.weight": (2 * (arc + 1), arc + 1),
    }
    arrays = {name: np.zeros(size, np.int8) for name, size in rows.items()}
    arrays |= {f"{name}.scale": np.ones(size[0], np.float32) for name, size in rows.items()}
    linear = [name.removesuffix(".weight") for name in rows if not name.startswith(("mix", "encoder.p", "encoder.s"))]
    arrays |= {f"{name}.bias": np.zeros(rows[f"{name}.weight"][0], np.float32) for name in linear}
    for name in ("encoder.norm", "encoder.layers.0.norm1", "encoder.layers.0.norm2"):
        arrays |= {f"{name}.weight": np.ones(width, np.float32), f"{name}.bias": np.zeros(width, np.float32)}
    arrays |= {f"mix_{name}.share": np.ones(1, np.float32) for name in ("tags", "trees", "keep")}
    arrays |= {f"{name}.root": np.zeros(arc, np.float32) for name in ("arc", "relation")}
    return core.Encoder(arrays, {**sizes, "root": 0})


def calls(core: Any, w: World) -> dict[str, tuple[Callable[..., Any], Sequence[Any]]]:
    """Every function and method of the core with arguments that fit."""
    texts = (w.outputs, w.references, w.layout)
    ints, ids = np.array([0, 1, 0], np.int64), np.array([1, 2, 1], np.uint32)
    edges = (np.array([1, 2], np.int64), np.array([0, 1], np.int64), np.array([np.nan, 0.5]))
    tree = (np.array([-1, 0, 0], np.int64), np.ones(3), np.ones(3, np.int64), np.zeros(3, np.int64))
    senses = [(0, [1, 2])] if w.outputs.vocab_size else []
    places = np.zeros(len(w.bitext.ids), np.int64)
    parser, (weights, tables) = read_parser(core), read_weights()
    pieces = core.WordPieces("[UNK]\nthe\n##s\na", str.lower)
    words = (np.array([1037, 2000, 7, 9], np.int32), np.array([1, 3, 4], np.int32), np.array([0, 1, 2], np.int32))
    lines = ["It rains. Can't you see?", "", "(U.S.) :-) http://a.b/c", *w.words_of(3)]
    return {
        "WordPieces.cut": (pieces.cut, (lines[2],)),
        "WordPieces.find": (pieces.find, ("the",)),
        "Encoder.encode": (read_encoder(core).encode, (*words, np.array([2, 3], np.int32), 2)),
        "Parser": (core.Parser, (weights, tables, Word, "")),
        "Parser.parse": (parser.parse, (lines, 2)),
        "Parser.parse_best": (parser.parse_best, (lines[0], 3)),
        "Parser.tokenize": (parser.tokenize, (lines[2],)),
        "TextColumn.__getitem__": (w.column.__getitem__, (1,)),
        "TextColumn.tolist": (w.column.tolist, ()),
        "TextColumn.count_blank": (w.column.count_blank, ()),
        "TextColumn.not_ascii": (w.column.not_ascii, ()),
        "TextColumn.with_byte": (w.column.with_byte, ("<", "&")),
        "TextColumn.replaced": (w.column.replaced, ([0], ["new"])),
        "TextColumn.run_lengths": (w.column.run_lengths, ()),
        "TextColumn.run_starts": (w.column.run_starts, ()),
        "TextColumn.repeats": (w.column.repeats, (1,)),
        "TextColumn.add_to": (w.column.add_to, (core.Seen(),)),
        "list_column": (core.list_column, (["a", "b c", ""], 0, 2)),
        "arrow_column": (core.arrow_column, (b"", np.array([0, 1, 3], np.int32), np.frombuffer(b"abc", np.uint8))),
        "common_lists": (core.common_lists, (w.column, np.array([0, 1, 2], np.int64), np.ones(2, np.uint8), 2)),
        "read_json_items": (core.read_json_items, (w.lines,)),
        "JsonItems.line": (w.items.line, (1,)),
        "find_lines": (core.find_lines, (w.lines, 0, 2, 100)),
        "ExactSums.grow": (core.ExactSums().grow, (2,)),
        "ExactSums.add": (w.sums.add, (ints, np.array([1e300, -0.5, 5e-324]))),
        "ExactSums.add_whole": (w.sums.add_whole, (1, b"\x01\x02", True)),
        "ExactSums.add_infinite": (w.sums.add_infinite, (1, float("inf"))),
        "ExactSums.whole": (w.sums.whole, (2,)),
        "ExactSums.infinite": (w.sums.infinite, (0,)),
        "Vocab.words": (w.vocab.words, (0,)),
        "Vocab.__getitem__": (w.vocab.__getitem__, (0,)),
        "Vocab.intern": (w.vocab.intern, ("word",)),
        "WordMap.extend_porter": (core.WordMap().extend_porter, (w.vocab, 3)),
        "WordMap.extend_porter155": (core.WordMap().extend_porter155, (w.vocab, {"cats": "cat"})),
        "WordMap.extend_words": (core.WordMap().extend_words, (w.vocab, ["a", None])),
        "Tokens.lengths": (w.outputs.lengths, ()),
        "Tokens.words": (w.outputs.words, (w.vocab, 0)),
        "Tokens.first": (w.outputs.first, (2,)),
        "Tokens.distinct": (w.outputs.distinct, ()),
        "Tokens.mapped": (w.outputs.mapped, (w.map, w.vocab)),
        "Layout": (core.Layout, w.arrays),
        "Seen.add": (core.Seen().add, ("a",)),
        "NgramTable": (core.NgramTable, (3,)),
        "NgramTable.add": (w.table.add, (w.references, w.vocab)),
        "DocumentTable": (core.DocumentTable, (2,)),
        "DocumentTable.add": (w.documents.add, (w.references, w.vocab)),
        "DocumentTable.holding": (w.documents.holding, (w.outputs, w.vocab, w.map)),
        "ngrams": (core.ngrams, ([w.outputs, w.references], 2, w.map)),
        "divergence": (core.divergence, (*texts, 0, 0.1)),
        "best_cosines": (core.best_cosines, (w.vectors, w.ends, w.vectors, w.ends)),
        "soft_overlap": (core.soft_overlap, (*texts, w.vectors, w.known, w.parts, True, 0.5, False)),
        "tokenize": (core.tokenize, (w.texts, "13a", w.vocab)),
        "bags": (core.bags, (ints, np.array([0, 2, 3], np.int64), 2)),
        "Lattices": (core.Lattices, (w.references, w.variants, w.variants, w.variants, w.of)),
        "overlap": (core.overlap, (*texts, w.units, [], w.lattices)),
        "union_lcs": (core.union_lcs, (*texts, 1.2)),
        "word_edits": (core.word_edits, texts),
        "translation_edits": (core.translation_edits, (*texts, 5000)),
        "maximum_match": (core.maximum_match, (*texts, 1.5)),
        "meteor": (core.meteor, (*texts, w.map, senses, 0.9, 3.0, 0.5)),
        "nist": (core.nist, (*texts, w.vocab, w.table)),
        "chrf": (core.chrf, (w.texts, w.reference_texts, w.layout, 6, 2, 2.0, False, True)),
        "pool": (core.pool, (w.counts, w.layout, 2, 1, 1.0, -1, 1.0)),
        "closest_length": (core.closest_length, (w.counts, w.layout, True)),
        "first_match": (core.first_match, (w.counts, w.layout)),
        "align": (core.align, (w.bitext, w.bitext, 1, 1, 0.2, 0.2, 0.0, 50, 0)),
        "united": (core.united, (w.bitext, w.bitext, places, places, 50, 0)),
        "phrase_pairs": (core.phrase_pairs, (w.bitext, w.bitext, w.aligned.links, 4, True)),
        "NGrams": (core.NGrams, (3, *w.model)),
        "NGrams.log_probs": (w.grams.log_probs, (ids, ids, ids)),
        "NGrams.sentence": (w.grams.sentence, (ids,)),
        "NGrams.best_words": (w.grams.best_words, (ids, np.ones(3), 0.3, ids, 1, 4)),
        "NGramCounter.add": (w.counter.add, ("a b\n",)),
        "NGramCounter.finish": (w.counter.finish, (2, 1, [0, 0])),
        "best_subtree": (core.best_subtree, (*tree, 0, 2)),
        "best_closure": (core.best_closure, (*tree[1:], *edges, 0, 2, 16)),
        "MonoText": (core.MonoText, ([("a", "a", "", [1], 0)], [(0, 1, "a", "a", "", [])])),
        "monoalign": (core.monoalign, (w.mono, w.mono, [0.5] * 21)),
        "build_lexicon": (core.build_lexicon, (["cat", "mat"], np.array([1, 2], np.uint32), ["0|"])),
        "Lexicon": (core.Lexicon, (w.lexicon_file,)),
        "Lexicon.find": (w.lexicon.find, ("cat",)),
        "Lexicon.bits": (w.lexicon.bits, (0,)),
        "Lexicon.lemma": (w.lexicon.lemma, ("cat", 0)),
        "Lexicon.guess_lemma": (w.lexicon.guess_lemma, ("cats",)),
        "Lexicon.words": (w.lexicon.words, ()),
        "Splitter": (core.Splitter, w.split_settings),
        "Splitter.set_guesser": (w.splitter.set_guesser, (w.split_rules[3],)),
        "Splitter.remove": (w.splitter.remove, (["dog"],)),
        "Splitter.covers": (w.splitter.covers, ("catmat", 10)),
        "Splitter.mark": (w.splitter.mark, (["catmat", "x"], "|")),
        "Splitter.split": (w.splitter.split, (["catmat", "x"],)),
        "Splitter.features": (w.splitter.features, (["catmat", "x"],)),
        "split_weights": (core.split_weights, ()),
        "porter": (core.porter, ("running",)),
        "porter155": (core.porter155, ("running",)),
    }


def missing(core: Any) -> list[str]:
    """Functions and methods of the core that are not called here."""
    known = calls(core, World(core, random.Random(0)))
    found = []
    for name, thing in vars(core).items():
        if name.startswith("_"):
            continue
        if isinstance(thing, type):
            methods = [f"{name}.{m}" for m, v in vars(thing).items() if callable(v) and not m.startswith("_")]
            found += methods
        elif callable(thing):
            found.append(name)
    return [name for name in found if name not in known]


def wrong(value: Any, other: Any, rng: random.Random) -> Any:
    """Something else in place of an argument: of the same type most often, as that gets furthest."""
    if rng.random() < 0.1:
        return rng.choice([None, "", "\ud800", "x" * 5000, b"\xff", 1, 2.5, [], {}, (), object(), np.zeros(0)])
    if isinstance(value, np.ndarray):
        return _wrong_array(value, other, rng)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice(HUGE)
    if isinstance(value, float):
        return rng.choice(FLOATS)
    if isinstance(value, str):
        return rng.choice(["", "\0", "\ud800", "no such", "ü" * 2000, "rouge155", "char"])
    if isinstance(value, (list, tuple)) and value and rng.random() < 0.7:
        changed = list(value)
        place = rng.randrange(len(changed))
        changed[place] = wrong(changed[place], changed[place], rng)
        return type(value)(changed)
    if isinstance(value, (list, tuple)):
        return rng.choice([type(value)(), list(value) * 3, [None], [[1]], [1.5]])
    return other


def _wrong_array(value: np.ndarray, other: Any, rng: random.Random) -> Any:
    changed = value.copy()
    np.seterr(all="ignore")
    match rng.randrange(8):
        case 0:
            return other
        case 1:
            try:
                return value.astype(rng.choice(DTYPES))
            except (TypeError, ValueError):
                return value.astype(object)
        case 2:
            return rng.choice([value[:0], value[:-1], value[None], np.repeat(value, 2), np.array(3), value[::-1]])
        case 3:
            return np.concatenate([value, value])[::2]
        case 4:
            return np.broadcast_to(np.zeros(1, value.dtype), value.shape)
        case _ if changed.size:
            flat = changed.reshape(-1)
            pool = FLOATS if changed.dtype.kind == "f" else [h for h in HUGE if _fits(h, changed.dtype)]
            for _ in range(rng.choice([1, 1, flat.size])):
                flat[rng.randrange(flat.size)] = rng.choice(pool)
            return changed
        case _:
            return np.zeros(rng.randrange(5), value.dtype)


def _fits(number: int, dtype: np.dtype) -> bool:
    limits = np.iinfo(dtype)
    return limits.min <= number <= limits.max


def run(core: Any, rounds: int, seed: int = 7) -> tuple[int, int]:
    """How many calls were made, and how many of them raised."""
    rng = random.Random(seed)
    made = raised = 0
    for _ in range(rounds):
        world, alien = World(core, rng), World(core, rng)
        table, others = calls(core, world), calls(core, alien)
        for name, (function, arguments) in table.items():
            for attempt in range(3):
                given = list(arguments)
                for place in rng.sample(range(len(given)), min(len(given), attempt)):
                    given[place] = wrong(given[place], others[name][1][place], rng)
                made += 1
                try:
                    function(*given)
                except RAISED:
                    raised += 1
    return made, raised


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=100)
    parser.add_argument("--core", metavar="FOLDER")
    args = parser.parse_args()
    faulthandler.enable()
    faulthandler.dump_traceback_later(600, exit=True)
    if args.core:
        sys.path.insert(0, args.core)
    else:
        sys.path.insert(0, str(ROOT / "src"))
    core = importlib.import_module("_core" if args.core else "assay._core")
    number, errors = run(core, args.rounds)
    print(f"{number:,} calls of the binding, {errors:,} raised, none crashed")
