"""What is a corpus of compressions like? Rates, span lengths and how far its writers agree.

assay describe corpus.jsonl
assay describe broadcast-news.jsonl --tokenizer space --by-group
assay describe outputs.jsonl --systems --json
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ._answer import Answer, decimals, show
from ._input import read_input
from ._options import add_input

if TYPE_CHECKING:
    from ..corpus.describe import DeletionAgreement, Description, Lengths, Shortening

SUMMARY = "what a corpus of compressions is like: rates, spans dropped, agreement"
_SPANS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (8, 9), (10, None))


def arguments(parser: argparse.ArgumentParser) -> None:
    from ..text.tokens.tokenizers import TOKENIZERS

    add_input(parser)
    parser.add_argument(
        "--tokenizer", choices=TOKENIZERS, default="13a", help="how words are cut (13a; space: the file is tokenized)"
    )
    parser.add_argument("--lower", action="store_true", help="case does not count")
    parser.add_argument("--by-group", action="store_true", help="each group of items as well")
    parser.add_argument("--systems", action="store_true", help="the systems' outputs beside the references")
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from ..corpus.describe import describe

    found = describe(
        read_input(args), by_group=args.by_group, systems=args.systems, tokenizer=args.tokenizer, lower=args.lower
    )
    whole, groups = found[0], found[1:]
    answers = [_answer(whole)]
    if groups:
        answers.append(_by_group(groups))
    show(answers, as_json=args.json)
    return 0


def _answer(found: Description) -> Answer:
    rows = [*found.writers, *([found.mean] if found.mean and len(found.writers) > 1 else []), *found.systems]
    tables = [_spans(rows)]
    if found.pairs:
        tables.append(_pairs(found.pairs))
    return Answer(_sentences(found), _rates(rows), _notes(found), list(_records(found)), more=tables)


def _sentences(found: Description) -> list[str]:
    sources = found.sources
    groups = f" in {found.groups} groups" if found.groups else ""
    said = [
        f"{found.items} items{groups}; sources have {sources.mean:.1f} tokens on average (median {sources.median:g}, "
        f"{sources.least} to {sources.most}), {sources.tokens} in all."
    ]
    if found.mean:
        writers = f"the mean of {len(found.writers)} writers" if len(found.writers) > 1 else "the references"
        said.append(
            f"{100 * found.mean.compressed:.0f}% of the references are shorter or otherwise than the source; the "
            f"compression rate is {found.mean.rate_tokens:.3f} in tokens and {found.mean.rate_chars:.3f} in characters "
            f"({writers})."
        )
    if found.pairs and found.alpha == found.alpha:
        said.append(f"Writers agree on what to delete with alpha {found.alpha:.2f}.")
    return said


def _rates(rows: Sequence[Shortening]) -> list[Any]:
    from ..views._view import Column

    return [
        Column("text", [r.name for r in rows], right=False),
        Column("n", [str(r.lengths.n) for r in rows]),
        Column("compressed", [f"{100 * r.compressed:.1f}%" for r in rows]),
        Column("rate tokens", [decimals(r.rate_tokens) for r in rows]),
        Column("rate chars", [decimals(r.rate_chars) for r in rows]),
        Column("of all tokens", [decimals(r.total_tokens) for r in rows]),
        Column("tokens each", [f"{r.lengths.mean:.1f}" for r in rows]),
        Column("only deleted", [f"{100 * r.only_deleted:.1f}%" for r in rows]),
    ]


def _spans(rows: Sequence[Shortening]) -> list[Any]:
    from ..views._view import Column

    return [
        Column("spans dropped", [r.name for r in rows], right=False),
        Column("n", [str(r.dropped) for r in rows]),
        Column("mean", [decimals(r.mean_span, 2) for r in rows]),
        *(Column(_span_name(a, b), [_percent(r.share(a, b)) for r in rows]) for a, b in _SPANS),
    ]


def _span_name(least: int, most: int | None) -> str:
    return f"{least}+" if most is None else str(least) if least == most else f"{least}-{most}"


def _percent(share: float) -> str:
    return "–" if share != share else f"{100 * share:.1f}%"


def _pairs(pairs: Sequence[DeletionAgreement]) -> list[Any]:
    from ..views._view import Column

    return [
        Column("agreement on deletions", [f"{p.first}, {p.second}" for p in pairs], right=False),
        Column("items", [str(p.n) for p in pairs]),
        Column("same token", [decimals(p.agreement) for p in pairs]),
        Column("kappa", [decimals(p.kappa) for p in pairs]),
        Column("deletion F1", [decimals(p.f1) for p in pairs]),
        Column("same text", [_percent(p.exact) for p in pairs]),
    ]


def _by_group(groups: Sequence[Description]) -> Answer:
    from ..views._view import Column

    means = [g.mean for g in groups]
    columns = [
        Column("group", [g.group for g in groups], right=False),
        Column("items", [str(g.items) for g in groups]),
        Column("source tokens", [f"{g.sources.mean:.1f}" for g in groups]),
        Column("compressed", [_percent(m.compressed) if m else "–" for m in means]),
        Column("rate tokens", [decimals(m.rate_tokens) if m else "–" for m in means]),
        Column("rate chars", [decimals(m.rate_chars) if m else "–" for m in means]),
        Column("mean span", [decimals(m.mean_span, 2) if m else "–" for m in means]),
        Column("alpha", [decimals(g.alpha, 2) for g in groups]),
    ]
    return Answer([f"{len(groups)} groups."], columns, records=[r for g in groups for r in _records(g)])


def _notes(found: Description) -> list[str]:
    return [
        "compressed: texts whose words differ from the source's; rate: length / source length, the mean over items (of "
        "all tokens: the sums divided); only deleted: texts that can be had by deleting words. A span is a run of "
        f"neighbouring source tokens that were dropped. Tokens are those of tokenizer {found.tokenizer}; punctuation "
        "counts. Agreement is over the tokens of all sources, deletion F1 micro."
    ]


def _records(found: Description) -> Iterator[dict[str, Any]]:
    where = {"group": found.group or None}
    yield {
        "kind": "corpus", **where, "items": found.items, "groups": found.groups, "tokenizer": found.tokenizer,
        "alpha": found.alpha, **_length_record(found.sources),
    }  # fmt: skip
    rows = [("writer", w) for w in found.writers] + [("system", s) for s in found.systems]
    if found.mean:
        rows.append(("mean", found.mean))
    for kind, row in rows:
        yield {
            "kind": kind, **where, "name": row.name, "compressed": row.compressed, "rate_tokens": row.rate_tokens,
            "rate_chars": row.rate_chars, "total_tokens": row.total_tokens, "total_chars": row.total_chars,
            "only_deleted": row.only_deleted, "spans_dropped": row.dropped, "mean_span": row.mean_span,
            "spans": {str(k): n for k, n in row.spans.items()}, **_length_record(row.lengths),
        }  # fmt: skip
    for pair in found.pairs:
        yield {"kind": "pair", **where, **asdict(pair)}


def _length_record(lengths: Lengths) -> dict[str, Any]:
    return {
        "n": lengths.n, "tokens": lengths.tokens, "mean_tokens": lengths.mean, "median_tokens": lengths.median,
        "least_tokens": lengths.least, "most_tokens": lengths.most, "chars": lengths.chars,
        "mean_chars": lengths.mean_chars,
    }  # fmt: skip
