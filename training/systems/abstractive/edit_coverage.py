"""How much of what people write a list of phrases could write: exact rewrites, and words put in, on held-back sources.

python training/systems/abstractive/edit_coverage.py

A rewrite is reachable if each phrase it puts in is in the list or is another form of the word it replaces. Lists are
of the most frequent phrases of the training sources without names and numbers; the second half of the table has only
those that at least five sources have, which is what may be shipped.
"""

from __future__ import annotations

from collections.abc import Sequence

from edit_pairs import MIN_SOURCES, Rewrites, find_steps, is_inflection, list_phrases, split_rewrites

SIZES = (0, 100, 500, 2000, 5000)


def cover(rows: Sequence[Rewrites], phrases: Sequence[str]) -> tuple[float, float]:
    """Return the share of rewrites that are reachable, and the share of the words put in that are covered."""
    known = set(phrases)
    reachable = pairs = covered = total = 0
    for row in rows:
        for text in row.texts:
            exact = True
            for step in find_steps(row.words, text):
                new = [word.lower() for word in text[step.k : step.m]]
                if step.kind not in ("replace", "insert") or not any(c.isalnum() for word in new for c in word):
                    continue
                right = " ".join(new) in known or is_inflection(row.words[step.i : step.j], new)
                exact &= right
                covered += len(new) * right
                total += len(new)
            reachable += exact
            pairs += 1
    return reachable / pairs, covered / total


def main() -> None:
    parts = split_rewrites()
    held = parts["dev"]
    texts = sum(len(row.texts) for row in held)
    print(f"{len(parts['train'])} training sources; {len(held)} held-back sources with {texts} rewrites\n")
    print("| phrases asked for | in the list | from sources | rewrites reachable | words put in that are covered |")
    print("|---:|---:|---:|---:|---:|")
    for least in (1, MIN_SOURCES):
        for size in SIZES:
            phrases = list_phrases(parts["train"], size, least)
            exact, words = cover(held, phrases)
            print(f"| {size:,} | {len(phrases):,} | {least} or more | {exact:.3f} | {words:.3f} |")


if __name__ == "__main__":
    main()
