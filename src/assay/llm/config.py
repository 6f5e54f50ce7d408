"""judge.toml: which models judge what, how they are asked, and what that may cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from ..data.scale import Scale
from ..errors import FormatError, InputError
from ..formats import read_whole

ANSWERS = ("number", "json", "probabilities")
KINDS = ("rating", "pairs", "units")
# What a request holds and an endpoint may refuse.
OPTIONAL = ("temperature", "seed", "max_tokens", "logprobs", "response_format")
_RESERVED = frozenset(["model", "messages", "stream", "n", *OPTIONAL])
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_LOCAL = ("localhost", "127.0.0.1", "::1")
# The snapshot that an alias stands for: gpt-4o answers as gpt-4o-2024-08-06.
_SNAPSHOT = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8}|\d{4})")
_MAX_POINTS = 1001
_TYPES = {"float": "a number", "int": "a whole number", "str": "a text", "bool": "true or false", "array": "a list"}
_TYPES |= {"object": "a table", "null": "nothing"}


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a million tokens cost."""

    input: float
    output: float

    def __post_init__(self) -> None:
        if not (0 <= self.input < 1e9 and 0 <= self.output < 1e9):
            raise InputError("price: input and output are the cost of a million tokens, 0 or more")

    def cost(self, prompt: float, completion: float) -> float:
        """Return the cost of a number of tokens.

        >>> Price(input=1.0, output=4.0).cost(1_000_000, 500_000)
        3.0
        """
        return (self.input * prompt + self.output * completion) / 1e6


class BudgetLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run may send and cost in all; None is not a limit."""

    requests: int | None = None
    tokens: int | None = None
    money: float | None = None

    def __post_init__(self) -> None:
        for name in ("requests", "tokens", "money"):
            value = getattr(self, name)
            if value is not None and not 0 < value < 1e15:
                raise InputError(f"budget: {name} must be above 0; got {value}")


class JudgeSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One model behind one endpoint. `key` is the name of an environment variable, never the key itself."""

    model: str
    url: str
    name: str = ""
    key: str = ""
    family: str = ""
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int | None = None
    leave_out: tuple[str, ...] = ()
    parameters: dict[str, Any] = {}
    accept_models: tuple[str, ...] = ()
    price: Price | None = None
    concurrency: int = 4
    timeout: float = 120.0
    retries: int = 5
    backoff: float = 0.5
    patience: float = 600.0

    def __post_init__(self) -> None:
        where = f"judge {self.name or self.model!r}"
        if not self.model.strip():
            raise InputError("a judge needs a model")
        self._check_url(where)
        if self.key and not _VARIABLE.fullmatch(self.key):  # it may be the key itself: never print it
            raise InputError(
                f"{where}: key must be the name of an environment variable, as OPENAI_API_KEY; keys do not belong "
                "into files"
            )
        for name in self.leave_out:
            if name not in OPTIONAL:
                raise InputError(f"{where}: leave_out takes {', '.join(OPTIONAL)}; got {name[:40]!r}")
        if reserved := sorted(_RESERVED & self.parameters.keys()):
            raise InputError(f"{where}: {reserved[0]} is set by Assay and cannot stand in parameters")
        limits: dict[str, tuple[float, float]]
        limits = {"concurrency": (1, 256), "retries": (0, 100), "temperature": (0, 2), "seed": (0, 2**31 - 1)}
        limits |= {"timeout": (0.05, 86400), "backoff": (0.001, 3600), "patience": (0, 604800)}
        limits |= {"max_tokens": (1, 1_000_000)} if self.max_tokens is not None else {}
        for name, (low, high) in limits.items():
            if not low <= getattr(self, name) <= high:
                raise InputError(f"{where}: {name} must be from {low:g} to {high:g}; got {getattr(self, name)}")

    def _check_url(self, where: str) -> None:
        try:
            parts = urlsplit(self.url)
            host = parts.hostname
            _ = parts.port
        except ValueError:
            parts, host = urlsplit(""), None
        if parts.scheme not in ("http", "https") or not host:
            raise InputError(f"{where}: url must look like https://api.openai.com/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise InputError(f"{where}: url must hold no user name, password or parameters: they would be stored")
        if self.key and parts.scheme == "http" and host not in _LOCAL:
            raise InputError(f"{where}: the key would travel unencrypted to {host}; use https")

    @property
    def rater(self) -> str:
        """The name under which its judgments stand in the set."""
        return self.name or self.model

    @property
    def endpoint(self) -> str:
        """The address that requests go to."""
        return self.url.rstrip("/") + "/chat/completions"

    def accepts_model(self, answered: str) -> bool:
        """Check if the model that answered is the one that was asked, or a dated snapshot of it.

        >>> judge = JudgeSettings(model="gpt-4o", url="https://api.openai.com/v1")
        >>> [judge.accepts_model(name) for name in ("gpt-4o", "gpt-4o-2024-08-06", "gpt-4o-mini")]
        [True, True, False]
        """
        if answered == self.model or any(fnmatchcase(answered, pattern) for pattern in self.accept_models):
            return True
        rest = answered.removeprefix(self.model)
        return rest != answered and _SNAPSHOT.fullmatch(rest) is not None


class DimensionSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is judged: a prompt file (else the built-in rubric of that name), its scale and examples."""

    prompt: str | None = None
    kind: str | None = None
    range: tuple[float, float] | None = None
    step: float | None = None
    best: str | None = None
    labels: dict[str, str] | None = None
    examples: str | None = None


class PointScale(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The numbers that a judge may answer with: from low to high by step."""

    low: float = 1.0
    high: float = 5.0
    step: float = 1.0
    best: str = "high"
    labels: dict[str, str] = {}

    def __post_init__(self) -> None:
        if not self.low < self.high or not self.step > 0 or (self.high - self.low) / self.step > _MAX_POINTS:
            raise InputError(
                f"a scale has its lower end first, a step above 0 and at most {_MAX_POINTS} points; got "
                f"{self.low:g} to {self.high:g} by {self.step:g}"
            )
        if self.best not in ("high", "low"):
            raise InputError(f'best is "high" or "low"; got {self.best[:40]!r}')

    @property
    def points(self) -> tuple[float, ...]:
        """Every number on it."""
        count = int((self.high - self.low) / self.step + 1e-9) + 1
        return tuple(self.low + n * self.step for n in range(count))

    def accepts(self, value: float) -> bool:
        """Check if a number is on the scale.

        >>> PointScale().accepts(4), PointScale().accepts(4.5), PointScale().accepts(6)
        (True, False, False)
        """
        steps = (value - self.low) / self.step
        return self.low <= value <= self.high and abs(steps - round(steps)) < 1e-9

    def to_scale(self) -> Scale:
        """Return what the judged set states about it."""
        return Scale(self.best, (self.low, self.high), self.labels)


class JudgeConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole judge.toml."""

    judge: tuple[JudgeSettings, ...] = ()
    dimensions: dict[str, DimensionSettings] = {}
    answer: str = "number"
    reason: bool = False
    mass: float = 0.5
    repeats: int = 1
    orders: Literal["both", "one"] = "both"
    panel: tuple[Literal["mean", "median"], ...] = ()
    budget: BudgetLimits = BudgetLimits()

    def __post_init__(self) -> None:
        if not self.judge:
            raise InputError("no judge: write [[judge]] with model and url")
        if self.answer not in ANSWERS:
            raise InputError(f"answer is one of {', '.join(ANSWERS)}; got {self.answer[:40]!r}")
        names = [judge.rater for judge in self.judge]
        if repeated := next((name for name in names if names.count(name) > 1), None):
            raise InputError(f"two judges are called {repeated!r}; give each a name of its own")
        if not 1 <= self.repeats <= 100:
            raise InputError(f"repeats must be from 1 to 100; got {self.repeats}")
        if not 0 < self.mass <= 1:
            raise InputError(f"mass is a probability above 0 and at most 1; got {self.mass}")
        if self.reason and self.answer != "json":
            raise InputError('reason = true needs answer = "json"; a number alone leaves no room for one')
        if self.panel and len(self.judge) < 2:
            raise InputError("panel needs two judges or more")
        for judge in self.judge if self.budget.money is not None else ():
            if judge.price is None:
                raise InputError(f"a budget in money needs the price of judge {judge.rater!r}")

    def panel_name(self, how: str) -> str:
        """Return the name under which the panel's judgments stand.

        >>> judges = tuple(JudgeSettings(model=name, url="https://x.org/v1") for name in ("a", "b"))
        >>> JudgeConfig(judge=judges).panel_name("mean")
        'mean of a, b'
        """
        return f"{how} of {', '.join(judge.rater for judge in self.judge)}"


def read_config(path: str | Path) -> JudgeConfig:
    """Read judge.toml; an unknown key, a wrong type or an impossible value is an error that names it."""
    try:
        return msgspec.toml.decode(read_whole(path), type=JudgeConfig)
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8", path=path) from error
    except msgspec.ValidationError as error:
        raise FormatError(explain(str(error)), path=path) from error
    except msgspec.DecodeError as error:
        raise FormatError(f"is not TOML: {error}", path=path) from error


def explain(message: str) -> str:
    """Say what is wrong and where, as people write TOML; what stood there is not repeated, as it may be a key.

    >>> explain("Expected `float`, got `str` - at `$.judge[0].temperature`")
    'must be a number; got a text (at judge[0].temperature)'
    """
    text = re.sub(r" - at `(?:key in )?\$\.?([^`]*)`", r" (at \1)", message).replace(" (at )", "")
    text = re.sub(r"Expected `([^`]*)`, got `([^`]*)`", _name_types, text)
    text = text.replace("Object contains unknown field", "unknown key").replace("Object missing required field", "no")
    return text.replace("`", "'")


def _name_types(match: re.Match[str]) -> str:
    wanted = " or ".join(_TYPES.get(name.strip(), name.strip()) for name in match[1].split("|"))
    return f"must be {wanted}; got {_TYPES.get(match[2], match[2])}"


def check_keys(config: JudgeConfig, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each judge that has one; a variable that is not set is an error."""
    return check_judge_keys(config.judge, environment)


def check_judge_keys(judges: Iterable[JudgeSettings], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the keys of judges, by rater."""
    keys = {}
    for judge in judges:
        if not judge.key:
            continue
        key = environment.get(judge.key, "").strip()
        if not key:
            raise InputError(f"judge {judge.rater!r} needs the environment variable {judge.key}, which is not set")
        if not key.isascii() or not key.isprintable():
            raise InputError(f"the environment variable {judge.key} holds characters that no key has")
        keys[judge.rater] = key
    return keys
