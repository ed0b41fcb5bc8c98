"""Colours, colormaps and norms of matplotlib and seaborn in the notation of figure files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from . import _core
from ._errors import input_error
from ._plain import is_listed, kind

#: Entries of a map that is written as a list of colours; a list of that many is the map itself.
ENTRIES = 256
#: The most entries of a map without blending.
MOST_LISTED = 1024


class Mapped(NamedTuple):
    """A colormap, and the colours beside it; None where it has none of its own."""

    cmap: str
    under: str | None = None
    over: str | None = None
    bad: str | None = None
    entries: int | None = None


class Normed(NamedTuple):
    """A norm, its limits and its centre; None where they are automatic."""

    norm: str
    vmin: float | None = None
    vmax: float | None = None
    center: float | None = None


@lru_cache(maxsize=1)
def names() -> frozenset[str]:
    """The names of maps, their reversals included."""
    found = _core.colormaps()
    return frozenset([*found, *(f"{name}_r" for name in found)])


def hexadecimal(rgba: Sequence[float]) -> str:
    """Channels from 0 to 1 as ``#rrggbb``, with alpha where it is not 1. matplotlib cuts off for maps, and rounds colours."""
    channels = [round(min(max(float(c), 0.0), 1.0) * 255) for c in rgba]
    return "#" + "".join(f"{c:02x}" for c in (channels[:3] if channels[3:] in ([], [255]) else channels))


def color(value: Any, keyword: str) -> str:
    """A colour: a name, ``#rrggbb``, channels from 0 to 1, or what matplotlib knows, as ``"C0"`` and ``"0.5"``."""
    if isinstance(value, str):
        text = value.strip()
        try:
            return hexadecimal([float(text)] * 3)
        except ValueError:
            pass
        known = sys.modules.get("matplotlib.colors")
        # Names such as 'tab:blue', 'xkcd:sky' and 'rebeccapurple' are matplotlib's; plain ones need no look at it.
        if known is None and (":" in text or (text[:1] == "C" and text[1:].isdigit())):
            import importlib

            try:
                known = importlib.import_module("matplotlib.colors")
            except ImportError:
                return text
        if known is not None and not text.startswith("#") and known.is_color_like(text):
            return hexadecimal(known.to_rgba(text))
        return text
    if is_listed(value):
        channels = list(value)
        if len(channels) in (3, 4) and all(isinstance(float(c), float) for c in channels):
            if not all(0 <= float(c) <= 1 for c in channels):
                raise input_error(keyword, f"{value!r}: channels are from 0 to 1", 'a text such as "#3366cc"')
            return hexadecimal(channels)
    raise input_error(keyword, f"{value!r} is not a colour", 'a name, "#rrggbb" or (r, g, b) from 0 to 1')


def colormap(value: Any, keyword: str = "cmap") -> Mapped:
    """A map: a name, a list of colours, or a Colormap of matplotlib."""
    if isinstance(value, str):
        registry = getattr(sys.modules.get("matplotlib"), "colormaps", None)
        if "," in value or ":" in value or value in names() or registry is None or value not in registry:
            return Mapped(value)
        # A map that the caller or another package registered.
        return colormap(registry[value], keyword)
    if hasattr(value, "N") and callable(value):
        return _of_matplotlib(value, keyword)
    if is_listed(value):
        colors = [color(one, keyword) for one in value]
        if len(colors) < 2:
            raise input_error(keyword, f"{len(colors)} colours make no map", "at least two")
        return _listed(colors, keyword)
    raise input_error(keyword, f"{kind(value)} is not a colormap", "a name, a list of colours, or a matplotlib Colormap")


def _listed(colors: list[str], keyword: str) -> Mapped:
    if len(colors) > MOST_LISTED:
        raise input_error(keyword, f"{len(colors)} colours: a map has at most {MOST_LISTED}")
    # As many as a blended map has are its entries, one by one.
    start = "" if len(colors) == ENTRIES else "listed:"
    return Mapped(start + ",".join(colors), entries=len(colors))


def _of_matplotlib(cmap: Any, keyword: str) -> Mapped:
    count = int(cmap.N)
    # The table itself: calling the map would go through a norm.
    rows = cmap([i for i in range(count)], bytes=True)
    entries = [_bytes(row) for row in rows]
    under, over, bad = (_own(cmap, f"_rgba_{end}") for end in ("under", "over", "bad"))
    name = cmap.name
    if name in names() and _is_registered(cmap, name):
        return Mapped(name, under, over, bad, count)
    made = _listed(entries if count > 1 else entries * 2, keyword)
    return Mapped(made.cmap, under, over, bad, count)


def _bytes(row: Any) -> str:
    channels = [int(c) for c in row]
    return "#" + "".join(f"{c:02x}" for c in (channels[:3] if channels[3] == 255 else channels))


def _own(cmap: Any, attribute: str) -> str | None:
    rgba = getattr(cmap, attribute, None)
    # The bad colour that nobody set is transparent.
    return None if rgba is None or tuple(rgba) == (0.0, 0.0, 0.0, 0.0) else hexadecimal(rgba)


def _is_registered(cmap: Any, name: str) -> bool:
    registry = getattr(sys.modules.get("matplotlib"), "colormaps", None)
    if registry is None or name not in registry:
        return False
    places = [i for i in range(int(cmap.N))]
    own, other = cmap(places, bytes=True), registry[name]
    return bool(other.N == cmap.N and (own == other(places, bytes=True)).all())


def norm(value: Any, entries: int | None = None, keyword: str = "norm") -> Normed:
    """A norm: its text, or a norm of matplotlib; `entries` is the length of the map where it is known."""
    if isinstance(value, str):
        return Normed(value)
    of = type(value)
    if not of.__module__.startswith("matplotlib") or not hasattr(value, "autoscale_None"):
        raise _refused(value, keyword)
    limits = (_number(value.vmin), _number(value.vmax))
    name = of.__name__
    if name == "Normalize":
        return Normed("linear", *limits)
    if name == "LogNorm":
        return Normed("log", *limits)
    if name == "SymLogNorm":
        scale = value._scale
        return Normed(f"symlog:{scale.linthresh!r},{scale.linscale!r},{scale.base!r}", *limits)
    if name == "PowerNorm":
        return Normed(f"power:{value.gamma!r}", *limits)
    if name == "TwoSlopeNorm":
        return Normed("twoslope", *limits, center=_number(value.vcenter))
    if name == "CenteredNorm":
        half = value.halfrange
        return Normed("centered" if half is None else f"centered:{float(half)!r}", center=_number(value.vcenter))
    if name == "BoundaryNorm":
        if value.extend != "neither":
            what = f"a BoundaryNorm with extend={value.extend!r} gives colours beyond its ends entries of the map"
            raise input_error(keyword, what, "extend='neither' and a map with set_under and set_over")
        if entries is not None and int(value.Ncmap) != entries:
            what = f"a BoundaryNorm for {value.Ncmap} colours, and the map has {entries}"
            raise input_error(keyword, what, f"BoundaryNorm(boundaries, ncolors={entries})")
        bounds = ",".join(repr(float(b)) for b in value.boundaries)
        return Normed(f"bounds:{bounds}")
    raise _refused(value, keyword)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _refused(value: Any, keyword: str) -> Exception:
    hint = (
        '"linear", "log", "symlog:T", "power:G", "twoslope", "centered", "bounds:A,B,..", "quantile", or matplotlib\'s '
        "LogNorm, SymLogNorm, PowerNorm, TwoSlopeNorm, CenteredNorm, BoundaryNorm; or gridscope.mpl.gridshow, "
        "which takes any norm"
    )
    return input_error(keyword, f"{kind(value)} has no counterpart here", hint)
