"""Facets: which items were drawn together (clusters), and which repeat the same input (runs)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..errors import InputError
from .item import Item
from .sequences import preview

FACETS = ("cluster", "run")


def name_repeat(item: str, run: str) -> str:
    """Return the id of a further run of an item.

    >>> name_repeat("q7", "2")
    'q7@2'
    """
    return f"{item}@{run}"


def repeated_item(item: str, run: str | None) -> str:
    """Return the item of which this is a run; the item itself where it has no run, or its id does not say more.

    >>> repeated_item("q7@2", "2"), repeated_item("q7", "1"), repeated_item("ann@2", None)
    ('q7', 'q7', 'ann@2')
    """
    return item if run is None else item.removesuffix(f"@{run}") or item


def name_repeats(items: Iterable[Item], first_runs: dict[str, str]) -> Iterator[Item]:
    """Yield the items, of which one that comes again with another run gets an id of its own: q7, q7@2, q7@3.

    One that comes again with the same run keeps its id, and the evaluation set refuses it. `first_runs` remembers the
    run under which each id came first, for the next part of a stream.

    >>> [item.id for item in name_repeats([Item("q7", run="1"), Item("q7", run="2")], {})]
    ['q7', 'q7@2']
    """
    for item in items:
        if item.run is not None and first_runs.setdefault(item.id, item.run) != item.run:
            item = replace(item, id=name_repeat(item.id, item.run))
        yield item


def name_clusters(
    items: Sequence[str], clusters: Sequence[str | None] | None, runs: Sequence[str | None] | None
) -> tuple[str, ...] | None:
    """Return the name of the cluster of each item, or None where each item is its own.

    The runs of an item are drawn together even where no cluster is stated; they cannot be in two clusters.

    >>> name_clusters(["1", "2", "3"], ["news", "news", None], None)
    ('news', 'news', 'item 3')
    >>> name_clusters(["1", "1@2", "2"], None, ["1", "2", "1"])
    ('1', '1', '2')
    >>> name_clusters(["1", "2"], [None, None], None)
    """
    stated: list[str | None] = [None] * len(items) if clusters is None else [*clusters]
    own_runs: list[str | None] = [None] * len(items) if runs is None else [*runs]
    names = set(stated) - {None}
    if not names and all(run is None for run in own_runs):
        return None
    alone = [repeated_item(item, run) for item, run in zip(items, own_runs, strict=True)]
    if names:
        _check_one_cluster(alone, stated)
        alone = [_distinct(f"item {name}", names) for name in alone]
    return tuple(name if cluster is None else cluster for cluster, name in zip(stated, alone, strict=True))


def _check_one_cluster(inputs: Sequence[str], clusters: Sequence[str | None]) -> None:
    """Raise if the repeats of an item are in different clusters."""
    known: dict[str, str | None] = {}
    for name, cluster in zip(inputs, clusters, strict=True):
        if known.setdefault(name, cluster) != cluster:
            pair = " and ".join("none" if own is None else repr(own) for own in (known[name], cluster))
            raise InputError(
                f"item {name!r} is in two clusters, {pair}: repeats of an item are drawn together; "
                "give them one cluster, or --cluster none"
            )


def states_facets_only(columns: Mapping[str, object] | None) -> bool:
    """Check if only the cluster or the run of items is stated, and nothing about the other columns.

    >>> states_facets_only({"cluster": "group"}), states_facets_only({"cluster": "group", "output": "mt"})
    (True, False)
    """
    return bool(columns) and set(columns or ()) <= set(FACETS)


def state_facets(items: Iterable[Item], columns: Mapping[str, str | Sequence[str]], path: object) -> Iterator[Item]:
    """Yield the items with the clusters or runs that a label or key of theirs holds; no name: without any.

    A name is that of a key of the items, or one of group, cluster and run. An item without it has none; if no item
    has it, that is an error.

    >>> [item.cluster for item in state_facets([Item("1", group="news"), Item("2")], {"cluster": "group"}, "")]
    ['news', None]
    """
    keys = {role: [names] if isinstance(names, str) else list(names) for role, names in columns.items()}
    missing = {(role, names[0]) for role, names in keys.items() if names}
    for item in items:
        labels = {role: _read_label(item, names) for role, names in keys.items()}
        missing -= {(role, names[0]) for role, names in keys.items() if labels[role] is not None}
        yield replace(item, cluster=labels.get("cluster", item.cluster), run=labels.get("run", item.run))
    for role, name in missing:
        raise InputError(f"{path}: no item has {name!r}, so it is not the {role}; name another, or none")


def _read_label(item: Item, names: Sequence[str]) -> str | None:
    """Return the value of a key of an item as a label."""
    if len(names) != 1:
        return None
    value = getattr(item, names[0]) if names[0] in ("group", *FACETS) else item.extra.get(names[0])
    if value is not None and not isinstance(value, str | int):
        raise InputError(f"{item.place}: {names[0]!r} is not a name or a whole number: {preview(value)}")
    return None if value is None else str(value)


def _distinct(name: str, others: set[str | None]) -> str:
    while name in others:
        name = f"{name}'"
    return name
