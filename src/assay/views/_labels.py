"""Names next to points of a scatter plot, placed so that they do not cover each other or other points."""

from __future__ import annotations

from collections.abc import Sequence

from ._draw.terminal import display_width

SIDES = ("right", "left", "above", "below")
MAX_CHARACTERS = 22  # of a name; the rest is shown by pointing at the point
_WIDTHS = (250, 330, 480, 700)  # pixels: the plot takes the width of the page, and must be right at each
_LETTER, _LINE, _GAP, _RADIUS = 6.4, 13.0, 7.0, 5.0  # pixels

Box = tuple[float, float, float, float]  # left, top, right, bottom


def place_labels(points: Sequence[tuple[float, float]], names: Sequence[str], *, height: float = 300) -> list[str]:
    """Return the side on which each point's name stands, or "" where there is no room for it.

    `points` are shares of width and height, from the left and from the top; names of points that stand alone come
    first, so that as many as possible have room.

    >>> place_labels([(0.1, 0.5), (0.9, 0.5)], ["A", "B"]), place_labels([(0.5, 0.5)] * 2, ["A", "B"])
    (['right', 'right'], ['right', 'left'])
    """
    sides = [""] * len(points)
    obstacles: list[list[Box]] = [[_dot(p, width, height) for p in points] for width in _WIDTHS]
    for i in sorted(range(len(points)), key=lambda i: (_crowd(points, i), i)):
        for side in SIDES:
            boxes = [_box(points[i], names[i], side, width, height) for width in _WIDTHS]
            if all(
                _fits(box, width, height) and not any(_overlap(box, other) for k, other in enumerate(others) if k != i)
                for box, width, others in zip(boxes, _WIDTHS, obstacles, strict=True)
            ):
                sides[i] = side
                for others, box in zip(obstacles, boxes, strict=True):
                    others.append(box)
                break
    return sides


def shorten_label(name: str) -> str:
    """Return the name as it stands in a chart."""
    return name if len(name) <= MAX_CHARACTERS else f"{name[: MAX_CHARACTERS - 1]}…"


def _crowd(points: Sequence[tuple[float, float]], i: int) -> int:
    x, y = points[i]
    return sum(abs(x - a) < 0.12 and abs(y - b) < 0.08 for a, b in points) - 1


def _dot(point: tuple[float, float], width: float, height: float) -> Box:
    x, y = point[0] * width, point[1] * height
    return x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS


def _box(point: tuple[float, float], name: str, side: str, width: float, height: float) -> Box:
    x, y, wide = point[0] * width, point[1] * height, _LETTER * display_width(shorten_label(name))
    if side == "right":
        return x + _GAP, y - _LINE / 2, x + _GAP + wide, y + _LINE / 2
    if side == "left":
        return x - _GAP - wide, y - _LINE / 2, x - _GAP, y + _LINE / 2
    middle = y - _GAP - _LINE / 2 if side == "above" else y + _GAP + _LINE / 2
    return x - wide / 2, middle - _LINE / 2, x + wide / 2, middle + _LINE / 2


def _fits(box: Box, width: float, height: float) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= width + 8 and box[3] <= height


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
