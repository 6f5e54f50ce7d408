"""Joint fusion: the search, constraints, length limits, and notes where there is nothing to fuse."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assay.errors import InputError, UnknownName
from assay.systems._budget import Budget
from assay.systems.compress._costs import token_costs
from assay.systems.fuse import Cluster, fuse
from assay.systems.fuse.joint import Joint, _Problem

PAIR = (
    "The city council voted on Tuesday to close the old bridge to cars.",
    "The old harbour bridge will be closed to cars next spring, the council said on Tuesday.",
)


def value(problem: _Problem, fuser: Joint, chosen: list[list[bool]]) -> float:
    """The objective of a choice of groups, plainly; minus infinity where it breaks a law."""
    total = 0.0
    for n, trees in enumerate(problem.groups):
        worth = trees.spread(problem.values[n])
        for g, kept in enumerate(chosen[n]):
            if kept and trees.parents[g] >= 0 and not chosen[n][trees.parents[g]]:
                return -np.inf
            total += float(worth[g]) * kept
        total -= fuser.open * any(chosen[n])
    pairs = {
        ((a[0], int(problem.groups[a[0]].group[a[1]])), (b[0], int(problem.groups[b[0]].group[b[1]])))
        for a, b in problem.links
    }
    return total - fuser.again * sum(chosen[i][g] and chosen[j][h] for (i, g), (j, h) in pairs)


def test_the_program_finds_the_best_of_all_choices():
    fuser = Joint(keep="none")
    cluster = Cluster(("The cat sat on the mat.", "A cat slept here on mats today."), Budget(words=6))
    [reading] = fuser.read([cluster])
    problem = _Problem(fuser, reading)
    sizes = [len(trees.parents) for trees in problem.groups]
    costs = [
        trees.spread(token_costs(text.tokens, "words").astype(float))
        for trees, text in zip(problem.groups, problem.texts, strict=True)
    ]

    def cost(chosen: list[list[bool]]) -> float:
        return sum(float(costs[n] @ np.array(chosen[n], dtype=float)) for n in range(2))

    able = []
    for bits in product((False, True), repeat=sum(sizes)):
        chosen = [list(bits[: sizes[0]]), list(bits[sizes[0] :])]
        if 0.9 * 6 <= cost(chosen) <= 6 and not any(any(chosen[n]) for n in problem._idle()):
            able.append(value(problem, fuser, chosen))
    kept = problem.solve()
    groups = [
        [any(int(trees.group[k]) == g for k in kept[n]) for g in range(sizes[n])]
        for n, trees in enumerate(problem.groups)
    ]
    assert value(problem, fuser, groups) == pytest.approx(max(able))


@pytest.mark.parametrize("words", [4, 8, 12, 20])
def test_budgets_are_kept_or_it_is_said(words):
    [made] = fuse([PAIR], words=words)
    assert made.words <= words or any(f"the limit of {words} words" in note for note in made.notes)
    [short] = fuse([PAIR], chars=40)
    assert len(short.text) <= 40 or short.notes


def test_every_piece_is_in_its_sentence():
    [made] = fuse([PAIR], words=12)
    for piece in made.pieces:
        assert PAIR[piece.sentence][piece.start : piece.end].lower() in made.text.lower()


def test_the_same_subject_is_said_once():
    [made] = fuse(
        [("The company bought the old mill.", "The company sold two ships.")], "joint(again=0, open=0, bar=-9)"
    )
    assert made.text == "The company bought the old mill and sold two ships."


def test_what_has_nothing_in_common_is_not_fused():
    [made] = fuse([("Cats sleep all day.", "Lawyers met in Oslo.")])
    assert any("nothing to fuse" in note for note in made.notes)
    assert made.used in ((0,), (1,))
    [same] = fuse([("Cats sleep all day.", "Cats sleep all day.")])
    assert same.text.lower().count("sleep") == 1


def test_patterns_are_obeyed():
    [made] = fuse([PAIR], words=9, keep=["spring"])
    assert "spring" in made.text
    [made] = fuse([PAIR], words=9, drop=["Tuesday"])
    assert "Tuesday" not in made.text


def test_bad_parameters():
    with pytest.raises(UnknownName, match="kind of word"):
        fuse([PAIR], "joint(keep=verbs)")
    with pytest.raises(InputError, match="must not be below 0"):
        fuse([PAIR], "joint(again=-1)")
