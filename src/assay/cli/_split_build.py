"""Build a lexicon for splitting compounds, from the packages and word lists that are installed.

assay split build --language et
assay split build --language ko --words words.txt --out korean.lex

Sources are wordfreq, simplemma and german-nouns (extra `compounds`), Debian's word lists and hunspell
dictionaries; HanTa, Voikko and EstNLTK add parts of speech where they are installed. The lexicon is kept in the cache
and used from then on; nothing is downloaded.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..errors import InputError
from ._options import add
from ._progress import make_follower
from ._show import show

SUMMARY = "build a lexicon from installed packages"


def arguments(parser: argparse.ArgumentParser) -> None:
    add(parser, "language")
    parser.add_argument("--words", metavar="FILE", dest="word_file", help="words of your own, one per line, to add")
    parser.add_argument(
        "--sources", metavar="NAME,NAME", help="use only these sources (default: all that are installed)"
    )
    add(parser, "out", "json", out={"detail": "the lexicon", "shown": "in the cache"})


def run(args: argparse.Namespace) -> int:
    from ..systems.compounds.build import write_lexicon

    if not args.language:
        raise InputError("--language is missing: give the language of the lexicon, as --language de")
    own = list(_own_words(args)) if args.word_file else []
    follow = make_follower(args.quiet, "sources")
    sources = args.sources.split(",") if args.sources else None
    show([write_lexicon(args.language, args.out, sources=sources, words=own, follow=follow)], as_json=args.json)
    return 0


def _own_words(args: argparse.Namespace) -> Iterator[str]:
    from ._lines import follow_lines

    return (word for line in follow_lines(args.word_file, quiet=args.quiet) if (word := line.strip()))
