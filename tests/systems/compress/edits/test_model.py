"""The network of `edit`: NumPy as PyTorch, gradients as finite differences, a toy language learned whole."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from assay.systems.compress.edits._tags import list_tags
from assay.systems.compress.edits.model import EditTagModel
from assay.systems.compress.neural._tagger_input import segments, units
from assay.systems.compress.neural.tagger import Tagger
from assay.text.parse.flat import parse_texts

TRAINING = Path(__file__).parents[4] / "training" / "systems"
TEXTS = ["The old man came in order to see many children.", "Dogs bark.", "It isn't well-known that she won."]


@pytest.fixture(scope="module")
def edit():
    """The script that trains the network; PyTorch is not needed for anything else."""
    pytest.importorskip("torch", reason="PyTorch trains the networks; it is not among the extras of the tests")
    folders = [str(TRAINING / "abstractive"), str(TRAINING / "compress")]
    before = set(sys.modules)
    sys.path[:0] = folders
    import edit as script

    yield script
    for folder in folders:
        sys.path.remove(folder)
    for name in set(sys.modules) - before:
        if str(TRAINING) in (getattr(sys.modules[name], "__file__", "") or ""):
            del sys.modules[name]


def small_network(edit, tags):
    from network import Network, Shape

    shape = Shape(8, 3, 3, 1, 1, word=5, tag=2, relation=2, small=2, hidden=6)
    return edit.EditNetwork(Network(shape, dropout=0.0), tags)


def toy_corpus(edit, kind, size=60):
    """Sentences of words 1 to 4: 1 stays, 2 goes, 3 is replaced, 4 has something put in before it."""
    from corpus import Corpus

    rng = np.random.default_rng(0)
    words = rng.integers(1, 5, (size, 6))
    rows = [words, words % 3, words % 3, words % 22, words % 10, words % 16, np.full_like(words, -1)]
    table = np.array([row.ravel() for row in [*rows, rows[0], rows[0]]], np.int32)
    tags = np.zeros((table.shape[1], 3), kind)
    tags[np.arange(len(tags)), np.array([0, 0, 0, 1, 2])[words.ravel()]] = 1
    keep = (words.ravel() != 2).astype(kind)
    return Corpus(table, np.arange(6, 6 * size + 1, 6), keep), tags


@pytest.mark.slow
def test_numpy_is_pytorch(edit, tmp_path):
    import torch

    torch.manual_seed(0)
    tagger = Tagger.load("headline")
    network = edit.EditNetwork(edit.load_network(tagger), len(list_tags(["over", "so"]))).eval()
    torch.nn.init.normal_(network.tags.weight, std=0.5)
    edit.write(tmp_path, network, tagger, ["over", "so"], [("more than", "over")], exact=True)
    model = EditTagModel.load(str(tmp_path / "edit.json"))
    assert model.pairs == {("more than", "over")}
    for a in parse_texts(TEXTS):
        features = model.vocabulary.features(units(segments(a.parse)[0]))
        [rows] = model.network.answer([features], model._head)
        with torch.no_grad():
            keep, tags = network(torch.tensor([features[:6]]), torch.tensor([features[6]]))
        np.testing.assert_allclose(rows[:, 0], torch.sigmoid(keep)[0].numpy(), atol=1e-5)
        np.testing.assert_allclose(rows[:, 1:], tags.softmax(-1)[0].numpy(), atol=1e-5)


@pytest.mark.slow
def test_gradients_are_finite_differences(edit):
    import torch

    torch.manual_seed(0)
    network = small_network(edit, 3).double().eval()
    corpus, tags = toy_corpus(edit, np.float64, 4)
    places = np.arange(corpus.table.shape[1]).reshape(4, 6)
    loss = edit.edit_loss(network, corpus, tags)
    loss(places).backward()
    step = 1e-6
    checks = 0
    for name, values in network.named_parameters():
        if values.grad is None:
            assert "google" in name
            continue
        flat, gradient = values.data.view(-1), values.grad.view(-1)
        for i in torch.randperm(len(flat))[:4].tolist():
            before = flat[i].item()
            ends = []
            for sign in (1, -1):
                flat[i] = before + sign * step
                ends.append(loss(places).item())
            flat[i] = before
            assert gradient[i].item() == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-6), name
            checks += 1
    assert checks > 60


@pytest.mark.slow
def test_a_toy_language_is_learned_whole(edit):
    import torch
    from loop import fit

    torch.manual_seed(0)
    network = small_network(edit, 3)
    corpus, tags = toy_corpus(edit, np.float32)
    fit(network, corpus, edit.edit_loss(network, corpus, tags), epochs=40, rate=0.02, seed=0, size=60, decay=0.9)
    figures = edit.measure(network, corpus, tags)
    assert figures["keep_accuracy"] == 1
    assert figures["precision"] == 1
    assert figures["recall"] == 1
