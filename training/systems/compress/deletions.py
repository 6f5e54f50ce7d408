"""Which words of a sentence a compression keeps, if it only deletes."""

from __future__ import annotations

from collections.abc import Sequence


def find_kept(words: Sequence[str], shorter: Sequence[str]) -> list[int] | None:
    """Which words a compression keeps, None if it is not a deletion; of several ways, that with the fewest gaps."""
    rest = iter(words)
    if not shorter or not all(word in rest for word in shorter):
        return None
    n, far = len(words), len(words) + 1
    # runs[j][i]: fewest runs in which shorter[: j + 1] is found, its last word being words[i]
    runs = [[1 if word == shorter[0] else far for word in words]]
    for wanted in shorter[1:]:
        row, best = [far] * n, far
        for i in range(1, n):
            if words[i] == wanted:
                row[i] = min(runs[-1][i - 1], best + 1)
            best = min(best, runs[-1][i - 1])
        runs.append(row)
    bits = [0] * n
    i = min(range(n), key=runs[-1].__getitem__)
    bits[i] = 1
    for j in range(len(shorter) - 1, 0, -1):
        if runs[j - 1][i - 1] == runs[j][i]:
            i -= 1
        else:
            i = next(k for k in range(i - 2, -1, -1) if runs[j - 1][k] + 1 == runs[j][i])
        bits[i] = 1
    return bits
