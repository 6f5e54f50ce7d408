"""Build a lexicon: forms, lemmas, parts of speech and frequencies from packages that are installed."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...data.result import Result
from ...errors import InputError, MissingExtra, UnknownName
from ...files import write_whole
from ...text.compounds.files import built_lexicon, find_lexicon, open_lexicon
from ...text.compounds.language import TAGS, Language, load_language
from ._forms import Form
from ._sources import SOURCES
from ._taggers import MAX_FORMS, TAGGERS

MAX_CHARS = 40  # characters of an entry
MAX_UNSEEN = 13  # characters of a form that no corpus has: longer ones are compounds themselves
MAX_ENDING = 6
MIN_STEM = 3
_STEM, _DICTIONARY = 1 << 12, 1 << 13
_IDENTITY = "0|"


@dataclass
class Draft:
    """What is known of one form while a lexicon is built."""

    tags: int = 0
    zipf: float = 0.0
    stem: bool = False
    dictionary: bool = False
    lemma: str = ""


@dataclass
class Drafts:
    """The forms of a lexicon that is being built."""

    forms: dict[str, Draft] = field(default_factory=dict)

    def add(self, form: Form) -> None:
        """Add what one source says of a form; a form that is its own lemma stays so, else the first lemma stays."""
        key = normalize(form.text)
        if not 1 < len(key) <= MAX_CHARS or not key.isalpha():
            return
        is_new = key not in self.forms
        draft = self.forms.setdefault(key, Draft())
        draft.tags |= sum(1 << TAGS.index(tag) for tag in form.tags)
        draft.zipf = max(draft.zipf, form.zipf)
        draft.dictionary |= form.dictionary
        draft.stem = form.stem if is_new else draft.stem and form.stem
        if not draft.lemma or (normalize(form.lemma) == key != normalize(draft.lemma)):
            draft.lemma = form.lemma

    def list_untagged(self) -> list[str]:
        """Return the most frequent forms without a part of speech, or the shortest where no corpus has them."""
        forms = (form for form, draft in self.forms.items() if not draft.tags)
        return sorted(forms, key=lambda form: (-self.forms[form].zipf, len(form), form))[:MAX_FORMS]


def normalize(text: str) -> str:
    """Return a word as lexicons hold it: composed, in lower case.

    >>> normalize("Häuser")
    'häuser'
    """
    return unicodedata.normalize("NFC", text).lower()


def build_lexicon(
    language: Language,
    *,
    sources: Iterable[str] | None = None,
    words: Iterable[str] = (),
    follow: Callable[[list[str]], Iterable[str]] = iter,
) -> bytes:
    """Build the file of a lexicon from the sources that the language names and that are installed, and own words."""
    drafts = Drafts()
    for name in follow(installed_sources(language, sources)):
        forms = SOURCES[name].read(language) if name in SOURCES else TAGGERS[name].tag(language, drafts.list_untagged())
        for form in forms:
            drafts.add(form)
    for word in words:
        drafts.add(Form(word, dictionary=True))
    if not drafts.forms:
        wanted = dict.fromkeys(SOURCES[name].install for name in language.sources if name in SOURCES)
        hint = (
            " or ".join(wanted) or f"give words of your own: assay split build --language {language.code} --words FILE"
        )
        raise MissingExtra(f"no source of {language.name} words is installed: {hint}")
    return pack_forms(finish_forms(drafts.forms, language), capital=language.capital_nouns)


def installed_sources(language: Language, names: Iterable[str] | None = None) -> list[str]:
    """List the sources of a language that are installed, of those named; taggers come last."""
    every = [*SOURCES, *TAGGERS]
    for name in names or ():
        if name not in every:
            raise UnknownName("source", name, every, hint=f"(there are {', '.join(every)})")
    wanted = set(names) if names is not None else set(every)
    here = wanted & set(language.sources)
    lists = [name for name, source in SOURCES.items() if name in here and source.is_there(language)]
    return lists + [name for name, tagger in TAGGERS.items() if name in here and lists and tagger.is_there()]


@dataclass(frozen=True)
class BuiltLexicon(Result, question="compounds", kind="lexicon"):
    """A lexicon that was written."""

    language: str
    path: str
    entries: int
    bytes: int
    sources: tuple[str, ...]


def write_lexicon(
    code: str,
    path: str | None = None,
    *,
    sources: Iterable[str] | None = None,
    words: Iterable[str] = (),
    follow: Callable[[list[str]], Iterable[str]] = iter,
) -> BuiltLexicon:
    """Build a lexicon and write it, to the cache if no path is given."""
    language = load_language(code)
    target = path or built_lexicon(language)
    if target is None:
        raise InputError("there is no cache to keep the lexicon in (ASSAY_CACHE=off): give a file with --out")
    names = installed_sources(language, sources)
    content = build_lexicon(language, sources=names, words=words, follow=follow)
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, content)
    return BuiltLexicon(language.name, str(target), len(open_lexicon(target)), len(content), tuple(names))


def ensure_lexicon(code: str, *, progress: Callable[[str], None] = lambda _: None) -> None:
    """Build the lexicon of a language where there is none yet, if a source of words is installed."""
    language = load_language(code)
    try:
        find_lexicon(language)
    except InputError:
        if not installed_sources(language):
            raise
        progress(f"building the lexicon of {language.name}, once (a minute or two) ...")
        write_lexicon(code)


def finish_forms(forms: dict[str, Draft], language: Language) -> dict[str, Draft]:
    """Drop rare forms that no dictionary has, and add closed classes and stems."""
    least, endings = float(language.sources.get("least_zipf", 0.0)), frozenset(language.endings)
    longest = int(language.sources.get("longest_unseen", MAX_UNSEEN))
    forms = {form: draft for form, draft in forms.items() if draft.dictionary or draft.zipf >= least}
    forms = {
        form: draft
        for form, draft in forms.items()
        if draft.zipf > 0 or (len(form) <= longest and not _is_regular(form, forms, endings))
    }
    for tag, words in language.closed.items():
        for word in words:
            draft = forms.setdefault(word, Draft(zipf=3.0))
            draft.tags = 1 << TAGS.index(tag) | (draft.tags if draft.dictionary else 0)
            draft.dictionary = True
    for draft in forms.values():
        draft.tags = draft.tags or 1 << TAGS.index("X")
    for form, draft in list(_stems(forms, language)):
        here = forms.setdefault(form, Draft(stem=True, dictionary=True, zipf=draft.zipf, lemma=draft.lemma))
        here.tags |= draft.tags
    return forms


def _is_regular(form: str, forms: Mapping[str, Draft], endings: Set[str]) -> bool:
    """Check if a form is another form of its word and an ending, which the splitter takes off by itself."""
    draft = forms[form]
    for length in range(1, min(MAX_ENDING + 1, len(form) - 1)):
        if form[-length:] in endings and (shorter := forms.get(form[:-length])) and shorter.lemma == draft.lemma:
            return True
    return False


def _stems(forms: Mapping[str, Draft], language: Language) -> Iterator[tuple[str, Draft]]:
    for tag, ending, replacement in language.stems:
        bit = 1 << TAGS.index(tag)
        for form, draft in forms.items():
            if not (draft.tags & bit or tag == "X") or not draft.dictionary or draft.stem:
                continue
            if not form.endswith(ending):
                continue
            stem = form[: len(form) - len(ending)] + replacement
            if normalize(draft.lemma or form) == form and len(stem) >= MIN_STEM:
                yield stem, Draft(tags=draft.tags if tag == "X" else bit, zipf=draft.zipf, lemma=draft.lemma or form)


def pack_forms(forms: Mapping[str, Draft], *, capital: bool) -> bytes:
    """Write the file of a lexicon."""
    from ..._core import build_lexicon as build

    words = sorted(forms, key=lambda word: word.encode("utf-8"))
    rules = [lemma_rule(word, forms[word].lemma or word, capital=capital) for word in words]
    counts = Counter(rules)
    order = [_IDENTITY, *(rule for rule, _ in counts.most_common(60_000) if rule != _IDENTITY)]
    numbers = {rule: number for number, rule in enumerate(order)}
    values = [_value(forms[word], numbers.get(rule, 0)) for word, rule in zip(words, rules, strict=True)]
    return build(words, np.array(values, dtype=np.uint32), order)


def lemma_rule(form: str, lemma: str, *, capital: bool) -> str:
    """Return how the lemma is made from the form: how many characters go, what comes; ^ for a capital.

    >>> lemma_rule("häuser", "Haus", capital=True), lemma_rule("wirkungen", "Wirkung", capital=True)
    ('^5|aus', '^2|')
    """
    plain = normalize(lemma)
    same = 0
    while same < min(len(form), len(plain)) and form[same] == plain[same]:
        same += 1
    return ("^" if capital and lemma[:1].isupper() else "") + f"{len(form) - same}|{plain[same:]}"


def _value(draft: Draft, rule: int) -> int:
    """Pack one entry: eight bits of tags, four of frequency in half Zipf units, flags, and the rule of the lemma."""
    frequency = min(15, max(1, round(draft.zipf * 2))) if draft.zipf > 0 else 0
    flags = (_STEM if draft.stem else 0) | (_DICTIONARY if draft.dictionary else 0)
    return draft.tags | frequency << 8 | flags | rule << 16
