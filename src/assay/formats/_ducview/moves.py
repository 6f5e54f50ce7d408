"""Places of marks in a text that differs from the one they were made in by its white space only."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...data.content_units import Contributor, PeerAnnotation, TextSpan


@dataclass(frozen=True)
class Move:
    """From places in one text to those in another that differs in white space only."""

    text: str
    before: tuple[int, ...]
    after: tuple[int, ...]

    @classmethod
    def between(cls, old: str, new: str) -> Move | None:
        """Return the way from one text to the other; None if their words differ."""
        if "".join(old.split()) != "".join(new.split()):
            return None
        before, after = (tuple(k for k, c in enumerate(text) if not c.isspace()) for text in (old, new))
        return cls(new, before, after)

    def span(self, span: TextSpan) -> TextSpan:
        """Return where the characters of a span stand."""
        places = [new for old, new in zip(self.before, self.after, strict=True) if span.start <= old < span.end]
        return TextSpan(places[0], places[-1] + 1) if places else TextSpan(0, 1)


def move_contributor(contributor: Contributor, move: Move | None) -> Contributor:
    """Return a contributor at its places in the other text."""
    if move is None:
        return contributor
    return replace(contributor, spans=tuple(map(move.span, contributor.spans)))


def move_peer(peer: PeerAnnotation, move: Move | None) -> PeerAnnotation:
    """Return what was marked in a peer at its places in the other text."""
    if move is None:
        return peer
    units = ((unit, tuple(move_contributor(each, move) for each in unit.contributors)) for unit in peer.units)
    return replace(peer, units=tuple(replace(unit, contributors=moved) for unit, moved in units))
