"""Sparse matrices: cells that are not stored stay absent, and nothing is made dense."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._errors import input_error
from .._plain import Figure
from .arrays import numbers
from .axes import axis
from .planes import Plane, PlaneSource
from .source import NAME, Request, as_json


def is_sparse(value: Any) -> bool:
    """Whether a value is a sparse matrix or array of scipy, or of a package with the same methods."""
    return (hasattr(value, "tocoo") and hasattr(value, "nnz")) or (
        hasattr(value, "coords") and hasattr(value, "nnz") and hasattr(value, "fill_value")
    )


class SparseSource(PlaneSource):
    """A sparse matrix."""

    def __init__(self, value: Any, request: Request) -> None:
        if len(value.shape) != 2:
            raise input_error(NAME, f"a sparse array of {len(value.shape)} dimensions", "two: rows and columns")
        super().__init__([Plane(value, [axis(), axis()], owner=value)], request)

    def read(self, figure: Figure) -> _core.Data:
        import numpy as np

        plane = self.planes[0]
        beside = self.request.beside
        if beside.mask is not None or beside.annot is not None:
            keyword = "mask" if beside.mask is not None else "annot"
            raise input_error(keyword, "needs a cell for each of its own", "data.toarray()")
        matrix = plane.values
        if hasattr(matrix, "tocoo"):
            matrix = matrix.tocoo()
            if not matrix.has_canonical_format:
                # Entries of one cell are one value, their sum, as scipy has it.
                matrix = matrix.copy()
                matrix.sum_duplicates()
            rows, columns = matrix.row, matrix.col
        else:
            rows, columns = matrix.coords[0], matrix.coords[1]
        shape = (int(matrix.shape[0]), int(matrix.shape[1]))
        return _core.Data.sparse(
            plane.name,
            shape,
            np.ascontiguousarray(rows, dtype=np.int64),
            np.ascontiguousarray(columns, dtype=np.int64),
            np.ascontiguousarray(numbers(matrix.data, NAME)),
            self.axes(plane, figure),
            plane.value_name,
            as_json(figure),
        )

    def files(self, figure: Figure, folder: Any) -> None:
        return None
