"""Compounds of languages without gold: 170 each, and 30 words that are none, written for the tests.

python reproduce/compound_lists.py           prints how many are split right when told to be compounds, and when not
python reproduce/compound_lists.py --check   prints how many of the splits an analyser or a dictionary confirms, where
                                             it is installed (--share DIR: dictionaries elsewhere than in /usr/share)
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path

from common import ROOT
from tables import grid

from assay.text.compounds.language import load_language
from assay.text.compounds.splitter import load_splitter

LISTS = ROOT / "tests" / "text" / "compounds" / "sanity.toml"
Confirm = Callable[[str], bool]


def count_right(code: str, compounds: list[str], simple: list[str]) -> tuple[int, int, int]:
    """Count compounds that are right with --force, compounds that are right without, and simple words left alone."""
    words = [marked.replace("|", "") for marked in compounds]
    forced, free = (load_splitter(code, force=force).mark(words) for force in (True, False))
    alone = load_splitter(code).mark(simple)
    pairs = ((forced, compounds), (free, compounds), (alone, simple))
    return tuple(sum(a == b for a, b in zip(ours, right, strict=True)) for ours, right in pairs)  # type: ignore[return-value]


def boundaries(parts: Sequence[str]) -> set[int]:
    """Return where the second and later parts begin."""
    return set(accumulate(len(part) for part in parts[:-1]))


def ask_vabamorf() -> Confirm:
    """Confirm by the root tokens of Vabamorf, which may be more."""
    from estnltk.vabamorf.morf import Vabamorf

    def confirm(marked: str) -> bool:
        [row] = Vabamorf.instance().analyze([marked.replace("|", "")], disambiguate=False, guess=False)
        return any(boundaries(marked.split("|")) <= boundaries(a["root_tokens"]) for a in row["analysis"])

    return confirm


def ask_voikko() -> Confirm:
    """Confirm by the structure in Voikko's analysis: = begins a part."""
    import libvoikko

    voikko = libvoikko.Voikko("fi")

    def confirm(marked: str) -> bool:
        structures = (a["STRUCTURE"].split("=")[1:] for a in voikko.analyze(marked.replace("|", "")))
        return any(boundaries(marked.split("|")) <= boundaries(parts) for parts in structures)

    return confirm


def ask_words(code: str, words: set[str]) -> Confirm:
    """Confirm if every part is a word, but for a linking element after it or the ending of a verb or noun."""
    links = load_language(code).links

    def is_word(part: str) -> bool:
        bare = part.rstrip("\u200c")
        stems = (bare[: -len(link)] for link in links if bare.endswith(link))
        longer = (bare + end for end in ("e", "en", bare[-1] + "en"))
        return any(form in words for form in (bare, *stems, *longer))

    return lambda marked: all(is_word(part) for part in marked.split("|"))


def dictionary(code: str, folder: Path) -> Confirm:
    """Confirm by the hunspell dictionary and the word list of a language."""
    from assay.systems.compounds import _hunspell
    from assay.systems.compounds._sources import read_list

    _hunspell.HUNSPELL = folder / "hunspell"
    language = load_language(code)
    inflected = read_list(folder / "dict" / language.sources["word_list"])
    return ask_words(
        code, {*map(str.lower, inflected), *(form.text.lower() for form in _hunspell.read_hunspell(language))}
    )


def frequencies(code: str) -> Confirm:
    """Confirm by the words of wordfreq."""
    import wordfreq

    return ask_words(code, set(wordfreq.get_frequency_dict(code, "best")))


def check(folder: Path) -> None:
    """Print how many of the splits are confirmed."""
    sources: dict[str, tuple[str, Callable[[], Confirm]]] = {
        "nl": ("hunspell-nl, wdutch", lambda: dictionary("nl", folder)),
        "nb": ("hunspell-no, wnorwegian", lambda: dictionary("nb", folder)),
        "fi": ("voikko-fi", ask_voikko),
        "et": ("Vabamorf", ask_vabamorf),
        "fa": ("wordfreq", lambda: frequencies("fa")),
    }
    rows = []
    for code, words in read_lists().items():
        name, make = sources[code]
        compounds = words["compounds"].split()
        try:
            confirm = make()
        except (ImportError, OSError) as error:
            rows.append([code, name, str(len(compounds)), f"not installed: {error}"])
            continue
        rows.append([code, name, str(len(compounds)), str(sum(map(confirm, compounds)))])
    print(grid(["language", "source", "compounds", "confirmed"], rows))


def read_lists() -> dict[str, dict[str, str]]:
    """Read the lists."""
    return tomllib.loads(LISTS.read_text("utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--share", type=Path, default=Path("/usr/share"))
    args = parser.parse_args()
    if args.check:
        check(args.share)
        return
    rows = []
    for code, words in read_lists().items():
        compounds, simple = words["compounds"].split(), words["simple"].split()
        forced, free, alone = count_right(code, compounds, simple)
        rows.append([code, *map(str, (len(compounds), forced, free, len(simple), alone))])
    print(grid(["language", "compounds", "right with --force", "right", "simple words", "left alone"], rows))


if __name__ == "__main__":
    main()
