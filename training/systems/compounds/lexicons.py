"""Build the lexicons of the package of models, from sources that may be passed on.

python training/systems/compounds/lexicons.py [de da ...]      (two minutes; writes models/base/assay_models/compounds)
"""

from __future__ import annotations

import sys
from pathlib import Path

from assay.systems.compounds.build import write_lexicon
from assay.text.compounds.language import list_languages, load_language

FOLDER = Path(__file__).parents[3] / "models" / "base" / "assay_models" / "compounds"
# Their data may be passed on; NOTICE has the licences. A language names those of them that may not: `unshipped`.
SHIPPED = ("german_nouns", "simplemma", "wordfreq")


def main(codes: list[str]) -> None:
    for code in codes or list_languages():
        sources = load_language(code).sources
        names = [name for name in SHIPPED if name in sources and name not in sources.get("unshipped", ())]
        if names:
            print(write_lexicon(code, str(FOLDER / f"{code}.lex"), sources=names))


if __name__ == "__main__":
    main(sys.argv[1:])
