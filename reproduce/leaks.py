"""Laws of grammar that compressions break: how many of each kind, on sentences that were not used to mend them.

python reproduce/leaks.py                        the default on the sentences to report on
python reproduce/leaks.py --part work --show     those that were used while mending, with every leak
python reproduce/leaks.py --system ilp --ratio 0.6

Each check reads the parse of the source and the words that are kept, and none uses the rules of the compressor. In
brackets the same is asked of the four best parses of the beam too: a word is lost if one of them says so.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from common import data_folder, google_pairs
from tables import grid

from assay.systems.compress import Compression, compress
from assay.text.cache import default_cache
from assay.text.parse.flat import ParsedText, flatten, parse_texts
from assay.text.parse.parser import nbest

EACH = 200  # sentences of a set
RATIOS = (0.5, 0.6, 0.7)
PARSES = 4
_CLAUSES = ("ccomp", "advcl", "acl", "csubj")
_RELATIVE = ("WDT", "WP", "WP$", "WRB")
_PAIRS = {"both": "and", "either": "or", "neither": "nor"}
_AN = re.compile(r"(?i)^(?:[aeiou](?!ni[tvcqf]|n[ei]\b|u|ne\b|se|sua|nce)|ho(?:ur|nest|nor)|heir)")


def kinds_of(a: ParsedText, c: Compression) -> Iterator[tuple[str, str]]:
    """Yield the leaks of a compression: their kind, and the words."""
    kept = set(c.kept_tokens)
    for check in (connectives, complements, possessives, coordination, prepositions):
        for kind, i in check(a, kept):
            yield kind, a.tokens[i].text
    yield from marks(c)
    yield from articles(a, c)


def _kind(a: ParsedText, i: int) -> str:
    return a.words[i].relation.partition(":")[0]


def connectives(a: ParsedText, kept: set[int]) -> Iterator[tuple[str, int]]:
    """Where, when, who, if: dropped, and its clause kept below the word that it depends on."""
    for i, word in enumerate(a.words):
        verb = a.heads[i]
        if i in kept or verb not in kept or _kind(a, verb) not in _CLAUSES or a.heads[verb] not in kept:
            continue
        if _kind(a, i) == "mark" and not (word.form.lower() == "that" and _kind(a, verb) == "ccomp"):
            yield "connective", i
        if word.tag in _RELATIVE and _kind(a, i) in ("nsubj", "obj", "obl", "advmod", "nsubjpass"):
            yield "connective", i


def complements(a: ParsedText, kept: set[int]) -> Iterator[tuple[str, int]]:
    """A verb that had an object or a clause as complement, without any; one with a subject, without it."""
    for verb in kept:
        below = [k for k in a.children[verb] if not a.punctuation[k]]
        needed = [k for k in below if _kind(a, k) in ("obj", "xcomp", "ccomp")]
        if needed and not any(k in kept for k in needed) and a.words[verb].pos in ("VERB", "AUX"):
            aside = [k for k in needed if _kind(a, k) == "ccomp" and k < verb]  # It rains, he said
            if not aside:
                yield "complement", verb
        subjects = [k for k in below if _kind(a, k) == "nsubj"]
        if subjects and not any(k in kept for k in subjects):
            yield "subject", verb


def possessives(a: ParsedText, kept: set[int]) -> Iterator[tuple[str, int]]:
    """Half of a possessive: the boys' without the noun, or without the apostrophe."""
    for i, word in enumerate(a.words):
        if word.tag != "POS":
            continue
        owner = a.heads[i]
        if (i in kept) != (owner in kept) or (i in kept and a.heads[owner] >= 0 and a.heads[owner] not in kept):
            yield "possessive", i


def coordination(a: ParsedText, kept: set[int]) -> Iterator[tuple[str, int]]:
    """And without what follows or precedes it; two halves without it; both, either, neither alone."""
    for i, word in enumerate(a.words):
        head = a.heads[i]
        if _kind(a, i) == "cc" and head >= 0 and _kind(a, head) == "conj":
            first = a.heads[head]
            if i in kept and head not in kept:
                yield "coordination", i
            last = [k for k in a.children[first] if _kind(a, k) == "conj"][-1:] == [head]
            if i not in kept and head in kept and first in kept and last:
                yield "coordination", i
        partner = _PAIRS.get(word.form.lower())
        if partner and i in kept and _kind(a, i) == "cc":
            later = [k for k in range(i + 1, len(a.words)) if a.words[k].form.lower() == partner]
            if later and not any(k in kept for k in later):
                yield "coordination", i


def prepositions(a: ParsedText, kept: set[int]) -> Iterator[tuple[str, int]]:
    """A preposition, an article or `to` without its word, or a word without its preposition."""
    for i in range(len(a.words)):
        head = a.heads[i]
        if head < 0 or a.punctuation[i] or _kind(a, i) not in ("case", "det", "aux", "cop"):
            continue
        if i in kept and head not in kept:
            yield "function word alone", i
        if i not in kept and head in kept and _kind(a, i) in ("case", "aux", "cop") and a.words[i].tag != "POS":
            yield "function word lost", i


def marks(c: Compression) -> Iterator[tuple[str, str]]:
    """Commas that dangle or stand between subject and verb, and half pairs of quotation marks, in the text itself."""
    text = c.text
    for match in re.finditer(r"^\s*[,;:]|[,;:]\s*[,;:.!?]|[,;:]\s*$|\(\s*[,;.]", text):
        if match.group() not in c.source:
            yield "mark", match.group()
    if text.count("``") != text.count("''") and c.source.count("``") == c.source.count("''"):
        yield "quotation mark", "``"
    for opened, closed in (('"', '"'), ("“", "”"), ("(", ")"), ("[", "]")):
        odd = text.count('"') % 2 if opened == closed else text.count(opened) != text.count(closed)
        whole = not (c.source.count('"') % 2 if opened == closed else c.source.count(opened) != c.source.count(closed))
        if odd and whole:
            yield "quotation mark", opened


def articles(a: ParsedText, c: Compression) -> Iterator[tuple[str, str]]:
    """A for an or an for a, where the word after it is another than in the source; two articles in a row."""
    words = c.text.split()
    for one, two in pairwise(words):
        if f"{one} {two}" in c.source or not two[0].isalpha() or two.isupper():
            continue
        if (one.lower() == "a" and _AN.match(two)) or (one.lower() == "an" and not _AN.match(two)):
            yield "article", f"{one} {two}"
    for match in re.finditer(r"(?i)\b(a|an|the) (a|an|the)\b", c.text):
        yield "article", match.group()


def commas(a: ParsedText, c: Compression) -> Iterator[tuple[str, str]]:
    """One comma between a subject and its verb with nothing else between them."""
    kept = c.kept_tokens
    for n, i in enumerate(kept[1:-1], 1):
        left, right = kept[n - 1], kept[n + 1]
        if a.tokens[i].text == "," and a.heads[left] == right and _kind(a, left) == "nsubj":
            yield "comma", a.tokens[left].text


def sentences(part: str) -> list[str]:
    """Return sentences of MSR's training texts and of the Google pairs; half to work on, half to report on."""
    wanted = 0 if part == "work" else 1
    texts = []
    with gzip.open(data_folder() / "msr-compression" / "train-text.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    msr = [row["source"] for row in rows if "_" not in row["id"]]
    google = [item.sources[0] for item in list(google_pairs())[:4000]]
    for group in (msr, google):
        half = [t for t in group if hashlib.sha256(t.encode()).digest()[0] % 2 == wanted]
        texts += half[:EACH]
    return texts


def count(
    texts: list[str], run: Callable[[list[str]], list[Compression]], show: bool
) -> tuple[Counter[str], Counter[str], int]:
    """Count leaks by kind in the best parse, in any of several, and texts without any."""
    best: Counter[str] = Counter()
    every: Counter[str] = Counter()
    clean = 0
    parses = nbest(texts, n=PARSES, cache=default_cache())
    for a, c, several in zip(parse_texts(texts), run(texts), parses, strict=True):
        text = a.text
        trees = [a, *(flatten(text, parse) for parse in several)]
        leaks = [list(kinds_of(a, c)) + list(commas(a, c)) for a in trees]
        clean += not leaks[0]
        best.update(kind for kind, _ in leaks[0])
        every.update(kind for kind, _ in {leak for found in leaks for leak in found})
        if show and leaks[0]:
            print(f"{text}\n  -> {c.text}\n  {leaks[0]}", file=sys.stderr)
    return best, every, clean


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("work", "report"), default="report", help="which half of the sentences")
    parser.add_argument("--system", default="tagger-tree", help="the compressor (default: tagger-tree)")
    parser.add_argument("--ratio", type=float, action="append", help="share of words to keep (default: .5, .6 and .7)")
    parser.add_argument("--no-faithful", action="store_true", help="without the guard of what is said")
    parser.add_argument("--show", action="store_true", help="print each text with a leak")
    args = parser.parse_args()
    texts = sentences(args.part)
    results = {}
    for ratio in args.ratio or RATIOS:

        def run(sources: list[str], ratio: float = ratio) -> list[Compression]:
            return compress(sources, args.system, ratio=ratio, faithful=not args.no_faithful)

        results[ratio] = count(texts, run, args.show)
    kinds = sorted({kind for best, every, _ in results.values() for kind in (*best, *every)})
    rows = [[kind, *(f"{best[kind]} ({every[kind]})" for best, every, _ in results.values())] for kind in kinds]
    rows.append(["all", *(f"{best.total()} ({every.total()})" for best, every, _ in results.values())])
    rows.append(["texts without a leak, %", *(f"{100 * clean / len(texts):.1f}" for _, _, clean in results.values())])
    heads = [f"leaks (in any of {PARSES} parses)", *(f"ratio {ratio:g}" for ratio in results)]
    print(f"{args.system}, {len(texts)} sentences, part {args.part}\n\n{grid(heads, rows)}")


if __name__ == "__main__":
    main()
