"""The edit script that makes a lemma from its form."""

from __future__ import annotations

from assay.text.parse.lemma_scripts import CASES, apply_script

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
