"""Content units: which text contains which, and the scores made of them.

Every function takes an EvalSet with units on its items (`assay.read` of DucView's files or JSON Lines), or pyramids.

>>> import assay
>>> item = assay.Item("1", (assay.Reference("A dam broke.", "A"),), {"sys": "A dam broke."}, extra={
...     "units": [{"id": "1", "label": "dam", "contributors": [{"text": "A", "spans": [[0, 11]]}]}],
...     "peers": [{"peer": "sys", "units": [{"unit": "1", "contributors": [{"spans": [[0, 11]]}]}]}]})
>>> score_annotated(assay.EvalSet([item])).systems[0].modified
1.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from .annotated import AnnotatedScores as AnnotatedScores
    from .annotated import add_judgments as add_judgments
    from .annotated import read_pyramids as read_pyramids
    from .annotated import score_annotated as score_annotated
    from .annotated import score_topic as score_topic
    from .annotators import AnnotatorAgreement as AnnotatorAgreement
    from .annotators import annotator_agreement as annotator_agreement
    from .auto import AutoPyramid as AutoPyramid
    from .auto import Suggestion as Suggestion
    from .auto import annotate_automatically as annotate_automatically
    from .auto import auto_pyramid as auto_pyramid
    from .auto import suggest_units as suggest_units
    from .content_units import UnitTable as UnitTable
    from .content_units import score_against as score_against
    from .content_units import tabulate_units as tabulate_units
    from .content_units import unit_kappas as unit_kappas
    from .duplicates import DuplicateMarks as DuplicateMarks
    from .duplicates import duplicate_marks as duplicate_marks
    from .guided import GUIDED as GUIDED
    from .guided import AspectScores as AspectScores
    from .guided import GuidedAnalysis as GuidedAnalysis
    from .guided import analyze_units as analyze_units
    from .guided import aspect_scores as aspect_scores
    from .models import ModelCounts as ModelCounts
    from .models import count_models as count_models
    from .score import ContentScores as ContentScores
    from .score import score_pyramid as score_pyramid
    from .score import score_texts as score_texts
    from .unit_agreement import PeerAgreement as PeerAgreement
    from .unit_agreement import PyramidAgreement as PyramidAgreement
    from .unit_agreement import peer_agreement as peer_agreement
    from .unit_agreement import pyramid_agreement as pyramid_agreement
    from .unit_sentences import SentenceMatches as SentenceMatches
    from .unit_sentences import match_sentences as match_sentences

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".annotated": "AnnotatedScores add_judgments read_pyramids score_annotated score_topic",
            ".annotators": "AnnotatorAgreement annotator_agreement",
            ".auto": "AutoPyramid Suggestion annotate_automatically auto_pyramid suggest_units",
            ".content_units": "UnitTable score_against tabulate_units unit_kappas",
            ".duplicates": "DuplicateMarks duplicate_marks",
            ".guided": "AspectScores GUIDED GuidedAnalysis analyze_units aspect_scores",
            ".models": "ModelCounts count_models",
            ".score": "ContentScores score_pyramid score_texts",
            ".unit_agreement": "PeerAgreement PyramidAgreement peer_agreement pyramid_agreement",
            ".unit_sentences": "SentenceMatches match_sentences",
        },
    )
