"""What the scripts for the fast parser and for the deletion taggers lend to this folder."""

import sys
from pathlib import Path

_TRAINING = Path(__file__).resolve().parents[2]
# In this order, and behind this folder: both have a prepare.py, and the taggers' is meant.
sys.path += [str(_TRAINING / "systems" / "compress"), str(_TRAINING / "text" / "parse")]

from augment import NEWLINE, augment, groups, recase  # noqa: E402
from deletions import find_kept  # noqa: E402
from prepare import Pair, data_folder, rare_words, read_pairs, restore_case  # noqa: E402
from silver import Conventions  # noqa: E402
from treebanks import AMALGUM, EWT_DEV, EWT_TRAIN, GUM, Sentence, Word, sentences, treebank  # noqa: E402

__all__ = [
    "AMALGUM",
    "EWT_DEV",
    "EWT_TRAIN",
    "GUM",
    "NEWLINE",
    "Conventions",
    "Pair",
    "Sentence",
    "Word",
    "augment",
    "data_folder",
    "find_kept",
    "groups",
    "rare_words",
    "read_pairs",
    "recase",
    "restore_case",
    "sentences",
    "treebank",
]
