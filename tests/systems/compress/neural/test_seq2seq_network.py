"""The network against a plain one, and against PyTorch where it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from sequence_models import TRAINING, random_seq2seq, write_arrays

from assay.errors import FormatError
from assay.systems.compress.neural.seq2seq_network import LAYERS, NONE, Seq2SeqNetwork


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def plain_log_p(network, words, labels):
    """Log p of delete and keep at each word, one gate after another, as the equations have it."""
    hidden = len(network.layers[0].again)
    state = [np.zeros(hidden) for _ in range(LAYERS)]
    cell = [np.zeros(hidden) for _ in range(LAYERS)]

    def read(word, label):
        x = np.concatenate([network.table[word], np.eye(4)[label][:3]]).astype(float)
        for i, layer in enumerate(network.layers):
            gates = (x @ layer.enter + state[i] @ layer.again + layer.bias).reshape(4, hidden)
            enter, forget, leave = (sigmoid(2 * gate) for gate in gates[:3])
            cell[i] = forget * cell[i] + enter * np.tanh(gates[3])
            state[i] = x = leave * np.tanh(cell[i])
        return x @ network.label + network.label_bias

    for word in reversed(words):
        read(word, NONE)
    rows = [read(word, label)[:2] for word, label in zip(words, [NONE, *labels], strict=False)]
    return np.array([row - np.log(np.exp(row).sum()) for row in rows])


def test_the_network_computes_what_the_equations_say(tmp_path):
    network = Seq2SeqNetwork.load(random_seq2seq(tmp_path / "r.json"))
    words, labels = [3, 1, 0, 2, 3], [0, 1, 1, 0, 1]
    reader = network.read(np.array(words))
    reader.begin(2)
    rows = [
        reader.advance(t, np.array([1, 0]), np.array([before, before])) for t, before in enumerate([NONE, *labels[:-1]])
    ]
    for row in np.transpose(rows, (1, 0, 2)):
        assert row == pytest.approx(plain_log_p(network, words, labels), abs=1e-5)


def test_labellings_are_told_apart(tmp_path):
    network = Seq2SeqNetwork.load(random_seq2seq(tmp_path / "r.json"))
    reader = network.read(np.array([1, 2, 3]))
    reader.begin(1)
    reader.advance(0, np.array([0]), np.array([NONE]))
    reader.advance(1, np.array([0, 0]), np.array([0, 1]))
    last = reader.advance(2, np.array([1, 0]), np.array([1, 1]))
    for row, labels in zip(last, ([1, 1], [0, 1]), strict=True):
        assert row == pytest.approx(plain_log_p(network, [1, 2, 3], labels)[2], abs=1e-5)


def test_arrays_that_do_not_fit(tmp_path):
    path = random_seq2seq(tmp_path / "r.json", layer1_enter=np.zeros((2, 2)))
    with pytest.raises(FormatError, match=r"its array layer1\.enter has the shape \(2, 2\), not"):
        Seq2SeqNetwork.load(path)
    write_arrays(random_seq2seq(tmp_path / "w.json"), words=["<unk>"])
    with pytest.raises(FormatError, match="has 1 words, but 5 rows"):
        Seq2SeqNetwork.load(tmp_path / "w.json")


@pytest.fixture
def scripts(monkeypatch):
    """The training scripts can be imported, where there is PyTorch."""
    pytest.importorskip("torch", reason="needs assay-eval[train]")
    monkeypatch.syspath_prepend(str(TRAINING))


def test_numpy_computes_what_torch_does(scripts, tmp_path):
    import torch
    from export_sequences import seq2seq_arrays, write_sequence_model
    from seq2seq import Seq2Seq

    torch.manual_seed(1)
    network = Seq2Seq(50, width=12, hidden=16).eval()
    table = network.word.weight.data
    table.copy_(torch.round(table * 200).clamp(-127, 127) / 64)  # so that int8 holds it
    table[:, 0] = 127 / 64
    matrices, tables = seq2seq_arrays(network.state_dict())
    write_sequence_model(tmp_path / "m.json", [f"w{i}" for i in range(50)], matrices, tables, {}, exact=True)
    own = Seq2SeqNetwork.load(tmp_path / "m.json")
    words, labels = torch.randint(50, (1, 9)), torch.randint(2, (1, 9))
    with torch.no_grad():
        logits = network(words, torch.full_like(words, -1), labels)[0, :-1, :2]
    reader = own.read(words[0].numpy())
    reader.begin(1)
    before = [NONE, *labels[0, :-1].tolist()]
    rows = [reader.advance(t, np.zeros(1, int), np.array([label]))[0] for t, label in enumerate(before)]
    assert np.array(rows) == pytest.approx(torch.log_softmax(logits, 1).numpy(), abs=1e-5)


def test_gradients(scripts):
    """What is trained is the derivative of the loss: finite differences against PyTorch's, in float64."""
    import torch
    from seq2seq import END, Seq2Seq
    from torch.nn.functional import cross_entropy

    torch.manual_seed(0)
    network = Seq2Seq(6, width=3, hidden=4, dropout=0.0).double()
    words, labels = torch.randint(6, (2, 4)), torch.randint(2, (2, 4))
    targets = torch.cat([labels, torch.full((2, 1), END)], 1)
    names, values = zip(*network.named_parameters(), strict=True)

    def loss(*parameters):
        args = (words, torch.full_like(words, -1), labels)
        logits = torch.func.functional_call(network, dict(zip(names, parameters, strict=True)), args)
        return cross_entropy(logits.flatten(0, 1), targets.flatten())

    # seq2seq.py makes one-hot labels float32; sums with float64 stay exact for 0 and 1
    assert torch.autograd.gradcheck(loss, tuple(value.detach().requires_grad_() for value in values))


def test_all_spellings_of_a_source_are_on_one_side(scripts):
    from text_pairs import Rewrites, deletions, is_for_tuning, rewrites

    sources = [Rewrites(f"Source  number {i} .", (f"number {i} .", f"Number {i} !")) for i in range(2000)]
    other = [Rewrites(pair.source.upper().replace("  ", " "), ()) for pair in sources]
    held_back = [pair.is_held_back for pair in sources]
    assert held_back == [pair.is_held_back for pair in other]
    assert 150 < sum(held_back) < 250
    tuning = [is_for_tuning(pair) for pair in sources]
    assert 60 < sum(tuning) < 140
    assert not any(both == (True, True) for both in zip(held_back, tuning, strict=True))
    assert [(list(pair.words), pair.bits) for pair in deletions(sources[:1])] == [
        (["source", "number", "##", "."], [0, 1, 1, 1])
    ]
    assert len(list(rewrites(sources))) == 4000


@pytest.mark.slow
def test_a_toy_language_is_learned(scripts):
    """Odd words are kept, and the word after a kept one goes: it takes the label before to know."""
    import torch
    from loop import fit
    from seq2seq import Seq2Seq, label_all, loss_of
    from text_pairs import Labels, number_words

    rng = np.random.default_rng(0)
    pairs = []
    for _ in range(300):
        words = rng.integers(1, 7, rng.integers(3, 7)).tolist()
        bits: list[int] = []
        for word in words:
            bits.append(int(word % 2 == 1 and not (bits and bits[-1])))
        pairs.append(Labels([str(word) for word in words], bits))
    corpus = number_words(pairs, ["<unk>", *map(str, range(1, 7))])
    torch.manual_seed(0)
    network = Seq2Seq(7, width=8, hidden=24, layers=3, dropout=0.0)
    fit(network, corpus, loss_of(network, corpus), epochs=100, rate=0.02, seed=0, size=400)
    assert label_all(network, corpus).tolist() == corpus.keep.tolist()
