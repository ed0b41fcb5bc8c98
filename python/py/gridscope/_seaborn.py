"""The parameters of seaborn's heatmap in the words of figures; those that cannot work are refused by name."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import Any

from . import _colors
from ._errors import ParameterWarning, caller_level, input_error, keywords, unsupported
from ._plain import is_listed, kind, mapping, number, scalar
from ._strips import AXES, Strip, strips_of

#: The template that writes the texts of `annot`.
TEXTS = "{column:annot}"


@dataclass
class Beside:
    """What comes beside the values, cell by cell or label by label, and is no key of a figure."""

    mask: Any = None
    annot: Any = None
    fmt: str | None = None
    xticklabels: list[str] | None = None
    yticklabels: list[str] | None = None
    x_values: Any = None
    y_values: Any = None
    row_colors: list[Strip] | None = None
    col_colors: list[Strip] | None = None

    def first(self) -> str | None:
        """The keyword of one that is given."""
        return next((name for name, value in vars(self).items() if value is not None and name != "fmt"), None)


#: What matplotlib's colour bar takes and this one decides by itself.
_BAR_LAYOUT = ("aspect", "pad", "fraction", "anchor", "panchor", "extend", "extendfrac", "extendrect", "use_gridspec")
#: Parameters of `pcolormesh` that seaborn passes on.
_MESH = {
    "alpha": 'colours with alpha, as cmap=["#ff000080", "#ff0000"]',
    "antialiased": "leave it out: borders of cells lie on whole pixels",
    "edgecolor": "linecolor",
    "edgecolors": "linecolor",
    "rasterized": "leave it out: pictures with many cells are images in PDF and SVG, too",
    "shading": "leave it out: a cell has one colour",
    "snap": "leave it out: borders of cells lie on whole pixels",
    "zorder": "leave it out: lines, marks and texts are above cells",
}


def translate(options: dict[str, Any], *, quiet: bool = False) -> Beside:
    """Replaces, in `options`, seaborn's parameters by keywords of figures, and returns what is no key.

    `quiet` warns of no parameter that changes nothing.
    """
    beside = Beside()
    for word in ("linewidth", "lw"):
        # seaborn's own examples write it without an s, as matplotlib does.
        if word in options:
            _default(options, "linewidths", options.pop(word))
    _refuse_axes(options)
    _annotations(options, beside)
    _bar(options, quiet)
    _ticks(options, beside)
    _strips(options, beside)
    mask = options.get("mask")
    if mask is not None and not _is_text(mask):
        beside.mask = options.pop("mask")
    for keyword in ("x_values", "y_values"):
        if options.get(keyword) is not None and not isinstance(options[keyword], str):
            setattr(beside, keyword, options.pop(keyword))
    _colours(options)
    return beside


def _is_text(value: Any) -> bool:
    """Whether a mask is one in words: `upper`, a condition, a file, or several."""
    if isinstance(value, str) or hasattr(value, "__fspath__"):
        return True
    return isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value)


def _refuse_axes(options: dict[str, Any]) -> None:
    if options.pop("ax", None) is not None:
        raise unsupported("ax", "nothing is drawn into axes here", "gridscope.heatmap(data, ax=ax), or figure.with_(ax=ax)")
    if options.pop("cbar_ax", None) is not None:
        raise unsupported("cbar_ax", "the bar has its own place", 'cbar="right", cbar="bottom" or cbar="none"')
    for keyword, instead in _MESH.items():
        if keyword in options:
            raise unsupported(keyword, "belongs to matplotlib's pcolormesh", instead)


def _annotations(options: dict[str, Any], beside: Beside) -> None:
    annot = options.get("annot")
    if annot is not None and not isinstance(annot, (bool, str)) and type(annot).__name__ not in {"bool", "bool_"}:
        beside.annot = annot
        beside.fmt = options.pop("fmt", None) or None
        options["annot"] = TEXTS
    if options.get("fmt") == "":
        # seaborn's format of texts.
        del options["fmt"]
    for name, value in mapping(options.pop("annot_kws", None), "annot_kws").items():
        place = f"annot_kws[{name!r}]"
        if name in {"size", "fontsize"}:
            _default(options, "annot_size", value)
        elif name in {"ha", "va", "horizontalalignment", "verticalalignment"} and value == "center":
            continue
        elif name in {"color", "c"}:
            raise unsupported(place, "texts are black or white, whichever has more contrast in its cell")
        else:
            instead = {"family": "font=", "fontfamily": "font=", "fontproperties": "font="}.get(name)
            raise unsupported(place, "has no counterpart", instead or "annot_kws takes size")


def _bar(options: dict[str, Any], quiet: bool) -> None:
    given = mapping(options.pop("cbar_kws", None), "cbar_kws")
    place: str | None = None
    for name, value in given.items():
        at = f"cbar_kws[{name!r}]"
        if name == "label":
            _default(options, "cbar_label", None if value is None else str(value))
        elif name == "format":
            _default(options, "cbar_fmt", _format(value, at))
        elif name in {"orientation", "location"}:
            places = {"vertical": "right", "horizontal": "bottom", "right": "right", "bottom": "bottom"}
            if value not in places:
                raise unsupported(at, f"a bar at {value!r}", '"right" or "bottom"')
            place = places[value]
        elif name in _BAR_LAYOUT:
            text = f"{at} changes nothing: the bar has its place and width, and its ends show values beyond the limits"
            if not quiet:
                warnings.warn(ParameterWarning(text), stacklevel=caller_level())
        elif name == "shrink":
            _default(options, "cbar_shrink", value)
        elif name == "ticks":
            if hasattr(value, "tick_values"):
                raise unsupported(at, "a locator of matplotlib", "values, as cbar_ticks=[0, 0.5, 1]")
            _default(options, "cbar_ticks", value)
        else:
            raise unsupported(at, "has no counterpart", "cbar_kws takes label, format, orientation, ticks and shrink")
    if place and options.get("cbar") in (None, True):
        options["cbar"] = place


def _default(options: dict[str, Any], keyword: str, value: Any) -> None:
    if options.get(keyword) is None:
        options[keyword] = value


def _format(value: Any, place: str) -> str:
    """A number format as Python's of matplotlib's: ``%.2f``, ``{x:.2f}`` or a formatter made of one."""
    text = value if isinstance(value, str) else getattr(value, "fmt", None)
    if isinstance(text, str):
        old = re.fullmatch(r"%([-+ 0,#]*\d*(?:\.\d+)?[defgEG])", text)
        new = re.fullmatch(r"\{x?:([^{}]*)\}", text)
        if old or new:
            return (old or new).group(1)  # type: ignore[union-attr]
        if "%" not in text[:-1] and "{" not in text:
            return text
    raise unsupported(place, f"{value!r} is not a plain number format", '"%.2f", "{x:.2f}" or ".2f"')


def _ticks(options: dict[str, Any], beside: Beside) -> None:
    for keyword, key in (("xticklabels", "xticks"), ("yticklabels", "yticks")):
        value = options.pop(keyword, None)
        if value is None:
            continue
        if options.get(key) is not None:
            raise input_error(keyword, f"and {key} are the same; give one of them")
        if is_listed(value):
            texts = [str(scalar(v, keyword)) for v in value]
            if texts:
                setattr(beside, keyword, texts)
            options[key] = "all" if texts else "none"
        elif isinstance(value, (bool, int, str)) or hasattr(value, "item"):
            options[key] = value
        else:
            raise input_error(keyword, f"takes True, False, 'auto', a number or a list of texts, not {kind(value)}")


def _strips(options: dict[str, Any], beside: Beside) -> None:
    tables: list[dict[str, str]] = []
    for keyword, (axis, _) in AXES.items():
        value = options.pop(keyword, None)
        if value is None:
            continue
        if options.get("strip") is not None:
            raise input_error(keyword, "and strip do not go together", "all strips in one of them")
        # The axis is one of the picture.
        axis = {"x": "y", "y": "x"}[axis] if options.get("transpose") else axis
        if isinstance(value, str):
            tables.append({"axis": axis, "column": value})
            continue
        with keywords(keyword):
            made = strips_of(value, keyword)
        setattr(beside, keyword, made)
        tables += [strip.key(axis) for strip in made]
    if tables:
        options["strip"] = tables


def _colours(options: dict[str, Any]) -> None:
    entries: int | None = None
    # Matplotlib's norms that clip leave nothing beyond the ends of a map.
    left_out = ("under", "over") if getattr(options.get("norm"), "clip", False) else ()
    if options.get("cmap") is not None:
        with keywords("cmap"):
            mapped = _colors.colormap(options["cmap"])
        options["cmap"] = mapped.cmap
        entries = mapped.entries
        for keyword, own in (("under", mapped.under), ("over", mapped.over), ("nan", mapped.bad), ("masked", mapped.bad)):
            if own is not None and keyword not in left_out:
                _default(options, keyword, own)
    if options.get("norm") is not None:
        with keywords("norm"):
            normed = _colors.norm(options["norm"], entries)
        options["norm"] = normed.norm
        for keyword, limit in (("vmin", normed.vmin), ("vmax", normed.vmax), ("center", normed.center)):
            given = options.get(keyword)
            if limit is not None and given is not None and number(given, keyword) != limit:
                raise input_error(keyword, f"is {given!r}, and that of norm is {limit!r}; give one of them")
            if limit is not None:
                options[keyword] = limit
