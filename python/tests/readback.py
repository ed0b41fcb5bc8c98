"""What a figure shows, read back from its grids, its report and its SVG file."""

from __future__ import annotations

import html
import re

import numpy as np

import gridscope as gs


def only(figure: gs.Figure) -> gs.Grid:
    """The grid of a figure with one panel."""
    (grid,) = figure.grids
    return grid


def scale(figure: gs.Figure) -> dict:
    """The colour scale of a figure with one scale, as reported."""
    (found,) = figure.report()["scales"]
    return found


def svg(figure: gs.Figure) -> str:
    text = figure.to_svg()
    return text.decode() if isinstance(text, bytes) else text


def texts(figure: gs.Figure) -> list[str]:
    """The texts of a figure in the order of its SVG file, with the minus sign of Python."""
    found = re.findall(r"<text[^>]*>(.*?)</text>", svg(figure))
    return [html.unescape(re.sub("<[^>]*>", "", t)).replace("\N{MINUS SIGN}", "-") for t in found]


def random_picture(seed: int) -> bytes:
    """A PNG file; here, so that other processes find it."""
    return gs.heatmap(np.random.default_rng(seed).random((50, 50))).to_png(metadata=False)


def picture(figure: gs.Figure) -> bytes:
    """The PNG file of a figure; here, so that other processes find it."""
    return figure.to_png()
