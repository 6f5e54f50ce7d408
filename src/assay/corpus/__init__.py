"""Questions about texts: what a corpus is like, how outputs were made from their sources, what they share.

`describe(data)` describes a corpus of compressions (Clarke and Lapata 2006); `edits(data)` classifies how every output
was made from its source, `edit_effects` and `compare_joint` ask which edits readers like (Toutanova et al. 2016, 3.3);
`find_fusion_pairs(documents)` finds sentences made from two (Daumé III and Marcu 2004, 3.1); `check_data(data)` counts
what is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from .check import DataCheck as DataCheck
    from .check import check_data as check_data
    from .describe import DeletionAgreement as DeletionAgreement
    from .describe import Description as Description
    from .describe import Lengths as Lengths
    from .describe import Shortening as Shortening
    from .describe import describe as describe
    from .edit_effects import EditEffect as EditEffect
    from .edit_effects import EditEffects as EditEffects
    from .edit_effects import JointComparison as JointComparison
    from .edit_effects import JointScore as JointScore
    from .edit_effects import compare_joint as compare_joint
    from .edit_effects import edit_effects as edit_effects
    from .edit_model import EditModel as EditModel
    from .edit_model import ModelEffect as ModelEffect
    from .edit_operations import OPERATIONS as OPERATIONS
    from .edit_operations import TYPES as TYPES
    from .edit_operations import Edit as Edit
    from .edit_operations import classify_edit as classify_edit
    from .edits import Edits as Edits
    from .edits import EditSummary as EditSummary
    from .edits import SystemEdits as SystemEdits
    from .edits import WordShares as WordShares
    from .edits import edits as edits
    from .fusion_pairs import FusionPair as FusionPair
    from .fusion_pairs import FusionPairs as FusionPairs
    from .fusion_pairs import SentenceCounts as SentenceCounts
    from .fusion_pairs import align_abstract as align_abstract
    from .fusion_pairs import find_fusion_pairs as find_fusion_pairs

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".check": "DataCheck check_data",
            ".describe": "DeletionAgreement Description Lengths Shortening describe",
            ".edit_effects": "EditEffect EditEffects JointComparison JointScore compare_joint edit_effects",
            ".edit_model": "EditModel ModelEffect",
            ".edit_operations": "Edit OPERATIONS TYPES classify_edit",
            ".edits": "EditSummary Edits SystemEdits WordShares edits",
            ".fusion_pairs": "FusionPair FusionPairs SentenceCounts align_abstract find_fusion_pairs",
        },
    )
