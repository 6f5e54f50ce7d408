"""Errors: the tree in the docstring is the tree in the code; messages name the place and the nearest name."""

from __future__ import annotations

import inspect

import pytest

from assay import errors
from assay.errors import AssayError, AssayWarning, FormatError, InputError, MissingExtra, UnknownName

CLASSES = [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if cls.__module__ == "assay.errors"]


@pytest.mark.parametrize("cls", CLASSES)
def test_every_class_is_in_the_docstring_and_has_one_base(cls):
    assert cls.__name__ in (errors.__doc__ or "")
    assert issubclass(cls, AssayError | AssayWarning)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FormatError("bad", path="x.csv", line=3), "x.csv:3: bad"),
        (FormatError("bad", path="x.csv"), "x.csv: bad"),
        (FormatError("bad"), "bad"),
        (UnknownName("metric", "ruge2", ["rouge2", "bleu"]), "unknown metric 'ruge2'; did you mean 'rouge2'?"),
        (UnknownName("metric", "ROUGE2x", ["rouge2"], hint="(see x)"), "unknown metric 'ROUGE2x'; did you mean"),
        (UnknownName("metric", "zzz", ["rouge2"]), "unknown metric 'zzz'"),
    ],
)
def test_messages(error, message):
    assert str(error).startswith(message)


def test_built_in_types_are_kept():
    """Code that catches ValueError or ImportError goes on working."""
    assert issubclass(InputError, ValueError)
    assert issubclass(UnknownName, ValueError)
    assert issubclass(MissingExtra, ImportError)
