"""The names that people give to columns, and the role that each stands for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Role = Literal[
    "id",
    "system",
    "source",
    "reference",
    "output",
    "group",
    "cluster",
    "run",
    "rater",
    "dimension",
    "score",
    "occasion",
    "kind",
    "best",
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
        "tgt trg tgttext humanreference expectedoutput goldstandard ytrue pe postedit postedited answerkey référence "
        "musterlösung"
    ),
    "output": split_names(
        "output outputs prediction predictions pred preds predicted predictedtext predictedsummary "
        "predictiontext hypothesis hypotheses hyp hyps mt modeloutput modeloutputs generated generatedsummary "
        "generatedtext generation generations candidate candidates candidatesummary response responses "
        "modelresponse modelsummary systemoutput systemoutputs systemsummary decoded completion completions"
    ),
    "system": split_names("system systems model models systemid sysid modelid systemname modelname summarizerid"),
    "group": frozenset({"group"}),
    "cluster": frozenset({"cluster"}),
    "run": frozenset({"run"}),
    "rater": split_names(
        "rater annotator worker judge raterid annotatorid workerid judgeid "
        "ratername annotatorname assessor assessorid evaluator evaluatorid turker prüfer"
    ),
    "dimension": split_names("dimension criterion aspect"),
    "score": split_names("score scores rating ratings"),
    "occasion": frozenset({"occasion"}),
    "kind": split_names("kind raterkind annotatorkind"),
    "best": frozenset({"best"}),
}
ROLE_OF: dict[str, Role] = {name: role for role, names in NAMES.items() for name in names}

# Words that make up such a name: "model_answer", "gold summary", "rater name". A role has one core word at least.
CORES: dict[Role, frozenset[str]] = {
    "reference": split_names(
        "reference references ref refs target targets tgt gold golds golden truth truths expected ideal highlights "
        "gt groundtruth referenz"
    ),
    "system": split_names(
        "system systems sys model models method summarizer submission llm generator variant engine peer provider"
    ),
    "output": split_names(
        "output outputs prediction predictions pred preds predicted hypothesis hypotheses hyp hyps mt generated "
        "generation generations candidate candidates cand response responses decoded completion completions out"
    ),
    "source": split_names("source sources src srcs input inputs original orig quelle complex transcript"),
    "rater": split_names(
        "rater annotator worker judge evaluator assessor turker participant coder labeler labeller respondent reviewer "
        "grader scorer marker expert crowdworker username prolific anno bewerter gutachter"
    ),
    "dimension": split_names("dimension criterion criteria aspect attribute facet"),
}
TEXT_WORDS = split_names(
    "text texts summary summaries sentence sent translation answer answers string standard segment abstract"
)
LANGUAGES = split_names("en de fr es it pt nl ru uk cs pl zh ja ko ar hi tr fi sv")  # source_en, ref_de
JUDGED = split_names("rated annotated judged reviewed labeled labelled evaluated scored graded assessed")
# What may stand next to the core: a role's own words, and texts where the role is one of texts.
BESIDE: dict[Role, frozenset[str]] = {
    "reference": TEXT_WORDS
    | LANGUAGES
    | split_names("human expert ground model label output outputs response responses completion completions result"),
    "output": TEXT_WORDS | LANGUAGES | split_names("model system sys machine llm bot assistant final target label"),
    "source": TEXT_WORDS | LANGUAGES | split_names("user full document article doc"),
    "rater": split_names("id name by human crowd pid code full user no nr # number index email initials mturk"),
    "system": split_names("id name mt type"),
    "dimension": split_names("quality name"),
}
# Two words that are a role together, though neither is its core.
PAIRS: dict[Role, tuple[frozenset[str], frozenset[str]]] = {
    "reference": (
        split_names("correct best human expert true desired canonical annotated label"),
        TEXT_WORDS | split_names("output response result"),
    ),
    "output": (split_names("model system machine llm bot assistant sys"), TEXT_WORDS),
    "source": (split_names("full user document article doc"), split_names("text prompt body query message")),
    "rater": (JUDGED, split_names("by")),
}

# Names that are an input of some kind: used as the source where there is no better one and only one of them.
WEAK_SOURCES = split_names(
    "question prompt context contexts instruction dialogue dialog passage query original sentence story doc body "
    "userprompt userinput complex transcript content claim news post utterance conversation chat problem paragraph "
    "message review ausgangstext originaltext"
)
# Names that are an output, or a reference next to one, as the other columns say.
WEAK_TEXTS = (
    *("summary", "answer", "translation", "antwort", "summaries", "answers", "translations"),
    *("abstract", "solution"),
)
# Ids where no column has a better name for one, if their values are those of ids.
ID_WORDS = split_names("id ids no nr key index idx number identifier name")
WEAK_IDS = split_names(
    "example sample doc document article story topic docset passage segment sentence case task question query prompt "
    "key index idx # identifier name pair record conversation dialogue dialog cluster"
)
# Ids of something else than an item.
OTHER_IDS = split_names(
    "user session hit run request trace span call thread account annotation assignment batch gpu study system model "
    "worker rater annotator judge reviewer participant paper author speaker commit job node image"
)
# What items were drawn together in, if its values repeat.
CLUSTERS = split_names(
    "cluster document doc docid documentid story storyid topic topicid passage passageid article articleid docset "
    "docsetid conversation conversationid dialogue dialogueid prompt promptid"
)
RUNS = split_names("run epoch seed sample repeat replicate trial runid")
GROUPS = split_names("group category genre domain")
# Numbers and texts about a row that are neither its outputs nor ratings of them.
METADATA = split_names(
    "index unnamed0 level0 indexlevel0 rowid rownumber row idx split url link date time timestamp "
    "datetime created starttime endtime start end duration durationinseconds seed language lang lp "
    "langpair srclang tgtlang title filepath filename path domain genre topic category year length nwords "
    "ntokens wordcount tokens notes note comment comments remark remarks annotation summarizertype hit "
    "hitid batch"
)
# Words of texts that are about an output or a row, however much they look like an output.
ABOUT_TEXT = split_names(
    "explanation rationale feedback reason reasoning reasons justification comment comments kommentar note notes "
    "remark remarks thought thoughts description error errors message log trace free params parameters usage metadata "
    "meta config settings template rubric todo raw title headline heading subject event caption "
    "keywords tags tag hint url link path file filename hash sha md5 checksum commit fingerprint uuid id ids email "
    "author reviewer editor name owner speaker byline requester bearbeiter status state type section dataset subset "
    "corpus language lang locale license pipeline approved verified completed consent date time created published "
    "submitted modified category genre topic domain contact tokenizer embedding judge annotator rater worker "
    "suggestion suggestions critique review analysis evidence bemerkung anmerkung search retrieved retrieval "
    "scratchpad chain followup why background persona docstring prev previous next preceding following "
    "neighbour tokenized direction format style alttext"
)
# Scores by automatic metrics are not judgments of people.
METRIC_SCORE = re.compile(
    r"(?:sentence|corpus|avg|mean)?(?:rouge|bleu|sacrebleu|chrf|meteor|bertscore|x?comet|cometkiwi|bleurt|bartscore"
    r"|moverscore|cider|gleu|ter|wer|cer|sari|metricx|questeval|summac|prism|yisi|spice)"
    r"(?:[0-9lf]|sum|lsum|score|kiwi|[fpr]1?|precision|recall|f1|fmeasure|measure|da|qe|xl|xxl)*(?:\..*)?"
)
# Language models that judge: in the header of a score, or as the name of a rater.
LLM_NAME = re.compile(
    r"(?:chat)?gpt[0-9a-z]*|llms?|geval|claude[0-9].*|gemini[0-9]?.*|llama[0-9].*|mi[sx]tral.*|qwen.*|deepseek.*"
    r"|prometheus.*|autoj.*|o[134](?:mini)?|llmjudge|llmasajudge"
)
NUMBERED = re.compile(r"(.*?)[ _-]?([0-9]{1,6})")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_]+|#")


def split_words(header: str) -> list[str]:
    """Return the words of a header in lower case, numbers apart; a scale in brackets is left out.

    >>> split_words("WorkTimeInSeconds"), split_words("human_rating2 (1-5)")
    (['work', 'time', 'in', 'seconds'], ['human', 'rating', '2'])
    """
    bare = re.sub(r"\([^()]*[0-9=][^()]*\)", " ", header)
    return [word.lower() for word in _WORDS.findall(bare if bare.strip() else header)]


def fold(header: str) -> str:
    """Return a header as it is compared: without case, spaces, underscores and hyphens.

    >>> fold(" Model_Output "), fold("ground truth")
    ('modeloutput', 'groundtruth')
    """
    return re.sub(r"[\s_-]+", "", header).lower()


@lru_cache(maxsize=1 << 18)  # asked again and again; a file may have very many keys
def role_of_header(header: str) -> tuple[Role, int | None] | None:
    """Return the role that a header names, and its number where it is one of several; None for any other name.

    >>> role_of_header("Ground Truth"), role_of_header("ref_2"), role_of_header("bart")
    (('reference', None), ('reference', 2), None)
    """
    name = fold(header)
    if name in ROLE_OF:
        return ROLE_OF[name], None
    if (role := _role_of_words(header)) is not None:
        return role, None
    match = NUMBERED.fullmatch(header.strip())
    if match and match[1] and (role := ROLE_OF.get(fold(match[1])) or _role_of_words(match[1])):
        return role, int(match[2])
    return None


def _role_of_words(header: str) -> Role | None:
    words = split_words(header)
    if not words or "." in header:
        return None
    for role, core in CORES.items():
        others = [word for word in words if word not in core]
        if len(others) < len(words) and all(word in BESIDE[role] for word in others):
            return role
    if len(words) == 2:
        for role, (first, second) in PAIRS.items():
            if words[0] in first and words[1] in second:
                return role
    return None


def names_weak_source(header: str) -> bool:
    """Check if a header may name the source, where only one does: a weak name, perhaps with a word for texts.

    >>> names_weak_source("Question text"), names_weak_source("full_article"), names_weak_source("query_id")
    (True, True, False)
    """
    words = split_words(header)
    if fold(header) in WEAK_SOURCES:
        return True
    kinds = WEAK_SOURCES | NAMES["source"]
    texts = split_names("text texts string sent sentence segment to summarize full raw long")
    named = any(word in kinds for word in words) or (len(words) > 1 and "text" in words)
    return named and all(word in kinds | LANGUAGES | texts for word in words)


def names_other_text(header: str) -> bool:
    """Check if a header names a text about the row or the output: an explanation, a title, an id.

    >>> names_other_text("error_description"), names_other_text("bart_large")
    (True, False)
    """
    return any(word in ABOUT_TEXT for word in (*split_words(header), fold(header)))


def names_reference(header: str) -> bool:
    """Check if a header speaks of a reference with words of its own: who wrote it, or which of several it is.

    >>> names_reference("ref_anna"), names_reference("references[0]"), names_reference("target_language")
    (True, True, False)
    """
    words = split_words(header)
    others = CORES["output"] | CORES["system"] | CORES["rater"] - {"expert"}
    if any(word in ABOUT_TEXT or word in others for word in words):
        return False
    return any(word in CORES["reference"] for word in words) or words[:1] in (["human"], ["expert"])


def names_id(header: str) -> bool:
    """Check if a header may name the id of an item, where none has a better name.

    >>> names_id("story_id"), names_id("user_id"), names_id("doc")
    (True, False, True)
    """
    words = split_words(header)
    if any(word in OTHER_IDS for word in words) or not words:
        return False
    return fold(header) in WEAK_IDS or (words[-1] in ID_WORDS and len(words) <= 2)


def is_metadata(header: str) -> bool:
    """Check if a header names something about the row that is neither text to score nor a rating."""
    name = fold(header)
    return not name or name in METADATA or name.startswith("unnamed:") or bool(METRIC_SCORE.fullmatch(name))
