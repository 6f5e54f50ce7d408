"""Score parts on Spark with mapInArrow: python docs/spark_example.py scores/ rouge2,bleu parts/*.jsonl

The tasks are those of `assay score --engine`: what Spark runs is `assay.engines.task.run_task`, and the folder holds
what the other engines write. Spark's own writers are not used. Run it by spark-submit for a cluster; here it starts
Spark on this machine. It needs pyspark and Java.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyspark.sql import SparkSession

from assay.engines.run import Finished, run_tasks
from assay.engines.task import PartTask, describe_error, run_task
from assay.metrics import metric
from assay.scoring.parts import combine_parts, plan_parts

SCHEMA = "number int, entry string, error string"


class SparkEngine:
    """Does tasks by mapInArrow: a row is a task, and what comes back is its entry or its error."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def run(self, tasks: Sequence[PartTask], out: str) -> Iterator[Finished]:
        """Do the tasks, a partition each: Spark runs one that fails again, which then finds what was done."""

        def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for row in batch.to_pylist():
                    entry, error, record = "", "", json.loads(row["task"])
                    try:
                        entry = json.dumps(run_task(record, out))
                    except Exception as problem:
                        error = describe_error(problem, PartTask.from_record(record))
                    columns = {"number": pa.array([row["number"]], pa.int32()), "entry": [entry], "error": [error]}
                    yield pa.RecordBatch.from_pydict(columns)

        if not tasks:
            return
        rows = [(number, json.dumps(task.to_record())) for number, task in enumerate(tasks)]
        table = self._spark.createDataFrame(rows, "number int, task string").repartitionByRange(len(rows), "number")
        for row in table.mapInArrow(work, SCHEMA).collect():
            yield Finished(tasks[row["number"]], json.loads(row["entry"]) if row["entry"] else None, row["error"])

    def close(self) -> None:
        """Stop Spark."""
        self._spark.stop()


def main(out: str, names: str, *files: str) -> None:
    """Score the files and print the mean of each system and metric."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else workers take another Python, without pyarrow
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    metrics = [metric(name) for name in names.split(",")]
    engine = SparkEngine(spark)
    try:
        tasks = plan_parts([os.path.abspath(file) for file in files], metrics)
        entries = run_tasks(tasks, os.path.abspath(out), engine)
    finally:
        engine.close()
    collector = combine_parts(entries, metrics)
    for number, each in enumerate(metrics):
        for system, place in sorted(collector.systems.items()):
            print(f"{system}\t{each.title}\t{float(collector.means(number)[place])!r}")


if __name__ == "__main__":
    main(*sys.argv[1:])
