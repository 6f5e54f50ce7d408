"""What is run with the installed package: every command, every public name; and which extra each of them needs.

python tests/installed/smoke.py            # print the list of docs/install.md
python tests/installed/smoke.py --write    # write it into the page
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple


class Step(NamedTuple):
    """A command line, typed in a folder with the files that the steps before it wrote."""

    command: str
    needs: str = ""  # an extra, or the package of models; the base alone must name it in one line
    refused: str = ""  # what the one line says where the command cannot do it with any install


MODELS = "assay-eval-models"
FEW = "--resamples 20"
STEPS = (
    Step("--version"),
    Step("--help"),
    Step("example"),
    *(Step(f"example {name}") for name in ("lines", "sentences", "pairs", "factoids", "content-units")),
    Step("example compressions --out example.jsonl"),
    Step("score example.jsonl"),
    Step("score lines"),
    Step("score example.jsonl -m meteor -m chrf -m ter -m nist -m rougeL --per-item --out scores.csv"),
    Step("score example.jsonl -m depeval -m BE-HM -m PARSE-2+F-1+SINGLE-REF", "parse"),
    Step("score example.jsonl -m softmatch -m rougeWE1", "vectors"),
    Step("score example.jsonl -m perplexity", MODELS),
    Step("compare example.jsonl -m bleu"),
    Step(f"meta example.jsonl -m rouge2 -m chrf -d meaning {FEW}"),
    Step("probe example.jsonl -m rouge2 --pool outputs --items 1 --population 4 --generations 2"),
    Step(f"learn example.jsonl -d meaning --features rouge1 rouge2 --learner ridge --out scorer {FEW}"),
    Step("score example.jsonl -m ./scorer"),
    Step(f"learn example.jsonl -d meaning --features rouge1 rouge2 --learner svr {FEW}", "learn"),
    Step("agree example.jsonl"),
    Step("judge table example.jsonl --llm r2 --resamples 20"),
    Step("judge draw example.jsonl --llm r2 -d meaning --draw 5 --draw-by uniform --labelled random"),
    Step("judge run example.jsonl --config judge.toml --dry-run"),
    Step("plan example.jsonl -d meaning --difference 0.5 --out plan.json"),
    Step("plan check example.jsonl --plan plan.json"),
    Step("study new example.jsonl --protocol rate --invite ann --out study", "study"),
    Step("study design study", "study"),
    Step("study status study", "study"),
    Step("study replay study", "study"),
    Step("study backup study", "study"),
    Step("study export study --out judged.jsonl", "study", "no one has answered yet"),
    Step("study links study --renew all", "study"),
    Step("study erase study ann", "study"),
    Step("check example.jsonl"),
    Step("describe example.jsonl"),
    Step("edits example.jsonl"),
    Step('align "The mayor resigned on Monday." "On Monday the mayor stepped down."'),
    Step("pyramid score factoids.csv --gold Ref"),
    Step("pyramid analyze content-units.jsonl"),
    Step("pyramid auto content-units.jsonl"),
    Step("pyramid convert content-units.jsonl units.jsonl"),
    Step("pyramid compare content-units.jsonl units.jsonl"),
    Step("paraphrase example.jsonl"),
    Step("paraphrase example.jsonl --aligner eflomal", "align"),
    Step("compress sentences.txt --ratio 0.5", "text"),
    Step("compress sentences.txt --ratio 0.8", "text"),
    Step("compress sentences.txt --words 9 --system lead"),
    Step("compress --list"),
    Step("fuse pairs.tsv --words 12", "text"),
    Step("fuse pairs.tsv --system longer"),
    Step("fuse pairs example.jsonl"),
    Step("split words.txt --language de", MODELS),
    Step("split build --language ko --words words.txt --out korean.lex"),
    Step("lm train sentences.txt --out own.npz"),
    Step("lm convert own.npz own.arpa"),
    Step("lm score sentences.txt --model own.npz"),
    Step("lm score sentences.txt", MODELS),
    Step("report example.jsonl --out report.html"),
    Step("report example.jsonl --out figures.html --figures figures", "figures"),
    Step("convert example.jsonl example.csv --lossy"),
    Step("convert example.jsonl example.parquet --lossy && assay score example.parquet", "tables"),
    Step("schema"),
    Step("schema --list"),
    Step("demo"),
    Step("cache"),
    Step("completion bash"),
    Step("metrics"),
    Step("metrics rouge2"),
)
# Extras that the development environment does not have: what names them is tested, what they bring is not.
ABSENT = {"align", "compounds"}
# Commands that run until they are stopped; a test of its own starts them and asks for a page.
SERVERS = {"study serve"}
FILES = {
    "words.txt": "Donaudampfschiff\nPrüfungsprogramm\n",
    "news.txt": "The White House said on Monday that it would not rule out a meeting with the president of France.\n",
    "judge.toml": """answer = "json"
[[judge]]
model = "no-such-model"
url = "http://127.0.0.1:9/v1"
price = { input = 0.15, output = 0.60 }
[dimensions.meaning]
range = [1, 5]
[budget]
money = 1.00
""",
}

# Every public name: a call on the example set, and the extra that it needs.
CALLS: dict[str, tuple[str, str]] = {
    "AssayError": ("issubclass(assay.AssayError, Exception)", ""),
    "AssayWarning": ("issubclass(assay.AssayWarning, Warning)", ""),
    "EvalSet": ("assay.EvalSet.from_texts({'A': ['the cat sat']}, [['the cat sat down']]).systems", ""),
    "Item": ("assay.Item('1', references=[assay.Reference('a b')], outputs={'A': 'a'}).id", ""),
    "Judgment": ("assay.Judgment('A', 'r1', 'meaning', 2.0).score", ""),
    "Ratings": ("isinstance(data.ratings('meaning'), assay.Ratings)", ""),
    "Reference": ("assay.Reference('a b').text", ""),
    "Scores": ("isinstance(scores, assay.Scores)", ""),
    "agreement": ("str(assay.agreement(data, 'meaning'))", ""),
    "compare": ("str(assay.compare(scores))", ""),
    "compress": ("assay.compress(['It rained all day and all night in the old town.'], words=5)[0].text", "text"),
    "correlate": ("str(assay.correlate(scores, data.human('meaning'), level='item'))", ""),
    "check": ("str(assay.check(data))", ""),
    "describe": ("str(assay.describe(data))", ""),
    "fuse": (
        "assay.fuse([['The mayor resigned.', 'The mayor of Paris resigned on Monday.']], words=10)[0].text",
        "text",
    ),
    "learn": ("str(assay.learn(data, dimension='meaning', features=['rouge1'], learner='ridge', resamples=20))", ""),
    "metric": ("assay.metric('rouge2')('a b c', ['a b d'])", ""),
    "plot": ("str(assay.plot(assay.compare(scores)))", ""),
    "read": ("len(assay.read('example.jsonl').items)", ""),
    "report": ("assay.report(data, scores).save('calls.html')", ""),
    "score": ("assay.score(['the cat sat'], ['the cat sat down'], 'rouge1').means().tolist()", ""),
    "split": ("assay.split('Donaudampfschiff', language='de')", MODELS),
    "stream": ("len(list(assay.stream('example.jsonl')))", ""),
    "write": ("assay.write(data, 'copy.jsonl')", ""),
}


PAGE = Path(__file__).parents[2] / "docs" / "install.md"
MARKS = ("<!-- base -->\n", "<!-- /base -->\n")


def describe_base() -> str:
    """Return the list of the install page: commands by what they need."""
    rows = ["| needs | commands |", "|---|---|"]
    steps = [step for step in STEPS if not step.command.startswith("-")]
    for needs in dict.fromkeys(["", *(step.needs for step in steps)]):
        listed = " · ".join(f"`{step.command.partition(' &&')[0]}`" for step in steps if step.needs == needs)
        what = f"`{needs}`" if needs == MODELS else f"extra `{needs}`" if needs else "the base alone"
        rows.append(f"| {what} | {listed} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    before, rest = text.split(MARKS[0])
    page = before + MARKS[0] + describe_base() + MARKS[1] + rest.split(MARKS[1])[1]
    if "--write" in sys.argv:
        PAGE.write_text(page, "utf-8")
    else:
        print(describe_base(), end="")
