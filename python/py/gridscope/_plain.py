"""Values of Python as those of a figure file: JSON, in the notation of each key."""

from __future__ import annotations

import datetime
import math
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import input_error

Figure = dict[str, Any]
"""A figure file as JSON: tables of keys."""


def put(figure: Figure, key: str, value: Any) -> None:
    """Sets a dotted key."""
    *tables, leaf = key.split(".")
    for table in tables:
        figure = figure.setdefault(table, {})
    figure[leaf] = value


def get(figure: Figure, key: str) -> Any:
    """The value of a dotted key; None if it is not there."""
    value: Any = figure
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def scalar(value: Any, keyword: str) -> str | int | float | bool:
    """A label, number or name as JSON writes it; numpy's and pandas' scalars too."""
    if isinstance(value, str) and not value.isascii():
        _check_text(value, keyword)
    if isinstance(value, (str, bool)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, (int, float)) and type(value).__module__ == "builtins":
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        return value
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, (datetime.date, datetime.time)):
        return label(value)
    if type(value).__name__ == "datetime64":
        # Its item is an integer where the unit is finer than Python's.
        return str(value).removesuffix("T00:00:00.000000000")
    item: Any = getattr(value, "item", None) if getattr(value, "size", 1) == 1 else None
    if callable(item) and type(own := item()).__module__ in {"builtins", "datetime"}:
        return scalar(own, keyword)
    if type(value).__module__.startswith(("pandas", "decimal", "fractions", "uuid", "enum")):
        return str(value)
    raise input_error(keyword, f"takes a text or a number, not {kind(value)}")


def _check_text(value: str, keyword: str) -> None:
    """Refuses halves of characters, which no file can hold."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        what = f"{value[: error.start]!r} is followed by half of a character"
        raise input_error(keyword, what, 'text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")') from error


def label(value: Any) -> str:
    """The text of a key of an axis: times as ISO 8601 without a midnight and a zone, numbers by their shortest text."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime.datetime):
        value = value.replace(tzinfo=None)
        midnight = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        nanoseconds = getattr(value, "nanosecond", 0)
        text: str = value.date().isoformat() if midnight and not nanoseconds else value.isoformat()
        return text
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    if value is None:
        return ""
    return str(value)


def labels(values: Iterable[Any]) -> list[str]:
    """The texts of keys of an axis, as `label`; times have their zone where two would have one text."""
    listed = list(values)
    texts = [label(value) for value in listed]
    zoned = [i for i, value in enumerate(listed) if isinstance(value, datetime.datetime) and value.tzinfo is not None]
    # Texts with the offset differ where the instants do, for one zone.
    if len({texts[i] for i in zoned}) < len({listed[i].isoformat() for i in zoned}):
        for i in zoned:
            texts[i] = listed[i].isoformat()
    return texts


def package(value: Any) -> str:
    """The package of the type of a value, which need not be imported to be recognised."""
    return type(value).__module__.partition(".")[0]


def is_nothing(value: Any) -> bool:
    """Whether a value is None, or what pandas has in its place; NaN is a number."""
    return value is None or type(value).__name__ in {"NAType", "NaTType"}


def kind(value: Any) -> str:
    """What messages call the type of a value."""
    of = type(value)
    return of.__qualname__ if of.__module__ == "builtins" else f"{of.__module__.split('.')[0]}.{of.__qualname__}"


def is_listed(value: Any) -> bool:
    """Whether a value is several: a list, a tuple, an array or an index, but no text."""
    return not isinstance(value, (str, bytes, Mapping)) and isinstance(value, Iterable)


def mapping(value: Any, keyword: str) -> Mapping[Any, Any]:
    """A dict, empty for None."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise input_error(keyword, f"takes a dict, not {kind(value)}")
    return value


def several(value: Any, keyword: str) -> Any:
    """One scalar or a list of them."""
    if is_listed(value):
        return [scalar(v, keyword) for v in value]
    return scalar(value, keyword)


def number(value: Any, keyword: str) -> float | int:
    """A number; infinities and NaN are none."""
    plain = scalar(value, keyword)
    if isinstance(plain, (bool, str)):
        raise input_error(keyword, f"takes a number, not {value!r}")
    return plain


def span(value: Any, keyword: str) -> str:
    """A part of an axis as ``A:B``."""
    if isinstance(value, str):
        return value
    if isinstance(value, range):
        value = slice(value.start, value.stop, value.step)
    if isinstance(value, slice):
        if value.step not in (None, 1):
            raise input_error(keyword, "takes neighbours: a step of 1", "slice the data to draw every nth cell")
        ends: list[Any] = [value.start, value.stop]
    elif is_listed(value):
        ends = list(value)
    else:
        ends = []
    if len(ends) != 2:
        raise input_error(keyword, f"takes 'A:B', slice(A, B) or (A, B), not {value!r}")
    return ":".join("" if end is None else f"{scalar(end, keyword)}" for end in ends)
