"""Bad configurations, prompts, sets and endpoints of LLM judges."""

from __future__ import annotations

from collections.abc import Iterator

from bad_files import Case, Content, jsonl

CATEGORY = "LLM judges"
RUN = ("judge", "run", "set.jsonl", "--config", "judge.toml", "--out", "new.jsonl")
JUDGE = '[[judge]]\nmodel = "m"\nurl = "https://api.example.org/v1"\n'
FLUENCY = "[dimensions.fluency]\n"
# No one listens on this port, so that whatever gets so far is refused at once.
NOBODY = '[[judge]]\nmodel = "m"\nurl = "http://127.0.0.1:9/v1"\nretries = 0\ntimeout = 2\n'

CONFIGS: dict[str, str] = {
    "not TOML": "[[judge",
    "no judge": FLUENCY,
    "an unknown key": JUDGE + "modle = 1\n" + FLUENCY,
    "a number as text": JUDGE + 'temperature = "0"\n' + FLUENCY,
    "a temperature of 7": JUDGE + "temperature = 7\n" + FLUENCY,
    "a key in the file": JUDGE + 'key = "sk-0123456789abcdef"\n' + FLUENCY,
    "a key that is not in the environment": JUDGE + 'key = "NO_SUCH_KEY"\n' + FLUENCY,
    "a key over plain http": JUDGE.replace("https", "http") + 'key = "NO_SUCH_KEY"\n' + FLUENCY,
    "a password in the address": JUDGE.replace("https://", "https://me:secret@") + FLUENCY,
    "an address without http": JUDGE.replace("https://", "") + FLUENCY,
    "two judges of one name": JUDGE + JUDGE + FLUENCY,
    "a parameter of our own": JUDGE + "parameters = { messages = [] }\n" + FLUENCY,
    "a parameter that cannot be left out": JUDGE + 'leave_out = ["model"]\n' + FLUENCY,
    "an unknown way to answer": 'answer = "essay"\n' + JUDGE + FLUENCY,
    "a budget in money without a price": JUDGE + FLUENCY + "[budget]\nmoney = 5.0\n",
    "a budget without a limit of answers": JUDGE
    + 'leave_out = ["max_tokens"]\n'
    + FLUENCY
    + "[budget]\ntokens = 9000\n",
    "a budget of nothing": JUDGE + FLUENCY + "[budget]\nrequests = 0\n",
    "a panel of one": 'panel = ["mean"]\n' + JUDGE + FLUENCY,
    "no dimension": JUDGE,
    "a dimension without a rubric": JUDGE + "[dimensions.fluensy]\n",
    "a scale that the first token does not tell": 'answer = "probabilities"\n' + JUDGE + FLUENCY + "range = [1, 10]\n",
    "a scale upside down": JUDGE + FLUENCY + "range = [5, 1]\n",
    "another scale than people had": JUDGE + "[dimensions.meaning]\nrange = [0, 1]\n",
    "a prompt that is not there": JUDGE + '[dimensions.tone]\nprompt = "tone.md"\n',
    "units that are not listed": JUDGE + "[dimensions.units]\n",
    "an endpoint that nobody serves": NOBODY + FLUENCY,
}
PROMPTS: dict[str, Content] = {
    "a prompt that does not show the output": "How is it?",
    "a prompt with an unknown place": "Judge {output} by {sauce}.",
    "a prompt with a wrong head": "+++\nrnage = [1, 3]\n+++\n{output}",
    "a prompt of an unknown kind": '+++\nkind = "essay"\n+++\n{output}',
    "a prompt that is not UTF-8": b"\xff\xfe{output}",
}
ITEM = {"id": "1", "source": "A cat sat down.", "outputs": {"A": "a cat sat"}}
JUDGED = {**ITEM, "judgments": [{"system": "A", "rater": "m", "dimension": "fluency", "score": 3, "kind": "llm"}]}


def judge_cases() -> Iterator[Case]:
    """Everything that is refused before a request is sent, and an endpoint that is not there."""
    for name, config in CONFIGS.items():
        yield Case(name, CATEGORY, RUN, {"judge.toml": config})
    tone = JUDGE + '[dimensions.tone]\nprompt = "tone.md"\n'
    for name, prompt in PROMPTS.items():
        yield Case(name, CATEGORY, RUN, {"judge.toml": tone, "tone.md": prompt})
    good = {"judge.toml": JUDGE + FLUENCY}
    examples = {"judge.toml": JUDGE + FLUENCY + 'examples = "shots.jsonl"\n', "set.jsonl": jsonl(ITEM)}
    sources = {"judge.toml": JUDGE + "[dimensions.coherence]\n", "set.jsonl": jsonl({**ITEM, "source": None})}
    for name, arguments, files in (
        ("no place to write", RUN[:-2], good),
        ("no configuration", (*RUN[:3], "--out", "new.jsonl"), {}),
        ("a set without sources", RUN, sources),
        ("a set that it has judged already", RUN, {**good, "set.jsonl": jsonl(JUDGED)}),
        ("an example that is to be judged", RUN, {**examples, "shots.jsonl": jsonl(JUDGED)}),
        ("examples without judgments", RUN, {**examples, "shots.jsonl": jsonl({**ITEM, "outputs": {"A": "x"}})}),
        ("answers that are none", (*RUN, "--answers", "a.txt"), good),
        ("answers of which a line is damaged", (*RUN, "--answers", "a.jsonl"), {**good, "a.jsonl": DAMAGED}),
        ("the answers over the set", (*RUN, "--answers", "set.jsonl"), good),
        ("the judgments over the configuration", (*RUN[:-1], "judge.toml"), good),
        ("a study that is none", (*RUN, "--like", "."), good),
        ("a sample of none", (*RUN, "--sample", "0"), good),
    ):
        yield Case(name, CATEGORY, arguments, files)


DAMAGED = '{"format":"assay answers","version":1}\n{"event":"answered","key":"x"}\n'
