"""Compile WordNet's word-to-synset table, without glosses, into the file that `assay.text.lexicon.wordnet` reads.

apt-get install wordnet-base
python training/text/lexicon/compile_wordnet.py
python training/text/lexicon/compile_wordnet.py WordNet-2.0-Exceptions --exceptions   (irregular forms, for ROUGE)
"""

from __future__ import annotations

import argparse
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).resolve().parents[3] / "src" / "assay" / "text" / "data" / "wordnet.bin"
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}  # adjective satellites are in index.adj
DIGIT = {"n": 1, "v": 2, "a": 3, "r": 4}  # a synset's number: this digit, then its eight-digit offset, as in WordNet's
#                                             Prolog files
MAGIC = b"assay-wordnet-1\n"
BUCKETS = 2**17
EXCEPTIONS = TARGET.with_name("wordnet-exceptions.txt")
# What comes later replaces: NIST's figures for DUC 2007 say that the adverbs (better, well) came after the adjectives.
EXCEPTION_FILES = ("noun", "verb", "adj", "adv")


def senses(folder: Path) -> Iterator[tuple[bytes, list[int]]]:
    """Each lemma with its part of speech in front ("n dog"), and the numbers of its synsets, most frequent first."""
    for pos, name in FILES.items():
        for line in (folder / f"index.{name}").read_text("ascii").splitlines():
            if line.startswith(" "):  # the licence
                continue
            lemma, _, count, pointers, *rest = line.split()
            offsets = rest[int(pointers) + 2 :]
            assert len(offsets) == int(count)
            yield f"{pos} {lemma}".encode(), [DIGIT[pos] * 10**8 + int(offset) for offset in offsets]


def table(folder: Path) -> bytes:
    """The file.

    magic (16 bytes) | number of buckets, u32 | where each bucket's records begin and the last ends, u32 each | records

    A key is in bucket crc32(key) mod buckets. A record: length of the key, u8 | key | number of synsets, u8 | synsets,
    u32 each. All numbers are little-endian; places are bytes from the beginning of the records.
    """
    buckets: list[list[bytes]] = [[] for _ in range(BUCKETS)]
    for key, numbers in sorted(senses(folder)):
        record = bytes([len(key)]) + key + bytes([len(numbers)]) + struct.pack(f"<{len(numbers)}I", *numbers)
        buckets[zlib.crc32(key) % BUCKETS].append(record)
    parts = [b"".join(records) for records in buckets]
    places = [0]
    for part in parts:
        places.append(places[-1] + len(part))
    return MAGIC + struct.pack(f"<{BUCKETS + 2}I", BUCKETS, *places) + b"".join(parts)


def merge_exceptions(folder: Path) -> str:
    """The first base form of each irregular form in WordNet's exception lists, as buildExeptionDB.pl merges them."""
    forms: dict[str, str] = {}
    for name in EXCEPTION_FILES:
        for line in (folder / f"{name}.exc").read_text("ascii").splitlines():
            form, base, *_ = line.split()
            forms[form] = base
    return "".join(f"{form} {base}\n" for form, base in sorted(forms.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path("/usr/share/wordnet"), help="WordNet's dict folder"
    )
    parser.add_argument("--exceptions", action="store_true", help="merge noun.exc, verb.exc, adj.exc and adv.exc")
    parser.add_argument("--out", type=Path, help="file to write")
    args = parser.parse_args()
    if args.exceptions:
        target = args.out or EXCEPTIONS
        target.write_text(merge_exceptions(args.folder))
        print(f"{target}: {len(target.read_text().splitlines()):,} irregular forms")
        return
    if not (args.folder / "index.noun").exists():
        parser.error(f"no index.noun in {args.folder}; apt-get install wordnet-base, or name the folder")
    made = table(args.folder)
    target = args.out or TARGET
    target.write_bytes(made)
    print(f"{target}: {len(made):,} bytes, {sum(1 for _ in senses(args.folder)):,} lemmas")


if __name__ == "__main__":
    main()
