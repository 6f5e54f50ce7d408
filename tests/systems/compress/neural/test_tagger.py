"""The tagger: what it reads, that NumPy computes what PyTorch does, and what it does on real pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay.errors import FormatError, InputError, UnknownName
from assay.systems.compress.neural._tagger_input import Vocabulary, segments, tree, units
from assay.systems.compress.neural.tagger import Tagger
from assay.text.parse.parser import parse
from assay.text.parse.sentence import Parse, Word

TRAINING = Path(__file__).parents[4] / "training" / "systems" / "compress"
SENTENCES = [
    "The mayor of a small town in Ohio said on Tuesday that she will not seek a third term.",
    "Rain.",
    'A 34-year-old man, who was "not at home", lost $2.5 million; well-known lawyers are helping him.',
]


@pytest.fixture
def scripts(monkeypatch):
    """The training scripts can be imported, where there is PyTorch."""
    pytest.importorskip("torch", reason="needs assay-eval[train]")
    monkeypatch.syspath_prepend(str(TRAINING))


def word(form: str, head: int, relation: str = "dep") -> Word:
    return Word(form, form, "X", "XX", "", head, relation)


def test_hyphens_join_what_the_tree_joins():
    compound = (word("well", 2), word("-", 2), word("known", -1))
    assert [(u.form, u.head, u.words) for u in units(compound)] == [("well-known", -1, 3)]
    loose = (word("well", 3), word("-", 0), word("known", 3), word("men", -1))
    assert [u.form for u in units(loose)] == ["well-known", "men"]
    dash = (word("rain", 3), word("-", 3), word("he", 3), word("said", -1))
    assert [u.form for u in units(dash)] == ["rain", "-", "he", "said"]


def test_spelling_of_numbers_and_quotes():
    forms = [u.form for u in units(tuple(word(form, -1) for form in ('"', "No", '"', "“", "3.5", "”", "B2B")))]
    assert forms == ["``", "no", "''", "``", "##", "''", "##"]


def test_heads_point_to_units():
    sentence = (word("A", 3), word("top", 3), word("-", 3), word("ten", 4), word("hit", -1))
    assert [(u.form, u.head) for u in units(sentence)] == [("a", 1), ("top-ten", 2), ("hit", -1)]


def test_a_sentence_without_an_end_is_joined_with_the_next():
    parsed = Parse(
        ((word("Look", -1), word(":", 0)), (word("it", 1), word("rains", -1), word(".", 1)), (word("Yes", -1),))
    )
    assert [[w.head for w in segment] for segment in segments(parsed)] == [[-1, 0, 3, -1, 3], [-1]]


def test_tree_survives_a_cycle():
    assert tree([1, 0])[0] == [2, 2]


def test_unknown_words_tags_and_relations_are_zero():
    vocabulary = Vocabulary(["<unk>", "a"], ["<unk>", "XX"], ["<unk>", "nmod"])
    features = vocabulary.features(units((word("a", 1, "nmod:new"), word("b", -1, "strange"))))
    assert (features.word, features.relation) == ([1, 0], [1, 0])


@pytest.mark.parametrize("name", ["headline", "conservative"])
def test_one_probability_for_each_word(name):
    tagger = Tagger.load(name)
    parses = parse([*SENTENCES, "", "It rains. It snows."])
    found = tagger.marginals(parses)
    assert [len(p) for p in found] == [sum(map(len, parsed.sentences)) for parsed in parses]
    assert all(((p >= 0) & (p <= 1)).all() for p in found)
    assert 0 < tagger.threshold < 1
    assert Tagger.load(name) is tagger


# What the shipped models printed for the first sentence, in NumPy on x86-64; made anew when they are trained again.
GOLDEN = {
    "headline": "0.260 0.267 0.115 0.124 0.076 0.152 0.084 0.090 0.321 0.002 0.001 0.000 0.993 0.997 0.994 0.996 "
    "0.980 0.896 0.977 1.000",
    "conservative": "0.907 0.917 0.749 0.832 0.459 0.849 0.756 0.859 0.875 0.376 0.408 0.564 0.943 0.986 0.994 0.998 "
    "0.989 0.892 0.966 0.999",
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_probabilities(name):
    [found] = Tagger.load(name).marginals(parse(SENTENCES[:1]))
    assert found == pytest.approx([float(value) for value in GOLDEN[name].split()], abs=2e-3)


def test_the_conservative_one_keeps_more():
    parses = parse(SENTENCES)
    rates = [
        np.mean(np.concatenate(tagger.marginals(parses)) >= tagger.threshold)
        for tagger in (Tagger.load("headline"), Tagger.load("conservative"))
    ]
    assert rates[0] < 0.6 < rates[1]


def test_batches_change_nothing():
    tagger = Tagger.load()
    parses = parse(SENTENCES * 20)
    for one, among in zip(parses, tagger.marginals(parses), strict=True):
        assert tagger.marginals([one])[0] == pytest.approx(among, abs=1e-5)


def test_two_sentences_are_read_on_their_own():
    tagger = Tagger.load()
    first, second = parse([SENTENCES[0], SENTENCES[2]])
    [both] = tagger.marginals([Parse(first.sentences + second.sentences)])
    apart = tagger.marginals([first, second])
    assert both == pytest.approx(np.concatenate(apart), abs=1e-5)


def test_long_sentences_are_no_trouble():
    chain = Parse((tuple(word("and", i - 1) for i in range(2000)),))
    [found] = Tagger.load().marginals([chain])
    assert np.isfinite(found).all()


def test_bad_names_and_files(tmp_path):
    with pytest.raises(UnknownName, match="did you mean 'headline'"):
        Tagger.load("headlin")
    with pytest.raises(InputError, match="no tagger at"):
        Tagger.load(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(FormatError, match="is not a tagger"):
        Tagger.load(tmp_path / "bad.json")
    with pytest.raises(InputError, match="a list of parses"):
        Tagger.load().marginals(parse(["It rains."])[0])


def test_numpy_computes_what_torch_does(scripts, tmp_path):
    import torch
    from export import write_model, write_words
    from network import Network, Shape

    torch.manual_seed(0)
    shipped = Tagger.load()
    words = list(shipped.vocabulary.words)[:3000]
    tags, relations = list(shipped.vocabulary.tags), list(shipped.vocabulary.relations)
    network = Network(Shape(len(words), len(tags), len(relations), 3, 3, hidden=24)).eval()
    table = network.word.weight.data
    table.copy_(torch.round(table * 20).clamp(-127, 127))  # so that int8 holds it
    table[:, 0] = 127
    write_words(tmp_path, words, table.numpy())
    about = {"threshold": 0.5, "tags": tags, "relations": relations}
    write_model(tmp_path, "random", network.state_dict(), about, exact=True)
    tagger = Tagger.load(tmp_path / "random.json")
    parses = parse(SENTENCES)
    for parsed, found in zip(parses, tagger.marginals(parses), strict=True):
        read = units(parsed.sentences[0])
        features = tagger.vocabulary.features(read)
        with torch.no_grad():
            logits = network(torch.tensor([features[:6]]), torch.tensor([features.head]))[0][0]
        wanted = np.repeat(torch.sigmoid(logits).numpy(), [unit.words for unit in read])
        assert len(parsed.sentences) == 1
        assert found == pytest.approx(wanted, abs=1e-5)


def test_marks_of_a_compression(scripts):
    from conservative import find_kept

    assert find_kept(["the", "cat", "the", "dog", "saw"], ["the", "dog", "saw"]) == [0, 0, 1, 1, 1]
    assert find_kept(["a", "b", "a", "b"], ["b", "a"]) == [0, 1, 1, 0]
    assert find_kept(["a", "b"], ["b", "a"]) is None


def toy_corpus():
    """Sentences of the words 1 to 9, of which the odd ones are kept, and every word's head is the one before it."""
    from corpus import Corpus

    rng = np.random.default_rng(0)
    lengths = rng.integers(3, 7, 300)
    words = rng.integers(1, 10, lengths.sum())
    heads = np.concatenate([np.arange(n) - 1 for n in lengths])
    rows = [words, *[np.zeros_like(words)] * 5, heads, words, words]
    return Corpus(np.array(rows, np.int32), np.cumsum(lengths), (words % 2).astype(np.float32))


@pytest.mark.parametrize("parent", [False, True])
def test_the_papers_form_learns_a_toy_language(scripts, parent):
    import torch
    from loop import fit
    from seq2seq import Seq2Seq, label_all, loss_of

    corpus = toy_corpus()
    torch.manual_seed(0)
    network = Seq2Seq(10, width=16, hidden=24, layers=3, parent=parent, dropout=0.0)
    fit(network, corpus, loss_of(network, corpus), epochs=12, rate=0.02, seed=0, size=60)
    few = corpus.first(40)
    assert (label_all(network, few) == few.keep).mean() > 0.97
    words, head = torch.tensor([1, 2, 3, 4, 5]), torch.tensor([-1, 0, 1, 2, 3])
    assert sum(network.decode(words, head, least=0.8)) >= 4
    assert sum(network.decode(words, head, most=0.2)) <= 1
    assert network.decode(words[:0], head[:0]) == []


def test_the_beam_finds_the_best_labels(scripts):
    """A beam as wide as there are label sequences is exhaustive search."""
    import torch
    from seq2seq import Seq2Seq

    torch.manual_seed(1)
    network = Seq2Seq(10, width=8, hidden=8, layers=2, parent=True).eval()
    torch.nn.init.normal_(network.label.weight, std=3)
    words, head = torch.tensor([1, 2, 3, 4]), torch.tensor([1, -1, 1, 2])
    every = torch.tensor([[n >> i & 1 for i in range(4)] for n in range(16)])
    with torch.no_grad():
        logits = network(words.expand(16, -1), head.expand(16, -1), every)[:, :4, :2]
    scores = torch.log_softmax(logits, 2).gather(2, every[..., None]).sum((1, 2))
    assert network.decode(words, head, beam=16) == every[scores.argmax()].tolist()
