"""Judge 20 outputs of SummEval with SmolLM2 on llama.cpp's server, and print what `assay judge run` prints.

python docs/llm_judge_run.py            # about two minutes on one core; needs ../shared/data (or ASSAY_DATA)
python docs/llm_judge_run.py --write    # write it into docs/llm-judges.md
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent / "tests" / "llm"))
DATA = Path(os.environ.get("ASSAY_DATA", DOCS.parent.parent / "shared" / "data"))
BEGIN, END = "<!-- run -->\n", "<!-- /run -->\n"


def judge() -> str:
    """Run the judge in a folder of its own, and return what it prints."""
    from real_server import MODEL, real_server

    import assay
    from assay.cli.main import main

    with tempfile.TemporaryDirectory() as folder, real_server() as url:
        os.chdir(folder)
        items = assay.read(DATA / "summeval.jsonl.gz").entries[:2]
        lines = [json.dumps({"id": i.id, "source": "".join(i.sources), "outputs": dict(i.outputs)}) for i in items]
        Path("set.jsonl").write_text("\n".join(lines))
        named = f'[[judge]]\nname = "smollm2"\nmodel = "{MODEL}"\nurl = "{url}"\nconcurrency = 1\ntimeout = 600\n'
        Path("judge.toml").write_text(f'answer = "json"\n{named}[dimensions.fluency]\n')
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            main(["judge", "run", "set.jsonl", "--config", "judge.toml", "--sample", "20", "--out", "judged.jsonl"])
        os.chdir(DOCS)
    return out.getvalue().rstrip()


if __name__ == "__main__":
    block = f"```text\n$ python docs/llm_judge_run.py\n{judge()}\n```\n"
    if "--write" in sys.argv:
        page = DOCS / "llm-judges.md"
        before, _, rest = page.read_text("utf-8").partition(BEGIN)
        page.write_text(before + BEGIN + block + END + rest.partition(END)[2], "utf-8")
    else:
        print(block)
