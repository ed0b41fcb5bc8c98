"""Arrays in chunks, as of dask, zarr and h5py: they are read by windows, and never whole."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._carried import PLACE
from .._errors import input_error
from .._plain import Figure, kind, package
from .apart import check_numbers, client_of, folder, has_masks, plain
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
    return WindowSource(Plane(value, [axis() for _ in value.shape], owner=value), request)


class WindowSource(PlaneSource):
    """One array, read by windows."""

    def __init__(self, plane: Plane, request: Request) -> None:
        check_numbers(plane.values, "data")
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


def _reader(values: Any) -> Any:
    """A function that gives a window as an array of numpy."""
    is_dask, masked = hasattr(values, "__dask_graph__"), has_masks(values)

    def read(window: list[slice]) -> Any:
        part = values[tuple(window)]
        if is_dask:
            # Rust's threads ask for windows; one thread each is enough where there is no cluster.
            part = part.compute() if client_of() is not None else part.compute(scheduler="synchronous")
        elif hasattr(part, "read") and hasattr(part, "domain"):
            part = part.read().result()
        return plain(part, masked)

    return read
