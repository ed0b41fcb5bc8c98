"""The artist of `gridscope.mpl`: an image whose pixels are exact reductions of all cells beneath them."""

# matplotlib's stubs leave parts of these methods without types, and narrow some parameters to what it draws itself.
# pyright: reportUnknownMemberType=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import matplotlib.colors as mcolors
import numpy as np
from matplotlib.image import AxesImage

from ._array_limits import BY_EXTREMES, finite_extremes, least_positive
from ._errors import input_error
from ._fold import REDUCTIONS, Folded, Matrix, Reduction, fold_matrix, matrix
from ._placement import Place, cells_of, rounded_across, rounded_up, side_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import MouseEvent, RendererBase
    from numpy.typing import NDArray

# Parameters of imshow that have no meaning where every pixel is a reduction of whole cells, and what to use.
REFUSED = {
    "interpolation": "cells are reduced by reduce=, never interpolated",
    "interpolation_stage": "values are reduced first, then coloured",
    "filternorm": "cells are reduced by reduce=, never filtered",
    "filterrad": "cells are reduced by reduce=, never filtered",
    "resample": "every pixel is a reduction of all its cells",
    "X": "the first parameter is named array",
}


class GridImage(AxesImage):
    """The image of `gridshow`: an `AxesImage` that reduces its array anew at each draw.

    The array is held, not copied: the next draw shows what was written to it meanwhile.
    """

    _matrix: Matrix

    def __init__(self, ax: Axes, *, reduce: Reduction = "mean", **kwargs: Any) -> None:
        self._reduce = reduction(reduce)
        self._extremes: tuple[float, float] | None = None
        super().__init__(ax, **kwargs)

    # What is drawn.

    def set_data(self, A: Any) -> None:
        """Show another array; limits stay, as with `imshow`.

        Parameters
        ----------
        A : array_like, shape (M, N)
        """
        self._matrix = matrix(A)
        self._extremes = None
        values, mask = self._matrix
        self._A = values if mask is None else np.ma.MaskedArray(values, mask)
        self._imcache = None
        self.stale = True

    def get_reduce(self) -> str:
        """The reduction: "mean", "min", "max", "extreme" or "count"."""
        return self._reduce

    def set_reduce(self, reduce: Reduction) -> None:
        """Change the reduction; the next draw shows it.

        Parameters
        ----------
        reduce : {"mean", "min", "max", "extreme", "count"}
        """
        self._reduce = reduction(reduce)
        self.stale = True

    def set_interpolation(self, s: str | None) -> None:
        """Cells are never interpolated: only None and "nearest" are accepted."""
        if s not in (None, "nearest"):
            raise refused("interpolation")
        self._interpolation = "nearest"
        self.stale = True

    def set_alpha(self, alpha: Any) -> None:
        """Set the opacity of the whole image, 0 to 1."""
        if alpha is not None and np.ndim(alpha) > 0:
            raise input_error("alpha", "is an array", "a pixel of many cells has one opacity: alpha=0.5")
        super().set_alpha(alpha)

    # Limits.

    def autoscale(self) -> None:
        """Set both limits from the values."""
        self.norm.autoscale(self._sample())

    def autoscale_None(self) -> None:
        """Set the limits that are None from the values."""
        norm = self.norm
        if not norm.scaled() or type(norm) not in (mcolors.Normalize, mcolors.LogNorm):
            norm.autoscale_None(self._sample())

    def _sample(self) -> NDArray[Any]:
        """Values that lead the norm to the limits that all values would give it."""
        norm = self.norm
        if self._reduce == "count":
            place = self._place(1.0)
            most = int(self._fold(place).values.max()) if place else 1
            return np.array([min(1, most) if type(norm) is mcolors.LogNorm else 0, most])
        low, high = self._limits()
        if low > high:
            return np.ma.MaskedArray([0.0], [True])
        if type(norm) in BY_EXTREMES:
            return np.array([low, high])
        if type(norm) is mcolors.LogNorm:
            return np.array([least_positive(self._matrix) if low <= 0 < high else low, high])
        return np.ma.masked_invalid(self._A, copy=False)

    def _limits(self) -> tuple[float, float]:
        """The least and the greatest finite value; (inf, -inf) where there is none."""
        if self._extremes is None:
            ends = [fold_matrix(self._matrix, (1, 1), by) for by in ("min", "max")]
            low, high = (float(e.values[0, 0]) if e.states[0, 0] == 0 else math.nan for e in ends)
            if math.isfinite(low) and math.isfinite(high):
                self._extremes = low, high
            elif math.isnan(low):
                self._extremes = math.inf, -math.inf
            else:
                self._extremes = finite_extremes(self._matrix)
        return self._extremes

    def _center(self) -> float | None:
        """Where "extreme" measures from: the centre of the norm, else the middle of its limits."""
        vcenter = getattr(self.norm, "vcenter", None)
        if vcenter is not None:
            return float(vcenter)
        limits: tuple[Any, Any] = self.get_clim()
        low, high = limits
        return None if low is None or high is None else low / 2 + high / 2

    # Drawing.

    def _place(self, magnification: float) -> Place | None:
        transform = self.get_transform()
        if not (transform.is_affine and transform.is_separable):
            raise unequal(self.axes)
        left, right, bottom, top = self.get_extent()
        corners = transform.transform([[left, bottom], [right, top]])
        clip = (self.get_clip_box() or self.axes.bbox) if self.get_clip_on() else self.axes.figure.bbox
        across, up = (float(corners[0, 0]), float(corners[1, 0])), (float(corners[0, 1]), float(corners[1, 1]))
        # Row 0 is at the top of the extent, or at its bottom.
        down = (up[1], up[0]) if self.origin == "upper" else up
        rows, columns = self._matrix.values.shape
        x = side_of(across, (clip.x0, clip.x1), columns, magnification, rounded_across)
        y = side_of(down, (clip.y0, clip.y1), rows, magnification, rounded_up)
        return Place(x, y) if x and y else None

    def _fold(self, place: Place) -> Folded:
        view = place.view(self._matrix.values.shape)
        shape = (place.rows.pixels, place.columns.pixels)
        center = self._center() if self._reduce == "extreme" else None
        values, states = fold_matrix(self._matrix, shape, self._reduce, view, center)
        flip = (
            slice(None, None, -1 if place.rows.reversed else 1),
            slice(None, None, -1 if place.columns.reversed else 1),
        )
        return Folded(values[flip], states[flip])

    def make_image(self, renderer: RendererBase, magnification: float = 1.0, unsampled: bool = False) -> Any:
        """The pixels of the visible part, and where their lower left corner is on the canvas."""
        self.autoscale_None()
        place = self._place(magnification)
        if place is None:
            return None, 0, 0, None
        values, states = self._fold(place)
        shown = np.ma.MaskedArray(values, states != 0)
        pixels = self.to_rgba(shown, bytes=True, norm=True)
        alpha = self.get_alpha()
        if alpha is not None:
            pixels[..., 3] = (pixels[..., 3].astype(np.float32) * np.float32(alpha)).astype(np.uint8)
        return pixels, place.columns.first / magnification, place.rows.first / magnification, None

    def get_cursor_data(self, event: MouseEvent) -> Any:
        """The value of the cell under the pointer, or the reduction of the cells under its pixel; None outside."""
        place = self._place(1.0)
        if place is None:
            return None
        spans: list[tuple[int, int]] = []
        sides = (
            (place.rows, event.y, self._matrix.values.shape[0]),
            (place.columns, event.x, self._matrix.values.shape[1]),
        )
        for side, at, cells in sides:
            pixel = math.floor(at) - side.first
            if not 0 <= pixel < side.pixels:
                return None
            spans.append(cells_of(side, side.pixels - 1 - pixel if side.reversed else pixel, cells))
        (row, row_end), (column, column_end) = spans
        view = (float(row), float(row_end), float(column), float(column_end))
        center = self._center() if self._reduce == "extreme" else None
        values, states = fold_matrix(self._matrix, (1, 1), self._reduce, view, center)
        return values[0, 0] if states[0, 0] == 0 else np.ma.masked

    def write_png(self, fname: Any) -> None:
        """Write a pixel per cell to a PNG file."""
        self.autoscale_None()
        super().write_png(fname)


def reduction(reduce: str) -> str:
    if reduce not in REDUCTIONS:
        raise input_error("reduce", f"{reduce!r} is not a reduction", f"one of {', '.join(REDUCTIONS)}")
    return reduce


def refused(name: str) -> Exception:
    return input_error(name, "is not a parameter of gridshow", REFUSED[name])


def unequal(ax: Axes) -> Exception:
    scales = f"{ax.get_xscale()} x {ax.get_yscale()}" if getattr(ax, "name", None) == "rectilinear" else ax.name
    return input_error(
        "ax",
        f"has {scales} scales, on which cells are not equal",
        "use linear axes, or pcolormesh, or gridscope.heatmap with x_type='log'",
    )
