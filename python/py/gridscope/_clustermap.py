"""Clustered heatmaps by seaborn's `clustermap` and its parameters."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ._errors import ParameterWarning, caller_level, input_error, unsupported
from ._figure import Figure
from ._heatmap import heatmap
from ._plain import is_listed, mapping, scalar
from ._signatures import spelled_out

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._notebook import Step
    from ._options import ClusterOptions

#: The distances of two clusters that there are.
_METHODS = ("single", "complete", "average", "weighted", "ward")
#: Keywords of `heatmap` that have another word here.
_OTHER = {"cluster": "row_cluster=, col_cluster=", "linkage": "method="}
#: What seaborn counts as 0 and 1.
_AXES: dict[Any, str] = {0: "row", 1: "column", "row": "row", "column": "column"}
#: The columns of a table that `pivot` names.
_PIVOT = {"index": "y", "columns": "x", "values": "value"}


@spelled_out
def clustermap(
    data: object,
    *,
    pivot_kws: Mapping[str, Any] | None = None,
    method: Literal["single", "complete", "average", "weighted", "ward"] | None = None,
    metric: Literal["euclidean", "correlation", "cosine", "cityblock"] | None = None,
    z_score: Literal[0, 1, "row", "column"] | None = None,
    standard_scale: Literal[0, 1, "row", "column"] | None = None,
    figsize: tuple[float, float] | None = None,
    row_cluster: bool = True,
    col_cluster: bool = True,
    row_linkage: None = None,
    col_linkage: None = None,
    dendrogram_ratio: float | tuple[float, float] | None = None,
    colors_ratio: float | tuple[float, float] | None = None,
    cbar_pos: Sequence[float] | None = (),
    tree_kws: Mapping[str, Any] | None = None,
    progress: Callable[[Step], None] | bool | None = None,
    **options: Unpack[ClusterOptions],
) -> Figure:
    """A heatmap whose rows and columns are in the order of a hierarchical clustering, with its trees; as seaborn's.

    Parameters
    ----------
    data : table, array or path
        As of `heatmap`. Cells may be missing: distances are those of the cells that two rows have.
    pivot_kws : dict, optional
        ``index``, ``columns`` and ``values`` of a tidy table, as `y`, `x` and `value`.
    method : {"average", "complete", "single", "weighted", "ward"}, optional
        The distance of two clusters; ``"average"`` unless given.
    metric : {"euclidean", "correlation", "cosine", "cityblock"}, optional
        The distance of two rows or columns; ``"euclidean"`` unless given.
    z_score, standard_scale : {0, 1, "row", "column"}, optional
        Whether rows (0) or columns (1) become standard scores, or places from their least to their greatest value.
    figsize : (width, height), optional
        In inches; automatic unless given.
    row_cluster, col_cluster : bool
        Whether rows and columns are clustered.
    dendrogram_ratio, colors_ratio, tree_kws
        Change nothing: trees and strips have their own size and look. ``dendrogram=False`` leaves the trees out.
    cbar_pos : None
        None leaves the colour bar out; places change nothing.
    row_linkage, col_linkage : None
        Refused: trees are computed here.
    row_colors, col_colors : list, series, data frame or name of a column, optional
        Strips beside rows and columns: colours, or categories or numbers, which get colours and a key. Series and frames are
        aligned by their labels; a frame has a strip a column, as several lists have one each. A text names a column of a table.
    progress, **options
        As of `heatmap`.

    Returns
    -------
    Figure
        Its `grids` have rows and columns in the order that is drawn.

    Raises
    ------
    InputError
        As `heatmap`, and rows without a distance to others.

    Examples
    --------
    >>> import gridscope as gs
    >>> fig = gs.clustermap([[1, 5, 2], [9, 4, 8], [1, 6, 2]], col_cluster=False, row_colors=["red", "blue", "red"])
    >>> fig.grids[0].rows.labels
    ['1', '0', '2']
    """
    for keyword, tree in (("row_linkage", row_linkage), ("col_linkage", col_linkage)):
        if tree is not None:
            instead = f"method= and metric=, or data in the order of its leaves and {keyword[:3]}_cluster=False"
            raise unsupported(keyword, "trees are computed here", instead)
    for keyword, instead in _OTHER.items():
        if keyword in options:
            raise unsupported(keyword, "has another name here", instead)
    if method is not None and method not in _METHODS:
        raise input_error("method", f"{method!r} is no linkage here", f"one of {', '.join(_METHODS)}")
    if z_score is not None and standard_scale is not None:
        raise input_error("standard_scale", "and z_score do not go together", "one of them")
    given: dict[str, Any] = {
        **_pivoted(pivot_kws),
        **options,
        "cluster": _clustered(bool(row_cluster), bool(col_cluster)),
        "linkage": method,
        "metric": metric,
        "z_score": _axis(z_score, "z_score"),
    }
    if standard_scale is not None:
        given["normalize"] = f"minmax:{_axis(standard_scale, 'standard_scale')}"
    if figsize is not None:
        if not is_listed(figsize) or len(figsize) != 2:
            raise input_error("figsize", f"takes (width, height) in inches, not {figsize!r}")
        given["width"], given["height"] = (f"{scalar(side, 'figsize')}in" for side in figsize)
    if cbar_pos is None:
        given["cbar"] = False
    layout = {"dendrogram_ratio": dendrogram_ratio, "colors_ratio": colors_ratio, "tree_kws": tree_kws}
    unused = [name for name, value in {**layout, "cbar_pos": cbar_pos or None}.items() if value is not None]
    if unused:
        text = f"{', '.join(unused)} changes nothing: trees, strips and the colour bar have their own places and sizes"
        warnings.warn(ParameterWarning(text), stacklevel=caller_level())
    return heatmap(data, progress=progress, **given)


def _clustered(rows: bool, columns: bool) -> str | None:
    return ("both" if columns else "rows") if rows else "columns" if columns else None


def _axis(given: Any, keyword: str) -> str | None:
    if given is None:
        return None
    if isinstance(given, (bool, float)) or given not in _AXES:
        raise input_error(keyword, f"takes 0 or 'row', 1 or 'column', not {given!r}")
    return _AXES[given]


def _pivoted(pivot_kws: Mapping[str, Any] | None) -> dict[str, Any]:
    """The columns of a tidy table."""
    named = mapping(pivot_kws, "pivot_kws")
    for name in named:
        if name not in _PIVOT:
            raise unsupported(f"pivot_kws[{name!r}]", "is no parameter of pivot", "index, columns and values")
    return {_PIVOT[name]: value for name, value in named.items()}


__all__ = ["clustermap"]
