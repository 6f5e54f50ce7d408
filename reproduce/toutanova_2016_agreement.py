"""Agreement of raters: Toutanova et al. (2016), 3.2 and Table 4, and the same questions of three other sets.

python reproduce/toutanova_2016_agreement.py           prints published figures beside ours
python reproduce/toutanova_2016_agreement.py --write   and puts them into docs/which-judges.md
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import assay
from assay import Ratings
from assay import raters as judges
from assay.errors import UndefinedWarning
from assay.raters.input import keep_raters, output_means
from assay.stats import Alpha, two_raters
from assay.views._draw.terminal import Column, draw_table

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
PAGE = ROOT / "docs" / "which-judges.md"
START, END = "<!-- printed by reproduce/toutanova_2016_agreement.py -->", "<!-- end -->"
TABLE_3 = {"meaning": 2.78, "grammar": 2.82}
TABLE_4 = {"meaning": (0.721, 0.306), "grammar": (0.784, 0.381)}
# Not published: computed from the same file before this program was, so that it has something to be held to.
EXPECTED = {"meaning": (2.768, 0.266), "grammar": (2.817, 0.338)}

Row = tuple[str, str, str]  # what, published, ours


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/which-judges.md")
    args = parser.parse_args()
    if not DATA.exists():
        sys.exit(f"needs the research data in {DATA} (or the folder named by ASSAY_DATA)")
    warnings.simplefilter("ignore", UndefinedWarning)  # a dash in the tables
    text = "\n\n".join(f"**{title}**\n\n```\n{body}\n```" for title, body in sections())
    print(text)
    if args.write:
        before, _, rest = PAGE.read_text("utf-8").partition(START)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{START}\n\n{text}\n\n{END}{after}", "utf-8")


def sections() -> Iterator[tuple[str, str]]:
    yield (
        "MSR compressions (valid.tsv; what is published, Tables 3 and 4, is for the whole corpus)",
        draw_rows(list(msr())),
    )
    yield (
        "TAC 2008 main summaries, identical ones of a topic (published: main and update; alphas of single assessors)",
        draw_rows(list(tac())),
    )
    yield "SummEval, three experts and five crowd raters", draw_rows(list(summeval()))
    yield "Simplicity-DA, 67 identified crowd raters", draw_rows(list(simplicity()))


def draw_rows(rows: list[Row]) -> str:
    heads = ("", "published", "ours")
    columns = [Column(head, [row[i] for row in rows], right=i > 0) for i, head in enumerate(heads)]
    return draw_table(columns)


def msr() -> Iterator[Row]:
    """Raters are places on the line here: rater1 of two compressions need not be one person."""
    data = assay.read(DATA / "msr-compression" / "RawData" / "valid.tsv")
    for d in ("meaning", "grammar"):
        ratings = data.ratings(d)
        found = judges.agreement(ratings)
        mean, alpha = EXPECTED[d]
        yield f"{d}: compressions (expected 1908)", "", str(found.outputs)
        yield f"{d}: mean (expected {mean})", f"{TABLE_3[d]:.2f}", f"{output_means(ratings).mean():.3f}"
        yield f"{d}: interval alpha (expected {alpha})", "", f"{found.alpha.value:.3f}"
        yield "    95% interval", "", f"{found.alpha.low:.3f}–{found.alpha.high:.3f}"
        for half in ("even", "up", "down"):
            drawn = two_raters(ratings.values.T, half=half)
            yield (
                f"{d}: worker versus worker, .5 rounded {half}: equal, kappa",
                "{:.3f} {:.3f}".format(*TABLE_4[d]),
                f"{drawn.agreement:.3f} {drawn.kappa:.3f}",
            )
    both = judges.combine_dimensions(data)
    gone = judges.drop_editors(both, share=0.1)
    yield (
        "editors dropped (bottom 10% by mean quality)",
        "",
        f"{len(gone.editors)} of {len(gone.editors) + gone.remaining}",
    )
    yield "    compressions left", "", f"{gone.outputs_after} of {gone.outputs_before}"
    yield "    mean of meaning and grammar", "", f"{gone.mean_before:.3f} -> {gone.mean_after:.3f}"


def tac() -> Iterator[Row]:
    """Owczarzak et al. (2012) give alphas of single assessors in 2011; this file calls all of them nist."""
    data = assay.read(DATA / "tac2008.jsonl.gz")
    published = {"pyramid": ".872 to .975 (2011)", "responsiveness": ".490 to .931 (2011)"}
    for d in data.dimensions:
        found = judges.consistency(data, d)
        yield f"{d}: pairs", "230 to 430 a year" if d == "pyramid" else "", str(found.pairs)
        yield f"{d}: alpha", published.get(d, ""), f"{found.alpha.value:.3f}"
        yield "    95% interval", "", f"{found.alpha.low:.3f}–{found.alpha.high:.3f}"
        yield "    same score twice", "", f"{100 * found.same:.0f}%"


def summeval() -> Iterator[Row]:
    data = assay.read(DATA / "summeval.jsonl.gz")
    for d in data.dimensions:
        ratings = data.ratings(d)
        groups = {name: [r for r in ratings.raters if r.startswith(name)] for name in ("expert", "turker")}
        for name, raters in groups.items():
            part = keep_raters(ratings, raters)
            yield f"{d}: alpha among {name}s", "", f"{judges.agreement(part, interval=False).alpha.value:.3f}"
            again = judges.consistency(_mean(part))
            yield f"    alpha of their mean on {again.pairs} pairs of identical texts", "", _span(again.alpha)
        m = judges.experts(data, d, experts=groups["expert"])
        yield f"{d}: expert versus expert: equal, kappa", "", f"{m.agreement_of_experts:.3f} {m.kappa_of_experts:.3f}"
        own = m.expert_crowd
        yield f"{d}: expert versus crowd: equal, kappa", "", f"{own.agreement:.3f} {own.kappa:.3f}"
        yield "    95% interval of kappa", "", f"{own.kappa_low:.3f}–{own.kappa_high:.3f}"


def _mean(ratings: Ratings) -> Ratings:
    """The group as one rater."""
    return Ratings(
        output_means(ratings)[None], ("mean",), ratings.systems, ratings.items, ratings.dimension, ratings.texts
    )


def simplicity() -> Iterator[Row]:
    data = assay.read(DATA / "simplicity-da.jsonl.gz", allow_missing=True)
    found, beside = judges.agreement(data), judges.severity(data)
    yield "interval alpha", "", f"{found.alpha.value:.3f}"
    yield "    95% interval", "", f"{found.alpha.low:.3f}–{found.alpha.high:.3f}"
    yield "reliability of the mean of 15", "", f"{judges.sample_size(data).reliability(15):.3f}"
    known = sorted((p for p in beside.raters if p.n >= 100), key=lambda p: p.severity)
    for how, p in (("lowest", known[0]), ("highest", known[-1])):
        yield f"{how} severity of a rater with 100 outputs or more: rater {p.rater}", "", f"{p.severity:+.1f}"
    for by in ("rest", "mean"):
        less = judges.drop_raters(data, share=0.1, by=by)
        yield f"without the bottom 10% by {by}: raters", "", f"{less.remaining + len(less.raters)} -> {less.remaining}"
        yield "    alpha", "", f"{less.alpha_before:.3f} -> {less.alpha_after:.3f}"
        yield "    system means: Pearson, Spearman with all", "", f"{less.pearson:.3f} {less.spearman:.3f}"


def _span(alpha: Alpha) -> str:
    return "–" if alpha.value != alpha.value else f"{alpha.value:.3f} ({alpha.low:.3f} to {alpha.high:.3f})"


if __name__ == "__main__":
    main()
