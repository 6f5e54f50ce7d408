"""Cases by program: whole headers as Hugging Face, WMT, COMET, MTurk, SummEval, ragas and others have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .canon import FIRST, GROUPS, IDS, OUTPUTS, RATERS, SECOND, SOURCES, SYSTEMS, Case, N, rating
from .noise import NUMBERS, TEXTS
from .tables import QUICK, WAYS, Rows, expect, ratings

# Columns in order. A name before "=" is the header; after it stands what it holds: a part of the set or of the noise.
ONE_SYSTEM = {
    "HF evaluate": "predictions=output,references=reference",
    "HF evaluate, singular": "prediction=output,reference=reference",
    "cnn_dailymail": "id=id,article=source,highlights=reference,generated=output",
    "xsum": "document=source,summary=reference,id=id,prediction=output",
    "samsum": "id=id,dialogue=source,summary=reference,model_summary=output",
    "gigaword": "document=source,summary=reference,decoded=output",
    "squad": "id=id,context=source,answers=reference,prediction=output",
    "ragas 0.1": "question=source,answer=output,ground_truth=reference",
    "ragas 0.1, scored": "question=source,answer=output,ground_truth=reference,faithfulness_llm=share,"
    "answer_similarity=share",
    "ragas 0.2": "user_input=source,response=output,reference=reference",
    "deepeval": "input=source,actual_output=output,expected_output=reference",
    "deepeval, cost": "input=source,actual_output=output,expected_output=reference,token_cost=usd,"
    "completion_time=seconds",
    "OpenAI evals": "input=source,ideal=reference,completion=output",
    "LangSmith": "inputs.question=source,outputs.answer=output,reference_outputs.answer=reference,"
    "latency=seconds,tokens=tokens",
    "Langfuse": "id=id,input=source,output=output,expected_output=reference,totalCost=usd,latency=seconds,traceId=uuid",
    "MLflow": "inputs=source,ground_truth=reference,predictions=output,latency=seconds,token_count=tokens",
    "Weave": "id=id,question=source,expected=reference,output=output,model_latency=seconds",
    "COMET": "src=source,mt=output,ref=reference",
    "COMET, scored": "src=source,mt=output,ref=reference,COMET=score100",
    "Unbabel": "lp=language,src=source,mt=output,ref=reference,year=year,domain=word",
    "opus": "source=source,target=reference,translation=output",
    "FLORES": "id=id,source_lang=language,src_text=source,ref_text=reference,mt_text=output",
    "ASSET": "original=source,simplification=output,reference=reference",
    "WikiLarge": "complex=source,simple=reference,output=output",
    "GEM": "gem_id=id,input=source,target=reference,generated=output",
    "AlpacaEval": "instruction=source,output=output,reference=reference,generator=model,dataset=word",
    "MT-Bench": "question_id=id,category=word,prompt=source,reference=reference,answer=output",
    "TruthfulQA": "question=source,best_answer=reference,model_answer=output,category=word",
    "spreadsheet": "No.=serial,Source=source,Target=reference,MT=output,Comment=sentence",
    "spreadsheet, German": "Nr.=serial,Quelle=source,Referenz=reference,Ausgabe=output,Bemerkung=sentence",
    "CAT tool": "Segment ID=id,Source=source,Reference=reference,MT output=output,Status=label,Match %=tokens",
    "vLLM batch": "custom_id=id,prompt=source,response=output,reference=reference,finish_reason=label,"
    "usage.total_tokens=tokens",
    "HELM": "instance_id=id,input=source,reference=reference,prediction=output,perturbation=word,runtime=seconds",
    "logs": "timestamp=date,request_id=uuid,prompt=source,completion=output,expected=reference,latency_ms=ms,"
    "cost_usd=usd",
    "A/B log": "uid=id,query=source,response=output,gold=reference,temperature=setting,top_p=setting,seed=big id",
    "title and url": "id=id,title=title,url=url,article=source,summary=reference,prediction=output",
    "hash and email": "hash=hash,email=email,source=source,reference=reference,output=output",
    "two times": "start_time=unix,end_time=unix,input=source,target=reference,output=output",
    "nothing but outputs": "prediction=output",
    "outputs and sources": "source=source,prediction=output",
}
MANY_SYSTEMS = {
    "long": "id=id,system=system,source=source,reference=reference,output=output",
    "WMT": "seg_id=id,sys=system,src=source,ref=reference,mt=output",
    "WMT, names": "segment=id,system=system,source=source,reference=reference,translation=output,domain=word",
    "DUC": "docset=id,peer=system,reference=reference,summary=output",
    "SummEval": "id=id,model_id=system,decoded=output,reference=reference,text=source",
    "leaderboard": "model=system,example_id=id,input=source,target=reference,prediction=output,tokens=tokens,cost=usd",
    "arena": "question_id=id,model=system,prompt=source,reference=reference,response=output,timestamp=unix",
    "promptfoo, long": "test_id=id,provider=system,prompt=source,expected=reference,output=output,latencyMs=ms",
    "grid": "run=system,item=id,input=source,gold=reference,output=output",
    "R": "doc=id,method=system,src=source,ref=reference,hyp=output,n_words=tokens",
}
RATED = {
    "MTurk": "HITId=code,WorkerId=rater,WorkTimeInSeconds=seconds,Input.id=id,Input.system=system,"
    "Input.output=output,"
    "Input.reference=reference,Answer.fluency=fluency",
    "MTurk, plain": "WorkerId=rater,AssignmentStatus=label,id=id,system=system,output=output,reference=reference,"
    "fluency=fluency,"
    "WorkTimeInSeconds=seconds,LifetimeApprovalRate=share",
    "WMT DA": "worker=rater,system=system,segment_id=id,source=source,target=output,fluency=fluency,start=unix,"
    "end=unix",
    "Prolific": "PROLIFIC_PID=rater,STUDY_ID=constant,item_id=id,model=system,text=output,reference=reference,"
    "fluency=fluency,"
    "age=age,duration=seconds",
    "Google Forms": "Timestamp=date,Annotator=rater,Item=id,System=system,Output=output,Reference=reference,"
    "Fluency=fluency,"
    "Any comments?=sentence",
    "spreadsheet": "ID=id,Model=system,Reference=reference,Model output=output,Annotator=rater,Fluency "
    "(1-5)=fluency,Notes=sentence",
    "SummEval, long": "id=id,model_id=system,decoded=output,reference=reference,annotator=rater,fluency=fluency,"
    "annotator_type=word",
    "Label Studio CSV": "id=id,system=system,output=output,reference=reference,annotator=rater,fluency=fluency,"
    "annotation_id=big id,"
    "lead_time=seconds,created_at=date,updated_at=date",
    "doccano": "id=id,text=output,model=system,reference=reference,username=rater,fluency=fluency,approved=yesno",
    "two words": "item id=id,system name=system,output text=output,reference text=reference,rater name=rater,"
    "fluency score=fluency,"
    "time spent=seconds",
}


def _cells(names: str, i: int, system: str, rater: str, row: int) -> dict[str, Any]:
    parts = {
        "id": IDS[i],
        "source": SOURCES[i],
        "reference": FIRST[i],
        "second": SECOND[i],
        "output": OUTPUTS[system][i],
        "system": system,
        "rater": rater,
        "group": GROUPS[i],
        "fluency": rating(i, system, rater, "fluency"),
    }
    cells: dict[str, Any] = {}
    for part in names.split(","):
        header, _, what = part.rpartition("=")
        values = NUMBERS.get(what) or TEXTS.get(what)
        number = i if what in ("word", "title", "url", "language") else row
        cells[header] = parts[what] if values is None else values(number)
    return cells


def tool_cases() -> Iterator[Case]:
    """Each header in the way its program writes, and in two others."""
    number = 0
    for name, columns in ONE_SYSTEM.items():
        rows = [_cells(columns, i, "bart", "anna", i) for i in range(N)]
        has = {part.rpartition("=")[2] for part in columns.split(",")}
        expected = expect(source="source" in has, ids="id" in has, references=int("reference" in has))
        yield from _three(name, rows, expected, number := number + 1)
    for name, columns in MANY_SYSTEMS.items():
        rows = [_cells(columns, i, s, "anna", i * 3 + n) for i in range(N) for n, s in enumerate(SYSTEMS)]
        yield from _three(name, rows, expect(SYSTEMS, source="source" in columns, ids=True), number := number + 1)
    for name, columns in RATED.items():
        rows = [
            _cells(columns, i, s, r, (i * 2 + n) * 3 + m)
            for i in range(N)
            for n, s in enumerate(("bart", "t5"))
            for m, r in enumerate(RATERS)
        ]
        has = {part.rpartition("=")[2] for part in columns.split(",")}
        expected = expect(("bart", "t5"), source="source" in has, ids=True, ratings=ratings())
        expected = replace(expected, references=expect(references=int("reference" in has)).references)
        yield from _three(name, rows, expected, number := number + 1)


def _three(name: str, rows: Rows, expected: Any, number: int) -> Iterator[Case]:
    for step in (0, 3, 7):
        style = QUICK[(number + step) % len(QUICK)]
        remedy = "--columns" if len(rows[0]) > 1 else "quotes"  # commas in one column are not told from separators
        yield Case(f"{name} ({style})", WAYS[style](rows), expected, remedy=remedy)
