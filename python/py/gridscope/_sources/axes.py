"""Axes of arrays: indexes of pandas, coordinates and lists of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._errors import input_error
from .._plain import kind, label, labels
from .arrow_buffers import of_zone

if TYPE_CHECKING:
    from .._core import Axis

#: The unit of times.
SECONDS = "seconds since 1970-01-01"
#: Whole numbers beyond this are no float64 of their own.
EXACT = 2**53


def axis(name: object = "", **parts: Any) -> Axis:
    """An axis with all its parts; without any, cells are counted."""
    made: Axis = {
        "name": "" if name is None else label(name),
        "unit": "",
        "coordinates": None,
        "labels": None,
        "levels": None,
        "strips": [],
    }
    made.update(parts)  # type: ignore[typeddict-item]
    return made


def of_index(index: Any, name: object = None, *, falling: bool = False) -> Axis:
    """The axis of an index of pandas: nested where it has levels, numbers and times where they rise, else labels.

    `falling` allows coordinates that fall, whose cells are then sorted.
    """
    named = index.name if name is None else name
    if getattr(index, "nlevels", 1) > 1:
        clocks = [_clock(index.get_level_values(level)) for level in range(index.nlevels)]
        names = [_in_utc(n, is_utc) or "" for n, (_, is_utc) in zip(index.names, clocks, strict=True) if n is not None]
        levels = [[label(v) for v in values] for values, _ in clocks]
        return axis(", ".join(names) if name is None else name, levels=levels)
    if type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1 and index.name is None:
        return axis(named)
    index, is_utc = _clock(index)
    if is_utc:
        named = _in_utc(named, is_utc)
    values = index.to_numpy() if type(index).__name__ == "PeriodIndex" else getattr(index, "values", index)
    return of_values(values, named, falling=falling)


def _clock(level: Any) -> tuple[Any, bool]:
    return of_zone(level) if getattr(level, "tz", None) is not None else (level, False)


def _in_utc(name: object, is_utc: bool) -> str | None:
    """The name of an axis, which says where its times are those of UTC."""
    if not is_utc:
        return None if name is None else label(name)
    return "UTC" if name is None else f"{label(name)} (UTC)"


def of_values(values: Any, name: object = "", *, falling: bool = False) -> Axis:
    """The axis of one number, time or text a cell."""
    import numpy as np

    array = values if isinstance(values, np.ndarray) else _plain_array(values)
    if array.dtype.kind == "M" and not np.isnat(array).any():
        seconds = array.astype("datetime64[us]").astype(np.int64) / 1e6
        if _moves(seconds, falling):
            return axis(name, coordinates=seconds, unit=SECONDS)
        return axis(name, labels=_times(array))
    if array.dtype.kind == "m" and array.size and not np.isnat(array).any():
        return axis(name, labels=[_duration(int(t)) for t in array.astype("timedelta64[ns]").astype(np.int64)])
    if array.dtype.kind in "iuf" and array.size:
        exact = array.dtype.kind == "f" or -EXACT <= int(array.min()) <= int(array.max()) <= EXACT
        # A float32 of 0.1 is 0.1, not what float64 makes of it.
        numbers = np.array([float(str(v)) for v in array]) if array.dtype.itemsize < 8 else array.astype(np.float64)
        if exact and bool(np.isfinite(numbers).all()) and _moves(numbers, falling):
            return axis(name, coordinates=np.ascontiguousarray(numbers))
    return axis(name, labels=labels(array.tolist() if array.dtype != np.float32 else [float(str(v)) for v in array]))


def _duration(nanoseconds: int) -> str:
    """A length of time as `1:30:00.5`: hours, minutes and seconds."""
    seconds, part = divmod(abs(nanoseconds), 10**9)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}" + f".{part:09}".rstrip("0").rstrip(".")
    return f"-{text}" if nanoseconds < 0 else text


def _plain_array(values: Any) -> Any:
    """An array of numbers or times, or of objects where there are others: numbers beside texts stay what they are."""
    import numpy as np

    array = np.asarray(values)
    return array if array.dtype.kind in "iufbM" and array.ndim == 1 else np.array([*list(values), None], dtype=object)[:-1]


def _moves(numbers: Any, falling: bool) -> bool:
    """Whether numbers rise all the way, or may fall and do."""
    import numpy as np

    steps = np.diff(numbers)
    return bool((steps > 0).all()) or (falling and bool((steps < 0).all()))


def _times(array: Any) -> list[str]:
    import numpy as np

    texts: list[str] = [str(t) for t in np.datetime_as_string(array, unit="auto")]
    return texts


def relabelled(own: Axis, texts: Sequence[str] | None, length: int, keyword: str) -> Axis:
    """The axis with other labels, one a cell.

    Raises
    ------
    InputError
        If there are not as many as cells.
    """
    if texts is None:
        return own
    if len(texts) != length:
        raise input_error(keyword, f"{len(texts)} labels for {length} cells", "one a cell; an empty text leaves one out")
    return axis(own["name"], labels=list(texts))


def with_values(own: Axis, values: Any, length: int, keyword: str) -> Axis:
    """The axis with other coordinates, one a cell.

    Raises
    ------
    InputError
        If there are not as many as cells.
    """
    array = getattr(values, "to_numpy", lambda: values)()
    count = len(array)
    if count != length:
        hint = f"one a cell; {length + 1} edges are given as {keyword}='edges.npy' or as {keyword}='A:B'"
        raise input_error(keyword, f"{count} values of {kind(values)} for {length} cells", hint)
    return of_values(array, own["name"], falling=True)
