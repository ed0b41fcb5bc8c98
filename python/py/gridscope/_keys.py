"""Keywords to the keys of a figure file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import _colors
from ._errors import input_error, keywords, unsupported
from ._plain import Figure, get, is_listed, kind, label, mapping, number, put, scalar, several, span
from ._vocabulary import vocabulary

Convert = Callable[[Any, str], Any]

#: Keywords that are no flags of the command line: tables of keys.
TABLES = ("panels", "set")


def onoff(value: Any, keyword: str) -> Any:
    """A truth value in the words on and off."""
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        return "on" if value else "off"
    return scalar(value, keyword)


def truth(value: Any, keyword: str) -> bool:
    """True or False, and nothing that only counts as one of them."""
    plain = scalar(value, keyword)
    if plain in (0, 1) and not isinstance(plain, str):
        return bool(plain)
    raise input_error(keyword, f"takes True or False, not {value!r}")


def bar(value: Any, keyword: str) -> Any:
    """The place of the colour bar; seaborn's `cbar` is a truth value."""
    return ("right" if value else "none") if isinstance(value, bool) else scalar(value, keyword)


def bar_ticks(value: Any, keyword: str) -> Any:
    """Ticks of the colour bar: values, texts by value, or none of them."""
    if isinstance(value, bool):
        return None if value else "none"
    if isinstance(value, Mapping):
        return {label(scalar(key, keyword)): str(text) for key, text in value.items()}
    made = several(value, keyword)
    return "none" if made == [] else made


def length(value: Any, keyword: str) -> Any:
    """A length in output pixels unless it has a unit."""
    plain = scalar(value, keyword)
    return plain if isinstance(plain, str) else f"{number(plain, keyword)}px"


def points(value: Any, keyword: str) -> Any:
    """A length in points unless it has a unit, as matplotlib measures text and lines."""
    plain = scalar(value, keyword)
    return plain if isinstance(plain, str) else f"{number(plain, keyword)}pt"


def domain(value: Any, keyword: str) -> Any:
    """Keys of an axis: a list, or a slice whose end belongs to it."""
    if isinstance(value, slice):
        return span(value, keyword)
    return several(value, keyword)


def ticks(value: Any, keyword: str) -> Any:
    """Which cells have labels: seaborn's True is all, False none, a number every nth."""
    if isinstance(value, bool):
        return "all" if value else "none"
    if is_listed(value):
        return [scalar(v, keyword) for v in value] or "none"
    plain = scalar(value, keyword)
    if isinstance(plain, int):
        if plain < 1:
            raise input_error(keyword, f"a label every {plain} cells", f"{keyword}=False shows none")
        return f"every:{plain}"
    return plain


def labels(value: Any, keyword: str) -> Any:
    """Labels by the key that they replace, one for each cell, or a file of one for each."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if not isinstance(value, Mapping):
        if not isinstance(value, Iterable):
            hint = f"{keyword}={{key: text}}, a list of a text for each cell, or a file"
            raise input_error(keyword, f"takes a dict or a list, not {kind(value)}", hint)
        return [str(text) for text in value]
    made = {label(scalar(key, keyword)): str(text) for key, text in value.items()}
    # Truth values are keys of tables in the words of JSON.
    made.update({str(key).lower(): str(text) for key, text in value.items() if isinstance(key, bool)})
    return made


def slices(value: Any, keyword: str) -> Any:
    """Indexes of axes: ``{"time": 5}`` or ``"time=5"``."""
    if isinstance(value, Mapping):
        return [f"{str(axis).removeprefix('axis:')}={_index(index, keyword)}" for axis, index in value.items()]
    return several(value, keyword)


def _index(index: Any, keyword: str) -> Any:
    if isinstance(index, int) and index < 0:
        raise input_error(keyword, f"an index counts from 0: {index}", "the number of planes and it give the index")
    return scalar(index, keyword)


def panel_columns(value: Any, keyword: str) -> Any:
    """The number of panels beside each other."""
    if isinstance(value, str) and not value.strip().isdigit():
        raise input_error(keyword, f"{value!r} is no number of panels beside each other", f"panel={value!r} makes panels, x={value!r} columns")
    return scalar(value, keyword)


def conditions(value: Any, keyword: str) -> Any:
    """Conditions in words."""
    if hasattr(value, "dtype"):
        raise input_error(keyword, f"takes conditions as texts, not {kind(value)}", 'data[condition] first, or where="x > 0"')
    return several(value, keyword)


def around(value: Any, keyword: str) -> Any:
    """``max``, ``min`` or a row and a column."""
    return ",".join(str(scalar(v, keyword)) for v in value) if is_listed(value) else scalar(value, keyword)


def marks(value: Any, keyword: str) -> Any:
    """Marks, each a text or a table with `cells`, `style` and `label`."""
    if isinstance(value, Mapping):
        return [_table(value, keyword)]
    if is_listed(value):
        return [_table(v, keyword) if isinstance(v, Mapping) else scalar(v, keyword) for v in value]
    return scalar(value, keyword)


def strips(value: Any, keyword: str) -> Any:
    """Side strips: ``"family"``, ``"x:family"``, or a table with `axis`, `column` and more."""
    given = [value] if isinstance(value, (str, Mapping)) or not is_listed(value) else list(value)
    made: list[Figure] = []
    for one in given:
        if isinstance(one, Mapping):
            made.append(_table(one, keyword))
            continue
        axis, colon, column = str(scalar(one, keyword)).partition(":")
        named = bool(colon) and axis in {"x", "y"}
        made.append({"axis": axis if named else "y", "column": column if named else str(one)})
    return made


def path(value: Any, keyword: str) -> str:
    """A path, absolute: figures may be saved anywhere."""
    if not isinstance(value, (str, os.PathLike)):
        raise input_error(keyword, f"takes a path, not {kind(value)}")
    return os.path.abspath(os.fspath(value))


def listed(value: Any, keyword: str) -> Any:
    """A list, of one where it is one."""
    made = several(value, keyword)
    return made if isinstance(made, list) else [made]


def text(value: Any, keyword: str) -> str:
    """A text; numbers and times are texts too."""
    if isinstance(value, bool):
        raise input_error(keyword, f"takes a text, not {value}")
    return label(scalar(value, keyword))


def cluster(value: Any, keyword: str) -> Any:
    """``rows``, ``columns`` or both, which is what True means."""
    return "both" if value is True else scalar(value, keyword)


def contours(value: Any, keyword: str) -> Any:
    """Levels, or how many."""
    return [number(v, keyword) for v in value] if is_listed(value) else scalar(value, keyword)


def _table(value: Mapping[Any, Any], keyword: str) -> Figure:
    return {str(key): several(v, f"{keyword}[{key!r}]") for key, v in value.items()}


_TRUTHS = ("robust", "transpose", "drop_baseline", "drop_empty", "units_row", "day_first", "month_first", "raw_values", "json_nan", "share_x", "share_y", "system_fonts")
_NUMBERS = ("vmin", "vmax", "center", "hide_below", "hide_above", "dpi", "nodata", "min_count", "radius", "cbar_shrink")
_COLORS = ("linecolor", "under", "over", "nan", "absent", "masked", "pending_color", "background")
CONVERT: dict[str, Convert] = {
    **dict.fromkeys(_TRUTHS, truth),
    **dict.fromkeys(_NUMBERS, number),
    **dict.fromkeys(_COLORS, _colors.color),
    **dict.fromkeys(("square", "rings", "notes", "annot", "dendrogram"), onoff),
    **dict.fromkeys(("width", "height"), length),
    **dict.fromkeys(("linewidths", "font_size", "annot_size"), points),
    **dict.fromkeys(("title", "note", "xlabel", "ylabel", "cbar_label", "panel_title"), text),
    **dict.fromkeys(("x_domain", "y_domain"), domain),
    **dict.fromkeys(("xticks", "yticks"), ticks),
    **dict.fromkeys(("x_labels", "y_labels"), labels),
    **dict.fromkeys(("rows", "cols", "view_x", "view_y"), span),
    **dict.fromkeys(("deny", "allow"), listed),
    "cbar": bar,
    "cbar_ticks": bar_ticks,
    "slice": slices,
    "columns": panel_columns,
    "where": conditions,
    "around": around,
    "mark": marks,
    "contours": contours,
    "cluster": cluster,
    "font": path,
}


def convert(keyword: str, value: Any) -> Any:
    """A value as its key takes it."""
    with keywords(keyword):
        return CONVERT.get(keyword, several)(value, keyword)


#: What other libraries' keywords without a twin here are for.
ELSEWHERE = {
    "index": "y=..., x= and value= name the columns of a tidy table",
    "values": "value=...",
    "legend": "cbar=...",
    "transparent": 'background="transparent"; to_png(bare=True) draws the cells alone',
}


def known(keyword: str, value: Any = None) -> None:
    """Refuses what is no keyword.

    Raises
    ------
    UnsupportedError
        With the keyword that has another name elsewhere, or the nearest.
    """
    words = vocabulary()
    if keyword in words.keys or keyword in TABLES:
        return
    what = "there is no such keyword"
    if keyword == "figsize" and is_listed(value) and len(value) == 2:
        width, height = value
        raise unsupported(keyword, "has two names here", f'width="{width}in", height="{height}in"')
    other = words.elsewhere.get(keyword.lower())
    if keyword in ELSEWHERE:
        raise unsupported(keyword, what, ELSEWHERE[keyword])
    if other is None:
        from difflib import get_close_matches

        near = get_close_matches(keyword, [*words.keys, *TABLES], 1, 0.75)
        raise unsupported(keyword, what, f"did you mean {near[0]}?" if near else None)
    raise unsupported(keyword, "has another name here", f"{other}=..." if other.isidentifier() else other)


def fill(figure: Figure, options: Mapping[str, Any]) -> None:
    """Puts keywords into a figure; None leaves a key as it is.

    Raises
    ------
    InputError
        A value that its keyword does not take.
    UnsupportedError
        A keyword that does not exist.
    """
    words = vocabulary()
    for keyword, value in options.items():
        known(keyword, value)
        if value is None or keyword in TABLES or keyword in {"strip", "strip_cmap"}:
            continue
        key = words.keys[keyword]
        # A keyword holds for every panel, as a flag does.
        table, _, leaf = key.partition(".")
        if table in {"color", "annotations"}:
            for own in figure.get("panels", {}).values():
                own.pop(leaf, None)
        put(figure, key, convert(keyword, value))
    _strips(figure, options)
    for name, keys in mapping(options.get("panels"), "panels").items():
        for leaf, value in mapping(keys, f"panels[{name!r}]").items():
            _put_panel(figure, str(scalar(name, "panels")), leaf, value)
    for key, value in mapping(options.get("set"), "set").items():
        if not isinstance(key, str):
            raise input_error("set", f"{key!r} is no key", 'set={"color.vmin": 0}')
        parts = key.split(".")
        if parts[0] == "panels" and len(parts) > 2:
            # Names of panels may have dots.
            _put_panel(figure, ".".join(parts[1:-1]), parts[-1], value)
        else:
            put(figure, key, _free(key, value))


#: Words of seaborn for keywords.
_SEABORN = {"xticklabels": "xticks", "yticklabels": "yticks", "linewidth": "linewidths", "lw": "linewidths"}


def take_back(figure: Figure, keyword: str) -> None:
    """Removes what a keyword set."""
    if keyword in TABLES:
        figure.pop("panels", None) if keyword == "panels" else None
        return
    key = vocabulary().keys.get(_SEABORN.get(keyword, keyword))
    if key is None:
        return
    if keyword == "strip":
        figure.pop("strip", None)
        return
    table, _, leaf = key.rpartition(".")
    own = get(figure, table) if table else figure
    if isinstance(own, dict):
        own.pop(leaf, None)


def _strips(figure: Figure, options: Mapping[str, Any]) -> None:
    if options.get("strip") is not None:
        with keywords("strip"):
            figure["strip"] = strips(options["strip"], "strip")
    maps = options.get("strip_cmap")
    if maps is None:
        return
    given = listed(maps, "strip_cmap")
    made = figure.get("strip") or []
    made = [made] if isinstance(made, dict) else made
    if len(given) > len(made):
        raise input_error("strip_cmap", "colours a strip, and there is none", 'strip="COLUMN"')
    for place, one in enumerate(made):
        one["cmap"] = given[place] if place < len(given) else given[0] if len(given) == 1 else one.get("cmap")
    figure["strip"] = made


def _put_panel(figure: Figure, name: str, leaf: str, value: Any) -> None:
    figure.setdefault("panels", {}).setdefault(name, {})[leaf] = _free(leaf, value)


def _free(key: str, value: Any) -> Any:
    """A value of `panels` or `set`: that of the keyword of its key, where there is one."""
    words = vocabulary()
    leaf = key.rpartition(".")[2]
    keyword = words.keyword_of(key) or words.keyword_of(f"color.{leaf}") or words.keyword_of(f"annotations.{leaf}")
    if isinstance(value, Mapping) and keyword not in CONVERT:
        return {str(k): _free(f"{key}.{k}", v) for k, v in value.items()}
    if keyword == "cmap":
        return _colors.colormap(value, key).cmap
    return convert(keyword, value) if keyword else several(value, key)


def has_any(figure: Figure, keys: tuple[str, ...]) -> str | None:
    """The keyword of the first of these keys that is set."""
    for key in keys:
        if get(figure, key) is not None:
            return vocabulary().keyword_of(key) or key
    return None
