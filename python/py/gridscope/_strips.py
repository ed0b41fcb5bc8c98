"""Strips of colours, categories or numbers beside rows and columns, as seaborn's `row_colors` and `col_colors` take them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from . import _colors, _core
from ._errors import GridscopeError, input_error
from ._plain import is_listed, is_nothing, kind, label, package, scalar

#: The axis that each keyword is beside, and what its cells are called.
AXES = {"row_colors": ("y", "row"), "col_colors": ("x", "column")}


class Strip(NamedTuple):
    """A value for each row or column, or by their labels where `index` is one of pandas."""

    name: str
    values: list[Any]
    index: Any
    form: str
    """``"number"``, ``"category"`` or ``"color"``, as the key `strip.type` has them."""

    def key(self, axis: str) -> dict[str, str]:
        """The strip as a table of a figure file."""
        return {"axis": axis, "column": self.name, "type": self.form}

    def texts(self, own: Any, length: int, keyword: str) -> list[str]:
        """The texts in the order of cells, which are labelled by `own`, an index of pandas, unless it is None.

        Raises
        ------
        InputError
            Other labels than those of the values, or more or fewer values than cells.
        """
        made = [self._text(value, keyword) for value in self.values]
        cells = AXES[keyword][1]
        if self.index is not None:
            if own is None:
                what = f"has labels, and the {cells}s of data have none"
                raise input_error(keyword, what, f"{keyword}=colours.to_numpy(), one a {cells}")
            if not self.index.equals(own):
                return _by_labels(made, self.index, own, keyword)
        if len(made) != length:
            raise input_error(keyword, f"{len(made)} values for {length} {cells}s", f"one a {cells}")
        return made

    def _text(self, value: Any, keyword: str) -> str:
        if _is_missing(value):
            return ""
        return _colors.color(value, keyword) if self.form == "color" else label(scalar(value, keyword))


def _by_labels(texts: list[str], index: Any, own: Any, keyword: str) -> list[str]:
    if not index.is_unique:
        raise input_error(keyword, "has several values of one label, and another order than data", "one value a label")
    places = index.get_indexer(own)
    if len(places) and (places < 0).all():
        what = f"has none of the labels of data, such as {own[0]!r}"
        raise input_error(keyword, what, "the same index as data, or a plain list")
    return [texts[place] if place >= 0 else "" for place in places.tolist()]


def strips_of(given: Any, keyword: str) -> list[Strip]:
    """The strips of a list, a series or a frame, or of several lists.

    Raises
    ------
    InputError
        What is no list.
    """
    if hasattr(given, "columns"):
        return [_strip(given[name], label(name), keyword) for name in given.columns]
    if not is_listed(given):
        hint = f"a colour, category or number a {AXES[keyword][1]}, or the name of a column of the table"
        raise input_error(keyword, f"takes a list, not {kind(given)}", hint)
    if hasattr(given, "to_list"):
        name = getattr(given, "name", None)
        return [_strip(given, "" if name is None else label(name), keyword)]
    values = list(given)
    if values and all(is_listed(one) and not _is_rgb(one) for one in values):
        return [_strip(one, "", keyword) for one in values]
    return [_strip(values, "", keyword)]


def _strip(values: Any, name: str, keyword: str) -> Strip:
    index = values.index if package(values) == "pandas" and hasattr(values, "reindex") else None
    listed = values.to_list() if hasattr(values, "to_list") else list(values)
    known = [value for value in listed if not _is_missing(value)]
    if known and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in map(_plain, known)):
        return Strip(name, listed, index, "number")
    colors = {value if isinstance(value, str) else tuple(value) if is_listed(value) else None for value in known}
    is_color = known and all(_is_rgb(value) if isinstance(value, tuple) else _is_color(value, keyword) for value in colors)
    return Strip(name, listed, index, "color" if is_color else "category")


def _plain(value: Any) -> Any:
    return value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") and not is_listed(value) else value


def _is_missing(value: Any) -> bool:
    return is_nothing(value) or (isinstance(value, float) and value != value)


def _is_rgb(value: Any) -> bool:
    """Whether a value is channels of a colour."""
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) not in (3, 4):
        return False
    return all(isinstance(channel, (int, float)) for channel in map(_plain, value))


def _is_color(text: str | None, keyword: str) -> bool:
    """Whether a text is a colour of this package, or of matplotlib where it is loaded; numbers as texts are none."""
    if text is None:
        return False
    try:
        float(text)
    except ValueError:
        pass
    else:
        return False
    try:
        _core.check_figure(json.dumps({"linecolor": _colors.color(text, keyword)}))
    except GridscopeError:
        return False
    return True
