"""Cases by name: what people call ids, systems, sources, references, outputs, raters and ratings."""

from __future__ import annotations

from collections.abc import Iterator

from .canon import RATERS, SYSTEMS, Case, split_names
from .tables import expect, long, rated, ratings, single, way, wide

# Names of sacreBLEU, Hugging Face datasets and evaluate, WMT, COMET, MTurk, SummEval, promptfoo, ragas, DeepEval, DUC,
# lm-evaluation-harness, OpenAI evals, LangSmith and spreadsheets.
OUTPUT = split_names(
    "output;prediction;predictions;pred;hypothesis;hyp;mt;candidate;response;generated_text;generation;"
    "completion;decoded;model_output;system_output;generated_summary;predicted_summary;actual_output;"
    "model_answer;llm_output;translation;system_summary;machine_translation;sys_out;bot_response;"
    "generated;model_response;assistant_response;generated_answer;predicted_text;output_text;summary;"
    "mt_output;Model Output;System Summary;modelOutput;generated-text;PREDICTION;Generated summary;hyps;"
    "cand;pred_summary;predicted;answer;llm_response;system_translation;decoded_preds;final_output;"
    "outputs;responses;Translation;Antwort;text"
)
REFERENCE = split_names(
    "reference;ref;target;gold;ground_truth;highlights;label;summary;expected_output;expected;gold_answer;"
    "reference_answer;correct_answer;best_answer;ideal;golden_answer;tgt;ref_text;human_reference;"
    "gold_summary;Reference Summary;ref_summary;gt;target_text;human_summary;reference_translation;"
    "expert_summary;Reference;groundTruth;gold-standard;references;refs;answer;expected_answer;"
    "reference_text;reference_output;golden;ground_truth_answer;Ideal Answer;REF;model_summary_reference;"
    "gold_label;Referenz;target_summary;truth"
)
SOURCE = split_names(
    "source;src;input;article;document;text;question;prompt;context;instruction;dialogue;passage;query;"
    "original;sentence;story;source_text;src_text;source_sentence;Source Text;inputs;user_input;doc;"
    "transcript;full_text;body;input_text;complex;Input;sourceText;original_text;source_document;"
    "user_prompt;SRC;source_segment;Quelle;input_document"
)
ID = split_names(
    "id;item;item_id;segment_id;seg_id;doc_id;example_id;sample_id;question_id;uid;guid;qid;Input.id;"
    "instance_id;docid;sid;ID;Item ID;Segment ID;docId;story_id;dialogue_id;conversation_id;sentence_id;"
    "pair_id;prompt_id;case_id;test_id;record_id;segment;idx;index;#;No.;key;topic_id;article_id;task_id;"
    "query_id;row_id;document_id;item_no;seg;example;Sample;article;document;doc"
)
SYSTEM = split_names(
    "system;model;model_name;system_id;sys;system_name;Model;model_id;method;summarizer;submission;llm;"
    "generator;variant;System Name;modelName;SYSTEM;System ID;engine;sys_id;systemID;peer;summarizer_id;"
    "MT system;provider;model_type"
)
RATER = split_names(
    "rater;annotator;worker;judge;WorkerId;annotator_id;Annotator Name;rater name;crowd worker;rated_by;"
    "evaluator;assessor;user;username;participant;participant_id;PROLIFIC_PID;coder;labeler;expert;"
    "respondent;turker_id;worker_id;Rater;ANNOTATOR;judge_name;Rated by;annotated_by;user_id;Annotator ID;"
    "raterId;reviewer;annotatorName;subject;subject_id;judged_by;Prüfer;assessor name;human annotator;"
    "grader"
)
FLUENCY = split_names(
    "fluency;Fluency;FLUENCY;fluency_score;fluency_rating;Fluency Score;Answer.fluency;q1_fluency;"
    "human_fluency;Fluency (1-5);fluencyRating;rating_fluency;score_fluency;expert_fluency;is_fluent;"
    "fluency_likert"
)
DIMENSION = split_names(
    "adequacy;coherence;relevance;consistency;overall;rating;likert;quality;grammaticality;"
    "meaning preservation;Meaning;human_score;score;naturalness;informativeness;simplicity;faithfulness;"
    "readability;Overall Quality;DA;overall_score;helpfulness;correctness;Answer.rating;stars;grade;"
    "quality_score;accuracy;Usefulness;clarity;coverage;factual_consistency;meaning;grammar;"
    "non_redundancy;responsiveness;content;overall rating;satisfaction;linguistic quality;likert_score;"
    "human_rating;Rating (1 = bad, 5 = good);judgment;completeness;truthfulness"
)
WIDE = split_names(
    "bart t5 lead;BART T5 LEAD;bart-large-cnn t5-small lead-3;gpt-4o claude-3-opus llama-3.1-8b;"
    "system1 system2 system3;system_a system_b system_c;model_1 model_2 model_3;A B C;"
    "baseline ours oracle;bart_output t5_output lead_output;output_bart output_t5 output_lead;"
    "pred_bart pred_t5 pred_lead;bart_summary t5_summary lead_summary;summary_1 summary_2 summary_3;"
    "output1 output2 output3;hyp_bart hyp_t5 hyp_lead;prediction_1 prediction_2 prediction_3;"
    "Sys1 Sys2 Sys3;online-A online-B online-W;uedin kit rwth;NLLB-3.3B DeepL Google;"
    "prompt_v1 prompt_v2 prompt_v3;old new newer;control treatment1 treatment2;"
    "response_a response_b response_c;candidate_1 candidate_2 candidate_3;facebook/bart google/t5 lead/3;"
    "v1.0 v1.1 v2.0;before after final;bart (large) t5 (small) lead (3);output.bart output.t5 output.lead;"
    "M11 M13 M22;Claude GPT Gemini"
)


def output_cases() -> Iterator[Case]:
    for number, name in enumerate(OUTPUT):
        style, write = way(number)
        yield Case(f"output named {name!r} ({style})", write(single(output=name)), expect())


def reference_cases() -> Iterator[Case]:
    for number, name in enumerate(REFERENCE):
        style, write = way(number)
        yield Case(f"reference named {name!r} ({style})", write(single(reference=name)), expect())


def source_cases() -> Iterator[Case]:
    for number, name in enumerate(SOURCE):
        style, write = way(number)
        yield Case(f"source named {name!r} ({style})", write(single(source=name)), expect())


def id_cases() -> Iterator[Case]:
    for number, name in enumerate(ID):
        style, write = way(number)
        rows = long(id=name, source="")
        yield Case(f"id named {name!r} ({style})", write(rows), expect(SYSTEMS, source=False, ids=True))


def system_cases() -> Iterator[Case]:
    for number, name in enumerate(SYSTEM):
        style, write = way(number)
        yield Case(f"system named {name!r} ({style})", write(long(system=name)), expect(SYSTEMS, ids=True))


def rater_cases() -> Iterator[Case]:
    for number, name in enumerate(RATER):
        style, write = way(number)
        expected = expect(("bart", "t5"), source=False, ids=True, ratings=ratings())
        yield Case(f"rater named {name!r} ({style})", write(rated(rater=name)), expected)


def dimension_cases() -> Iterator[Case]:
    """Each with a rater next to it, and without."""
    for number, name in enumerate((*FLUENCY, *DIMENSION)):
        style, write = way(number)
        label = {"fluency": "" if name in DIMENSION else "fluen"}
        expected = expect(("bart", "t5"), source=False, ids=True, ratings=ratings(label=label))
        yield Case(f"rating named {name!r} ({style})", write(rated(dimensions={"fluency": name})), expected)
        alone = ratings(("bart",), RATERS[:1], names={"bart": "", "anna": None}, label=label)
        rows = rated(system="", rater="", dimensions={"fluency": name}, systems=("bart",), raters=RATERS[:1])
        expected = expect(source=False, ids=True, ratings=alone, raters=1)
        yield Case(f"rating named {name!r} without raters ({style})", write(rows), expected)


def wide_cases() -> Iterator[Case]:
    """A column per system: with an id and a source, and with a reference alone."""
    for number, text in enumerate(WIDE):
        style, write = way(number)
        headers = text.split() if "(" not in text else ["bart (large)", "t5 (small)", "lead (3)"]
        names = dict(zip(SYSTEMS, headers, strict=True))
        wanted = {s: _own_part(header) for s, header in names.items()}
        rows = wide(names, source="source")
        yield Case(f"wide {text!r} ({style})", write(rows), expect(SYSTEMS, names=wanted, ids=True))
        style, write = way(number + 5)
        rows = wide(names, id="")
        yield Case(f"wide {text!r}, no ids ({style})", write(rows), expect(SYSTEMS, names=wanted, source=False))


def _own_part(header: str) -> str:
    """Return the part of a header that any name of the system has in it."""
    parts = header.replace("_", " ").replace(".", " ").split()
    own = [
        part for part in parts if part.lower() not in ("output", "pred", "summary", "hyp", "prediction", "candidate")
    ]
    return header if len(own) == len(parts) else own[0]
