"""The systems of Toutanova et al. (2016), ours and lead on the same sentences at one rate: metrics, edits, truth.

python reproduce/toutanova_2016_systems.py                          all systems that are installed
python reproduce/toutanova_2016_systems.py --system edit ilp lead   some of them
python reproduce/toutanova_2016_systems.py --write                  and puts the tables into docs/abstractive.md
python reproduce/toutanova_2016_systems.py --example out.jsonl      outputs for the project's own texts, as a set

The 447 sources of MSR's valid file, up to five references each. Paragraphs of two sentences are compressed sentence by
sentence and joined. The length limit of each system is moved in steps of .0025 until its mean rate is nearest to .72;
nothing but lengths is looked at for that. Outputs are stored in --outputs, so that a system is run once.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import gettempdir

import numpy as np
from common import ROOT, data
from tables import grid
from truth import Output, kept_words
from truth_suite import cases

import assay
from assay import EvalSet, Item, Reference
from assay.component import split_call
from assay.corpus import edits
from assay.errors import MissingExtra
from assay.systems.budget import count_words
from assay.systems.compress import COMPRESSORS, Compression, compress
from assay.systems.compress.edits.rewrite import Rewrite
from assay.systems.compress.edits.short_forms import KINDS
from assay.text.sentences import split_sentences

RATE = 0.72
PAGE = ROOT / "docs" / "abstractive.md"
TEXTS = ROOT / "training" / "examples" / "texts.txt"
# Name: the call, and whether it is also run at its own length (50 to 75 % for the two neural ones).
SYSTEMS = {
    "edit": "edit",
    "tagger-tree": "tagger-tree",
    "ILP": "ilp(seconds=60)",
    "T3": "t3",
    "Seq2Seq": "seq2seq",
    "NAMAS": "namas",
    "lead": "lead",
}
BAND = ("Seq2Seq", "NAMAS")
PEOPLE = {"ILP": (2.28, 2.22), "T3": (1.14, 1.40), "Seq2Seq": (1.64, 1.51), "NAMAS": (1.56, 1.30)}
GOALS = ("SKIP-2+Recall+MULT-PROB", "LR-2+F-1+MULT-MAX")
METRICS = (
    *GOALS,
    "LR-2+Recall+MULT-PROB",
    "LR-3+F-1+MULT-ALL",
    "PARSE-2+Recall+MULT-PROB",
    "BLEU-3+PrecBrev+MULT-ALL",
    "ROUGE-L+Recall+MULT-MAX",
    "bleu",
    "rouge1",
    "rouge2",
)
SIGNALS = ("finite", "unbalanced", "perplexity")
RESAMPLES = 10_000
DISCLAIMER = (
    "The paper's people rated the outputs of its own systems, trained on more data; ours are other runs on less data, "
    "so the two must not be set against each other row by row."
)


@dataclass(frozen=True)
class Run:
    """The outputs of one system: the share of words that was asked for (none: its own length) and one text an item."""

    name: str
    ratio: float | None
    texts: list[str]

    @property
    def key(self) -> str:
        return f"{self.name}, own length" if self.ratio is None else self.name


class Sources:
    """The sources of a set, cut into sentences."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        self.sentences = [split_sentences(text) or [text] for text in texts]
        self.flat = [sentence for sentences in self.sentences for sentence in sentences]

    def compress(self, spec: str, ratio: float | None) -> list[str]:
        """Compress sentence by sentence, and join."""
        shorter = iter(compress(self.flat, spec, ratio=ratio))
        return [" ".join(next(shorter).text for _ in sentences) for sentences in self.sentences]

    def rate(self, texts: Sequence[str]) -> float:
        """Return the mean rate in words."""
        return float(np.mean([count_words(t) / count_words(s) for t, s in zip(texts, self.texts, strict=True)]))


def run_at_rate(name: str, sources: Sources, wanted: float = RATE) -> Run:
    """Run a system with the limit at which its mean rate is nearest to the one wanted: a secant search, four runs."""
    ratio, runs = wanted + 0.02, {}
    for _ in range(4):
        ratio = min(1.0, round(ratio / 0.0025) * 0.0025)
        if ratio in runs:
            break
        texts = sources.compress(SYSTEMS[name], ratio)
        runs[ratio] = (sources.rate(texts), texts)
        print(f"{name}: limit {ratio:.3f}, rate {runs[ratio][0]:.4f}", file=sys.stderr, flush=True)
        ratio += wanted - runs[ratio][0]
    best = min(runs, key=lambda ratio: abs(runs[ratio][0] - wanted))
    return Run(name, best, runs[best][1])


def load_runs(names: Sequence[str], sources: Sources, folder: Path, title: str) -> list[Run]:
    """Return the outputs of each system that is installed, from the folder if they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    runs = []
    for name in names:
        if split_call(SYSTEMS[name], "system", "lead")[0] not in COMPRESSORS.names:
            print(f"{name} is not in this version and is left out", file=sys.stderr)
            continue
        for own in (False, True) if name in BAND else (False,):
            path = folder / f"{title}-{name}{'-own' if own else ''}.json"
            if not path.exists():
                try:
                    run = Run(name, None, sources.compress(SYSTEMS[name], None)) if own else run_at_rate(name, sources)
                except MissingExtra as error:
                    print(f"{name} is left out: {error}", file=sys.stderr)
                    break
                path.write_text(json.dumps(asdict(run)), encoding="utf-8")
            runs.append(Run(**json.loads(path.read_text(encoding="utf-8"))))
    return runs


def build_set(items: Sequence[Item], runs: Sequence[Run]) -> EvalSet:
    """Build a set of all systems' outputs, with people's compressions as references."""
    references = [list(item.outputs.values()) for item in items]
    sources = [item.sources[0] for item in items]
    return EvalSet.from_texts({run.key: run.texts for run in runs}, references, sources=sources)


def score_table(sets: EvalSet, runs: Sequence[Run], sources: Sources) -> list[str]:
    """All metrics for all sources, and the two of the goal for sources of one and of two sentences."""
    scores = assay.score(sets, [*METRICS, *SIGNALS])
    rows = []
    for run in runs:
        at = sets.systems.index(run.key)
        cells = [_figure(scores[m], at) for m in (*METRICS, *SIGNALS)]
        rows.append([run.key, f"{sources.rate(run.texts):.3f}", *cells])
    head = ["system", "rate", *(_short(m) for m in (*METRICS, *SIGNALS))]
    two = np.array([len(sentences) > 1 for sentences in sources.sentences])
    parts = []
    for run in runs:
        at = sets.systems.index(run.key)
        cells = [f"{np.nanmean(scores[m].values[at, part]):.4f}" for m in GOALS for part in (~two, two)]
        parts.append([run.key, *cells])
    groups = [f"{_short(m)}, {n} sources of {kind}" for m in GOALS for n, kind in ((sum(~two), "1"), (sum(two), "2"))]
    return [grid(head, rows), grid(["system", *groups], parts), significance_table(scores, sets.systems)]


def _figure(scores: assay.Scores, at: int) -> str:
    return f"{float(scores.means()[at]):.4f}" if scores.name != "perplexity" else f"{float(scores.means()[at]):.0f}"


def _short(metric: str) -> str:
    return metric.replace("+", " ").replace("Recall", "R").replace("F-1", "F").replace("PrecBrev", "P")


def significance_table(scores: dict[str, assay.Scores], systems: Sequence[str]) -> str:
    """Test each neighbour in the ranking by the two metrics of the goal, and `edit` against all others."""
    rows = []
    for metric in GOALS:
        means = scores[metric].means()
        order = sorted(range(len(systems)), key=lambda i: -means[i])
        pairs = list(pairwise(order))
        if "edit" in systems:
            edit = list(systems).index("edit")
            pairs += [(edit, i) for i in order if i != edit and (edit, i) not in pairs and (i, edit) not in pairs]
        for a, b in pairs:
            difference = scores[metric].values[a] - scores[metric].values[b]
            low, high, p = paired_bootstrap(difference)
            name = f"{systems[a]} - {systems[b]}"
            cells = [f"{np.nanmean(difference):+.4f}", f"{low:+.4f}", f"{high:+.4f}", f"{p:.4f}"]
            rows.append([_short(metric), name, *cells])
    return grid(["metric", "systems", "difference", "95 % from", "to", "p"], rows)


def paired_bootstrap(difference: np.ndarray, seed: int = 0) -> tuple[float, float, float]:
    """Resample items: the 95 % interval of the mean difference, and twice the share of means beyond zero."""
    values = difference[~np.isnan(difference)]
    rng = np.random.default_rng(seed)
    means = np.array([values[rng.integers(0, len(values), len(values))].mean() for _ in range(RESAMPLES)])
    low, high = np.quantile(means, [0.025, 0.975])
    p = 2 * min((np.sum(means <= 0) + 1), (np.sum(means >= 0) + 1)) / (RESAMPLES + 1)
    return float(low), float(high), min(1.0, float(p))


def edit_table(sets: EvalSet, runs: Sequence[Run]) -> str:
    """What became of the words, by the aligner of `assay edits`."""
    rows = []
    for run in runs:
        items = [Item(item.id, sources=item.sources, outputs={"x": item.outputs[run.key]}) for item in sets]
        shares = edits(EvalSet(items)).word_shares()
        cells = [f"{getattr(shares, name):.3f}" for name in ("copied", "paraphrased", "inserted", "deleted")]
        meaning, grammar = (f"{v:.2f}" for v in PEOPLE[run.name]) if run.name in PEOPLE else ("", "")
        rows.append([run.key, *cells, meaning, grammar])
    heads = ["system", "copied", "substituted", "inserted", "source deleted", "paper's people: meaning", "grammar"]
    return grid(heads, rows)


def truth_table(names: Sequence[str]) -> str:
    """The open half of the truth suite at .7: what is lost, and lost without a note (reproduce/truth.py)."""
    suite = cases("open")
    rows = []
    for name in names:
        try:
            shorter = compress([case.sentence for case in suite], SYSTEMS[name], ratio=0.7)
        except (MissingExtra, assay.errors.UnknownName):
            continue
        outputs = [Output(case, truth_places(one), one.notes) for case, one in zip(suite, shorter, strict=True)]
        lost, silent = (100 * np.mean([getattr(o, key) for o in outputs]) for key in ("is_lost", "is_silent"))
        rows.append([name, f"{lost:.1f}", f"{silent:.1f}", f"{np.mean([c.word_rate for c in shorter]):.3f}"])
    return grid([f"{len(suite)} sentences, ratio .7", "lost %", "without a note %", "rate"], rows)


def truth_places(made: Compression) -> frozenset[int]:
    """The words that are kept; those that a short form stands for count as kept."""
    if isinstance(made, Rewrite):
        spans = [(e.start, e.end) for e in made.edits if e.reason in KINDS and e.kind == "replace"]
        inside = {i for i, t in enumerate(made.tokens) if any(a <= t.start and t.end <= b for a, b in spans)}
        made = Compression(made.source, made.text, made.tokens, tuple(sorted({*made.kept_tokens, *inside})), made.notes)
    return kept_words(made)


def write_example(path: Path, names: Sequence[str], folder: Path) -> None:
    """Write the outputs of all systems for the project's own example texts as an evaluation set."""
    lines = TEXTS.read_text(encoding="utf-8").splitlines()
    texts = [line.removeprefix("source: ") for line in lines if line.startswith("source: ")]
    names_of_items = [lines[at - 1] for at, line in enumerate(lines) if line.startswith("source: ")]
    runs = load_runs(names, Sources(texts), folder, "example")
    people = [
        [lines[at + k].partition(": ")[2] for k in (1, 2, 3)] for at, t in enumerate(lines) if t.startswith("source: ")
    ]
    items = [
        Item(
            name,
            sources=(text,),
            references=tuple(Reference(reference) for reference in several),
            outputs={run.key: run.texts[at] for run in runs},
        )
        for at, (name, text, several) in enumerate(zip(names_of_items, texts, people, strict=True))
    ]
    assay.write(EvalSet(items), path)


def main() -> None:
    parser = argparse.ArgumentParser(description="systems of Toutanova et al. (2016)")
    parser.add_argument("--system", nargs="+", choices=list(SYSTEMS), default=list(SYSTEMS))
    parser.add_argument("--outputs", type=Path, default=Path(gettempdir()) / "toutanova-2016-systems")
    parser.add_argument("--example", type=Path, help="write outputs for the project's own texts to this set, and stop")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/abstractive.md too")
    args = parser.parse_args()
    if args.example:
        write_example(args.example, args.system, args.outputs)
        return
    items = list(data("msr-compression/RawData/valid.tsv"))
    sources = Sources([item.sources[0] for item in items])
    runs = load_runs(args.system, sources, args.outputs, "valid")
    sets = build_set(items, runs)
    blocks = [*score_table(sets, runs, sources), edit_table(sets, runs), DISCLAIMER, truth_table(args.system)]
    text = "\n\n".join(blocks)
    print(text)
    if args.write:
        begin, end = "<!-- begin toutanova_2016_systems -->", "<!-- end toutanova_2016_systems -->"
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        PAGE.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
