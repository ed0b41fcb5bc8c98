"""Exact reductions of arrays as plain numpy arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _core
from ._errors import input_error, keywords
from ._plain import number, several
from ._sources.arrays import as_array

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Reduction = Literal["mean", "min", "max", "extreme", "count"]
#: The most pixels of a side.
MOST_PIXELS = 65_535
REDUCTIONS: tuple[str, ...] = ("mean", "min", "max", "extreme", "count")


class Matrix(NamedTuple):
    """A two-dimensional array of numbers, and which of its cells are masked (None: none)."""

    values: NDArray[Any]
    mask: NDArray[np.bool_] | None


class Folded(NamedTuple):
    """Reduced values, and the state of each pixel: 0 value, 1 NaN, 2 outside, 3 masked."""

    values: NDArray[Any]
    states: NDArray[np.uint8]


def matrix(array: object, place: str = "array") -> Matrix:
    """The rows and columns of an array-like object; numpy arrays are not copied, memory maps stay in their files."""
    if hasattr(array, "tocoo"):
        raise input_error(
            place,
            "is a sparse matrix",
            "gridscope.heatmap draws sparse matrices as they are; or pass array.toarray()",
        )
    values, mask = as_array(array, place)
    if values.ndim != 2:
        raise input_error(
            place,
            f"has {values.ndim} dimensions, {values.shape}",
            "pass rows and columns; array[index] is one slice of more dimensions",
        )
    if values.size == 0:
        raise input_error(place, f"has no cells, {values.shape}", None)
    return Matrix(values, mask)


def fold_matrix(
    data: Matrix,
    shape: tuple[int, int],
    reduce: str,
    view: tuple[float, float, float, float] | None = None,
    center: float | None = None,
) -> Folded:
    """The reduction with the state of each pixel, in the type that it has."""
    with keywords("array"):
        return unpacked(_core.fold(data.values, shape, reduce, view, mask=data.mask, center=center), shape)


def unpacked(folded: Mapping[str, Any], shape: tuple[int, int]) -> Folded:
    """The pixels and their states from the bytes of both."""
    import numpy as np

    values = np.frombuffer(folded["values"], dtype=folded["dtype"]).reshape(shape)
    states = np.frombuffer(folded["states"], dtype=np.uint8).reshape(shape)
    return Folded(values, states)


def fold(
    array: ArrayLike,
    shape: Sequence[int],
    reduce: Reduction = "mean",
    *,
    view: Sequence[float] | None = None,
    center: float | None = None,
) -> NDArray[Any]:
    """Reduce an array to fewer rows and columns, counting each cell once.

    Pixel ``i`` of ``n`` covers the cells ``i * cells // n`` up to ``(i + 1) * cells // n``. Where there are more pixels than
    cells, a pixel has the value of the cell under its centre. The array is read where it is: it is not copied, whatever its
    strides and byte order.

    Parameters
    ----------
    array : array_like, shape (M, N)
        Numbers of any real type up to 64 bits, or booleans. NaN and masked cells take no part.
    shape : (int, int)
        Rows and columns of the result.
    reduce : {"mean", "min", "max", "extreme", "count"}, default "mean"
        "extreme" is the minimum or the maximum, whichever is farther from `center`; "count" is the number of cells with a
        value.
    view : (row0, row1, column0, column1), optional
        The part of the array, in cells; fractions are allowed. The whole array if left out.
    center : float, optional
        Where "extreme" measures from; the middle of the finite values if left out.

    Returns
    -------
    numpy.ndarray, shape `shape`
        float64 for "mean", int64 for "count", else the type of `array`. Pixels without a value are NaN; an integer array with
        such pixels becomes float64.

    Raises
    ------
    InputError
        If the array is not two-dimensional, empty, or not of real numbers, or a parameter is out of its range.

    Examples
    --------
    >>> import numpy as np, gridscope as gs
    >>> a = np.zeros((1000, 1000))
    >>> a[123, 456] = 7
    >>> float(gs.fold(a, (10, 10), "max")[1, 4])
    7.0
    >>> int(gs.fold(a, (3, 7), "count").sum())
    1000000
    """
    rows, columns = _sides(shape)
    if reduce not in REDUCTIONS:
        raise input_error("reduce", f"{reduce!r} is not a reduction", f"one of {', '.join(REDUCTIONS)}")
    part: tuple[float, float, float, float] | None = None
    if view is not None:
        numbers = several(view, "view")
        if not isinstance(numbers, list) or len(numbers) != 4:
            raise input_error("view", f"{view!r} are no four numbers", "view=(row0, row1, column0, column1)")
        with keywords("view"):
            part = (float(numbers[0]), float(numbers[1]), float(numbers[2]), float(numbers[3]))
        if not (all(math.isfinite(v) for v in part) and part[0] < part[1] and part[2] < part[3]):
            raise input_error(
                "view", f"{part} is empty or not finite", "view=(row0, row1, column0, column1), row0 < row1"
            )
    center = None if center is None else float(number(center, "center"))
    if hasattr(array, "__dask_graph__") and getattr(array, "ndim", 0) == 2 and part is None:
        return _of_chunks(array, (rows, columns), reduce, center)
    with keywords("array"):
        data = matrix(array)
    values, states = fold_matrix(data, (rows, columns), reduce, part, center)
    return with_gaps(values, states, reduce)


def _of_chunks(array: Any, pixels: tuple[int, int], reduce: Reduction, center: float | None) -> NDArray[Any]:
    """The fold of an array of dask, chunk by chunk."""
    from ._sources.apart import check_numbers, fold_array
    from ._summary import FoldPlan, Summary

    check_numbers(array, "array")
    with keywords("array"):
        plan = FoldPlan(array.shape, pixels)
        result = fold_array(array, plan._bytes)
    return Summary(pixels, array.dtype.str, result).values(reduce, center=center)


def with_gaps(values: NDArray[Any], states: NDArray[np.uint8], reduce: str) -> NDArray[Any]:
    """The pixels as an array of their own, NaN where they have no value."""
    import numpy as np

    empty = states != 0
    if reduce == "count" or not empty.any():
        return values.copy()
    out = values.astype(values.dtype if values.dtype.kind == "f" else np.float64)
    out[empty] = np.nan
    return out


def _sides(shape: Sequence[int], most: int | None = MOST_PIXELS) -> tuple[int, int]:
    try:
        rows, columns = (int(side) for side in shape)
    except (TypeError, ValueError):
        raise input_error("shape", f"{shape!r} is not a pair", "shape=(rows, columns)") from None
    if rows < 1 or columns < 1:
        raise input_error("shape", f"({rows}, {columns}) has no pixels", "both sides are 1 or more")
    if most is not None and max(rows, columns) > most:
        raise input_error("shape", f"({rows}, {columns}) has sides of more than {most} pixels")
    return rows, columns
