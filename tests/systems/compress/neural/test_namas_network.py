"""The network of namas against a plain one, and against PyTorch where it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from sequence_models import TRAINING, random_namas, write_arrays

from assay.errors import FormatError
from assay.systems.compress.neural.namas_network import ENCODERS, START, NamasNetwork

WORDS = ("<unk>", "<s>", "</s>", ".", "a", "b", "c", "d")
SOURCE = np.array([4, 5, 0, 6, 7, 3])
CONTEXTS = np.array([[START] * 5, [START, START, 4, 5, 0]])


def softmax(x):
    return np.exp(x) / np.exp(x).sum()


def plain_p(network, source, context):
    """p(y | context, source), word by word, as in Rush et al. (2015), equations 3 to 6."""
    arrays = {name: values.astype(float) for name, values in network.arrays.items()}
    rows = arrays["source"][source]
    hidden = np.tanh(np.concatenate(arrays["context"][context]) @ arrays["enter"] + arrays["enter.bias"])
    if network.encoder == "bow":
        code = sum(rows) / len(rows)
    elif network.encoder == "attention":
        p = softmax(rows @ (np.concatenate(arrays["query"][context]) @ arrays["match"]))
        near = [sum(rows[j] for j in range(i - 2, i + 3) if 0 <= j < len(rows)) / 5 for i in range(len(rows))]
        code = sum(share * row for share, row in zip(p, near, strict=True))
    else:

        def convolve(states, i):
            weight, bias = arrays[f"layer{i}"], arrays[f"layer{i}.bias"]
            return [
                bias + sum(states[j + k - 2] @ weight[k] for k in range(5) if 0 <= j + k - 2 < len(states))
                for j in range(len(states))
            ]

        first = convolve(rows, 0)
        halves = [np.maximum(np.max(first[i : i + 2], 0), 0) for i in range(0, len(first), 2)]
        second = [np.maximum(row, 0) for row in convolve(halves, 1)]
        code = np.max(convolve(second, 2), 0)
    encoded = code @ arrays["encode"] + arrays["encode.bias"]
    return softmax(arrays["leave"] @ np.concatenate([hidden, encoded]) + arrays["leave.bias"])


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("length", [1, 5, 6])
def test_the_network_computes_what_the_equations_say(encoder, length, tmp_path):
    network = NamasNetwork.load(random_namas(tmp_path / "n.json", words=WORDS, encoder=encoder))
    log_p = network.read(SOURCE[:length]).log_p(CONTEXTS)
    for row, context in zip(log_p, CONTEXTS, strict=True):
        assert row == pytest.approx(np.log(plain_p(network, SOURCE[:length], context)), abs=1e-5)


def test_attention_adds_up_to_one(tmp_path):
    network = NamasNetwork.load(random_namas(tmp_path / "n.json", words=WORDS))
    shares = network.read(SOURCE).attend(CONTEXTS)
    assert shares.shape == (2, 6)
    assert shares.sum(1) == pytest.approx(1, abs=1e-6)
    assert shares.std() > 0.01


def test_models_that_are_wrong(tmp_path):
    path = random_namas(tmp_path / "n.json", words=WORDS)
    write_arrays(path, about={"encoder": "magic"})
    with pytest.raises(FormatError, match="its encoder is 'magic'; known: attention, bow, convolution"):
        NamasNetwork.load(path)
    write_arrays(path, about={"encoder": "bow"})
    with pytest.raises(FormatError, match="which does not belong there"):
        NamasNetwork.load(path)
    write_arrays(path, about={"encoder": "attention", "weights": {"paper": [1]}})
    with pytest.raises(FormatError, match="has no weights of the six features"):
        NamasNetwork.load(path)
    path = random_namas(tmp_path / "m.json", words=WORDS)
    write_arrays(path, words=["<unk>"])
    with pytest.raises(FormatError, match="has 1 words, but 8 rows"):
        NamasNetwork.load(path)


@pytest.fixture
def scripts(monkeypatch):
    """The training scripts can be imported, where there is PyTorch."""
    pytest.importorskip("torch", reason="needs assay-eval[train]")
    monkeypatch.syspath_prepend(str(TRAINING))


@pytest.mark.parametrize("encoder", ENCODERS)
def test_numpy_computes_what_torch_does(encoder, scripts, tmp_path):
    import torch
    from export_sequences import namas_arrays, write_sequence_model
    from namas import Namas

    torch.manual_seed(1)
    network = Namas(40, width=6, hidden=7, encoder=encoder).eval()
    tables = [layer for layer in network.children() if isinstance(layer, torch.nn.Embedding)]
    for values in [*(table.weight.data for table in tables), network.leave.weight.data]:
        values.copy_(torch.round(values * 200).clamp(-127, 127) / 64)  # so that int8 holds it
        values[:, 0] = 127 / 64
    about = {"encoder": encoder, "weights": {}}
    words = [f"w{i}" for i in range(40)]
    write_sequence_model(tmp_path / "m.json", words, *namas_arrays(network.state_dict()), about, exact=True)
    source, contexts = torch.randint(40, (1, 7)), torch.randint(40, (1, 3, 5))
    with torch.no_grad():
        wanted = torch.log_softmax(network(source, contexts), 2)[0].numpy()
    own = NamasNetwork.load(tmp_path / "m.json").read(source[0].numpy()).log_p(contexts[0].numpy())
    assert own == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("encoder", ENCODERS)
def test_gradients(encoder, scripts):
    """What is trained is the derivative of the loss: finite differences against PyTorch's, in float64."""
    import torch
    from namas import Namas
    from torch.nn.functional import cross_entropy

    torch.manual_seed(0)
    network = Namas(7, width=3, hidden=4, encoder=encoder).double()
    for value in network.parameters():
        value.data.normal_(0, 0.7)  # so that no maximum is near a tie
    source, contexts, targets = torch.randint(7, (2, 5)), torch.randint(7, (2, 3, 5)), torch.randint(7, (6,))
    names, values = zip(*network.named_parameters(), strict=True)

    def loss(*parameters):
        named = dict(zip(names, parameters, strict=True))
        logits = torch.func.functional_call(network, named, (source, contexts))
        return cross_entropy(logits.flatten(0, 1), targets)

    assert torch.autograd.gradcheck(loss, tuple(value.detach().requires_grad_() for value in values))


def test_the_sampled_softmax_of_all_words_is_the_softmax(scripts):
    import torch
    from namas import Namas

    torch.manual_seed(0)
    network = Namas(9, width=3, hidden=4)
    states, targets = torch.randn(5, 7), torch.randint(9, (5,))
    whole = torch.nn.functional.cross_entropy(network.leave(states), targets)
    sampled = network.sampled_loss(states, targets, torch.arange(9), torch.zeros(9))
    assert sampled.item() == pytest.approx(whole.item(), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("encoder", ENCODERS)
def test_a_toy_language_is_learned(encoder, scripts):
    """A sentence has one of a, b, c and one of d, e, f among other words: the first is translated, then the second."""
    import torch
    from loop import fit
    from namas import Namas
    from text_pairs import Pair
    from train_namas import SPECIAL, loss_of, number_pairs

    rng = np.random.default_rng(0)
    pairs = []
    others = ["x", "y", "z"]
    for _ in range(400):
        first, second = rng.choice(["a", "b", "c"]), rng.choice(["d", "e", "f"])
        source = rng.permutation([first, second, *rng.permutation(others)[: rng.integers(1, 4)]])
        pairs.append(Pair(tuple(source), (first.upper(), second.upper())))
    words = [*SPECIAL, *"abcdefxyzABCDEF"]
    corpus = number_pairs(pairs, words)
    torch.manual_seed(0)
    network = Namas(len(words), width=16, hidden=24, encoder=encoder)
    fit(network, corpus, loss_of(network, corpus, 256), epochs=60, rate=0.01, seed=0, size=400)
    right = total = 0
    with torch.no_grad():
        for batch in corpus.batches(None):
            sources, contexts, targets = corpus.take(batch)
            best = network(sources, contexts).argmax(2)
            right += int((best == targets)[targets >= 0].sum())
            total += int((targets >= 0).sum())
    assert total == len(corpus.targets)
    assert right == total
