"""Data frames and series of pandas: wide ones are arrays whose labels are their index and columns, others tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import _core
from .._errors import input_error
from .._keys import has_any
from .._plain import Figure, is_listed, label
from .arrays import numbers
from .axes import of_index
from .planes import Plane, PlaneSource, default_labels
from .source import NAME, Request, Source, without_beside
from .tables import TableSource

#: Keys that only tables have: a wide frame is then read as the table that it is, with its index as the first columns.
TABLE_ONLY = (
    "data.where",
    "data.agg",
    "data.min_count",
    "data.pending",
    "x.order",
    "y.order",
    "x.domain",
    "y.domain",
    "data.table",
    "data.missing",
)


def of_frame(frame: Any, request: Request) -> Source:
    """A data frame: a table where columns are named, wide where all columns are numbers."""
    if request.names_columns() or request.panel is not None:
        return FrameTable(frame, request)
    if not len(frame.columns) or not len(frame):
        raise input_error(NAME, f"an empty data frame: {len(frame)} rows, {len(frame.columns)} columns")
    if not all(is_number(dtype) for dtype in frame.dtypes) and not _objects_are_numbers(frame):
        return FrameTable(frame, request)
    return WideFrame(frame, request)


def of_series(series: Any, request: Request) -> Source:
    """A series: with a nested index its last level is the columns; else it is one row."""
    if series.index.nlevels == 1:
        plane = Plane(frame_values(series.to_frame()).T, [of_index(_nothing()), of_index(series.index)])
        plane.value_name = label(series.name) if series.name is not None else ""
        return PlaneSource([plane], request)
    index = series.index
    names = [str(n) if n is not None else f"level_{i}" for i, n in enumerate(index.names)]
    value = label(series.name) if series.name is not None else "value"
    if value in names:
        value = f"{value} "
    frame = series.rename_axis(names).rename(value).reset_index()
    named = Request(names[-1], names[:-1], value, None, request.beside)
    return FrameTable(frame, named, hidden=[n for n, old in zip(names, index.names, strict=True) if old is None])


def _nothing() -> Any:
    import pandas as pd

    return pd.RangeIndex(1)


def is_number(dtype: Any) -> bool:
    """Whether a type of pandas is one of numbers or truth values."""
    return getattr(dtype, "kind", "O") in "biuf" and type(dtype).__name__ != "CategoricalDtype"


def _objects_are_numbers(frame: Any) -> bool:
    """Whether the columns that are no numbers hold Python's numbers or nothing."""
    for place, dtype in enumerate(frame.dtypes):
        if is_number(dtype):
            continue
        if dtype != object or not all(v is None or isinstance(v, (int, float)) for v in frame.iloc[:, place]):
            return False
    return True


def frame_values(frame: Any) -> Any:
    """The values of a frame of numbers as one array, without a copy where its columns have one type."""
    import numpy as np

    kinds = {getattr(dtype, "kind", "O") for dtype in frame.dtypes}
    if "O" in kinds:
        return numbers(frame.to_numpy(dtype=object, na_value=np.nan), NAME)
    is_plain = all(isinstance(dtype, np.dtype) for dtype in frame.dtypes)
    if is_plain and (len(kinds) == 1 or "f" in kinds):
        values = frame.to_numpy()
        return values if values.dtype != object else frame.to_numpy(dtype=np.float64)
    if kinds <= set("iub") and not frame.isna().to_numpy().any():
        if "u" not in kinds:
            return frame.to_numpy(dtype=np.int64)
        if kinds == {"u"} or not (frame < 0).to_numpy().any():
            return frame.to_numpy(dtype=np.uint64)
    return frame.to_numpy(dtype=np.float64, na_value=np.nan)


def plane_of(frame: Any, name: str = "") -> Plane:
    """A frame of numbers with its labels.

    Raises
    ------
    InputError
        A column of something else.
    """
    if not all(is_number(dtype) for dtype in frame.dtypes) and not _objects_are_numbers(frame):
        other = next(str(c) for c, dtype in zip(frame.columns, frame.dtypes, strict=True) if not is_number(dtype))
        raise input_error(name or NAME, f"column {other!r} holds no numbers", "data.set_index(...) makes labels of it")

    def aligned(given: Any, keyword: str) -> Any:
        return _align(frame, given, keyword)

    axes = [of_index(frame.index), of_index(frame.columns)]
    return Plane(frame_values(frame), axes, name, owner=frame, aligned=aligned)


def _align(frame: Any, given: Any, keyword: str) -> Any:
    """The cells of `given` in the order of `frame`."""
    if not hasattr(given, "columns"):
        return given.to_numpy()
    for side, own, other in (("row", frame.index, given.index), ("column", frame.columns, given.columns)):
        missing = own.difference(other) if not own.equals(other) else own[:0]
        if len(missing):
            raise input_error(keyword, f"has no {side} {missing[0]!r}, which data has")
        if not own.equals(other) and not other.is_unique:
            raise input_error(keyword, f"has {side}s of one label, and another order than data", "give it as an array")
    if frame.index.equals(given.index) and frame.columns.equals(given.columns):
        return given.to_numpy()
    return given.reindex(index=frame.index, columns=frame.columns).to_numpy()


class WideFrame(PlaneSource):
    """A frame of numbers, whose index and columns are the axes."""

    def __init__(self, frame: Any, request: Request) -> None:
        super().__init__([plane_of(frame)], request)
        self.frame = frame

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        # The values are those of the frame.
        state["planes"] = [replace(plane, values=None) for plane in state["planes"]]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        for plane in self.planes:
            plane.values = frame_values(self.frame)

    def adapted(self, figure: Figure) -> Figure:
        if has_any(figure, TABLE_ONLY) and all(name is None for name in self.frame.index.names):
            # The column that the index becomes has a name, which is no title.
            figure = default_labels(figure, {"y.label": ""})
        return super().adapted(figure)

    def reading(self, figure: Figure) -> Figure:
        keyword = has_any(figure, TABLE_ONLY)
        if keyword is None:
            return super().reading(figure)
        return {**figure, "data": {"table": "wide", "y": index_names(self.frame), **figure.get("data", {})}}

    def read(self, figure: Figure) -> _core.Data:
        keyword = has_any(figure, TABLE_ONLY)
        if keyword is None:
            return super().read(figure)
        beside = self.request.beside.first()
        if beside is not None:
            raise input_error(beside, f"an array or list does not go with {keyword}", "order or filter the data frame before")
        if self.frame.columns.nlevels > 1:
            raise input_error(keyword, "does not go with nested columns", "order or filter the data frame before")
        return TableSource([(NAME, with_index(self.frame))], self.request).read(self.reading(figure))


def index_names(frame: Any) -> list[str]:
    """The names that the levels of the index have as columns."""
    taken = {label(c) for c in frame.columns}
    names: list[str] = []
    for level, name in enumerate(frame.index.names):
        text = label(name) if name is not None else "index" if frame.index.nlevels == 1 else f"level_{level}"
        while text in taken:
            text += " "
        taken.add(text)
        names.append(text)
    return names


def with_index(frame: Any) -> Any:
    """The frame with its index as its first columns."""
    named = frame.rename_axis(index_names(frame))
    named.columns = [label(c) for c in frame.columns]
    return named.reset_index()


class FrameTable(TableSource):
    """A frame whose columns are named; so are the levels of its index."""

    def __init__(self, frame: Any, request: Request, hidden: list[str] | None = None) -> None:
        without_beside(request, "a wide table", "data.pivot(index=, columns=, values=) first, or x_labels={key: text}")
        if frame.columns.nlevels > 1:
            names = [" ".join(label(part) for part in column if label(part)) for column in frame.columns]
            frame = frame.set_axis(names, axis=1)
        is_automatic = not request.names_columns() and request.panel is None
        is_own = type(frame.index).__name__ != "RangeIndex"
        labels = frame.index.nlevels if is_own and is_automatic else None
        if labels or any(name is not None for name in frame.index.names):
            frame = with_index(frame)
        super().__init__([(NAME, frame)], request)
        self.label_columns = labels
        given = [("data.x", request.x, "x"), ("data.y", request.y, "y"), ("data.value", request.value, None)]
        for key, columns, side in given:
            if columns is None:
                continue
            self.defaults.setdefault(key, [str(c) for c in columns] if is_listed(columns) else str(columns))
            if side and hidden and (columns in hidden if isinstance(columns, str) else set(columns) <= set(hidden)):
                # A level without a name has no title.
                self.defaults[f"{side}.label"] = ""


__all__ = ["FrameTable", "WideFrame", "of_frame", "of_series", "plane_of"]
