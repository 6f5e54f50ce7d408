"""Edit scripts: how a lemma is made from its form, as a class that a network can choose."""

from __future__ import annotations

from collections.abc import Callable

CASES: dict[str, Callable[[str], str]] = {"lower": str.lower, "same": str, "title": str.title, "upper": str.upper}


def apply_script(script: str, form: str) -> str:
    """Return the lemma that a script makes of a form; one that takes away more than there is leaves the form.

    A script has the case of the lemma, how many characters leave the end of the form, and what is put there; or =, and
    the lemma itself.

    >>> apply_script("lower -3+y", "Ponies"), apply_script("lower =be", "was")
    ('pony', 'be')
    """
    case, edit = script.split(" ", 1)
    if edit[0] == "=":
        return edit[1:] if case == "exact" else CASES[case](edit[1:])
    count, ending = edit[1:].split("+", 1)
    if int(count) >= len(form) and not ending:
        return form.lower()
    return CASES[case](form[: max(0, len(form) - int(count))] + ending)
