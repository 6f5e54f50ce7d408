"""Ask for the direction of a scale where no one stated it."""

from __future__ import annotations


def ask_direction(name: str, unknown: str) -> str:
    """Ask whether low or high is better, and say how to answer; `unknown` is what cannot be said until then.

    >>> print(ask_direction("wer", "which system is best"))
    Is a low or a high wer better? It is not stated, so nothing is said about which system is best: give \
--lower-is-better wer or --higher-is-better wer, or state it in the file: "scales": {"wer": {"best": "low"}}.
    """
    option = f'"{name}"' if " " in name else name
    return (
        f"Is a low or a high {name} better? It is not stated, so nothing is said about {unknown}: give "
        f"--lower-is-better {option} or --higher-is-better {option}, or state it in the file: "
        f'"scales": {{"{name}": {{"best": "low"}}}}.'
    )
