"""Lines of a text file or of standard input, with a bar on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from ._progress import Progress


def follow_lines(path: str, *, quiet: bool = False, strip_tags: bool = False) -> Iterator[str]:
    """Yield each line without its end; gzip or not, "-" for standard input."""
    from ..formats import ReadProgress, text_lines

    progress = ReadProgress()
    texts = text_lines(path, progress=progress, strip_tags=strip_tags)
    with Progress(texts, quiet=quiet, fraction=progress.fraction) as lines:
        yield from lines
