"""xarray: dimensions, coordinates, units and long names become axes and titles."""

from __future__ import annotations

import warnings
from typing import Any

from .._errors import LintWarning, caller_level, input_error
from .._plain import Figure, get, is_listed, label
from .axes import axis, of_index, of_values
from .chunked import WindowSource, is_chunked
from .planes import Plane, PlaneSource, refuse_table_keys
from .source import NAME, Request, Source


def is_labelled(value: Any) -> bool:
    """Whether a value is a DataArray or a Dataset."""
    return type(value).__module__.startswith("xarray.") and hasattr(value, "dims") and hasattr(value, "coords")


def of_labelled(value: Any, request: Request) -> Source:
    """A DataArray, or variables of a Dataset, a panel each."""
    if not hasattr(value, "data_vars"):
        return _source([value], request)
    source = _source([value[name] for name in _variables(value, request)], request)
    if len(source.planes) > 1 and len({plane.value_name for plane in source.planes}) > 1:
        # Different quantities share no colours.
        source.defaults.setdefault("color.scale", "panel")
    return source


def _variables(dataset: Any, request: Request) -> list[Any]:
    if request.value is not None:
        names = list(request.value) if is_listed(request.value) else [request.value]
        for name in names:
            if name not in dataset.data_vars:
                known = ", ".join(str(n) for n in dataset.data_vars)
                raise input_error("value", f"there is no variable {name!r}", f"one of {known}")
        return names
    grids = [name for name, array in dataset.data_vars.items() if array.ndim >= 2 and array.dtype.kind in "biuf"]
    same = {frozenset(dataset[name].dims) for name in grids}
    if len(same) == 1 or (not grids and len(dataset.data_vars) == 1):
        left = [str(name) for name in dataset.data_vars if grids and name not in grids]
        if left:
            text = f"variables that make no grid are left out: {', '.join(left)}; value= names those that are drawn"
            warnings.warn(LintWarning("columns-left-out", None, len(left), text), stacklevel=caller_level())
        return grids or list(dataset.data_vars)
    known = ", ".join(repr(str(n)) for n in (grids or dataset.data_vars))
    what = "a Dataset of variables with different dimensions" if grids else "a Dataset without a grid"
    raise input_error(NAME, what, f"value= one or several of {known}")


def _source(arrays: list[Any], request: Request) -> PlaneSource:
    planes = [plane_of(array, request) for array in arrays]
    if len(planes) > 1:
        for plane, array in zip(planes, arrays, strict=True):
            plane.name = label(array.name)
    if is_chunked(planes[0].values):
        if len(planes) > 1:
            planes = [_loaded(plane) for plane in planes]
        else:
            return LabelledWindows(planes[0], request)
    return LabelledArrays(planes, request)


def _loaded(plane: Plane) -> Plane:
    plane.values = plane.values.compute()
    return plane


def plane_of(array: Any, request: Request, name: str = "") -> Plane:
    """A DataArray with the dimensions of `x` and `y` last, and the axes that its coordinates make."""
    columns = _dimension(array, request.x, "x")
    rows = _dimension(array, request.y, "y")
    if columns is not None and columns == rows:
        raise input_error("y", f"{request.y!r} is the dimension of x, too")
    panel = request.panel if isinstance(request.panel, str) else None
    dims = [d for d in array.dims if d not in (columns, rows)]
    if panel in dims:
        dims = [panel, *(d for d in dims if d != panel)]
    ordered = [*dims, *(d for d in (rows, columns) if d is not None)]
    array = array.transpose(*ordered) if ordered != list(array.dims) else array
    shown = [d for d in array.dims if array.sizes[d] > 1 and d != panel] or list(array.dims)
    shown_columns = columns if columns is not None else next((d for d in reversed(shown) if d != rows), None)
    shown_rows = rows if rows is not None else next((d for d in reversed(shown) if d != shown_columns), None)
    defaults: dict[str, Any] = {}
    for side, dimension in (("x", shown_columns), ("y", shown_rows)):
        title = _title(array.coords[dimension]) if dimension in array.coords else None
        if title is not None and title != dimension:
            defaults[f"{side}.label"] = title
    axes = [_axis(array, dimension) for dimension in array.dims]

    def aligned(given: Any, keyword: str) -> Any:
        if not hasattr(given, "dims"):
            return given.to_numpy()
        if set(given.dims) != set(array.dims):
            raise input_error(keyword, f"has dimensions {given.dims}, and data has {array.dims}")
        order = {d: array.indexes[d] for d in array.dims if d in array.indexes and d in given.indexes}
        return given.transpose(*array.dims).reindex(order).to_numpy()

    values = array.variable._data if is_chunked(array.data) else array.values
    return Plane(values, axes, name, _title(array) or "", owner=array, aligned=aligned, defaults=defaults)


def _dimension(array: Any, name: Any, keyword: str) -> Any:
    """The dimension of a name: its own, or that of the coordinates."""
    if name is None:
        return None
    if is_listed(name):
        raise input_error(keyword, "an array has one dimension a side", "data.stack(both=('a', 'b')) makes one of two")
    if name in array.dims:
        return name
    if name in array.coords and array.coords[name].ndim == 1:
        return array.coords[name].dims[0]
    known = ", ".join(str(d) for d in array.dims)
    if name in array.coords:
        what = f"the coordinates {name!r} have {array.coords[name].ndim} dimensions"
        raise input_error(keyword, what, f"one of the dimensions {known}")
    raise input_error(keyword, f"there is no dimension {name!r}", f"one of {known}")


def _axis(array: Any, dimension: Any) -> Any:
    index = array.indexes.get(dimension)
    if index is not None:
        return of_index(index, dimension, falling=True)
    if dimension in array.coords and array.coords[dimension].ndim == 1:
        return of_values(array.coords[dimension].values, dimension, falling=True)
    return axis(dimension)


def _title(array: Any) -> str | None:
    """The long name, or the name, with the units."""
    attrs = array.attrs
    name = attrs.get("long_name") or attrs.get("standard_name") or array.name
    units = attrs.get("units")
    # Units of times are those of their encoding.
    if name is None:
        return None
    named = label(name)
    plain = isinstance(units, str) and units not in {"", "1"} and " since " not in units
    return f"{named} ({units})" if plain else named


def _without_names(figure: Figure, planes: list[Plane]) -> Figure:
    """The figure without the names that chose dimensions and variables."""
    data = {key: value for key, value in figure.get("data", {}).items() if key not in {"x", "y", "value"}}
    panel = data.get("panel")
    names = [a["name"] for a in planes[0].axes]
    if panel is not None and panel not in names and not str(panel).startswith("axis:"):
        raise input_error("panel", f"there is no dimension {panel!r}", f"one of {', '.join(names)}")
    return {**figure, "data": data}


class LabelledArrays(PlaneSource):
    """DataArrays in memory."""

    def adapted(self, figure: Figure) -> Figure:
        return super().adapted(_without_names(figure, self.planes))


class LabelledWindows(WindowSource):
    """A DataArray whose chunks are computed when they are drawn."""

    def adapted(self, figure: Figure) -> Figure:
        return super().adapted(_without_names(figure, self.planes))


__all__ = ["get", "is_labelled", "of_labelled", "plane_of", "refuse_table_keys"]
