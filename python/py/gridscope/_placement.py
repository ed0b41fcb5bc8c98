"""Where an image is on the canvas of matplotlib: its pixels, and the cells under each of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple


class Side(NamedTuple):
    """One axis of a drawn image: its pixels, the cells that they show, and whether cells run against the pixels."""

    first: int
    pixels: int
    start: float
    end: float
    reversed: bool


class Place(NamedTuple):
    columns: Side
    rows: Side

    def view(self, shape: tuple[int, ...]) -> tuple[float, float, float, float] | None:
        """The part of the array, None where it is the whole: its pixels then have bounds in whole numbers."""
        part = (self.rows.start, self.rows.end, self.columns.start, self.columns.end)
        return None if part == (0, shape[0], 0, shape[1]) else part


def rounded_across(low: float, high: float) -> tuple[int, int]:
    """The pixels of an image from left to right, as matplotlib rounds them for its own images."""
    return math.floor(low + 0.5), math.floor(high + 0.5 + 1e-8)


def rounded_up(low: float, high: float) -> tuple[int, int]:
    """The pixels of an image from bottom to top, as matplotlib rounds them for its own images."""
    return math.ceil(low - 0.5 - 1e-8), math.ceil(high - 0.5)


def side_of(
    ends: tuple[float, float],
    clip: tuple[float, float],
    cells: int,
    magnification: float,
    rounded: Callable[[float, float], tuple[int, int]],
) -> Side | None:
    """Where the cells 0 to `cells` between two `ends`, in pixels of the canvas, are visible."""
    low, high = max(min(ends), min(clip)), min(max(ends), max(clip))
    if not low < high:
        return None
    # All cells in view share these pixels, so that none is lost at the border.
    first, last = rounded(low * magnification, high * magnification)
    if first >= last:
        return None
    scale = cells / (ends[1] - ends[0])
    a, b = (low - ends[0]) * scale, (high - ends[0]) * scale
    start, end = _snapped(min(a, b), cells), _snapped(max(a, b), cells)
    return Side(first, last - first, start, end, ends[1] < ends[0]) if start < end else None


def _snapped(at: float, cells: int) -> float:
    """A border between cells that rounding has moved is the border."""
    near = round(at)
    exact = float(near) if abs(at - near) <= 1e-9 * max(cells, 1) else at
    return min(max(exact, 0.0), float(cells))


def cells_of(side: Side, pixel: int, cells: int) -> tuple[int, int]:
    """The cells under a pixel, counted from the side where cell 0 is; as the fold has them."""
    span = side.end - side.start
    if span <= side.pixels:
        at = min(max(math.floor(side.start + (pixel + 0.5) * span / side.pixels), 0), cells - 1)
        return at, at + 1
    if (side.start, side.end) == (0, cells):
        return pixel * cells // side.pixels, (pixel + 1) * cells // side.pixels
    step = span / side.pixels
    first, last = (math.floor(side.start + i * step) for i in (pixel, pixel + 1))
    return max(first, 0), min(last, cells)
