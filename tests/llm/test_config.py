"""judge.toml: what it may say, and errors that name the fault and never print a key."""

from __future__ import annotations

import pytest

from assay.errors import FormatError, InputError
from assay.llm.config import BudgetLimits, JudgeConfig, JudgeSettings, PointScale, Price, check_keys, read_config

JUDGE = '[[judge]]\nmodel = "m"\nurl = "https://api.example.org/v1"\n'


def read(tmp_path, text: str) -> JudgeConfig:
    path = tmp_path / "judge.toml"
    path.write_text(text, "utf-8")
    return read_config(path)


def test_a_whole_file(tmp_path):
    config = read(
        tmp_path,
        'answer = "json"\nreason = true\nrepeats = 2\npanel = ["mean", "median"]\n'
        + JUDGE
        + 'key = "KEY"\nleave_out = ["seed"]\nprice = { input = 1, output = 2.5 }\n'
        + JUDGE
        + 'name = "second"\nparameters = { reasoning_effort = "low" }\n[dimensions.coherence]\n'
        '[dimensions.tone]\nprompt = "tone.md"\nrange = [1, 7]\n[budget]\nrequests = 10\n',
    )
    assert [judge.rater for judge in config.judge] == ["m", "second"]
    assert config.dimensions["tone"].range == (1, 7)
    assert config.budget == BudgetLimits(requests=10)
    assert config.panel_name("median") == "median of m, second"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"no judge: write \[\[judge\]\] with model and url"),
        ('[[judge]]\nmodel = "m"', r"no 'url' \(at judge\[0\]\)"),
        ('answer = "essay"\n' + JUDGE, "answer is one of number, json, probabilities; got 'essay'"),
        ("x = [", "is not TOML"),
        (JUDGE + "modle = 1", r"unknown key 'modle' \(at judge\[0\]\)"),
        (JUDGE + "temperature = 'hot'", r"must be a number; got a text \(at judge\[0\]\.temperature\)"),
        (JUDGE + "temperature = 3", "temperature must be from 0 to 2; got 3"),
        (JUDGE + "concurrency = 0", "concurrency must be from 1 to 256; got 0"),
        (JUDGE + 'leave_out = ["model"]', "leave_out takes temperature, seed"),
        (JUDGE + "parameters = { messages = [] }", "messages is set by Assay"),
        (
            JUDGE.replace("https://api.example.org/v1", "api.example.org"),
            "url must look like https://api.openai.com/v1",
        ),
        (JUDGE.replace("https", "http") + 'key = "KEY"', "the key would travel unencrypted to api.example.org"),
        (JUDGE + JUDGE, "two judges are called 'm'"),
        ("reason = true\n" + JUDGE, 'reason = true needs answer = "json"'),
        ("repeats = 0\n" + JUDGE, "repeats must be from 1 to 100; got 0"),
        ("mass = 0.0\n" + JUDGE, "mass is a probability"),
        ('panel = ["mean"]\n' + JUDGE, "panel needs two judges"),
        (JUDGE + "[budget]\nmoney = 1.0", "a budget in money needs the price of judge 'm'"),
        (JUDGE + "[budget]\ntokens = 0", "tokens must be above 0"),
        ("judge = []", r"no judge: write \[\[judge\]\]"),
    ],
)
def test_errors_name_the_fault(tmp_path, text, message):
    with pytest.raises(FormatError, match=message) as error:
        read(tmp_path, text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        JUDGE + 'key = "sk-abcdef123456"',
        JUDGE.replace("https://", "https://me:sk-abcdef123456@"),
        JUDGE.replace("/v1", "/v1?key=sk-abcdef123456"),
    ],
)
def test_a_key_in_the_file_is_refused_and_not_printed(tmp_path, text):
    with pytest.raises(FormatError) as error:
        read(tmp_path, text)
    assert "sk-abc" not in str(error.value)


def test_keys_come_from_the_environment():
    judge = JudgeSettings(model="m", url="https://x.org/v1", key="MY_KEY")
    config = JudgeConfig(judge=(judge,))
    assert check_keys(config, {"MY_KEY": " k \n"}) == {"m": "k"}
    assert check_keys(JudgeConfig(judge=(JudgeSettings(model="m", url="https://x.org/v1"),)), {}) == {}
    with pytest.raises(InputError, match="needs the environment variable MY_KEY, which is not set"):
        check_keys(config, {})
    with pytest.raises(InputError, match="holds characters that no key has"):
        check_keys(config, {"MY_KEY": "a\nb"})


def test_a_local_endpoint_may_have_a_key():
    assert JudgeSettings(model="m", url="http://127.0.0.1:80/v1/", key="K").endpoint.endswith(":80/v1/chat/completions")


def test_scales():
    assert PointScale(low=0, high=1, step=0.5).points == (0, 0.5, 1)
    assert PointScale(low=0, high=1, step=0.5).accepts(0.5)
    for wrong in (
        {"low": 5, "high": 1},
        {"low": 5, "high": 5},
        {"step": 0},
        {"high": 0, "low": -1, "step": -1},
        {"high": 1e9},
        {"best": "top"},
    ):
        with pytest.raises(InputError):
            PointScale(**wrong)
    assert Price(input=2, output=0).cost(500_000, 7) == 1.0
