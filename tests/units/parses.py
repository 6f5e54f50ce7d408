"""Parses written by hand: one word a line, as form/lemma/POS/tag head relation features."""

from __future__ import annotations

from assay.text.parse.sentence import Parse, Word


def parse(text: str) -> Parse:
    """A blank line ends a sentence; heads count from 1, 0 is the root, as in CoNLL-U."""
    return Parse(tuple(tuple(map(_word, part.strip().splitlines())) for part in text.strip().split("\n\n")))


def _word(line: str) -> Word:
    word, head, relation, *features = line.split()
    form, lemma, pos, tag = word.split("/")
    return Word(form, lemma, pos, tag, features[0] if features else "", int(head) - 1, relation)


JOHN = parse("""
John/John/PROPN/NNP 2 nsubj Number=Sing
resigned/resign/VERB/VBD 0 root Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin
yesterday/yesterday/NOUN/NN 2 obl:unmarked Number=Sing
././PUNCT/. 2 punct
""")
JOHN_MOVED = parse("""
Yesterday/yesterday/NOUN/NN 4 obl:unmarked Number=Sing
,/,/PUNCT/, 1 punct
John/John/PROPN/NNP 4 nsubj Number=Sing
resigned/resign/VERB/VBD 0 root Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin
././PUNCT/. 4 punct
""")
HOUSEHOLD = parse("""
your/your/PRON/PRP$ 2 nmod:poss Person=2|Poss=Yes|PronType=Prs
household/household/NOUN/NN 0 root Number=Sing
""")
GIVEN = parse("""
The/the/DET/DT 3 det PronType=Art
old/old/ADJ/JJ 3 amod Degree=Pos
man/man/NOUN/NN 8 nsubj:pass Number=Sing
of/of/ADP/IN 6 case
all/all/DET/DT 6 det PronType=Tot
villages/village/NOUN/NNS 3 nmod Number=Plur
was/be/AUX/VBD 8 aux:pass Tense=Past|VerbForm=Fin
given/give/VERB/VBN 0 root Tense=Past|VerbForm=Part|Voice=Pass
two/two/NUM/CD 10 nummod
books/book/NOUN/NNS 8 obj Number=Plur
by/by/ADP/IN 13 case
taller/tall/ADJ/JJR 13 amod Degree=Cmp
sisters/sister/NOUN/NNS 8 obl Number=Plur
who/who/PRON/WP 16 nsubj PronType=Rel
would/would/AUX/MD 16 aux VerbForm=Fin
stand/stand/VERB/VB 13 acl:relcl VerbForm=Inf
up/up/ADP/RP 16 compound:prt
""")
BECAUSE = parse("""
Cats/cat/NOUN/NNS 2 nsubj Number=Plur
wanted/want/VERB/VBD 0 root Tense=Past|VerbForm=Fin
to/to/PART/TO 4 mark
sleep/sleep/VERB/VB 2 xcomp VerbForm=Inf
or/or/CCONJ/CC 6 cc
eat/eat/VERB/VB 4 conj VerbForm=Inf
because/because/ADP/IN 9 case
of/of/ADP/IN 7 fixed
him/he/PRON/PRP 4 obl Number=Sing|Person=3
that/that/SCONJ/IN 11 mark
rained/rain/VERB/VBD 2 advcl Tense=Past|VerbForm=Fin
""")
LIBYANS = parse("""
two/two/NUM/CD 2 nummod
Libyans/Libyan/PROPN/NNPS 4 nsubj:pass Number=Plur
were/be/AUX/VBD 4 aux:pass Tense=Past|VerbForm=Fin
indicted/indict/VERB/VBN 0 root Tense=Past|VerbForm=Part|Voice=Pass
for/for/ADP/IN 8 case
the/the/DET/DT 8 det PronType=Art
Lockerbie/Lockerbie/PROPN/NNP 8 compound Number=Sing
bombing/bombing/NOUN/NN 4 obl Number=Sing
in/in/ADP/IN 10 case
1991/1991/NUM/CD 8 nmod
""")
CAR = parse("""
The/the/DET/DT 2 det PronType=Art
car/car/NOUN/NN 3 nsubj Number=Sing
stopped/stop/VERB/VBD 0 root Tense=Past|VerbForm=Fin
""")
AUTOMOBILE = parse("""
The/the/DET/DT 2 det PronType=Art
automobile/automobile/NOUN/NN 3 nsubj Number=Sing
stopped/stop/VERB/VBD 0 root Tense=Past|VerbForm=Fin
""")
EMPTY = Parse(())
