"""Hunspell dictionaries: words, lemmas, and parts of speech by a table of the meanings of inflection flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...text.compounds.language import Language
from ._forms import Form

HUNSPELL = Path("/usr/share/hunspell")


@dataclass(frozen=True)
class AffixFile:
    """What the affix file says of how the dictionary is written."""

    encoding: str = "latin-1"
    flags: str = "char"  # one character each; or "long", two; or "num", numbers with commas
    forbidden: str = ""
    only_in_compounds: str = ""
    flag_sets: Sequence[str] = ()  # AF: sets of flags that the dictionary gives by number
    analyses: Sequence[str] = ()  # AM: analyses that it gives by number

    def read_flags(self, text: str) -> frozenset[str]:
        """Return the flags of an entry.

        >>> sorted(AffixFile(flags="num").read_flags("10,3")), sorted(AffixFile().read_flags("AE"))
        (['10', '3'], ['A', 'E'])
        """
        if self.flag_sets and text.isdecimal():
            text = _by_number(self.flag_sets, text)
        if self.flags == "num":
            return frozenset(text.split(",")) - {""}
        step = 2 if self.flags == "long" else 1
        return frozenset(text[i : i + step] for i in range(0, len(text), step))

    def read_analysis(self, text: str) -> dict[str, str]:
        """Return the fields of an analysis, such as st: (stem) and po: (part of speech); of several the first."""
        if self.analyses and text.strip().isdecimal():
            text = _by_number(self.analyses, text.strip())
        pairs = (item.partition(":") for item in reversed(text.split()))
        return {key: value for key, _, value in pairs if value}


def _by_number(rows: Sequence[str], number: str) -> str:
    return rows[int(number) - 1] if 0 < int(number) <= len(rows) else ""


def read_affix_file(path: Path) -> AffixFile:
    """Read what is needed of an affix file; suffixes and prefixes themselves are not."""
    content = path.read_bytes()
    sets = [line.split()[1].decode("ascii") for line in content.splitlines() if line.startswith(b"SET ")]
    encoding = sets[0] if sets else "latin-1"
    marks: dict[str, str] = {}
    tables: dict[str, list[str]] = {"AF": [], "AM": []}
    for line in content.decode(encoding, "replace").splitlines():
        key, _, rest = line.partition(" ")
        if key in ("FLAG", "FORBIDDENWORD", "ONLYINCOMPOUND"):
            marks[key] = rest.strip()
        elif key in tables:
            tables[key].append(rest.partition("#")[0].strip() if key == "AF" else rest.strip())
    return AffixFile(
        encoding,
        marks.get("FLAG", "char"),
        forbidden=marks.get("FORBIDDENWORD", ""),
        only_in_compounds=marks.get("ONLYINCOMPOUND", ""),
        flag_sets=tables["AF"][1:],  # the first row is their number
        analyses=tables["AM"][1:],
    )


@dataclass(frozen=True)
class FlagRule:
    """A row of a table: words with one of these flags, and with one of these ends, if there are any, have this tag."""

    tag: str
    flags: frozenset[str]
    ends: tuple[str, ...] = ()
    other_ends: tuple[str, ...] = ()

    def fits(self, word: str, flags: frozenset[str]) -> bool:
        """Check if a word is meant.

        >>> FlagRule("V", frozenset("KL"), ends=("a",)).fits("köpa", frozenset("AK"))
        True
        """
        here = not self.ends or word.endswith(self.ends)
        return here and not self.flags.isdisjoint(flags) and not (self.other_ends and word.endswith(self.other_ends))


@dataclass(frozen=True)
class TagTable:
    """What flags and written parts of speech mean, as the file of a language says."""

    rules: tuple[FlagRule, ...] = ()
    classes: Mapping[str, str] = field(default_factory=dict)

    def tags(self, word: str, flags: frozenset[str], analysis: Mapping[str, str]) -> str:
        """Return the tags of an entry: those of its analysis, else those of its flags."""
        if written := self.classes.get(analysis.get("po", "")):
            return written
        return "".join(sorted({rule.tag for rule in self.rules if rule.fits(word, flags)}))


def make_table(sources: Mapping[str, Any]) -> TagTable:
    """Make the table of a language from its file."""
    rules = (
        FlagRule(
            row["tag"], frozenset(row["flags"].split()), tuple(row.get("ends", ())), tuple(row.get("other_ends", ()))
        )
        for row in sources.get("hunspell_tags", ())
    )
    return TagTable(tuple(rules), sources.get("hunspell_classes", {}))


def read_hunspell(language: Language) -> Iterator[Form]:
    """Read the words of a hunspell dictionary; forbidden ones are left out, parts of compounds are stems."""
    name, table = language.sources["hunspell"], make_table(language.sources)
    affixes = read_affix_file(HUNSPELL / f"{name}.aff")
    with (HUNSPELL / f"{name}.dic").open(encoding=affixes.encoding, errors="replace") as file:
        next(file, None)
        for line in file:
            entry, _, analysis = line.rstrip().replace("\t", " ").partition(" ")
            word, _, marks = entry.partition("/")
            flags, fields = affixes.read_flags(marks), affixes.read_analysis(analysis)
            if affixes.forbidden in flags or word.endswith("-"):
                continue
            yield Form(
                word,
                fields.get("st", ""),
                table.tags(word, flags, fields),
                dictionary=True,
                stem=affixes.only_in_compounds in flags,
            )
