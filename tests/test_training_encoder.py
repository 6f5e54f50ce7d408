"""The parts of the encoder's training that need no PyTorch: what is kept back, edit scripts, pieces, trees, scores."""

from __future__ import annotations

import doctest
import importlib
import sys
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from assay.text.parse.accurate import load_encoder
from assay.text.parse.lemma_scripts import apply_script
from assay.text.parse.pieces import LONGEST, SHAPES, cut_words

FOLDER = Path(__file__).parent.parent / "training" / "text"
MODULES = ("lemmas", "held_back", "pieces", "trees", "parse_scores", "keep_scores", "examples", "analysis", "plain")


@pytest.fixture(scope="module")
def encoder():
    """The modules by name; other folders have modules of the same names, which are put aside."""
    path, modules = [*sys.path], {**sys.modules}
    for name in [name for name, module in modules.items() if is_training_script(module)]:
        del sys.modules[name]
    sys.path.insert(0, str(FOLDER / "encoder"))
    yield {name: importlib.import_module(name) for name in (*MODULES, "neighbours")}
    for name in [name for name, module in {**sys.modules}.items() if is_training_script(module)]:
        del sys.modules[name]
    sys.modules.update({name: module for name, module in modules.items() if is_training_script(module)})
    sys.path[:] = path


def is_training_script(module):
    return str(FOLDER.parent) in (getattr(module, "__file__", None) or "")


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(encoder, name):
    assert doctest.testmod(encoder[name]).failed == 0


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("Dogs", "dog"),
        ("I", "I"),
        ("IBM", "IBM"),
        ("better", "good"),
        ("DOGS", "DOG"),
        ("iPods", "iPod"),
        ("n't", "not"),
    ],
)
def test_edit_scripts_give_the_lemma_back(encoder, form, lemma):
    lemmas = encoder["lemmas"]
    assert lemmas.apply_script(lemmas.edit_script(form, lemma), form) == lemma


def test_edit_scripts_of_other_words_are_safe(encoder):
    assert encoder["lemmas"].apply_script("lower -3+", "as") == "as"


def is_tree(heads):
    """Exactly one root, and every word below it."""
    if sum(head < 0 for head in heads) != 1:
        return False
    for word in range(len(heads)):
        for _ in heads:
            word = heads[word] if word >= 0 else word
        if word >= 0:
            return False
    return True


@pytest.mark.parametrize("seed", range(30))
def test_the_best_tree_is_that_of_a_search_through_all(encoder, seed):
    rng = np.random.default_rng(seed)
    words = int(rng.integers(1, 6))
    scores = rng.normal(size=(words, words + 1))
    scores[:, 0] += 2 * (seed % 2)  # several words that would like to be the root

    def total(heads):
        return sum(scores[i, head + 1] for i, head in enumerate(heads))

    trees = [heads for heads in product(range(-1, words), repeat=words) if is_tree(heads)]
    best = encoder["trees"].best_tree(scores)
    assert is_tree(list(best))
    assert total(best) == pytest.approx(max(map(total, trees)))


def sentence(encoder, *rows, new=False):
    """A sentence of rows form, head (itself: root), label."""
    word = encoder["neighbours"].Word
    words = [word(form, form.lower(), "X", "XX", "_", head, label) for form, head, label in rows]
    return encoder["neighbours"].Sentence(words, new, new)


def test_documents_are_kept_back_whole(encoder):
    bank = [sentence(encoder, (f"w{i}", 0, "ROOT"), new=i % 3 == 0) for i in range(600)]
    train, back = encoder["held_back"].split_documents(bank)
    assert len(train) + len(back) == 600
    assert 3 <= len(back) <= 90
    numbers = [int(s.words[0].form[1:]) for s in back]
    assert numbers[::3] == [n for n in numbers if n % 3 == 0]
    assert all(b == a + 1 for a, b in pairwise(numbers) if b % 3)


def test_pieces_keep_the_ends_of_words_and_their_shape(encoder):
    pieces = encoder["pieces"].cut_words(["Unbelievably", "7", "A" * 300], [True, False, False], [True, False, False])
    assert pieces.first.tolist() == [1, pieces.last[0] + 1, pieces.last[1] + 1]
    assert pieces.last[0] > pieces.first[0]
    assert pieces.last[2] - pieces.first[2] < LONGEST
    assert (pieces.owner[0], pieces.owner[-1]) == (-1, -1)
    starts, after_space, glued = pieces.shape % 4
    assert (starts, after_space, glued) == (3, 2, 0)
    assert pieces.shape.max() < SHAPES


def test_examples_number_heads_in_the_document(encoder):
    examples = encoder["examples"]
    run = [
        sentence(encoder, ("Cats", 1, "nsubj"), ("sleep", 1, "ROOT")),
        sentence(encoder, ("Stop", 0, "ROOT"), ("that", 0, "obj")),
    ]
    numbering = examples.Numbering(examples.collect_lists(run))
    labels = dict(zip(("dep", "head", "start", "sentence"), numbering.example(run).labels[4:], strict=True))
    assert labels["head"].tolist() == [1, -1, -1, 2]
    assert labels["start"].tolist() == [1, 0, 1, 0]
    assert labels["sentence"].tolist() == [0, 0, 1, 1]
    assert [numbering.lists.dep[i] for i in labels["dep"]] == ["nsubj", "ROOT", "ROOT", "obj"]


def test_batches_lose_no_example(encoder):
    examples = encoder["examples"]
    run = [sentence(encoder, *[("cat", 0, "ROOT")] * n) for n in (1, 9, 4, 4, 7)]
    numbering = examples.Numbering(examples.collect_lists(run))
    batches = examples.cut_batches([numbering.example([s]) for s in run], 14)
    assert sorted(len(e.pieces.first) for batch in batches for e in batch) == [1, 4, 4, 7, 9]
    assert all(len(batch) == 1 or examples.collate(batch).ids.size <= 14 for batch in batches)
    padded = examples.collate(batches[0])
    assert padded.words.sum() == sum(len(e.pieces.first) for e in batches[0])


def test_scores_of_gold_tokens(encoder):
    gold = sentence(encoder, ("The", 1, "det"), ("cat", 2, "nsubj"), ("slept", 2, "ROOT"), (".", 2, "punct"))
    mine = sentence(encoder, ("The", 1, "det"), ("cat", 2, "obj"), ("slept", 2, "ROOT"), (".", 1, "punct"))
    scores = encoder["parse_scores"].score([[mine.words]], [[gold.words]])
    assert scores["UAS"] == 100  # punctuation is left out
    assert scores["LAS"] == pytest.approx(200 / 3)
    assert scores["sentence F1"] == scores["token F1"] == scores["POS"] == 100


def test_scores_of_other_tokens_and_sentences(encoder):
    gold = sentence(encoder, ("well", 2, "advmod"), ("-", 0, "punct"), ("known", 2, "ROOT"))
    mine = [sentence(encoder, ("well-known", 0, "ROOT")), sentence(encoder, ("cats", 0, "ROOT"))]
    both = [gold.words, sentence(encoder, ("cats", 0, "ROOT")).words]
    scores = encoder["parse_scores"].score([[s.words for s in mine]], [both])
    assert scores["token F1"] == pytest.approx(100 * 2 / (2 + 4) * 1)
    assert scores["UAS"] == pytest.approx(100 * 2 / (2 + 3))
    assert scores["sentence F1"] == 100
    joined = [[*gold.words, encoder["neighbours"].Word("cats", "cats", "X", "XX", "_", 3, "ROOT")]]
    assert encoder["parse_scores"].score([joined], [both])["sentence F1"] == 0


def test_only_words_count_for_what_is_kept(encoder):
    keep = encoder["keep_scores"]
    text = keep.Judged(["Cats", ",", "dogs", "!"], [True] * 4, [[1, 0, 0, 0], [0, 1, 1, 1]])
    p, kept = keep.pool([text], [np.array([0.9, 0.8, 0.2, 0.1])])
    assert p.tolist() == [0.9, 0.2, 0.9, 0.2]
    assert kept.tolist() == [True, False, False, True]
    assert keep.auc(p, kept) == 0.5
    assert np.isnan(keep.auc(p, kept | True))


SIZES = {"width": 64, "shape": 5, "inner": 32, "arc": 20, "relation": 5, "keep": 3}


@pytest.fixture(scope="module")
def lists(encoder):
    return encoder["examples"].Lists(["NOUN", "VERB"], ["NN", "VB"], ["_"], ["lower -0+", "lower -1+"], ["obj", "ROOT"])


def linear(rng, name, rows, columns):
    return {f"{name}.weight": rng.normal(size=(rows, columns)) / 3, f"{name}.bias": rng.normal(size=rows) / 3}


@pytest.fixture(scope="module")
def weights(encoder, lists):
    """Random weights of a small network with two layers."""
    rng = np.random.default_rng(0)
    width, word = SIZES["width"], SIZES["width"] + SIZES["shape"]
    tables = {"piece": 30522, "position": 512, "shape": 61}
    arrays = {f"encoder.{name}.weight": rng.normal(size=(rows, width)) for name, rows in tables.items()}
    norms = ["encoder.norm"]
    for layer in ("encoder.layers.0", "encoder.layers.1"):
        norms += [f"{layer}.norm1", f"{layer}.norm2"]
        arrays |= linear(rng, f"{layer}.qkv", 3 * width, width) | linear(rng, f"{layer}.out", width, width)
        arrays |= linear(rng, f"{layer}.up", SIZES["inner"], width) | linear(
            rng, f"{layer}.down", width, SIZES["inner"]
        )
    for norm in norms:
        arrays |= {f"{norm}.weight": rng.normal(size=width), f"{norm}.bias": rng.normal(size=width)}
    for mix in ("mix_tags", "mix_trees", "mix_keep"):
        arrays |= {f"{mix}.weight": rng.normal(size=2), f"{mix}.shape.weight": rng.normal(size=(61, SIZES["shape"]))}
    for column, values in lists._asdict().items():
        arrays |= linear(rng, f"columns.{column}", len(values), word)
    for name, labels in (("arc", 1), ("relation", len(lists.dep))):
        size = SIZES[name]
        arrays |= linear(rng, f"{name}.dependent", size, word) | linear(rng, f"{name}.head", size, word)
        arrays |= {
            f"{name}.root": rng.normal(size=size),
            f"{name}.weight": rng.normal(size=(labels, size + 1, size + 1)),
        }
    arrays |= linear(rng, "start", 1, word) | linear(rng, "keep_in", SIZES["keep"], word)
    arrays |= linear(rng, "keep_out", 1, SIZES["keep"])
    return {name: values.astype(np.float32) for name, values in arrays.items()}


TEXTS = ["Cats sleep", "The old man and the sea are unbelievably calm today", "7", "a b c d e f " * 60]


def test_a_text_is_analysed_alike_alone_and_among_others(encoder, weights, lists):
    """Padding changes nothing, long texts are read in windows, and every word has its place in a tree."""
    network = encoder["plain"].PlainNetwork(weights, lists, heads=2)
    single = encoder["examples"].Tokens.single
    texts = [single(words, [True] * len(words)) for words in (text.split() for text in TEXTS)]
    together = network.analyse(texts)
    assert together == [network.analyse([text])[0] for text in texts]
    for text, sentences in zip(texts, together, strict=True):
        assert [word.form for words in sentences for word in words] == text.forms
        for words in sentences:
            assert is_tree([word.head if word.head != i else -1 for i, word in enumerate(words)])
            assert all((word.dep == "ROOT") == (word.head == i) for i, word in enumerate(words))
    short = network.keep(texts[:3])
    assert [len(p) for p in short] == [2, 10, 1]
    assert short[0] == pytest.approx(network.keep(texts[:1])[0], abs=1e-5)
    assert len(network.analyse(texts[:2], split=False)[1]) == 1


def test_a_sentence_that_a_window_cuts_is_read_again(encoder, weights, lists):
    network = encoder["plain"].PlainNetwork(weights, lists, heads=2)
    text = encoder["examples"].Tokens(["cat"] * 360, [True] * 360, [i % 100 == 0 for i in range(360)])
    assert [len(words) for words in network.analyse([text], split=False)[0]] == [100, 100, 100, 60]


@pytest.mark.parametrize("code", ["vnni", "avx2", "plain"])
def test_the_core_runs_the_network_that_numpy_runs(encoder, weights, lists, code):
    """The core rounds what it multiplies to 14 bits and more, so that a near tie may fall to the other side."""
    packed = encoder["plain"].pack(weights)
    network = encoder["plain"].PlainNetwork(encoder["plain"].unpack(packed), lists, heads=2)
    try:
        core = load_encoder(packed, lists._asdict(), code)
    except ValueError as error:
        pytest.skip(str(error))
    long = ["antidisestablishmentarianism" if i % 3 else "Cat" for i in range(700)]  # windows are full of pieces
    texts = [encoder["examples"].Tokens.single(words, [True] * len(words)) for words in (*map(str.split, TEXTS), long)]
    forms = [form for text in texts for form in text.forms]
    cut = cut_words(forms, [True] * len(forms), [start for text in texts for start in text.starts])
    ends = np.cumsum([len(text.forms) for text in texts], dtype=np.int32)
    rows, sentence_ends, keep = core.encode(*cut, ends)
    sentences = [words for found in network.analyse(texts) for words in found]
    assert np.diff(sentence_ends, prepend=0).tolist() == [len(words) for words in sentences]
    assert len(sentences) > len(texts) + 3
    numbers = [
        [getattr(lists, c).index(getattr(w, c)) for c in ("pos", "tag", "feats", "dep")] for s in sentences for w in s
    ]
    heads = [w.head if w.head != i else -1 for words in sentences for i, w in enumerate(words)]
    assert np.mean(rows[:, [0, 1, 2, 5]] == numbers) > 0.998
    assert np.mean(rows[:, 4] == heads) > 0.998
    lemmas = [word.lemma for words in sentences for word in words]
    mine = [apply_script(lists.lemma[number], form) for number, form in zip(rows[:, 3], forms, strict=True)]
    assert np.mean([a == b for a, b in zip(mine, lemmas, strict=True)]) > 0.99
    short = np.concatenate(network.keep(texts[:3]))
    assert keep[: len(short)] == pytest.approx(short, abs=1e-3)


def test_trees_follow_the_scores_of_their_sentence(encoder, weights, lists):
    """The second sentence of a text: its heads are sought among its own words, and relations asked for these heads."""
    network = encoder["plain"].PlainNetwork(weights, lists, heads=2)
    words, asked = 6, []
    network.score_relations = lambda dependent, head: asked.append((dependent, head)) or np.ones((len(head), 2))
    arc = np.zeros((words, words + 1))
    for word, head in enumerate([0, 0, 4, 2, -1, 3]):  # the best heads; those of the first two words do not matter
        arc[word, head + 1] = 5
    columns = {name: np.eye(words, 2 if name != "feats" else 1) for name in ("pos", "tag", "feats", "lemma")}
    numbers = np.arange(words + 1.0)[:, None]
    scores = encoder["analysis"].Scores(columns, np.zeros(words), arc, numbers[1:], numbers)
    tokens = encoder["examples"].Tokens.single([*"abcdef"], [True] * words)
    tree = network.sentence(tokens, scores, 2, 6)
    assert [word.head for word in tree] == [2, 0, 2, 1]
    assert [word.dep for word in tree] == ["obj", "obj", "ROOT", "obj"]
    assert asked[0][0][:, 0].tolist() == [3, 4, 5, 6]
    assert asked[0][1][:, 0].tolist() == [5, 3, 0, 4]


def test_weights_in_8_bits_are_near(encoder, weights):
    plain = encoder["plain"]
    packed = plain.pack(weights)
    for name, values in plain.unpack(packed).items():
        exact = plain.with_shares(weights)[name]
        step = np.abs(exact).max(-1, keepdims=True) / 127 if exact.ndim > 1 else 0
        assert np.all(np.abs(values - exact) <= 0.501 * step)
    assert packed["encoder.piece.weight"].dtype == np.int8


def test_the_network_in_numpy_is_that_in_torch(encoder, lists):
    torch = pytest.importorskip("torch")
    network, predict = importlib.import_module("network"), importlib.import_module("predict")
    torch.manual_seed(0)
    model = network.Network(network.Sizes(*map(len, lists)))
    for values in model.parameters():
        torch.nn.init.normal_(values, std=0.1)
    numbers = {name: values.numpy() for name, values in model.state_dict().items()}
    words = TEXTS[1].split()
    pieces = encoder["pieces"].cut_words(words, [True] * len(words), [True] + [False] * (len(words) - 1))
    short = encoder["pieces"].cut_words(["Yes"], [True], [True])
    batch = encoder["examples"].collate([encoder["examples"].Example(p, None, None) for p in (pieces, short)])
    mine, theirs = encoder["plain"].PlainNetwork(numbers, lists), predict.Checkpoint(model, lists, exact=True)
    for own, other in zip(mine.score_trees(batch)[1:], theirs.score_trees(batch)[1:], strict=True):
        assert own == pytest.approx(other, rel=1e-3, abs=1e-3)
    assert mine.score_keep(batch) == pytest.approx(theirs.score_keep(batch), abs=1e-4)
    rows = mine.score_trees(batch)
    relations = [m.score_relations(rows.dependent[0], rows.head[0, :-1]) for m in (mine, theirs)]
    assert relations[0] == pytest.approx(relations[1], rel=1e-3, abs=1e-3)
