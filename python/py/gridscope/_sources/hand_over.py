"""Values as files for the window, which is another process: as few as possible, in a folder of their own."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._plain import Figure, get, package
from .axes import SECONDS
from .tables import arrow

if TYPE_CHECKING:
    from .._core import Axis
    from .._grid import Grid
    from .planes import PlaneSource
    from .tables import TableSource


def table_files(source: TableSource, figure: Figure, folder: Path) -> Figure | None:
    """Tables as Arrow files, by pyarrow or polars, whichever there is; None without both."""
    paths: list[str] = []
    for place, (_, table) in enumerate(source.tables):
        path = folder / f"table{place}.arrow"
        if not _write_arrow(arrow(table, figure), path):
            return None
        paths.append(str(path))
    return {**figure, "data": {**figure.get("data", {}), "file": paths}}


def _write_arrow(table: Any, path: Path) -> bool:
    if package(table) == "polars" and hasattr(table, "write_ipc"):
        table.write_ipc(path)
        return True
    try:
        import pyarrow as pa
        import pyarrow.ipc
    except ImportError:
        return False
    reader = pa.RecordBatchReader.from_stream(table)
    with pa.OSFile(str(path), "wb") as sink, pyarrow.ipc.new_file(sink, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
    return True


def array_files(source: PlaneSource, figure: Figure, folder: Path) -> Figure | None:
    """An array without nested labels as a NPY file, or the file that it is a memory map of; None for others."""
    import numpy as np

    beside = source.request.beside
    if len(source.planes) != 1 or beside.annot is not None or beside.mask is not None:
        return None
    plane = source.planes[0]
    values = plane.values
    is_labelled = any(a["levels"] or a["labels"] or a["strips"] for a in plane.axes)
    if plane.mask is not None or not isinstance(values, np.ndarray) or is_labelled:
        return None
    if get(figure, "x.labels") or get(figure, "y.labels"):
        return None
    is_plain = values.ndim == 2
    if not is_plain and any(a["coordinates"] is not None or a["name"] for a in plane.axes):
        return None
    path = _own_file(values)
    if path is None:
        path = folder / "values.npy"
        np.save(path, values)
    made: Figure = {**figure, "data": {**figure.get("data", {}), "file": [str(path)]}}
    if is_plain:
        for side, own in (("y", plane.axes[0]), ("x", plane.axes[1])):
            made[side] = _side(own, side, made.get(side, {}), folder)
    if plane.value_name and get(made, "color.label") is None:
        made["color"] = {**made.get("color", {}), "label": plane.value_name}
    return made


def _own_file(values: Any) -> Path | None:
    """The file of a memory map that numpy opened whole."""
    import numpy as np

    name = getattr(values, "filename", None)
    if not isinstance(values, np.memmap) or name is None or not str(name).endswith(".npy"):
        return None
    whole = np.load(name, mmap_mode="r")
    same = whole.shape == values.shape and whole.dtype == values.dtype and whole.strides == values.strides
    return Path(name) if same and whole.offset == values.offset else None


def _side(own: Axis, side: str, keys: Figure, folder: Path) -> Figure:
    import numpy as np

    made = {**keys}
    if own["name"] and made.get("label") is None:
        made["label"] = own["name"]
    if own["coordinates"] is not None and "values" not in made:
        path = folder / f"{side}.npy"
        seconds = own["unit"] == SECONDS
        np.save(path, (own["coordinates"] * 1e6).round().astype("datetime64[us]") if seconds else own["coordinates"])
        made["values"] = str(path)
    return made


def grid_files(grids: list[Grid], figure: Figure, folder: Path) -> Figure:
    """Grids as a table with a row a cell, in the order of their axes: what was merged, masked and sorted stays so. Trees and strips
    are not handed over."""
    path = folder / "cells.csv"
    first = grids[0]
    x, y = _names(first.columns, "x"), _names(first.rows, "y")
    value = first.value_name or "value"
    while value in (*x, *y):
        value += " "
    several = len(grids) > 1
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow([*(["panel"] if several else []), *y, *x, value, "state"])
        for grid in grids:
            down, across = _keys(grid.rows), _keys(grid.columns)
            for r, row in enumerate(grid.values.tolist()):
                for c, cell in enumerate(row):
                    state = int(grid.states[r, c])
                    if state != 2:
                        # A cell without a value could not be masked.
                        text = "0" if state > 2 else "" if state else repr(cell)
                        rows.writerow([*([grid.name] if several else []), *down[r], *across[c], text, state])
    data: Figure = {"file": [str(path)], "x": x, "y": y, "value": value}
    if several:
        data["panel"] = "panel"
    # Cells that were masked stay so: they are hidden, and not absent.
    data["mask"] = ["state > 2"]
    made: Figure = {key: value for key, value in figure.items() if key not in {"data", "cluster", "panel", "strip"}}
    made["data"] = data
    for side, own in (("x", first.columns), ("y", first.rows)):
        keep = {k: v for k, v in figure.get(side, {}).items() if k in {"label", "ticks", "rotate", "fmt", "labels"}}
        keep["order"] = "data"
        if not own.name:
            keep.setdefault("label", "")
        made[side] = keep
    if get(made, "annotations.show") not in (None, "auto", "on", "off"):
        made["annotations"] = {**made["annotations"], "show": "auto"}
    return made


def _names(side: Any, fallback: str) -> list[str]:
    levels = side.levels or [side.labels]
    names = side.name.split(", ") if side.name else []
    return names if len(names) == len(levels) else [f"{fallback}{i}" if i else fallback for i in range(len(levels))]


def _keys(side: Any) -> list[tuple[str, ...]]:
    levels = side.levels or [side.labels]
    return list(zip(*levels, strict=True))


def display_missing() -> bool:
    """Whether a window could not open here."""
    import os

    return sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
