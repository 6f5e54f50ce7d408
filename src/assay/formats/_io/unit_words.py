"""Content units of which only the words are known: neither texts nor places, as PyrEval writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...data.content_units import ContentUnit, Contributor, Pyramid, TextSpan, add_pyramid, read_pyramid
from ...data.item import Item, Reference


def words_of_units(pyramid: Pyramid) -> dict[str, list[str]]:
    """Return the words of the contributors of each unit, their parts in the order of the text."""
    return {
        unit.id: [
            " ".join(pyramid.models[each.text][start:end] for start, end in sorted(each.spans))
            for each in unit.contributors
        ]
        for unit in pyramid.units
    }


def item_of_words(name: str, units: Mapping[str, Sequence[str]], where: str = "") -> Item:
    """Return an item with these units: the k-th contributor of each stands in a model k, a line each."""
    texts = [""] * max(map(len, units.values()))
    all_units = []
    for uid, words in units.items():
        contributors = []
        for k, each in enumerate(words):
            texts[k] += "\n" if texts[k] else ""
            contributors.append(Contributor(str(k + 1), (TextSpan(len(texts[k]), len(texts[k]) + len(each)),)))
            texts[k] += each
        all_units.append(ContentUnit(uid, words[0], tuple(contributors)))
    models = {str(k): text for k, text in enumerate(texts, 1)}
    item = Item(name, tuple(Reference(text, model) for model, text in models.items()), where=where)
    return add_pyramid(item, Pyramid(name, models, tuple(all_units)))


def keep_words(item: Item) -> Item:
    """Return the item with nothing but the words of its units; an item without units as it is."""
    pyramid = read_pyramid(item)
    return item if pyramid is None else item_of_words(item.id, words_of_units(pyramid), item.where)


def is_words_only(item: Item) -> bool:
    """Check if the item holds no more than the words of its units."""
    words = keep_words(item)
    fields = ("references", "outputs", "sources", "extra")
    return all(getattr(item, field) == getattr(words, field) for field in fields)
