"""An artist for matplotlib whose pixels are exact reductions of all cells beneath them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import matplotlib
import matplotlib.colors as mcolors

from ._errors import input_error
from ._grid_image import REFUSED, GridImage, refused, unequal
from ._plain import kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from ._fold import Reduction

__all__ = ["GridImage", "gridshow"]


def gridshow(
    array: ArrayLike,
    ax: Axes | None = None,
    reduce: Reduction = "mean",
    extent: Sequence[float] | None = None,
    norm: str | mcolors.Normalize | None = None,
    cmap: str | mcolors.Colormap | None = None,
    *,
    vmin: float | None = None,
    vmax: float | None = None,
    origin: Literal["upper", "lower"] | None = None,
    aspect: Literal["equal", "auto"] | float | None = None,
    alpha: float | None = None,
    **kwargs: Any,
) -> GridImage:
    """Draw an array on matplotlib axes: every pixel is an exact reduction of all cells beneath it.

    It stands beside `matplotlib.axes.Axes.imshow`, which samples or filters arrays that are larger than the picture, so that
    peaks vanish. Cells are reduced anew at each draw, for the part in view and the resolution of the canvas or the file.
    Norm, colormap, colour bar, limits and `savefig` (PNG, PDF, SVG) are matplotlib's own.

    Parameters
    ----------
    array : array_like, shape (M, N)
        Numbers of any real type up to 64 bits, or booleans; masked arrays, memory maps. It is held, not copied.
    ax : matplotlib.axes.Axes, optional
        Axes with linear scales; the current axes if left out.
    reduce : {"mean", "min", "max", "extreme", "count"}, default "mean"
        What a pixel shows of its cells. "extreme" is the minimum or the maximum, whichever is farther from the centre of
        the norm, or else from the middle of its limits. "count" is the number of cells with a value.
    extent : (left, right, bottom, top), optional
        In data coordinates; as `imshow`'s if left out, where cell (0, 0) has its centre at 0, 0.
    norm : str or matplotlib.colors.Normalize, optional
    cmap : str or matplotlib.colors.Colormap, optional
        A name registered in matplotlib.
    vmin, vmax : float, optional
        Limits of colours; the least and greatest finite value of the whole array if left out. Counts depend on the
        resolution: theirs go from 0 to the greatest of the first draw, and `autoscale` sets them anew.
    origin : {"upper", "lower"}, optional
        Where row 0 is; matplotlib's ``image.origin`` if left out.
    aspect : {"equal", "auto"} or float, optional
        matplotlib's ``image.aspect`` if left out.
    alpha : float, optional
        Opacity of the whole image.
    **kwargs
        Properties of artists: ``zorder``, ``label``, ``visible``, ``url``, ``clip_on`` and so on.

    Returns
    -------
    GridImage
        An `AxesImage`, with `set_data`, `set_clim`, `set_cmap`, `set_norm`, `set_extent` and `set_reduce`.

    Raises
    ------
    InputError
        If the axes are not linear, the array has no rows and columns of real numbers, or a parameter of `imshow` has no
        meaning here, as `interpolation`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt, numpy as np, gridscope as gs
    >>> a = np.zeros((2000, 2000))
    >>> a[1234, 567] = 1
    >>> figure, ax = plt.subplots()
    >>> image = gs.mpl.gridshow(a, ax, reduce="max")
    >>> bar = figure.colorbar(image)
    >>> plt.close(figure)
    """
    for name in kwargs:
        if name in REFUSED:
            raise refused(name)
    is_current = ax is None
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.gca()
    if not hasattr(ax, "add_image"):
        raise input_error("ax", f"takes axes of matplotlib, not {kind(ax)}", "figure.add_subplot()")
    if getattr(ax, "name", None) != "rectilinear" or ax.get_xscale() != "linear" or ax.get_yscale() != "linear":
        raise unequal(ax)
    if isinstance(norm, mcolors.Normalize) and not (vmin is None and vmax is None):
        raise input_error(
            "norm", "has limits of its own, and vmin or vmax is given, too", "give vmin and vmax to the norm"
        )
    if extent is not None and len(extent) != 4:
        raise input_error("extent", f"has {len(extent)} numbers", "extent=(left, right, bottom, top)")
    if origin not in (None, "upper", "lower"):
        raise input_error("origin", f"{origin!r} is not an origin", "origin='upper' or 'lower'")
    image = GridImage(ax, reduce=reduce, extent=extent, norm=norm, cmap=cmap, origin=origin, **kwargs)
    image.set_data(array)
    image.set_alpha(alpha)
    ax.set_aspect(matplotlib.rcParams["image.aspect"] if aspect is None else aspect)
    if image.get_clip_path() is None:
        image.set_clip_path(ax.patch)
    image.set_clim(vmin, vmax)
    # Limits are those of the data from now on, not of what the first draw shows. Counts depend on the pixels.
    if reduce != "count":
        image.autoscale_None()
    image.set_extent(image.get_extent())  # pyright: ignore[reportUnknownMemberType] (partial in matplotlib's stubs)
    ax.add_image(image)
    if is_current:
        # As of `pyplot.imshow`: `pyplot.colorbar` and others act on it.
        import matplotlib.pyplot as plt

        plt.sci(image)
    return image
