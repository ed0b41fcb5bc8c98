"""Arrays in chunks, as of dask, zarr and h5py: they are read by windows, and never whole."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._carried import PLACE
from .._errors import input_error
from .._plain import Figure, kind, package
from .apart import client_of, folder
from .arrays import is_masked
from .axes import axis
from .planes import Plane, PlaneSource
from .source import Request, as_json


def is_chunked(value: Any) -> bool:
    """Whether a value is an array that is computed or read by chunks."""
    if not all(hasattr(value, name) for name in ("shape", "dtype", "__getitem__")):
        return False
    if hasattr(value, "__dask_graph__"):
        return hasattr(value, "chunks")
    return package(value) in {"zarr", "h5py", "tensorstore", "netCDF4"}


def of_chunked(value: Any, request: Request) -> WindowSource:
    """A chunked array without labels."""
    if any(side != side for side in value.shape):
        raise input_error("data", "an array whose chunks have unknown sizes", "data.compute_chunk_sizes()")
    return WindowSource(Plane(value, [axis() for _ in value.shape], owner=value), request)


class WindowSource(PlaneSource):
    """One array, read by windows."""

    def __init__(self, plane: Plane, request: Request) -> None:
        dtype = str(plane.values.dtype)
        if getattr(plane.values.dtype, "kind", "f") not in "biuf":
            raise input_error("data", f"values of type {dtype} are no numbers")
        super().__init__([plane], request)

    def read(self, figure: Figure) -> _core.Data:
        plane = self.planes[0]
        beside = self.request.beside
        if beside.mask is not None or beside.annot is not None:
            keyword = "mask" if beside.mask is not None else "annot"
            raise input_error(keyword, f"needs values in memory, and {kind(plane.owner)} has chunks", "data.compute()")
        values = plane.values
        shape = [int(side) for side in values.shape]
        with self.dimensions():
            return _core.Data.windows(
                plane.name,
                shape,
                "<f8" if has_masks(values) else values.dtype.str,
                _reader(values),
                plane.axes,
                plane.value_name,
                as_json(figure),
                self.progress,
                chunks=_chunks(values),
                fold=folder(values) if hasattr(values, "__dask_graph__") else None,
            )

    def files(self, figure: Figure, folder: Any) -> None:
        return None

    def carried_bytes(self) -> int:
        what = f"chunks of {kind(self.planes[0].owner)} are not carried"
        raise input_error(PLACE, what, "data.compute() or data[:] first, or make the figure there")


def _chunks(values: Any) -> list[int] | None:
    """The shape of a chunk, the largest where they differ."""
    given = getattr(values, "chunks", None)
    if not given:
        return None
    return [max(int(n) for n in side) if isinstance(side, tuple) else int(side) for side in given]


def has_masks(values: Any) -> bool:
    """Whether the chunks of an array of dask are masked."""
    return is_masked(getattr(values, "_meta", None))


def _reader(values: Any) -> Any:
    """A function that gives a window as an array of numpy."""
    import numpy as np

    is_dask, is_masked_by_chunks = hasattr(values, "__dask_graph__"), has_masks(values)

    def read(window: list[slice]) -> Any:
        part = values[tuple(window)]
        if is_dask:
            # Rust's threads ask for windows; one thread each is enough where there is no cluster.
            part = part.compute() if client_of() is not None else part.compute(scheduler="synchronous")
        elif hasattr(part, "read") and hasattr(part, "domain"):
            part = part.read().result()
        if is_masked_by_chunks:
            return np.ma.filled(np.ma.asarray(part).astype(np.float64), np.nan)
        return np.asarray(part)

    return read
