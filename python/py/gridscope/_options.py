"""Every keyword of a figure with its type, for editors and type checkers; a test compares the list with the program's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from typing_extensions import TypeAlias

Names: TypeAlias = "Union[str, Sequence[Any]]"
"""A name, or several."""
Length: TypeAlias = "Union[str, float]"
"""``"6.5in"``, ``"80mm"``, ``"9pt"``; a number is in output pixels, of text and lines in points."""
Path: TypeAlias = "Union[str, PathLike[str]]"
Toggle: TypeAlias = "Union[bool, Literal['auto', 'on', 'off']]"
Ticks: TypeAlias = "Union[bool, int, str, Sequence[Any]]"
Span: TypeAlias = "Union[str, slice, tuple[float, float]]"
"""A part of an axis: ``"3:8"``, ``slice(3, 8)`` or ``(3, 8)``."""
ColorLike: TypeAlias = "Union[str, Sequence[float]]"
Norm: TypeAlias = "Union[str, Any]"
"""``"log"``, ``"symlog:1"``, or a norm of matplotlib."""
MatplotlibPlace: TypeAlias = "Union[Axes, Figure, SubFigure]"
"""Axes, a figure or a part of one, into which a figure is drawn whole."""
AxisType: TypeAlias = Literal["category", "number", "log", "time"]


class DataOptions(TypedDict, total=False):
    """Where the values come from, and how rows become cells."""

    db: str | None
    sql: str | None
    from_: str | None
    panel_row: str | None
    panel_column: str | None
    drop_baseline: bool | None
    drop_empty: bool | None
    min_count: int | None
    table: Literal["tidy", "wide", "matrix"] | None
    transpose: bool | None
    where: Names | None
    pending: str | None
    minus: str | None
    ratio: str | None
    percent: str | None
    against: str | None
    paired: str | None
    pair_by: str | None
    normalize: str | None
    rank: Literal["row", "column", "panel", "all"] | None
    key: str | None
    slice: str | Sequence[str] | Mapping[Any, int] | None
    header: Literal["auto", "yes", "none"] | int | None
    comment: str | None
    skip_rows: int | None
    units_row: bool | None
    delimiter: str | None
    decimal: str | None
    thousands: str | None
    missing: Names | None
    blank_key: str | None
    day_first: bool | None
    month_first: bool | None
    raw_values: bool | None
    sheet: str | None
    table_number: int | Literal["all"] | None
    correlate: Literal["pearson", "spearman", "kendall"] | None
    nodata: float | None
    raw: str | None
    json_nan: bool | None


class AxisOptions(TypedDict, total=False):
    """The two axes, and the order of rows and columns."""

    xlabel: str | None
    x_type: AxisType | None
    x_domain: Names | slice | None
    x_order: Names | None
    sort_columns: str | None
    keep_columns: int | None
    split_columns: Names | None
    x_labels: Mapping[Any, str] | Sequence[str] | Path | None
    xticks: Ticks | None
    x_rotate: Literal[0, 45, 90] | None
    x_spacing: Literal["even", "true"] | None
    x_values: Any
    xfmt: str | None
    ylabel: str | None
    y_type: AxisType | None
    y_domain: Names | slice | None
    y_order: Names | None
    sort_rows: str | None
    keep: int | None
    split: Names | None
    y_labels: Mapping[Any, str] | Sequence[str] | Path | None
    yticks: Ticks | None
    y_rotate: Literal[0, 45, 90] | None
    y_spacing: Literal["even", "true"] | None
    y_values: Any
    yfmt: str | None
    rows: Span | None
    cols: Span | None
    around: str | tuple[int, int] | None
    radius: int | None
    view_x: Span | None
    view_y: Span | None
    leaf_order: str | None
    dendrogram: str | bool | None


class _ClusterWords(TypedDict, total=False):
    """What is clustered and by which distances, and standard scores: parameters of `clustermap` by other words."""

    cluster: str | None
    linkage: str | None
    metric: str | None
    z_score: Literal["row", "column"] | None


class ColorOptions(TypedDict, total=False):
    """Norm, limits, colours and the colour bar."""

    hide_below: float | None
    hide_above: float | None
    norm: Norm | None
    scale: str | None
    under: ColorLike | None
    over: ColorLike | None
    nan: ColorLike | None
    absent: ColorLike | None
    masked: ColorLike | None
    pending_color: ColorLike | None
    cbar_label: str | None
    cbar_fmt: str | None
    cbar_ticks: float | str | Sequence[float | str] | Mapping[float, str] | bool | None
    cbar_shrink: float | None


class PictureOptions(TypedDict, total=False):
    """The picture."""

    linewidth: Length | None
    lw: Length | None

    mark: str | Mapping[str, str] | Sequence[str | Mapping[str, str]] | None
    reduce: Literal["mean", "min", "max", "extreme", "count"] | None
    rings: Toggle | None
    width: Length | None
    height: Length | None
    dpi: float | None
    font_size: Length | None
    annot_size: Length | None
    strip: str | Mapping[str, str] | Sequence[str | Mapping[str, str]] | None
    strip_cmap: str | Sequence[str] | None
    title: str | None
    note: str | None
    notes: bool | Literal["on", "off"] | None
    columns: int | None
    panel_title: str | None
    panel_titles: Names | None
    panel_order: Names | None
    only_panel: str | None
    panel_row_order: Names | None
    panel_column_order: Names | None
    tick_labels: Literal["outer", "each"] | None
    share_x: bool | None
    share_y: bool | None
    origin: Literal["upper", "lower"] | None
    reverse: Literal["x", "y"] | Sequence[Literal["x", "y"]] | None
    margin: Names | None
    contours: int | str | Sequence[float] | None
    theme: Literal["light", "dark"] | None
    background: ColorLike | None
    simulate: Literal["deutan", "protan", "tritan"] | None
    font: Path | None
    system_fonts: bool | None
    deny: Names | None
    allow: Names | None
    panels: Mapping[str, Mapping[str, Any]] | None
    set: Mapping[str, Any] | None


class _Seaborn(TypedDict, total=False):
    """Keywords that `heatmap` names in its signature, but the names of columns."""

    panel: Names | None
    agg: str | None
    vmin: float | None
    vmax: float | None
    cmap: Any
    center: float | None
    robust: bool | None
    annot: Any
    fmt: str | None
    annot_kws: Mapping[str, Any] | None
    linewidths: Length | None
    linecolor: ColorLike | None
    cbar: bool | Literal["right", "bottom", "none", "blank", "only"] | None
    cbar_kws: Mapping[str, Any] | None
    cbar_ax: None
    square: Toggle | None
    xticklabels: Any
    yticklabels: Any
    mask: Any
    row_colors: Any
    col_colors: Any
    ax: MatplotlibPlace | None


class _Columns(TypedDict, total=False):
    """The names of columns."""

    x: Names | None
    y: Names | None
    value: Names | None


class _Plain(DataOptions, AxisOptions, _ClusterWords, ColorOptions, PictureOptions, total=False):
    """The keywords that no function names in its signature."""


class ClusterOptions(_Columns, _Seaborn, DataOptions, AxisOptions, ColorOptions, PictureOptions, total=False):
    """The keywords of a figure beside those that `clustermap` names in its signature."""

    better: Literal["higher", "lower"] | None


class Options(_Plain, total=False):
    """The keywords of a figure beside those that `heatmap` names in its signature."""

    better: Literal["higher", "lower"] | None


class MoreOptions(_Seaborn, Options, total=False):
    """All keywords of a figure but the names of columns."""


class AllOptions(_Columns, MoreOptions, total=False):
    """All keywords of a figure, those of `heatmap`'s signature too."""


class UndirectedOptions(_Columns, _Seaborn, _Plain, total=False):
    """All keywords of a figure but the direction of better values."""
