"""What was done to a text to make another of it, and which of it readers liked (Toutanova et al. 2016, 3.3).

`edits(data)` classifies every output of an evaluation set with sources; `effects(found, scores)` asks people's scores;
`joint_or_separate(data)` compares two sentences shortened together with the same shortened one by one;
`fusions(document, abstract)` finds sentences made of two (Daumé III and Marcu 2004, 3.1).
"""

from .edit_effects import Effect, JointSeparate, effects, joint_or_separate
from .edit_operations import KINDS, OPERATIONS, Edit, classify
from .edits import Edits, Rates, edits
from .fusion_pairs import Fusion, Mining, fusions

__all__ = [
    "KINDS", "OPERATIONS", "Edit", "Edits", "Effect", "Fusion", "JointSeparate", "Mining", "Rates", "classify", "edits",
    "effects", "fusions", "joint_or_separate",
]  # fmt: skip
