"""Sparse matrices: cells that are not stored stay absent, and nothing is made dense."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import _core
from .._errors import input_error
from .._plain import Figure, get, package
from .arrays import as_array, numbers
from .axes import axis
from .planes import Plane, PlaneSource, default_labels
from .source import NAME, Request, Source, as_json


def is_sparse(value: Any) -> bool:
    """Whether a value is a sparse matrix or array of scipy, or of a package with the same methods, or a sparse tensor."""
    return (
        (hasattr(value, "tocoo") and hasattr(value, "nnz"))
        or (hasattr(value, "coords") and hasattr(value, "nnz") and hasattr(value, "fill_value"))
        or _is_tensor(value)
    )


def _is_tensor(value: Any) -> bool:
    return package(value) == "torch" and str(getattr(value, "layout", "")).startswith("torch.sparse")


class SparseSource(PlaneSource):
    """A sparse matrix."""

    def __init__(self, value: Any, request: Request) -> None:
        if len(value.shape) != 2:
            raise input_error(NAME, f"a sparse array of {len(value.shape)} dimensions", "two: rows and columns")
        super().__init__([Plane(value, [axis(), axis()], owner=value)], request)

    def adapted(self, figure: Figure) -> Figure:
        """Cells that are not stored are most of them: a plain ground, of which nobody needs to be warned."""
        ground = "#303030" if figure.get("theme") == "dark" else "#f0f0f0"
        defaults: dict[str, Any] = {"color.absent": ground}
        if not get(figure, "lints.deny"):
            defaults["lints.allow"] = ["absent", "empty-row", "empty-column"]
        return super().adapted(default_labels(figure, defaults))

    def read(self, figure: Figure) -> _core.Data:
        import numpy as np

        plane = self.planes[0]
        beside = self.request.beside
        if beside.mask is not None or beside.annot is not None:
            keyword = "mask" if beside.mask is not None else "annot"
            raise input_error(keyword, "needs a cell for each of its own", "data.toarray()")
        matrix = plane.values
        rows, columns, values = _stored(matrix)
        shape = (int(matrix.shape[0]), int(matrix.shape[1]))
        return _core.Data.sparse(
            plane.name,
            shape,
            np.ascontiguousarray(rows, dtype=np.int64),
            np.ascontiguousarray(columns, dtype=np.int64),
            np.ascontiguousarray(values),
            plane.axes,
            plane.value_name,
            as_json(figure),
        )

    def carried_bytes(self) -> int:
        return sum(int(part.nbytes) for part in _stored(self.planes[0].values))

    def __getstate__(self) -> dict[str, Any]:
        (plane,) = self.planes
        rest = Source.__getstate__(self)
        planes = [replace(plane, owner=None, aligned=None)]
        return {**rest, "planes": planes, "request": replace(self.request, progress=None)}

    def files(self, figure: Figure, folder: Any) -> None:
        return None


def _stored(matrix: Any) -> tuple[Any, Any, Any]:
    """Rows, columns and numbers of what is stored; entries of one cell are one value, their sum, as scipy has it."""
    if _is_tensor(matrix):
        # Coalescing sums.
        matrix = matrix.detach().to_sparse_coo().coalesce()
        places = as_array(matrix.indices()).values
        return places[0], places[1], as_array(matrix.values()).values
    if not hasattr(matrix, "tocoo"):
        return matrix.coords[0], matrix.coords[1], numbers(matrix.data, NAME)
    matrix = matrix.tocoo()
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix.row, matrix.col, numbers(matrix.data, NAME)
