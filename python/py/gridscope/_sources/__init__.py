"""Where values come from: files, data frames, arrays, tensors, sparse and chunked arrays, lists and dicts."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from .._errors import input_error
from .._plain import kind, label, package
from .arrays import is_array
from .files import FileSource, is_path
from .planes import Plane, PlaneSource, of_array
from .source import NAME, Request, Source
from .sparse import SparseSource, is_sparse
from .tables import TableSource, is_pandas, is_stream, of_columns, of_records

__all__ = ["NAME", "Request", "Source", "source_of"]


def source_of(data: Any, request: Request) -> Source:
    """The source that reads a value.

    Raises
    ------
    InputError
        A value that is no file, table or array.
    """
    if is_path(data):
        return FileSource([data], request)
    if is_sparse(data):
        # Some of them are dicts, too.
        _check(data, request)
        return SparseSource(data, request)
    if isinstance(data, (list, tuple)):
        return _of_list(data, request)
    if isinstance(data, Mapping) and not hasattr(data, "coords"):
        return _of_mapping(data, request)
    data = _collected(data)
    found = _labelled(data, request)
    if found is not None:
        return found
    if getattr(getattr(data, "dtype", None), "names", None) and data.ndim == 1:
        # Records of numpy are a table.
        return of_columns({name: data[name] for name in data.dtype.names}, request)
    plane = _plane(data)
    if plane is not None:
        _check(data, request)
        return PlaneSource([plane], request)
    hint = "a path, a data frame, an array, a sparse matrix, lists or dicts"
    raise input_error(NAME, f"{kind(data)} is no table and no array", hint)


def _collected(data: Any) -> Any:
    """What lazy frames and other wrappers hold."""
    module = package(data)
    if module == "polars" and hasattr(data, "collect"):
        data = data.collect()
    if hasattr(data, "to_arrow") and hasattr(data, "columns") and not is_stream(data):
        # Frames of polars before 1.0, and others like them.
        return data.to_arrow()
    if module in {"dask", "dask_expr"} and not hasattr(data, "chunks") and hasattr(data, "compute"):
        return data.compute()
    if module in {"zarr", "h5py"} and hasattr(data, "keys") and not hasattr(data, "dtype"):
        names = ", ".join(repr(name) for name in list(data.keys())[:10])
        raise input_error(NAME, f"{kind(data)} holds several arrays", f"data[name]; the names are {names}")
    return data


def _labelled(data: Any, request: Request) -> Source | None:
    """The source of a value that is more than an array, or has labels."""
    if is_pandas(data):
        from .frames import of_frame

        return of_frame(data, request)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.Series):
        from .frames import of_series

        return of_series(data, request)
    if type(data).__module__.startswith("xarray."):
        from .labelled import of_labelled

        return of_labelled(data, request)
    from .chunked import is_chunked, of_chunked

    if is_chunked(data):
        _check(data, request)
        return of_chunked(data, request)
    if is_stream(data):
        return _of_stream(data, request)
    return None


def _of_stream(data: Any, request: Request) -> Source:
    """A table of Arrow; one whose columns all are numbers, the first of them no label, is wide."""
    if type(data).__name__ in {"Series", "Array", "ChunkedArray"} or type(data).__name__.endswith("Array"):
        return PlaneSource([of_array(_of_arrow(data))], request)
    if not request.names_columns() and request.panel is None:
        plane = _matrix(data)
        if plane is not None:
            return PlaneSource([plane], request)
    return TableSource([(NAME, data)], request)


def _of_arrow(data: Any) -> Any:
    """The numbers of an Arrow array or a series of polars, without a copy where there are no nulls."""
    if package(data) != "pyarrow":
        return data.to_numpy()
    import numpy as np

    kind_of = str(data.type)
    if kind_of.startswith(("int", "uint", "float", "double", "halffloat")) and not data.null_count:
        return data.to_numpy(zero_copy_only=False) if hasattr(data, "buffers") else data.to_numpy()
    return np.array([*data.to_pylist(), None], dtype=object)[:-1]


def _matrix(data: Any) -> Plane | None:
    names = getattr(data, "columns", None)
    if package(data) != "polars" or not names:
        return None
    dtypes = list(data.dtypes)
    if not all(d.is_numeric() for d in dtypes) or not dtypes[0].is_float():
        return None
    from .axes import axis

    made = of_array(data.to_numpy())
    made.axes = [axis(), axis(labels=[str(name) for name in names])]
    made.owner = data
    return made


def _plane(data: Any, name: str = "", place: str = NAME) -> Plane | None:
    if is_pandas(data):
        from .frames import plane_of

        plane = plane_of(data, name)
        return plane
    if type(data).__module__.startswith("xarray."):
        from .labelled import plane_of as labelled

        return labelled(data, Request(), name)
    return of_array(data, name, place) if is_array(data) else None


def _check(data: Any, request: Request) -> None:
    """Refuses names of columns for what has none."""
    for keyword in ("x", "y", "value"):
        if getattr(request, keyword) is not None:
            what = f"names a column of a table, and {kind(data)} has none"
            raise input_error(keyword, what, "xlabel= and ylabel= are titles, x_values= and y_values= coordinates")


def _of_list(data: Any, request: Request) -> Source:
    if not data:
        raise input_error(NAME, "an empty list")
    if all(is_path(one) for one in data):
        return FileSource(data, request)
    if all(isinstance(one, Mapping) for one in data):
        return of_records(data, request)
    if any(_dimensions(one) >= 2 for one in data):
        planes = [_panel(one, str(place), f"{NAME}[{place}]") for place, one in enumerate(data)]
        return PlaneSource(planes, request)
    _check(data, request)
    return PlaneSource([of_array(list(data))], request)


def _dimensions(value: Any) -> int:
    """The dimensions of an array; a list of rows of numbers is no array of its own."""
    if is_pandas(value):
        return 2
    return int(getattr(value, "ndim", 0)) if is_array(value) else 0


def _panel(value: Any, name: str, place: str) -> Plane:
    value = _collected(value)
    plane = _plane(value, name, place)
    if plane is None and isinstance(value, (list, tuple)):
        plane = of_array(list(value), name, place)
    if plane is None:
        raise input_error(place, f"{kind(value)} is no array", "an array or a data frame of numbers a panel")
    return plane


def _of_mapping(data: Mapping[Any, Any], request: Request) -> Source:
    """Columns by their names, or an array a panel."""
    if not data:
        raise input_error(NAME, "an empty dict")
    values = list(data.values())
    if any(_is_plane(value) for value in values):
        planes = [_panel(value, label(name), f"{NAME}[{name!r}]") for name, value in data.items()]
        _check(data, request)
        return PlaneSource(planes, request)
    if all(isinstance(value, Mapping) for value in values):
        return _of_nested(data, request)
    for name, value in data.items():
        if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
            raise input_error(f"{NAME}[{name!r}]", f"{kind(value)} is no column", "a list or an array of values")
    return of_columns(data, request)


def _is_plane(value: Any) -> bool:
    if _dimensions(value) >= 2:
        return True
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], (list, tuple))


def _of_nested(data: Mapping[Any, Mapping[Any, Any]], request: Request) -> Source:
    """Columns of rows by their labels, as pandas reads a dict of dicts; combinations that are not there are absent."""
    from .axes import of_values

    _check(data, request)
    rows = list(dict.fromkeys(row for column in data.values() for row in column))
    cells = [[data[column].get(row) for column in data] for row in rows]
    plane = of_array(cells)
    plane.axes = [of_values(rows), of_values(list(data))]
    return PlaneSource([plane], request)
