"""Basic Elements that come with a set, as files of another parser: head, modifier and relation, as bags of integers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..text import Lexicon, TextReading, Texts
from .batch import Batch
from .content_bags import BagBuilder
from .unit import Bags, BagUnit

FILES = "files"  # the name of the parser where elements come with the set
KEY = "basic_elements"  # of an item: {"references": {NAME: [[head, modifier, relation]]}, "outputs": {...}}
NONE = "NIL"  # the modifier of an element that is a head alone
_READING = TextReading("space", stem="porter155-wordnet")
_PARTS = {"h": (0,), "hm": (0, 1), "hmr": (0, 1, 2)}
Element = Sequence[str]


@dataclass(frozen=True)
class ElementUnit(BagUnit):
    """Heads (h), pairs (hm) or triples (hmr) as ROUGE-1.5.5 -3 counts them; each word of a part is stemmed."""

    unit: str = "hm"
    stem: bool = True

    def bags(self, batch: Batch) -> Bags:
        outputs, references = BagBuilder(), BagBuilder()
        ids: dict[tuple[str, ...], int] = {}
        sides = [_elements(item.extra, item.place) for item in batch.entries]
        stems = self.stems(element for side in sides for own in side.values() for e in own.values() for element in e)
        for item, side in zip(batch.entries, sides, strict=True):
            names = [(side["outputs"], name, outputs) for name in item.outputs]
            names += [(side["references"], r.id or "", references) for r in item.references]
            for table, name, builder in names:
                builder.add([ids.setdefault(key, len(ids)) for key in self.keys(table.get(name, ()), stems)], 0)
            outputs.end_item()
            references.end_item()
        return Bags(outputs.tokens(len(ids)), references.tokens(len(ids)))

    def keys(self, elements: Iterable[Element], stems: Mapping[str, str]) -> Iterable[tuple[str, ...]]:
        """Yield what is counted of each element."""
        for element in elements:
            if self.unit == "h" or element[1] != NONE:
                yield tuple(stems[element[part]] if part < 2 else element[part] for part in _PARTS[self.unit])

    def stems(self, elements: Iterable[Element]) -> dict[str, str]:
        """Return each head and modifier with its words stemmed."""
        parts = list(dict.fromkeys(part for element in elements for part in element[:2]))
        if not self.stem:
            return {part: part for part in parts}
        words = Texts([part.lower() for part in parts], Lexicon()).words(_READING)
        return {part: " ".join(stems) for part, stems in zip(parts, words, strict=True)}


def without_elements(batch: Batch) -> NDArray[np.bool_]:
    """Return for each output whether it, or a reference of its item, has no file of elements."""
    missing = []
    for item in batch.entries:
        side = _elements(item.extra, item.place)
        lacks = any((reference.id or "") not in side["references"] for reference in item.references)
        missing += [lacks or name not in side["outputs"] for name in item.outputs]
    return np.array(missing, dtype=bool)


def _elements(extra: Mapping[str, Any], place: str) -> dict[str, dict[str, list[Element]]]:
    stored = extra.get(KEY, {"references": {}, "outputs": {}})
    whole = isinstance(stored, dict) and all(isinstance(stored.get(side), dict) for side in ("references", "outputs"))
    lists = [own for side in ("references", "outputs") for own in stored[side].values()] if whole else []
    if not whole or not all(isinstance(own, list) and all(len(element) == 3 for element in own) for own in lists):
        raise InputError(f"{place}: {KEY} must be " + '{"references": {NAME: [[head, modifier, relation]]}, "outputs"}')
    return {side: stored[side] for side in ("references", "outputs")}
