"""The names that people give to columns, and the role that each stands for."""

from __future__ import annotations

import re
from typing import Literal

Role = Literal[
    "id", "system", "source", "reference", "output", "group", "rater", "dimension", "score", "occasion", "kind", "best"
]


def split_names(text: str) -> frozenset[str]:
    """Return the names in a text, separated by spaces."""
    return frozenset(text.split())


# Written without case, spaces, underscores and hyphens, as `fold` leaves them.
NAMES: dict[Role, frozenset[str]] = {
    "id": split_names(
        "id item itemid segment segmentid segid seg sid docid documentid exampleid sampleid instanceid uid "
        "guid questionid qid globalsegid"
    ),
    "source": split_names(
        "source sources src srcs input inputs article articles document documents sourcetext srctext "
        "sourcesentence inputtext"
    ),
    "reference": split_names(
        "reference references ref refs target targets gold golds goldtext goldsummary groundtruth "
        "groundtruths highlights label labels referencetext referencesummary reftext refsummary targettext "
        "tgt tgttext humanreference expectedoutput goldstandard"
    ),
    "output": split_names(
        "output outputs prediction predictions pred preds predicted predictedtext predictedsummary "
        "predictiontext hypothesis hypotheses hyp hyps mt modeloutput modeloutputs generated generatedsummary "
        "generatedtext generation generations candidate candidates candidatesummary response responses "
        "modelresponse modelsummary systemoutput systemoutputs systemsummary decoded completion completions"
    ),
    "system": split_names("system systems model models systemid sysid modelid systemname modelname summarizerid"),
    "group": frozenset({"group"}),
    "rater": split_names(
        "rater annotator worker judge raterid annotatorid workerid judgeid "
        "ratername annotatorname assessor assessorid evaluator evaluatorid turker"
    ),
    "dimension": split_names("dimension criterion aspect"),
    "score": split_names("score scores rating ratings"),
    "occasion": frozenset({"occasion"}),
    "kind": split_names("kind raterkind annotatorkind"),
    "best": frozenset({"best"}),
}
ROLE_OF: dict[str, Role] = {name: role for role, names in NAMES.items() for name in names}

# Names that are an input of some kind: used as the source where there is no better one and only one of them.
WEAK_SOURCES = split_names("question prompt context instruction dialogue dialog passage query original sentence story")
# Numbers and texts about a row that are neither its outputs nor ratings of them.
METADATA = split_names(
    "index unnamed0 level0 indexlevel0 rowid rownumber row idx split url link date time timestamp "
    "datetime created starttime endtime start end duration durationinseconds seed language lang lp "
    "langpair srclang tgtlang title filepath filename path domain genre topic category year length nwords "
    "ntokens wordcount tokens notes note comment comments remark remarks annotation summarizertype hit "
    "hitid batch"
)
# Scores by automatic metrics are no judgments of people.
METRIC_SCORE = re.compile(
    r"(?:rouge|bleu|sacrebleu|chrf|meteor|bertscore|comet|bleurt|bartscore|moverscore|cider|gleu|ter|wer|cer)"
    r"(?:[0-9l]|sum|lsum|score|[fpr]1?|precision|recall|f1|fmeasure)*(?:\..*)?"
)
NUMBERED = re.compile(r"(.*?)[ _-]?([0-9]{1,6})")


def fold(header: str) -> str:
    """Return a header as it is compared: without case, spaces, underscores and hyphens.

    >>> fold(" Model_Output "), fold("ground truth")
    ('modeloutput', 'groundtruth')
    """
    return re.sub(r"[\s_-]+", "", header).lower()


def role_of_header(header: str) -> tuple[Role, int | None] | None:
    """Return the role that a header names, and its number where it is one of several; None for any other name.

    >>> role_of_header("Ground Truth"), role_of_header("ref_2"), role_of_header("bart")
    (('reference', None), ('reference', 2), None)
    """
    name = fold(header)
    if name in ROLE_OF:
        return ROLE_OF[name], None
    match = NUMBERED.fullmatch(header.strip())
    if match and (role := ROLE_OF.get(fold(match[1]))):
        return role, int(match[2])
    return None


def is_metadata(header: str) -> bool:
    """Tell whether a header names something about the row that is neither text to score nor a rating."""
    name = fold(header)
    return not name or name in METADATA or name.startswith("unnamed:") or bool(METRIC_SCORE.fullmatch(name))
