"""Real files in every format with bytes changed, through every reader: only Assay's own errors may come out.

python tests/fuzz/fuzz_readers.py [ROUNDS]   (mutated copies of each file)
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import assay
from assay import formats
from assay.errors import AssayError, AssayWarning
from assay.formats import ScoreWriter, documents, read_scores, read_units, score_records, text_pairs
from assay.systems.compress.tree._brackets import trees_of_file
from assay.text.lm.trigrams import load as load_model
from assay.text.lm.trigrams import train
from assay.text.parse.conllu import read_conllu

ROOT = Path(__file__).parents[2]
Reader = Callable[[Path], object]
PIECES = (
    b"",
    b"\0",
    b"\n",
    b"\r",
    b'"',
    b",",
    b"\t",
    b"{",
    b"]",
    b"\\ud800",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"-1",
    b"1e999",
    b"null",
    b"9" * 25,
)
CONLLU = (
    "# text = Cats sleep.\n1\tCats\tcat\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n"
    "2\tsleep\tsleep\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
)
RATED = "1\tL\tThe cat sat ||| The cat\t6\t1\t6\tMost important meaning Flawless language ||| A cat\t7\t0\r\n"


def _read(path: Path) -> None:
    formats.read(path)


def _stream(path: Path) -> None:
    for chunk in formats.stream(path, batch=2, allow_missing=True):
        list(chunk)


def _sets(path: Path) -> None:
    _either(path, _read, _stream)


def _either(path: Path, *readers: Reader) -> None:
    """All of them; the first error of each is as good as any."""
    errors = []
    for reader in readers:
        try:
            reader(path)
        except AssayError as error:
            errors.append(error)
    if len(errors) == len(readers):
        raise errors[0]


def _any(path: Path) -> None:
    """Readers that are not made for a file get it all the same."""
    _either(
        path,
        _read,
        _stream,
        read_scores,
        read_units,
        lambda p: list(text_pairs(p)),
        lambda p: list(documents(p)),
        lambda p: trees_of_file(str(p)),
        lambda p: formats.read(p, format="msr"),
    )


def make_files(folder: Path) -> dict[str, Reader]:
    """The project's example files in every format, by name, with what reads them."""
    example = assay.read(ROOT / "src/assay/examples/compressions.jsonl")
    small = assay.EvalSet(list(example)[:4])
    plain = assay.EvalSet.from_texts({"A": ["a b", "c é"], "B": ["a", "d"]}, ["a b", "c d"])
    files: dict[str, Reader] = {}
    for name, data in (
        ("set.jsonl", small),
        ("set.jsonl.gz", small),
        ("flat.csv", plain),
        ("flat.tsv", plain),
        ("flat.csv.gz", plain),
        ("flat.parquet", plain),
    ):
        assay.write(data, folder / name)
        files[name] = _sets
    for format in ("csv", "parquet", "lines"):
        assay.write(plain if format == "lines" else small, folder / f"of-{format}", format=format)
        for path in sorted((folder / f"of-{format}").rglob("*.*")):
            files[str(path.relative_to(folder))] = lambda _, whole=folder / f"of-{format}": _sets(whole)
    [scored] = assay.score(plain, ["rouge1"]).values()
    for suffix in ("jsonl", "csv", "parquet"):
        with ScoreWriter(folder / f"scores.{suffix}", per_item=True) as out:
            out.add(score_records(scored, per_item=True))
        files[f"scores.{suffix}"] = read_scores
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        model = train(["the cat sat", "a dog ran", "the dog sat"])
    for name in ("model.npz", "model.arpa", "model.arpa.gz"):
        model.save(folder / name)
        files[name] = load_model
    (folder / "parses.conllu").write_text(CONLLU * 3, "utf-8")
    (folder / "rated.msr.tsv").write_text(RATED + RATED.replace("1", "2", 1), "utf-8")
    (folder / "trees.txt").write_text("(S (NP (NNS Cats)) (VP (VBP sleep)))\n" * 3, "utf-8")
    files |= {"parses.conllu": lambda p: list(read_conllu(p)), "trees.txt": lambda p: trees_of_file(str(p))}
    files["rated.msr.tsv"] = lambda p: formats.read(p, format="msr")
    for name, source, reader in (
        ("pairs.tsv", "src/assay/examples/pairs.tsv", lambda p: list(text_pairs(p))),
        ("factoids.csv", "src/assay/examples/factoids.csv", read_units),
        ("texts.txt", "src/assay/examples/sentences.txt", _any),
    ):
        (folder / name).write_bytes((ROOT / source).read_bytes())
        files[name] = reader
    return files


def mutate(content: bytes, rng: random.Random) -> bytes:
    """One to four changes: a bit, a piece that readers look at, a part moved, doubled or cut off."""
    data = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        upto = min(len(data), at + rng.choice([0, 1, 1, 4, 40]))
        match rng.randrange(6):
            case 0 | 1 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 2:
                data[at:upto] = rng.choice(PIECES)
            case 3:
                data[at:upto] = rng.randbytes(rng.randrange(8))
            case 4:
                data[at:at] = data[at:upto] * rng.randint(1, 3)
            case _ if rng.random() < 0.3:
                del data[at:]
            case _:
                del data[at:upto]
    return bytes(data)


def attempts(rounds: int, seed: int = 7) -> Iterator[tuple[str, bytes, BaseException | None]]:
    """Each file, mutated n times: its name, its bytes and the error, None where it was read."""
    warnings.simplefilter("ignore", AssayWarning)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = make_files(folder)
        for number, (name, reader) in enumerate(files.items()):
            rng = random.Random(seed + number)
            whole = (folder / name).read_bytes()
            reader(folder / name)  # as it is, it can be read
            for n in range(rounds):
                content = mutate(whole, rng)
                # Under a name of its own, as some readers remember what they read; parts of a folder keep theirs.
                path = folder / name if "/" in name else folder / f"{n}-{name}"
                path.write_bytes(content)
                for read in (reader, _any) if "/" not in name and n % 5 == 0 else (reader,):
                    try:
                        read(path)
                    except BaseException as error:
                        yield name, content, error
                    else:
                        yield name, content, None
                if path != folder / name:
                    path.unlink()
            (folder / name).write_bytes(whole)


def main() -> int:
    """Prints how many files were read and refused; 1 if anything but an AssayError came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=200)
    counts: Counter[str] = Counter()
    for name, content, error in attempts(parser.parse_args().rounds):
        if error is None:
            counts["read"] += 1
        elif isinstance(error, AssayError) and "\n" not in str(error):
            counts["refused"] += 1
        else:
            counts["wrong"] += 1
            print(f"{name}: {content[:300]!r}", file=sys.stderr)
            traceback.print_exception(error, limit=-4)
    print(
        f"{sum(counts.values()):,} mutated files: {counts['read']:,} read, {counts['refused']:,} refused, "
        f"{counts['wrong']:,} with another error"
    )
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
