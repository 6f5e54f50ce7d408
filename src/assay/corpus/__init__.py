"""Questions about texts: what a corpus is like, how outputs were made from their sources, what they share.

`describe(data)` describes a corpus of compressions (Clarke and Lapata 2006); `edits(data)` classifies how every output
was made from its source, `edit_effects` and `compare_joint` ask which edits readers like (Toutanova et al. 2016, 3.3);
`find_fusion_pairs(documents)` finds sentences made from two (Daumé III and Marcu 2004, 3.1); `check_data(data)` counts
what is missing.
"""

from .check import DataCheck, check_data
from .describe import DeletionAgreement, Description, Lengths, Shortening, describe
from .edit_effects import EditEffect, EditEffects, JointComparison, JointScore, compare_joint, edit_effects
from .edit_model import EditModel, ModelEffect
from .edit_operations import OPERATIONS, TYPES, Edit, classify_edit
from .edits import Edits, EditSummary, SystemEdits, WordShares, edits
from .fusion_pairs import FusionPair, FusionPairs, SentenceCounts, align_abstract, find_fusion_pairs

__all__ = [
    "OPERATIONS",
    "TYPES",
    "DataCheck",
    "DeletionAgreement",
    "Description",
    "Edit",
    "EditEffect",
    "EditEffects",
    "EditModel",
    "EditSummary",
    "Edits",
    "FusionPair",
    "FusionPairs",
    "JointComparison",
    "JointScore",
    "Lengths",
    "ModelEffect",
    "SentenceCounts",
    "Shortening",
    "SystemEdits",
    "WordShares",
    "align_abstract",
    "check_data",
    "classify_edit",
    "compare_joint",
    "describe",
    "edit_effects",
    "edits",
    "find_fusion_pairs",
]
