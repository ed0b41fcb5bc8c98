"""Exact reductions of arrays of which no place holds all cells: parts are folded where they lie, and results are joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import input_error, keywords
from ._fold import REDUCTIONS, Reduction, _sides, matrix, unpacked, with_gaps
from ._plain import number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class FoldPlan:
    """The fold of an array of `shape` cells to `pixels`, which travels to where its parts lie.

    Pixels cover the cells that they cover in :func:`gridscope.fold`. A plan is pickled as a few bytes a pixel row and column.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns of the whole array.
    pixels : (int, int)
        Rows and columns of the result.

    Examples
    --------
    >>> import numpy as np, gridscope as gs
    >>> a = np.arange(12.0).reshape(4, 3)
    >>> plan = gs.FoldPlan(a.shape, (2, 1))
    >>> top, bottom = plan.fold(a[:1]), plan.fold(a[1:], row=1)
    >>> top.merge(bottom).values("max").tolist()
    [[5.0], [11.0]]
    """

    def __init__(self, shape: Sequence[int], pixels: Sequence[int]) -> None:
        self.shape = _sides(shape, None)
        self.pixels = _sides(pixels)
        with keywords("shape"):
            self._bytes = _core.fold_plan(self.shape, self.pixels)

    def __repr__(self) -> str:
        return f"FoldPlan({self.shape}, {self.pixels})"

    def fold(self, part: ArrayLike, row: int = 0, column: int = 0) -> Summary:
        """Fold a part of the array, whose first cell is at `row` and `column` of the whole.

        Raises
        ------
        InputError
            If the part is no array of two dimensions, or leaves the whole.
        """
        with keywords("part"):
            values, mask = matrix(part, "part")
            (result,) = _core.fold_part(values, (int(row), int(column)), [self._bytes], mask=mask)
        return Summary(self.pixels, values.dtype.str, result)


class Summary:
    """The fold of some parts of an array: least and greatest values, sums, counts and states of each pixel.

    Joining is associative and in any order. Least and greatest values and counts are those of one pass over all cells, means differ
    by rounding alone.
    """

    def __init__(self, pixels: tuple[int, int], dtype: str, result: bytes) -> None:
        self.pixels = pixels
        self.dtype = dtype
        self._bytes = result

    def __repr__(self) -> str:
        return f"Summary of {self.pixels[0]} x {self.pixels[1]} pixels, {len(self._bytes)} bytes"

    def merge(self, *others: Summary) -> Summary:
        """The fold of the parts of all of these.

        Raises
        ------
        InputError
            If they are of different plans or types, or hold a cell twice.
        """
        if any(other.dtype != self.dtype for other in others):
            raise input_error("others", "the parts have numbers of different types", "part.astype(...)")
        with keywords("others"):
            joined = _core.join_parts([self._bytes, *(other._bytes for other in others)])
        return Summary(self.pixels, self.dtype, joined)

    def to_bytes(self) -> bytes:
        """The summary as bytes, for a system that moves no objects of Python."""
        head = f"{self.pixels[0]} {self.pixels[1]} {self.dtype}\n".encode()
        return head + self._bytes

    @classmethod
    def from_bytes(cls, data: bytes) -> Summary:
        """The summary of these bytes.

        Raises
        ------
        InputError
            If :meth:`to_bytes` did not make them.
        """
        head, _, result = bytes(data).partition(b"\n")
        try:
            rows, columns, dtype = head.decode("ascii").split(" ")
            pixels, kind = (int(rows), int(columns)), _plain_type(dtype)
        except ValueError:
            raise input_error("data", "these are no bytes of a Summary", "Summary.to_bytes()") from None
        with keywords("data"):
            return cls(pixels, kind, _core.join_parts([result]))

    def values(self, reduce: Reduction = "mean", *, center: float | None = None) -> NDArray[Any]:
        """The pixels, as :func:`gridscope.fold` gives them.

        Raises
        ------
        InputError
            If parts of the array are missing.
        """
        if reduce not in REDUCTIONS:
            raise input_error("reduce", f"{reduce!r} is not a reduction", f"one of {', '.join(REDUCTIONS)}")
        found = self._found(reduce, None if center is None else float(number(center, "center")))
        return with_gaps(*unpacked(found, self.pixels), reduce)

    def stats(self) -> dict[str, Any]:
        """`min`, `max` and `mean` of the finite values of all cells (None or NaN without one), and the `count` of all values."""
        found = self._found("mean", None)
        return {name: found[name] for name in ("min", "max", "mean", "count")}

    def _found(self, reduce: str, center: float | None) -> dict[str, Any]:
        with keywords("summary"):
            return _core.parts_values(self._bytes, self.dtype, reduce, center)


def _plain_type(dtype: str) -> str:
    """The type, if it is one of numbers.

    Raises
    ------
    ValueError
        For any other.
    """
    import numpy as np

    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except TypeError as e:
        raise ValueError(str(e)) from None
    if found.kind not in "biuf":
        raise ValueError(f"{dtype} is no type of numbers")
    return found.str
