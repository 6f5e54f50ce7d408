"""Questions about texts: what a corpus is like, what was done to its sources, which sentences were fused.

`describe(data)` measures rates and agreement of compressions; `edits(data)` classifies how every output came from its
source, `effects(edits, scores)` which of it readers liked (Toutanova et al. 2016, 3.3); `joint_or_separate(data)`
compares two sentences shortened together with the same shortened one by one; `fusions(document, abstract)` finds
sentences made of two (Daumé III and Marcu 2004, 3.1); `check_data(data)` says what a set lacks.
"""

from .check import DataCheck, check_data
from .edit_effects import Effect, JointEffects, JointSeparate, OperationEffects, effects, joint_or_separate
from .edit_operations import KINDS, OPERATIONS, Edit, classify
from .edits import Edits, OutputEdits, Rates, edits
from .fusion_pairs import Fusion, FusionCounts, FusionSearch, fusions

__all__ = [
    "KINDS",
    "OPERATIONS",
    "DataCheck",
    "Edit",
    "Edits",
    "Effect",
    "Fusion",
    "FusionCounts",
    "FusionSearch",
    "JointEffects",
    "JointSeparate",
    "OperationEffects",
    "OutputEdits",
    "Rates",
    "check_data",
    "classify",
    "edits",
    "effects",
    "fusions",
    "joint_or_separate",
]
