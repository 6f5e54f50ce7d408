"""Content units: which text contains which, and the scores made of them.

Every function takes an EvalSet whose items carry units (`assay.read` of DucView's files or JSON Lines), or pyramids.

>>> import assay
>>> item = assay.Item("1", (assay.Reference("A dam broke.", "A"),), {"sys": "A dam broke."}, extra={
...     "units": [{"id": "1", "label": "dam", "contributors": [{"text": "A", "spans": [[0, 11]]}]}],
...     "peers": [{"peer": "sys", "units": [{"unit": "1", "contributors": [{"spans": [[0, 11]]}]}]}]})
>>> score_annotated(assay.EvalSet([item])).systems[0].modified
1.0
"""

from .annotated import AnnotatedScores, add_judgments, read_pyramids, score_annotated, score_topic
from .annotators import AnnotatorAgreement, annotator_agreement
from .auto import AutoPyramid, Suggestion, annotate_automatically, auto_pyramid, suggest_units
from .content_units import UnitTable, score_against, tabulate_units, unit_kappas
from .duplicates import DuplicateMarks, duplicate_marks
from .guided import GUIDED, AspectScores, GuidedAnalysis, analyze_units, aspect_scores
from .models import ModelCounts, count_models
from .score import ContentScores, score_pyramid, score_texts
from .unit_agreement import PeerAgreement, PyramidAgreement, peer_agreement, pyramid_agreement
from .unit_sentences import SentenceMatches, match_sentences

__all__ = [
    "GUIDED",
    "AnnotatedScores",
    "AnnotatorAgreement",
    "AspectScores",
    "AutoPyramid",
    "ContentScores",
    "DuplicateMarks",
    "GuidedAnalysis",
    "ModelCounts",
    "PeerAgreement",
    "PyramidAgreement",
    "SentenceMatches",
    "Suggestion",
    "UnitTable",
    "add_judgments",
    "analyze_units",
    "annotate_automatically",
    "annotator_agreement",
    "aspect_scores",
    "auto_pyramid",
    "count_models",
    "duplicate_marks",
    "match_sentences",
    "peer_agreement",
    "pyramid_agreement",
    "read_pyramids",
    "score_against",
    "score_annotated",
    "score_pyramid",
    "score_texts",
    "score_topic",
    "suggest_units",
    "tabulate_units",
    "unit_kappas",
]
