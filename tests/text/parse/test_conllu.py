"""Parses from CoNLL-U files."""

from __future__ import annotations

import pytest

from assay.errors import FormatError, InputError
from assay.text.parse.parser import _warned, parse
from assay.text.parse.sentence import Parse, Word


def forms(text: Parse) -> list[list[str]]:
    return [[word.form for word in sentence] for sentence in text.sentences]


@pytest.fixture(autouse=True)
def _fresh_warnings():
    _warned.clear()


def sentence(*words: str) -> tuple[Word, ...]:
    """form/POS/head/relation, heads from 1, 0 for none."""
    split = [word.rsplit("/", 3) for word in words]
    return tuple(Word(f, {"is": "be"}.get(f, f), p, "", "", int(h) - 1, r) for f, p, h, r in split)


CONLLU = """\
# sent_id = 1
# text = Don't go.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

1\tA\ta\tX\t_\t_\t0\tROOT\t_\t_
1.1\tgap\tgap\tX\t_\t_\t_\t_\t1:dep\t_
2\tb\t_\tX\t_\t_\t1\tdobj\t_\t_
"""


@pytest.fixture
def conllu(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.conllu"
        path.write_text(text, "utf-8")
        return f"conllu:{path}"

    return write


def test_conllu(conllu):
    model = conllu(CONLLU)
    both, tokenized, empty = parse(["A b\nDon't go.", "Do n't go .", ""], model, processes=2)
    assert forms(both) == [["A", "b"], ["Do", "n't", "go", "."]]
    assert both.sentences[0] == (Word("A", "a", "X", "", "", -1, "root"), Word("b", "b", "X", "", "", 0, "obj"))
    assert both.sentences[1][0] == Word("Do", "do", "AUX", "VB", "Mood=Imp", 2, "aux")
    assert tokenized.sentences == both.sentences[1:]
    assert empty.sentences == ()


def test_conllu_prefers_the_longer_sentence_that_works_out(conllu):
    def one(*words):
        rows = [f"{i}\t{w}\t_\tX\t_\t_\t{i - 1}\t{'dep' if i > 1 else 'root'}\t_\t_" for i, w in enumerate(words, 1)]
        return "\n".join(rows) + "\n\n"

    model = conllu(one("a") + one("a", "b") + one("b", "c") + one("a", "b", "d"))
    assert [forms(text) for text in parse(["a b c", "a b d a b", "aab"], model)] == [
        [["a"], ["b", "c"]],
        [["a", "b", "d"], ["a", "b"]],
        [["a"], ["a", "b"]],
    ]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("1\ta\n", FormatError, r"conllu:1: CoNLL-U has 10 columns.* this line 2"),
        (CONLLU.replace("\n2\tb", "\n3\tb"), FormatError, r"conllu:11: word 2 of the sentence has the number '3'"),
        (CONLLU.replace("3\taux", "9\taux"), FormatError, r"conllu:4: the head of 'Do' is '9'"),
        (CONLLU.replace("3\taux", "_\taux"), FormatError, r"conllu:4: the head of 'Do' is '_'"),
        (CONLLU.replace("dobj", "oa"), InputError, "not Universal Dependencies.*: oa;"),
        (CONLLU, InputError, r"holds no sentence that begins \(spaces apart\) at 'Unknown' of a text"),
    ],
)
def test_bad_conllu(conllu, text, error, message):
    with pytest.raises(error, match=message):
        parse(["A b Unknown"], conllu(text))


def test_conllu_that_is_not_there():
    with pytest.raises(InputError, match=r"cannot read no\.conllu: No such file"):
        parse(["a"], "conllu:no.conllu")
