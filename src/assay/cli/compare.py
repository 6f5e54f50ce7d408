"""Which system is better? Ranking with intervals, paired tests and groups that do not differ.

assay compare set.jsonl -m rouge2
assay compare set.jsonl -m rouge2 --baseline A --test permutation
assay compare --scores scores.parquet          (written by assay score --per-item --out scores.parquet)
assay compare judged.jsonl --human adequacy
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from . import _numbers as numbers
from ._answer import Answer, decimals, scaled, show
from ._input import input_arguments, input_set
from ._scores import gathered, score_arguments, short

if TYPE_CHECKING:
    from ..comparison.compare import Comparison
    from ..comparison.pair import PairComparison
    from ..data.scores import Scores

SUMMARY = "rank systems: intervals, paired tests, groups"
_DEFAULT = ("rouge2",)


def arguments(parser: argparse.ArgumentParser) -> None:
    input_arguments(parser)
    score_arguments(parser)
    parser.add_argument("--human", action="append", default=[], metavar="D", help="compare by human judgments of D")
    parser.add_argument("--baseline", metavar="NAME", help="test against this system rather than the best")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="compare only these systems")
    parser.add_argument(
        "--test", choices=("wilcoxon", "t", "permutation"), default="wilcoxon", help="the paired test (wilcoxon)"
    )
    parser.add_argument("--alpha", type=numbers.level, default=0.05, metavar="A", help="level of the tests (0.05)")
    parser.add_argument(
        "--notice",
        type=numbers.real_number(0),
        metavar="X",
        help="the difference people notice (see assay meta --question agree)",
    )
    parser.add_argument("--people", choices=("exclude", "include"), default="include", help="rank people too (include)")
    parser.add_argument(
        "--resamples", type=numbers.resamples, default=1000, metavar="N", help="bootstrap samples (1000)"
    )
    parser.add_argument(
        "--seed", type=numbers.seed, default=0, metavar="N", help="of the bootstrap and permutations (0)"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output")


def run(args: argparse.Namespace) -> int:
    from ..comparison.compare import compare

    data = input_set(args) if args.file or args.system or not args.scores else None
    found = gathered(args, data, () if args.human else _DEFAULT)
    for dimension in args.human:
        if data is None:
            raise InputError("--human needs an evaluation set with judgments; give a file")
        found[dimension] = data.human(dimension)
    people = data.people if data is not None and args.people == "exclude" else ()
    results = [
        compare(
            _named(scores, name),
            args.baseline,
            test=args.test,
            alpha=args.alpha,
            resamples=args.resamples,
            seed=args.seed,
            notice=args.notice,
            systems=args.only or None,
            without=people,
        )
        for name, scores in zip(short(list(found)), found.values(), strict=True)
    ]
    signatures = [scores.signature or scores.name for scores in found.values()]
    show([_answer(r, s) for r, s in zip(results, signatures, strict=True)], as_json=args.json)
    return 0


def _named(scores: Scores, name: str) -> Scores:
    from dataclasses import replace

    return replace(scores, name=name)


def _answer(result: Comparison, signature: str) -> Answer:
    by_name = {_other(p, result.reference): p for p in result.against}
    pairs = [by_name.get(r.system) for r in result.ranking]
    after: list[PairComparison | None] = [*result.neighbours, None]
    scores = scaled([r.score for r in result.ranking])
    columns = [
        _column("system", [r.system for r in result.ranking], right=False),
        _column(result.metric, scores),
        *([_column("item mean", scaled([r.mean for r in result.ranking]))] if result.corpus else []),
        _column(f"{100 * result.confidence:.0f}% interval", _intervals(result)),
        _column("n", [str(r.n) for r in result.ranking]),
        _column("group", [str(r.group) if r.group else "–" for r in result.ranking]),
        _column(f"p vs {'baseline' if result.baseline else 'best'}", [_p(p) for p in pairs]),
        _column("effect", [_effect(p, result.reference) for p in pairs]),
        _column("ahead on", [_ahead(p, result.reference) for p in pairs]),
        _column("p vs next", [_p(p) for p in after]),
    ]
    notes = [*_details(result), *result.notes, f"{result.metric} = {signature}"]
    return Answer(_sentences(result), columns, notes, list(_records(result, signature)))


def _column(head: str, cells: Sequence[str], right: bool = True) -> Any:
    from ..views._draw.terminal import Column

    return Column(head, cells, right)


def _sentences(result: Comparison) -> list[str]:
    """The answer, then what keeps the first system from being the winner."""
    said = [result.sentence()]
    if len(result.ranking) > 2 and not result.baseline and len(result.groups) and len(result.groups[0]) > 1:
        said.append(result.neighbours[0].sentence())
    unnoticed = sum(p.significant and p.unnoticed for p in result.against)
    if unnoticed and len(result.ranking) > 2:
        said.append(
            f"{unnoticed} of the significant differences are smaller than the one from which people agree with "
            f"{result.metric}."
        )
    return said


def _details(result: Comparison) -> list[str]:
    who = f"the baseline {result.reference}" if result.baseline else f"the best, {result.reference}"
    return [
        f"Tests are paired by item ({result.test}, two-sided, level {result.alpha:g}), against {who}, and against the "
        "next in the table. A new group begins where a system is worse than a member of the group above. effect: mean "
        f"difference from {result.reference} / its standard deviation; ahead on: items on which it beats "
        f"{result.reference}. Intervals: {result.resamples} bootstrap samples of the items, seed {result.seed}.",
    ]


def _intervals(result: Comparison) -> list[str]:
    ends = scaled([r.low for r in result.ranking] + [r.high for r in result.ranking])
    low, high = ends[: len(result.ranking)], ends[len(result.ranking) :]
    return [a if a == "–" else f"{a}–{b}" for a, b in zip(low, high, strict=True)]


def _other(pair: PairComparison, reference: str) -> str:
    return pair.worse if pair.better == reference else pair.better


def _p(pair: PairComparison | None) -> str:
    if pair is None:
        return ""
    return ("<.001" if pair.adjusted < 0.001 else decimals(pair.adjusted)) + ("*" if pair.significant else " ")


def _effect(pair: PairComparison | None, reference: str) -> str:
    if pair is None or pair.effect != pair.effect:
        return "" if pair is None else "–"
    return f"{pair.effect if pair.better != reference else -pair.effect:+.2f}"


def _ahead(pair: PairComparison | None, reference: str) -> str:
    if pair is None:
        return ""
    share = pair.won if pair.better != reference else pair.lost
    return "–" if share != share else f"{100 * share:.0f}%"


def _records(result: Comparison, signature: str) -> Iterator[dict[str, Any]]:
    settings = {"test": result.test, "resamples": result.resamples, "seed": result.seed}
    yield {"kind": "answer", "metric": signature, "sentence": result.sentence(), "notes": result.notes, **settings}
    for r in result.ranking:
        yield {
            "kind": "system", "metric": signature, "system": r.system, "score": r.score, "mean": r.mean, "low": r.low,
            "high": r.high, "n": r.n, "group": r.group,
        }  # fmt: skip
    seen: set[frozenset[str]] = set()
    for pair in (*result.against, *result.neighbours):
        if frozenset((pair.better, pair.worse)) not in seen:
            seen.add(frozenset((pair.better, pair.worse)))
            yield _pair_record(pair, signature)


def _pair_record(pair: PairComparison, signature: str) -> dict[str, Any]:
    return {
        "kind": "pair", "metric": signature, "better": pair.better, "worse": pair.worse, "difference": pair.difference,
        "effect": pair.effect, "won": pair.won, "tied": pair.tied, "n": pair.n, "p": pair.pvalue,
        "p_adjusted": pair.adjusted, "significant": pair.significant, "items_needed": pair.needed,
        "unnoticed": pair.unnoticed if pair.notice is not None else None, "sentence": pair.sentence(),
    }  # fmt: skip
