"""Parts of sentences that several questions share: what lacks, who judged, and how each compares with a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._format import format_count, join_names

if TYPE_CHECKING:
    from ..data.statement import Statement

_NOUNS = {
    "clusters": "cluster",
    "systems": "system",
    "items": "item",
    "pairs": "pair",
    "raters": "rater",
    "outputs": "output",
    "discordant pairs": "item on which they differ",
    "untied prompts": "item without a tie",
}


def describe_lack(statement: Statement) -> str:
    """Say of what there is too little, and how much there is; to go on with what cannot be said.

    >>> from assay.data.statement import Statement
    >>> few = Statement("too little evidence", ("A",), counts={"clusters": 4, "items": 4}, needs={"clusters": 6})
    >>> f"{describe_lack(few)} which is better: {name_needs(few)}."
    'Too few items (4) to say which is better: 6 are needed.'
    """
    nouns = [f"{_plural(_noun(name, statement))} ({statement.counts[name]:,})" for name in statement.needs]
    return f"Too few {join_names(nouns)} to say"


def name_needs(statement: Statement) -> str:
    """Say how much would be enough."""
    if len(statement.needs) == 1:
        (least,) = statement.needs.values()
        return f"{least:,} are needed"
    return (
        f"{join_names([f'{n:,} {_plural(_noun(name, statement))}' for name, n in statement.needs.items()])} are needed"
    )


def _noun(name: str, statement: Statement) -> str:
    alone = name == "clusters" and statement.counts.get("items") == statement.counts["clusters"]
    return "item" if alone else _NOUNS[name]


def _plural(noun: str) -> str:
    head, _, rest = noun.partition(" ")
    return f"{format_count(2, head).partition(' ')[2]}{f' {rest}' if rest else ''}"


def describe_sides(statements: Sequence[Statement], reference: str, above: str, below: str) -> list[str]:
    """Say which systems are better and worse than a baseline, and which are not shown to differ from it."""
    better = [s.subjects[0] for s in statements if s.claim == "better" and s.others[0] == reference]
    worse = [s.others[0] for s in statements if s.claim == "better" and s.subjects[0] == reference]
    others = [(s.others[0] if s.subjects[0] == reference else s.subjects[0], s) for s in statements]
    rest = [name for name, s in others if s.claim != "better" and s.enough]
    few = [(name, s) for name, s in others if not s.enough]
    parts = [
        f"{join_names(names)} {'is' if len(names) == 1 else 'are'} {words} {reference}"
        for names, words in ((better, above), (worse, below))
        if names
    ]
    if rest:
        parts.append(f"no significant difference between {join_names(rest)} and {reference}")
    if few:
        parts.append(f"too little to say it of {join_names([name for name, _ in few])} ({name_needs(few[0][1])})")
    return parts


def name_judges(kind: str) -> str:
    """Name those who judged, to begin a sentence: people only where all are people.

    >>> name_judges("human"), name_judges("llm"), name_judges("mixed")
    ('People', 'LLM judges', 'People and machines')
    """
    return {"human": "People", "llm": "LLM judges", "metric": "Metrics", "mixed": "People and machines"}[kind]


def label_judges(kind: str) -> str:
    """Name those who judged behind the name of a dimension; nothing for what was computed.

    >>> label_judges("human"), label_judges("llm"), label_judges("")
    (' (people)', ' (LLM judges)', '')
    """
    return f" ({name_judges(kind) if kind == 'llm' else name_judges(kind).lower()})" if kind else ""


def ask_direction(name: str, unknown: str) -> str:
    """Ask whether low or high is better, and say how to answer; `unknown` is what cannot be said until then.

    >>> print(ask_direction("wer", "which system is best"))
    Is a low or a high wer better? It is not stated, so nothing is said about which system is best: give \
--lower-is-better wer or --higher-is-better wer, or state it in the file: "scales": {"wer": {"best": "low"}}.
    """
    option = f'"{name}"' if " " in name else name
    return (
        f"Is a low or a high {name} better? It is not stated, so nothing is said about {unknown}: give "
        f"--lower-is-better {option} or --higher-is-better {option}, or state it in the file: "
        f'"scales": {{"{name}": {{"best": "low"}}}}.'
    )
