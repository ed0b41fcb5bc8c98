"""The functions that make figures of values, and compare and describe them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from . import _core
from ._errors import input_error, keywords
from ._described import Words
from ._figure import Figure, placed
from ._notebook import progress_of
from ._plain import get
from ._signatures import spelled_out
from ._sources import Request, source_of
from ._sources.files import from_anywhere, is_path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._notebook import Step
    from ._options import AllOptions, ColorLike, Length, MatplotlibPlace, Names, Options, Toggle, UndirectedOptions

Progress = Callable[["Step"], None]


@spelled_out
def heatmap(
    data: object,
    x: Names | None = None,
    y: Names | None = None,
    value: Names | None = None,
    *,
    panel: Names | None = None,
    agg: str | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    cmap: Any = None,
    center: float | None = None,
    robust: bool | None = None,
    annot: Any = None,
    fmt: str | None = None,
    annot_kws: Mapping[str, Any] | None = None,
    linewidths: Length | None = None,
    linecolor: ColorLike | None = None,
    cbar: Any = None,
    cbar_kws: Mapping[str, Any] | None = None,
    cbar_ax: None = None,
    square: Toggle | None = None,
    xticklabels: Any = None,
    yticklabels: Any = None,
    mask: Any = None,
    row_colors: Any = None,
    col_colors: Any = None,
    ax: MatplotlibPlace | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[Options],
) -> Figure:
    """A heatmap of a table, an array or a file.

    Parameters
    ----------
    data : table, array or path
        A data frame of pandas, polars or Arrow; an array of numpy, torch, jax or any other that numpy can look at, shape
        (rows, columns); a DataArray or a Dataset of xarray; a sparse matrix of scipy; a chunked array of dask or zarr; lists;
        a dict of columns, or of arrays, a panel each; or the path of a file, or several. Values are not copied where
        their memory can be read as it is.
    x, y, value : name or list of names, optional
        Columns of a table with a row a cell. Several of `x` or `y` nest; several of `value` are a panel each. For xarray, the
        dimensions and variables. Without them a data frame of numbers is wide, as in seaborn: its index and columns are the
        axes.
    panel : name, optional
        The column whose values make the panels, or ``"axis:0"`` of an array.
    agg : str, optional
        How several rows of one cell are merged: ``"mean"`` (with a warning, unless it is given), ``"median"``, ``"min"``,
        ``"max"``, ``"sum"``, ``"count"``, ``"std"``, ``"sem"``, ``"ci95"``, ``"q25"``, ``"first"``, ``"last"``.
    vmin, vmax : float, optional
        The values at the ends of the colours; the least and the greatest unless given.
    cmap : str, list of colours or matplotlib Colormap, optional
        The colours: a name of matplotlib or seaborn (``_r`` reverses it), or colours, each for an equal part.
    center : float, optional
        The value at the middle of the colours; the map is a diverging one then.
    robust : bool, optional
        Whether the limits are the 2nd and the 98th percentile.
    annot : bool, str, array or data frame, optional
        Whether values are written into cells; a template such as ``"{mean:.1f} (n={n})"``; or the texts themselves, of the
        shape of `data`. Unless given, values are written where they fit.
    fmt : str, optional
        The format of these numbers: ``".1f"``, ``".3g"``, ``"d"``, ``".0%"``.
    annot_kws : dict, optional
        ``size`` or ``fontsize`` in points, as `annot_size`. Colours of the text follow the contrast.
    linewidths : float or str, optional
        The width of the lines between cells, in points unless it has a unit.
    linecolor : colour, optional
        The colour of these lines.
    cbar : bool or {"right", "bottom", "none", "blank", "only"}, optional
        Whether and where there is a colour bar.
    cbar_kws : dict, optional
        ``label``, ``format``, ``orientation``, ``ticks`` and ``shrink`` of the colour bar. ``aspect`` and the like change nothing.
    cbar_ax : None
        Refused: the colour bar has its own place.
    square : bool, optional
        Whether cells are square; automatic unless given.
    xticklabels, yticklabels : bool, int, "auto" or list of str, optional
        Which cells have labels, a label every n cells, or the labels of wide data.
    mask : bool array, data frame or str, optional
        Cells that are not shown, where it is true. Data frames are aligned by their labels. Or ``"upper"``, ``"lower"``, a
        condition such as ``"p > 0.05"``, or a file.
    row_colors, col_colors : list, series, data frame or name of a column, optional
        Strips beside rows and columns, as of `clustermap`.
    ax : matplotlib Axes, SubFigure or Figure, optional
        Where the whole figure is drawn in a figure of matplotlib, from its title to its colour bar: as large as that place, in
        the pixels of each canvas and file. The axes lose their frame and ticks.
    progress : callable or bool, optional
        Called while work lasts over half a second, with a text such as ``"drawing"``, whose attribute `fraction` is the part
        that is done, 0 to 1, or None where that is not known: of arrays it is, and not of files and tables. Ranks take several
        passes, each of which begins anew. True shows a bar, as notebooks do unless it is False.
    **options
        Every flag of the program that describes a figure, with ``_`` for ``-``: `title`, `width`, `norm`, `where`, `x_order`,
        `mark`, `reduce`, and more. ``panels={"ECE": {"cmap": "Purples_r"}}`` is for one panel, ``set={"color.vmin": 0}`` for
        any key of a figure file. The chapter "Flags and keys" of the book has the list.

    Returns
    -------
    Figure
        Drawn when it is shown or saved, with `ax` too; the axes are the caller's.

    Raises
    ------
    InputError
        Data that cannot be read or drawn, or a value that a keyword does not take. `place` and `hint` say where and what to do.
    UnsupportedError
        A keyword that does not exist, or that cannot work here, with what to use instead.
    LimitError
        More cells, pixels or memory than there may be.

    Warns
    -----
    LintWarning
        When the figure is drawn: what it does not show, merges or hides. `allow` silences warnings by name, `deny` makes
        errors of them.

    Examples
    --------
    >>> import gridscope as gs
    >>> runs = {"lr": [0.1, 0.2, 0.1, 0.2], "layers": [2, 2, 4, 4], "loss": [0.9, 0.7, 0.5, 0.6]}
    >>> gs.heatmap(runs, x="lr", y="layers", value="loss", cmap="Blues", mark="min")
    <gridscope.Figure: 2 x 2>
    """
    named = {name: given for name, given in locals().items() if name not in {"data", "options", "progress", "ax"}}
    return placed(figure_of(data, {**named, **options}, progress), ax)


def figure_of(data: object, options: dict[str, Any], progress: Progress | bool | None = None) -> Figure:
    """A figure of values and keywords, which is drawn into no axes."""
    if isinstance(data, Figure):
        return data.with_(**{k: v for k, v in options.items() if v is not None})
    if is_path(data) and os.fspath(cast("str", data)).lower().endswith(".toml"):
        return Figure.from_file(cast("str", data), **{k: v for k, v in options.items() if v is not None})
    words = Words({}, options)
    beside, keys = words.beside, words.keys
    names = [get(keys, f"data.{name}") for name in ("x", "y", "value")]
    # Names of columns may be numbers, which JSON has as they are.
    given = [options.get(name) if names[i] is not None else None for i, name in enumerate(("x", "y", "value"))]
    request = Request(given[0], given[1], given[2], options.get("panel"), beside, progress_of(progress))
    with keywords(progress=request.progress):
        source = source_of(data, request)
    return Figure(source, words)


@spelled_out
def read(*paths: str | os.PathLike[str], progress: Progress | bool | None = None, **options: Unpack[AllOptions]) -> Figure:
    """A figure of files: CSV, JSON, Parquet, Arrow, NPY, NPZ, Zarr and others, or of a figure file.

    Parameters
    ----------
    *paths : path
        Files of data, none where `db` names a database. Large arrays stay in their files and are read in windows.
    progress, **options
        As of `heatmap`.

    Returns
    -------
    Figure
        Its `grids` are the values, its `info` describes them.

    Raises
    ------
    InputError
        A file that does not exist, is damaged, or needs columns to be named: the hint has a line to copy.

    Examples
    --------
    >>> import gridscope as gs
    >>> with open("runs.csv", "w") as file:
    ...     _ = file.write("lr,layers,loss\\n0.1,2,0.9\\n0.2,2,0.7\\n")
    >>> gs.read("runs.csv", x="lr", y="layers", value="loss").grids[0].values
    array([[0.9, 0.7]])
    """
    given: dict[str, Any] = dict(options)
    ax = given.pop("ax", None)
    names = list(paths)
    if given.get("db"):
        given["db"] = from_anywhere(given["db"])
        # It stands in place of files.
        names = names or [given["db"]]
    return placed(figure_of(names[0] if len(names) == 1 else names, given, progress), ax)


@spelled_out
def info(data: object, **options: Unpack[AllOptions]) -> dict[str, Any]:
    """What values are: shape, axes, states, extremes and where they are.

    Parameters
    ----------
    data : table, array or path
        As of `heatmap`.
    **options
        Keywords of `heatmap` that choose values.

    Returns
    -------
    dict
        The object that ``gridscope info --json`` prints.

    Examples
    --------
    >>> import gridscope as gs
    >>> gs.info([[1, 2], [3, 4]])["panels"][0]["max"]["value"]
    4
    """
    return figure_of(data, dict(options)).info()


@spelled_out
def compare(
    a: object,
    b: object,
    *,
    tolerance: float | str | None = None,
    better: str = "higher",
    **options: Unpack[UndirectedOptions],
) -> dict[str, Any]:
    """What differs between two sets of values, cell by cell.

    Parameters
    ----------
    a, b : Figure, table, array or path
        `b` is the older one, or the reference.
    tolerance : float or str, optional
        Differences up to it are none: ``0.01``, or ``"1%"`` of the older value.
    better : {"higher", "lower"}
        Which values are better: it says which changes are counted as worse.
    **options
        Keywords of `heatmap` that choose the values of both, such as `x`, `y` and `value`.

    Returns
    -------
    dict
        The object that ``gridscope check --against --json`` prints.

    Examples
    --------
    >>> import gridscope as gs
    >>> gs.compare([[1.0, 2.0]], [[1.0, 2.5]])["against"]["panels"][0]["regressed"]
    1
    """
    if better not in ("higher", "lower"):
        raise input_error("better", f"{better!r} is neither", '"higher" or "lower"')
    first, second = (one if isinstance(one, Figure) else figure_of(one, dict(options)) for one in (a, b))
    text = None if tolerance is None else str(tolerance)
    with keywords():
        made: dict[str, Any] = json.loads(_core.compare(first._data, second._data, text, better=better))
    return made


def set_threads(n: int | None) -> None:
    """Sets how many threads read, fold and draw; None is as many as there are cores.

    Parameters
    ----------
    n : int or None
        At least 1.

    Examples
    --------
    >>> import gridscope as gs
    >>> gs.set_threads(2)
    >>> gs.set_threads(None)
    """
    if n is not None and (isinstance(n, bool) or not isinstance(n, int) or not 1 <= n < 2**16):
        raise input_error("n", f"{n!r} is no number of threads", "1 or more, or None")
    with keywords():
        _core.set_threads(n)


def set_memory(limit: int | str | None) -> None:
    """Limits the memory of figures that are made from now on: what they hold and work with, beyond the caller's own arrays.

    Parameters
    ----------
    limit : int, str or None
        Bytes, or a text such as ``"512M"`` or ``"8G"``, in powers of 1,024. None is half of the memory that the process may have.

    Raises
    ------
    InputError
        A limit that is no size.

    Examples
    --------
    >>> import gridscope as gs
    >>> gs.set_memory("8G")
    >>> gs.set_memory(None)
    """
    is_size = limit is None or (isinstance(limit, (int, str)) and not isinstance(limit, bool))
    if not is_size or not _core.set_memory(None if limit is None else str(limit)):
        raise input_error("limit", f"{limit!r} is no size", '"512M", "4G", a number of bytes, or None')


def colormaps() -> list[str]:
    """The names of colormaps; ``_r`` after one reverses it.

    Examples
    --------
    >>> import gridscope as gs
    >>> "viridis" in gs.colormaps()
    True
    """
    return list(_core.colormaps())


__all__: Sequence[str] = ("colormaps", "compare", "figure_of", "heatmap", "info", "read", "set_memory", "set_threads")
