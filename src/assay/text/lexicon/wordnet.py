"""WordNet: the synsets of a lemma, from a small file that comes with Assay or from a lexicon of the `wn` library."""

from __future__ import annotations

import mmap
import struct
import zlib
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from ...errors import InputError, UnknownName
from ...extras import find_data

# The format is described in training/text/lexicon/compile_wordnet.py.
TABLE = "text/data/wordnet.bin"

_MAGIC = b"assay-wordnet-1\n"
_TAGS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}
_POS = _TAGS | {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}
_REMEMBERED = 2**17  # lemmas


def synsets(lemma: str, pos: str, *, lexicon: str = "wordnet") -> tuple[int, ...]:
    """Return the synsets of a lemma as one part of speech, the most frequent sense first; empty if there are none.

    `pos` is a UD tag (NOUN, VERB, ADJ, ADV, ...; others have no synsets) or one of WordNet's letters. `lexicon` is
    wordnet (3.0, comes with Assay; a number is a digit for the part of speech and the offset in Debian's data file)
    or wn:NAME for a lexicon that the `wn` library holds, as wn:oewn:2024.

    >>> synsets("car", "NOUN")
    (102958343, 102959942, 102960501, 102960352, 102934451)
    >>> synsets("car", "VERB"), synsets("of", "ADP")
    ((), ())
    """
    letter = _POS.get(pos)
    if letter is None:
        return ()
    return _of_wordnet(lemma, letter) if lexicon == "wordnet" else _of_wn(lemma, letter, lexicon)


def synonyms(a: str, b: str, pos: str, *, lexicon: str = "wordnet") -> bool:
    """Return whether two lemmas are the same, case apart, or share a synset.

    >>> synonyms("car", "automobile", "NOUN"), synonyms("car", "bicycle", "NOUN"), synonyms("Oslo", "oslo", "X")
    (True, False, True)
    """
    if a.lower() == b.lower():
        return True
    return not set(synsets(a, pos, lexicon=lexicon)).isdisjoint(synsets(b, pos, lexicon=lexicon))


@lru_cache(maxsize=_REMEMBERED)
def _of_wordnet(lemma: str, letter: str) -> tuple[int, ...]:
    key = f"{letter} {lemma.lower().replace(' ', '_')}".encode("utf-8", "replace")
    data, buckets = _table()
    places = len(_MAGIC) + 4
    start, end = struct.unpack_from("<2I", data, places + 4 * (zlib.crc32(key) % buckets))
    first = places + 4 * (buckets + 1)
    records = data[first + start : first + end]
    place = 0
    while place < len(records):
        key_end = place + 1 + records[place]
        count = records[key_end]
        if records[place + 1 : key_end] == key:
            return struct.unpack_from(f"<{count}I", records, key_end + 1)
        place = key_end + 1 + 4 * count
    return ()


@lru_cache(maxsize=1)
def multiwords() -> frozenset[str]:
    """Return every entry of several words, as "v step_down", to rule out quickly phrases that are not an entry."""
    data, buckets = _table()
    place = len(_MAGIC) + 4 + 4 * (buckets + 1)
    entries = []
    while place < len(data):
        key_end = place + 1 + data[place]
        key = data[place + 1 : key_end]
        if b"_" in key:
            entries.append(key.decode())
        place = key_end + 1 + 4 * data[key_end]
    return frozenset(entries)


@lru_cache(maxsize=1)
def _table() -> tuple[mmap.mmap, int]:
    with find_data(TABLE).open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if data[: len(_MAGIC)] != _MAGIC:
        raise InputError(f"{TABLE} is not a table of synsets; install Assay again")
    return data, struct.unpack_from("<I", data, len(_MAGIC))[0]


@lru_cache(maxsize=_REMEMBERED)
def _of_wn(lemma: str, letter: str, lexicon: str) -> tuple[int, ...]:
    letters = "as" if letter == "a" else letter  # wn keeps adjective satellites apart
    names = [synset.id for each in letters for synset in _wn(lexicon).synsets(lemma, pos=each)]
    return tuple(dict.fromkeys(int.from_bytes(blake2b(name.encode(), digest_size=7).digest(), "big") for name in names))


@lru_cache(maxsize=4)
def _wn(lexicon: str) -> Any:
    kind, _, name = lexicon.partition(":")
    if kind != "wn" or not name:
        raise UnknownName(
            "lexicon", lexicon, ["wordnet"], hint="(wordnet, or wn:NAME for one that the wn library holds)"
        )
    try:
        import wn
    except ImportError:
        raise InputError(f"lexicon {lexicon!r} needs the wn library: pip install wn") from None
    try:
        return wn.Wordnet(lexicon=name)
    except wn.Error as error:
        raise InputError(
            f"the wn library holds no lexicon {name!r} ({error}); python -m wn lexicons lists those it holds, "
            f"wn.add(FILE) adds one"
        ) from None
