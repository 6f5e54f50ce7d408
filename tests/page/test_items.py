"""The items as the page holds them."""

from __future__ import annotations

import base64
import json
import zlib

import numpy as np

from assay import EvalSet, Item, Reference, Scores
from assay.page.items import MAX_SOURCE, pack_items


def unpack(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def texts_of(payload, index):
    """Sources, references and outputs of an item, as the page's script reads them."""
    block, place = payload["place"][index]
    texts, rows = json.loads(unpack(payload["blocks"][block]))
    sources, references, outputs = rows[place]
    return (
        [texts[t] for t in sources],
        [texts[t] for _, t in references],
        [texts[t] if t >= 0 else None for t in outputs],
    )


def scores(data: EvalSet, values, name="m", **more) -> Scores:
    return Scores(np.array(values, dtype=float), data.systems, data.items, name, **more)


DATA = EvalSet(
    [
        Item("1", (Reference("a b"),), {"A": "a b", "B": "a b"}, ("s",), "news"),
        Item("2", (Reference("c", "ann"),), {"A": "d é <b>"}, (), "letters"),
    ],
    allow_missing=True,
)


def test_what_goes_in_comes_out():
    payload = pack_items(DATA, {"m": scores(DATA, [[1, 2], [3, np.nan]])}, []).payload
    assert texts_of(payload, 0) == (["s"], ["a b"], ["a b", "a b"])
    assert texts_of(payload, 1) == ([], ["c"], ["d é <b>", None])
    values = np.frombuffer(unpack(payload["values"]), "<f4").reshape(1, 2, 2)
    assert np.array_equal(values[0], [[1, 2], [3, np.nan]], equal_nan=True)
    assert list(unpack(payload["there"])) == [1, 1, 1, 0]
    assert [payload["groups"][g] for g in payload["group"]] == ["news", "letters"]


def test_equal_texts_are_kept_once():
    payload = pack_items(DATA, {}, []).payload
    texts, _ = json.loads(unpack(payload["blocks"][0]))
    assert sorted(texts) == sorted({"s", "a b", "c", "d é <b>"})


def test_scores_in_another_order_are_put_right():
    turned = Scores(np.array([[4.0, 3.0], [2.0, 1.0]]), ("B", "A"), ("2", "1"), "m")
    payload = pack_items(DATA, {"m": turned}, []).payload
    assert np.frombuffer(unpack(payload["values"]), "<f4").tolist() == [1, 2, 3, 4]


def test_too_much_text_leaves_out_the_items_on_which_all_agree():
    rng = np.random.default_rng(0)
    words = ["".join(chr(97 + c) for c in rng.integers(0, 26, 9)) for _ in range(5000)]
    outputs = [" ".join(rng.choice(words, 8000)) for _ in range(12)]
    data = EvalSet.from_texts({"A": outputs}, [["x"]] * 12)
    ranks = np.arange(12.0)
    human = ranks.copy()
    human[[3, 9]] = human[[9, 3]]  # here metric and people disagree
    made = pack_items(data, {"m": scores(data, [ranks])}, [scores(data, [human], "human")], limit=400_000)
    assert 0 < made.without_text < 12
    assert made.payload["place"][3] is not None
    assert made.payload["place"][9] is not None
    assert sum(map(len, made.payload["blocks"])) <= 400_000


def test_a_very_long_source_is_cut_and_says_so():
    data = EvalSet([Item("1", (), {"A": "a"}, ("x" * (MAX_SOURCE + 7),))])
    (source,), _, _ = texts_of(pack_items(data, {}, []).payload, 0)
    assert source.endswith("… [7 more characters are not in this page]")


def test_stems_of_words_that_change():
    data = EvalSet.from_texts({"A": ["cats running"]}, [["cat runs"]])
    assert json.loads(unpack(pack_items(data, {}, [], stem=True).payload["stems"])) == {
        "cats": "cat",
        "running": "run",
        "runs": "run",
    }


def test_broken_characters_do_not_stop_it():
    data = EvalSet.from_texts({"A": ["a \ud800 b"]}, [["x"]])
    assert texts_of(pack_items(data, {}, []).payload, 0)[2] == ["a ? b"]
