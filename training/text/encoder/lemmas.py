"""Edit scripts: how a lemma is made from its form, as a class that a network can choose."""

from __future__ import annotations

CASES = {"lower": str.lower, "same": str, "title": str.title, "upper": str.upper}
UNCHANGED = "lower -0+"


def edit_script(form: str, lemma: str) -> str:
    """Return the case of the lemma, how many characters leave the end of the form, and what is put there.

    A lemma that shares no beginning with its form is written out.

    >>> edit_script("Children", "child"), edit_script("Boys", "boy"), edit_script("was", "be")
    ('lower -3+', 'lower -1+', 'lower =be')
    """
    low, wanted = form.lower(), lemma.lower()
    shared = 0
    while shared < min(len(low), len(wanted)) and low[shared] == wanted[shared]:
        shared += 1
    edit = f"-{len(low) - shared}+{wanted[shared:]}" if shared else f"={wanted}"
    for case in CASES:
        script = f"{case} {edit}"
        if apply_script(script, form) == lemma:
            return script
    return f"exact ={lemma}"


def apply_script(script: str, form: str) -> str:
    """Return the lemma that a script makes of a form; one that takes away more than there is leaves the form.

    >>> apply_script("lower -3+y", "Ponies")
    'pony'
    """
    case, edit = script.split(" ", 1)
    if edit[0] == "=":
        return edit[1:] if case == "exact" else CASES[case](edit[1:])
    count, ending = edit[1:].split("+", 1)
    if int(count) >= len(form) and not ending:
        return form.lower()
    return CASES[case](form[: len(form) - int(count)] + ending)
