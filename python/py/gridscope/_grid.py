"""Grids: the values that a figure draws, as arrays with labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._errors import input_error
from ._plain import label

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._core import GridParts, Side


@dataclass(frozen=True, eq=False)
class Axis:
    """One side of a grid.

    Attributes
    ----------
    name : str
        The columns or the dimension that it comes from; empty if unknown.
    kind : str
        What it measures: ``"index"``, ``"category"``, ``"number"``, ``"log"`` or ``"time"``.
    labels : list of str
        A text for each cell.
    coordinates : ndarray or None
        A number for each cell, of times in seconds since 1970: of the clock of their zone, or of UTC where that shows an hour twice.
    levels : list of list of str or None
        The labels of a nested axis, the outermost first.
    """

    name: str
    kind: str
    labels: list[str]
    coordinates: NDArray[np.float64] | None
    levels: list[list[str]] | None

    def __len__(self) -> int:
        return len(self.labels)

    def to_pandas(self) -> Any:
        """The axis as an index of pandas."""
        import numpy as np
        import pandas as pd

        if self.levels is not None:
            names = self.name.split(", ") if self.name else []
            levels = [_numbers(level) for level in self.levels]
            return pd.MultiIndex.from_arrays(levels, names=names if len(names) == len(self.levels) else None)
        name = self.name or None
        if self.kind == "index":
            return pd.Index([int(label) for label in self.labels], name=name)
        if self.coordinates is None:
            return pd.Index(self.labels, name=name)
        if self.kind == "time":
            return pd.DatetimeIndex((self.coordinates * 1e6).round().astype("datetime64[us]"), name=name)
        whole = np.isfinite(self.coordinates).all() and (self.coordinates == np.round(self.coordinates)).all()
        return pd.Index(self.coordinates.astype(np.int64) if whole else self.coordinates.copy(), name=name)


@dataclass(frozen=True, eq=False)
class Grid:
    """Values on rows and columns: a panel of a figure.

    Attributes
    ----------
    name : str
        The panel's value; empty where there is one panel.
    value_name : str
        What the values are.
    values : ndarray, shape (rows, columns)
        The values in their own type where every cell has one, else float64 with NaN.
    states : ndarray of uint8, shape (rows, columns)
        0 a value, 1 NaN, 2 absent, 3 masked, 4 pending.
    rows, columns : Axis
        The axes.
    """

    name: str
    value_name: str
    values: NDArray[Any]
    states: NDArray[np.uint8]
    rows: Axis
    columns: Axis

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (int(self.values.shape[0]), int(self.values.shape[1]))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        import numpy as np

        return np.array(self.values, dtype=dtype, copy=True) if copy else np.asarray(self.values, dtype=dtype)

    def to_numpy(self) -> NDArray[Any]:
        """The values."""
        return self.values

    def to_pandas(self) -> Any:
        """The grid as a data frame, whose index and columns are its axes.

        Returns
        -------
        pandas.DataFrame

        Examples
        --------
        >>> import gridscope as gs
        >>> runs = {"lr": [0.1, 0.2, 0.1], "layers": [2, 2, 4], "loss": [0.9, 0.7, 0.5]}
        >>> gs.heatmap(runs, x="lr", y="layers", value="loss").grids[0].to_pandas()
        lr      0.1  0.2
        layers
        2       0.9  0.7
        4       0.5  NaN
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise input_error("to_pandas", "needs pandas, which is not installed", "pip install pandas") from error
        return pd.DataFrame(self.values, index=self.rows.to_pandas(), columns=self.columns.to_pandas())


def _numbers(texts: list[str]) -> list[Any]:
    """The numbers that all of these texts are, as Python writes them, or else the texts."""
    for kind in (int, float):
        try:
            numbers = [kind(text) for text in texts]
        except ValueError:
            continue
        if [label(number) for number in numbers] == texts and all(map(math.isfinite, numbers)):
            return numbers
    return texts


def grid_of(parts: GridParts) -> Grid:
    """A grid of what the module gives."""
    import numpy as np

    values = np.frombuffer(parts["values"], dtype=parts["dtype"]).reshape(parts["shape"])
    states = np.frombuffer(parts["states"], dtype=np.uint8).reshape(parts["shape"])
    if values.dtype.kind != "f" and states.any():
        values = values.astype(np.float64)
    if states.any():
        values = np.where(states == 0, values, values.dtype.type(np.nan))
    values.flags.writeable = False
    rows, columns = _axis(parts["rows"]), _axis(parts["columns"])
    return Grid(parts["name"], parts["value_name"], values, states, rows, columns)


def _axis(side: Side) -> Axis:
    import numpy as np

    start = side["start"]
    labels = side["labels"] or [str(start + place) for place in range(side["len"])]
    given = side["coordinates"] if side["kind"] != "index" else None
    coordinates = None if given is None else np.array(given, dtype=np.float64)
    if coordinates is not None:
        coordinates.flags.writeable = False
    levels = [list(level) for level in side["levels"]] if len(side["levels"]) > 1 else None
    return Axis(side["name"], side["kind"], labels, coordinates, levels)
