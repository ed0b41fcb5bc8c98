"""A figure as an artist of matplotlib, which fills axes or a (sub)figure and is drawn anew for each canvas."""

# matplotlib's stubs leave parts of these methods without types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas, SubFigure
from matplotlib.transforms import Affine2D, Bbox, TransformedBbox

from ._errors import LimitError, input_error, made
from ._placement import rounded_across, rounded_up
from ._plain import is_listed, kind

if TYPE_CHECKING:
    from matplotlib.backend_bases import RendererBase
    from matplotlib.transforms import BboxBase
    from numpy.typing import NDArray

    from ._figure import Figure

#: Pixels an inch, at least, of the image in a file of vectors: what printers resolve.
VECTOR_DPI = 600.0
#: The most pixels of such an image, unless more are asked for.
MOST_VECTOR_PIXELS = 50_000_000


class AxesPicture(Artist):
    """A whole figure, from its title to its colour bar, in the place of axes, of a subfigure or of a figure of matplotlib."""

    def __init__(self, drawn: Figure, box: BboxBase) -> None:
        super().__init__()
        self._drawn = drawn
        self._box = box
        self._last: tuple[tuple[int, int, float], NDArray[np.uint8]] | None = None

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """The place on the canvas."""
        return self._box.frozen()

    def draw(self, renderer: RendererBase) -> None:
        """Draws the figure in the pixels of its place on this canvas."""
        figure = self.get_figure()
        if not self.get_visible() or figure is None or self._box.width <= 0 or self._box.height <= 0:
            return
        canvas = renderer.new_gc()
        box = self._box
        if renderer.option_scale_image():
            # An image of its own resolution, which the file scales.
            dpi = figure.dpi * _vector_scale(box, figure.dpi, renderer.get_image_magnification())
            size = (max(1, round(box.width * dpi / figure.dpi)), max(1, round(box.height * dpi / figure.dpi)))
            scaled = Affine2D().scale(box.width, box.height)
            renderer.draw_image(canvas, box.x0, box.y0, self._pixels(size, dpi), scaled)
        else:
            left, right = rounded_across(box.x0, box.x1)
            bottom, top = rounded_up(box.y0, box.y1)
            if left < right and bottom < top:
                renderer.draw_image(canvas, left, bottom, self._pixels((right - left, top - bottom), figure.dpi))
        canvas.restore()
        self.stale = False

    def _pixels(self, size: tuple[int, int], dpi: float) -> NDArray[np.uint8]:
        """The picture of a size, its lowest row first."""
        key = (*size, dpi)
        if self._last is None or self._last[0] != key:
            self._last = key, np.ascontiguousarray(self._picture(size, dpi)[::-1])
        return self._last[1]

    def _picture(self, size: tuple[int, int], dpi: float) -> NDArray[np.uint8]:
        width, height = size
        sized = self._drawn._changed({"width": f"{width}px", "height": f"{height}px", "dpi": dpi})
        try:
            picture = sized._draw("rgba", called=False)
        except LimitError as error:
            if error.place not in {"width", "height"}:
                raise
            inches = f"{width / dpi:.2g} x {height / dpi:.2g} in"
            hint = "a larger figsize, fewer axes in the figure, a smaller font_size, or xticks=False, yticks=False, cbar=False"
            raise made(LimitError, "ax", f"{inches} at {dpi:g} dpi: {error.what}", hint) from None
        # What was said of this figure once is not said again at another size.
        self._drawn._seen |= sized._seen
        return np.frombuffer(picture.data, dtype=np.uint8).reshape(height, width, 4)


def _vector_scale(box: BboxBase, dpi: float, asked: float) -> float:
    """The pixels of an image by a unit of the canvas of a file of vectors."""
    most = math.sqrt(MOST_VECTOR_PIXELS / (box.width * box.height))
    return max(asked, min(VECTOR_DPI / dpi, most))


def place(drawn: Figure, ax: Any) -> None:
    """Puts a figure into axes, which lose their frame and ticks, or into a figure or subfigure of matplotlib.

    Raises
    ------
    InputError
        What is none of these, or axes that were removed from their figure.
    """
    if isinstance(ax, Axes):
        if ax.get_figure() is None:
            raise input_error("ax", "these axes were removed from their figure", "figure.add_subplot()")
        picture = AxesPicture(drawn, ax.bbox)
        # The axes themselves say how much room there is to be.
        picture.set_in_layout(False)
        ax.add_artist(picture)
        picture.set_clip_path(None)
        ax.set_axis_off()
        # A picture has no coordinates to move and to show.
        ax.set_navigate(False)
    elif isinstance(ax, (Canvas, SubFigure)):
        ax.add_artist(AxesPicture(drawn, TransformedBbox(Bbox.unit(), ax.transSubfigure)), clip=False)
    else:
        hint = "ax=axes[0], one of them" if is_listed(ax) else "plt.figure().add_subplot()"
        raise input_error("ax", f"takes axes, a figure or a subfigure of matplotlib, not {kind(ax)}", hint)


__all__ = ["AxesPicture", "place"]
