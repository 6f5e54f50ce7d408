"""Score texts by the content units that people marked in them, and look into the marks: the Pyramid method, factoids.

An annotated set is DucView's files (.pyr, .pan, or a folder of them) or JSON Lines with units and peers. A plain table
of units has a row per unit and a column per text with 1 or 0.

assay pyramid score topics/                          (Pyramid scores of an annotated set)
assay pyramid score units.csv --gold Ref             (a table of units: precision, recall and F against a text)
assay pyramid score units.csv --pyramid A,B,C --kappa A,B,C
assay pyramid score topics/ --out judged.jsonl       (scores as judgments: then assay agree judged.jsonl -d pyramid)
assay pyramid score topics/ --models                 (how scores depend on the number of models)
assay pyramid analyze topics/ --top 15               (units by weight, category and aspect)
assay pyramid analyze topics/ --aspects scheme.json  (with other aspects than those of TAC 2010)
assay pyramid auto topics/ --match partial          (which units other texts suggest; what may have been missed)
assay pyramid compare ann.jsonl bob.jsonl            (how far two annotators made the same units)
assay pyramid convert topics/ set.jsonl              (from DucView to JSON Lines, or back)
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _numbers as numbers
from ._options import add
from ._output import refuse_overwrite
from ._show import show

if TYPE_CHECKING:
    from ..data.evalset import EvalSet
    from ..data.result import Result

SUMMARY = "score texts by their content units (Pyramid, factoids), and analyse the units"
_MAX_TEXTS = 8  # of which every two are compared without being named
_ACTIONS = {"score": 1, "analyze": 1, "auto": 1, "compare": 2, "convert": 2}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=tuple(_ACTIONS), help="what to do")
    parser.add_argument("file", help="annotated set (.pyr, .pan, a folder, .jsonl), or a table of units (.csv, .tsv)")
    parser.add_argument(
        "second", nargs="?", help="compare: the second annotator's set; convert: file or folder to write"
    )
    parser.add_argument("--gold", metavar="NAME", help="text that the others are compared with")
    parser.add_argument(
        "--pyramid", metavar="NAME,NAME", help="references: the weight of a unit is the number of them that contain it"
    )
    parser.add_argument(
        "--kappa", metavar="NAME,NAME", help=f"texts to compare in pairs (default: all, if at most {_MAX_TEXTS})"
    )
    parser.add_argument(
        "--weight",
        choices=("models", "contributors"),
        default="contributors",
        help="what a unit weighs: its contributors, as in DUCView, or the models that state it (default: contributors)",
    )
    parser.add_argument(
        "--unit-count",
        choices=("round", "truncate", "ceil"),
        default="round",
        help="how the mean number of units of the models is made whole (default: round, half up, as in DUCView)",
    )
    parser.add_argument(
        "--models", action="store_true", help="score: how scores depend on the number of models, 1 to all of a topic"
    )
    parser.add_argument(
        "--match",
        choices=("exact", "lemma", "partial", "learned"),
        default="exact",
        help="how auto looks for units: by the words of contributors, or learned from DUC 2007 (default: exact)",
    )
    parser.add_argument("--skip-copies", action="store_true", help="auto: take nothing from texts equal to the peer's")
    parser.add_argument("--top", type=numbers.rows, default=15, metavar="N", help="analyze: best systems (default: 15)")
    parser.add_argument(
        "--aspects", metavar="FILE", help="analyze: categories and their aspects, .json or .toml (default: TAC 2010)"
    )
    parser.add_argument("--aspects-of", metavar="SYSTEM", help="analyze: the partial scores of this system, by aspect")
    parser.add_argument(
        "--aspect-form",
        choices=("original", "modified"),
        default="original",
        help="analyze: form of these partial scores (default: original)",
    )
    detail = "score writes the set with its scores as judgments, for agree, meta and report"
    add(
        parser,
        "dimension",
        "strict",
        "metric",
        "resamples",
        "seed",
        "rows",
        "out",
        "json",
        out={"detail": detail},
        metric={"detail": "for auto: its correlation with scores without each annotator"},
    )


def run(args: argparse.Namespace) -> int:
    from ..errors import InputError

    if (args.second is not None) != (_ACTIONS[args.action] == 2):
        raise InputError(f"pyramid {args.action} takes {'two files' if _ACTIONS[args.action] == 2 else 'one file'}")
    if args.action == "convert":
        return _convert(args)
    results = {"score": _score, "analyze": _analyze, "auto": _auto, "compare": _compare}[args.action](args)
    show(results, as_json=args.json, rows=args.rows)
    return 0


def _score(args: argparse.Namespace) -> list[Result]:
    if _is_annotated(args.file):
        from ..pyramid.annotated import score_annotated
        from ..pyramid.duplicates import duplicate_marks
        from ..pyramid.unit_agreement import peer_agreement, shares_peers

        data = _read(args.file, args.strict)
        scores = score_annotated(data, weight=args.weight, size=args.unit_count)
        if args.out:
            _write_judgments(data, args)
        results: list[Result] = [scores, *([peer_agreement(data)] if shares_peers(data) else [])]
        duplicates = duplicate_marks(data)
        results += [duplicates] if duplicates.pairs else []
        return [*results, *([_count_models(args, data)] if args.models else [])]
    return _score_table(args)


def _count_models(args: argparse.Namespace, data: EvalSet) -> Result:
    from ..pyramid.annotated import read_pyramids
    from ..pyramid.content_units import tabulate_units
    from ..pyramid.models import count_models

    pyramids = read_pyramids(data)
    names = list(dict.fromkeys(name for pyramid in pyramids for name in pyramid.models))
    human = data.human(args.dimension[0]) if args.dimension else None
    options: dict[str, Any] = {"size": args.unit_count, "draws": args.resamples, "seed": args.seed}
    return count_models(tabulate_units(pyramids), names, human=human, **options)


def _write_judgments(data: EvalSet, args: argparse.Namespace) -> None:
    """Write the set with the scores as judgments of their annotators."""
    from .. import formats
    from ..pyramid.annotated import add_judgments

    formats.write(add_judgments(data, weight=args.weight, size=args.unit_count), args.out)


def _score_table(args: argparse.Namespace) -> list[Result]:
    from ..formats import read_units
    from ..pyramid.annotators import annotator_agreement
    from ..pyramid.content_units import UnitTable, unit_kappas
    from ..pyramid.models import count_models
    from ..pyramid.score import score_texts

    table = UnitTable(tuple(read_units(args.file)))
    names = _split_names(args.kappa) or (list(table.columns) if len(table.columns) <= _MAX_TEXTS else [])
    references = _split_names(args.pyramid)
    options: dict[str, Any] = {"size": args.unit_count, "draws": args.resamples, "seed": args.seed}
    results: list[Result] = [score_texts(table, gold=args.gold, references=references, size=args.unit_count)]
    if len(table.annotators) > 1:
        results.append(annotator_agreement(table, gold=args.gold, resamples=args.resamples, seed=args.seed))
    if args.models:
        results.append(count_models(table, references, **options))
    if len(table.check(names)) > 1:
        results.append(unit_kappas(table, names))
    return results


def _analyze(args: argparse.Namespace) -> list[Result]:
    from ..formats import read_scheme
    from ..pyramid.guided import GUIDED, analyze_units, aspect_scores

    data = _read(args.file, args.strict)
    scheme = read_scheme(args.aspects) if args.aspects else GUIDED
    if args.aspects_of:
        return [aspect_scores(data, args.aspects_of, scheme=scheme, form=args.aspect_form)]
    dimension = args.dimension[0] if args.dimension else None
    return [analyze_units(data, top=args.top, dimension=dimension, scheme=scheme)]


def _auto(args: argparse.Namespace) -> list[Result]:
    from ..pyramid.auto import auto_pyramid

    data = _read(args.file, args.strict)
    if not _is_annotated(args.file):
        return [_match_sentences(args, data)]
    options: dict[str, Any] = {"skip_copies": args.skip_copies, "size": args.unit_count}
    result = auto_pyramid(data, method=args.match, **options)
    return [result, *([_leave_out(args, data)] if len(result.annotators) > 1 else [])]


def _leave_out(args: argparse.Namespace, data: EvalSet) -> Result:
    """See what changes without each annotator: the scores of systems, and the correlation of metrics with them."""
    from ..data.content_units import DIMENSION
    from ..pyramid.annotated import add_judgments
    from ..raters import drop_each_rater
    from ._scores import score_metrics

    judged = add_judgments(data, weight=args.weight, size=args.unit_count)
    systems = [system for system in judged.systems if system not in set(judged.people)]
    metrics = score_metrics(judged, list(dict.fromkeys(args.metric))).values() if args.metric else ()
    return drop_each_rater(judged, DIMENSION, metrics=metrics, systems=systems)


def _match_sentences(args: argparse.Namespace, data: EvalSet) -> Result:
    from ..formats import read_units
    from ..pyramid.unit_sentences import match_sentences

    rows = [(marks, dict(data[marks.item].outputs)) for marks in read_units(args.file)]
    return match_sentences(rows, method=args.match)


def _compare(args: argparse.Namespace) -> list[Result]:
    from ..pyramid.unit_agreement import pyramid_agreement

    names = (Path(args.file).stem, Path(args.second).stem)
    return [pyramid_agreement(_read(args.file, args.strict), _read(args.second, args.strict), names=names)]


def _convert(args: argparse.Namespace) -> int:
    """Convert as `assay convert` does; a name that does not tell the format is a folder of DucView's files."""
    from .. import formats
    from . import convert
    from .main import make_parser

    target = formats.format_of(args.second, look=False) or "ducview"
    words = [args.file, args.second, "--to", target, *(["--json"] if args.json else [])]
    options = make_parser("convert", convert).parse_args(words)
    refuse_overwrite(options)
    return convert.run(options)


def _read(path: str, strict: bool) -> EvalSet:
    from .. import formats

    return formats.read(path, allow_missing=True, strict=strict)


def _is_annotated(path: str) -> bool:
    """Check if a file holds units with spans, and not a plain table of marks."""
    from .. import formats
    from ..data.content_units import read_pyramid

    name = path.lower().removesuffix(".gz")
    if name.endswith((".csv", ".tsv", ".txt")) or formats.format_of(path) == "lite-pyramid":
        return False
    if not name.endswith((".jsonl", ".json")):
        return True
    items = (item for chunk in formats.stream(path, batch=1, allow_missing=True) for item in chunk)
    first = next((item for item in items if not item.extra.keys().isdisjoint(("units", "statements"))), None)
    return first is None or read_pyramid(first) is not None


def _split_names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]
