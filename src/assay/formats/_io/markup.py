"""Markup in texts: sentence marks such as <t> and </s>, HTML tags and entities, counted or taken out."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import unescape
from html.entities import html5

from ...data.columns import ItemColumns, TextList
from ...data.item import Item, Reference
from ...errors import InputError, MarkupWarning

# Tags that end a sentence or a paragraph, and tags inside one. Other names in brackets (<unk>, <a@b.org>) are text.
_BLOCKS = "t|s|n|p|br|div|li|ul|ol|h[1-6]|tr|table|sent|q"
_INLINE = "a|b|i|u|em|strong|span|font|sup|sub|small|td|th|img|code"
_TAG = re.compile(rf"[ \t]*</?(?:(?P<block>{_BLOCKS})|{_INLINE})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,31}[0-9]{0,2});")
_TEXTS = ("text", "summary")  # keys of an item other than sources, references and outputs that commands read
_SHARE = 0.01  # of the outputs or references: below it markup changes no conclusion, and nothing is said


def find_markup(text: str) -> str:
    """Return the first tag or entity of a text, or an empty text.

    >>> find_markup("<t> it rains . </t>"), find_markup("AT&amp;T"), find_markup("a < b > c <unk> R&D; x")
    ('<t>', '&amp;', '')
    """
    if "<" in text and (tag := _TAG.search(text)):
        return tag[0].strip()
    if "&" not in text:
        return ""
    return next((m[0] for m in _ENTITY.finditer(text) if _is_entity(m[0])), "")


def _may_hold_markup(text: str) -> bool:
    """Tell quickly, also of many texts in one, whether there is a character with which markup begins."""
    return "<" in text or "&" in text


def strip_markup(text: str, *, breaks: str = "\n") -> str:
    """Return a text without tags and with its entities as characters; a tag that ends a sentence ends a line.

    >>> strip_markup("<t> it rains . </t> <t> AT&amp;T is <b>up</b> . </t>")
    'it rains .\\nAT&T is up .'
    """
    if not find_markup(text):
        return text
    text = _TAG.sub(lambda tag: breaks if tag["block"] else tag[0][: len(tag[0]) - len(tag[0].lstrip())], text)
    text = _ENTITY.sub(lambda entity: unescape(entity[0]) if _is_entity(entity[0]) else entity[0], text)
    return breaks.join(line.strip() for line in text.split(breaks) if line.strip()) if breaks == "\n" else text.strip()


def _is_entity(entity: str) -> bool:
    return entity[1] == "#" or entity[1:] in html5


def strip_item(item: Item) -> Item:
    """Return an item without markup in its texts."""
    return replace(
        item,
        references=tuple(_strip_reference(reference, item) for reference in item.references),
        outputs={system: strip_markup(text) for system, text in item.outputs.items()},
        sources=tuple(map(strip_markup, item.sources)),
        extra={key: strip_markup(v) if key in _TEXTS and isinstance(v, str) else v for key, v in item.extra.items()},
    )


def _strip_reference(reference: Reference, item: Item) -> Reference:
    text = strip_markup(reference.text)
    if reference.alternatives and text != reference.text:
        raise InputError(
            f"{item.place}: --strip-tags cannot change a reference with alternatives, which count its characters; "
            "take the markup out before the alternatives are made"
        )
    return reference._replace(text=text)


class MarkupCount:
    """How many outputs and references have markup, and the first of it."""

    def __init__(self, path: object) -> None:
        self.path, self.example = path, ""
        self.outputs = self.references = self.all_outputs = self.all_references = 0

    def watch(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, count what they hold, and warn at the end."""
        for item in items:
            self._add_item(item)
            yield item
        self.warn()

    def add(self, items: Iterable[Item]) -> None:
        """Count what some items hold; of columns, only texts with a bracket or an ampersand are looked at."""
        if not isinstance(items, ItemColumns):
            for item in items:
                self._add_item(item)
            return
        self.outputs += self._count(items.outputs)
        self.references += self._count(items.references)
        self.all_outputs += len(items.outputs)
        self.all_references += len(items.references)

    def _add_item(self, item: Item) -> None:
        if _may_hold_markup("".join(item.outputs.values())):
            self.outputs += sum(map(self._note, item.outputs.values()))
        self.references += sum(self._note(reference.text) for reference in item.references)
        self.all_outputs += len(item.outputs)
        self.all_references += len(item.references)

    def _count(self, texts: TextList) -> int:
        if isinstance(texts, list):
            return sum(map(self._note, texts))
        return sum(self._note(texts[place]) for place in texts.with_byte("<", "&"))

    def _note(self, text: str) -> bool:
        markup = find_markup(text)
        self.example = self.example or markup
        return bool(markup)

    def warn(self) -> None:
        """Say what was found, if it is more than a stray entity."""
        if self.outputs > _SHARE * self.all_outputs or self.references > _SHARE * self.all_references:
            warnings.warn(
                f"{self.path}: {self.outputs:,} of {self.all_outputs:,} outputs and {self.references:,} of "
                f"{self.all_references:,} references have markup such as {self.example}, which metrics count as words; "
                "--strip-tags (in Python strip_tags=True) takes it out",
                MarkupWarning,
                stacklevel=2,
            )
