"""Formats that do not suit the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._errors import input_error

if TYPE_CHECKING:
    from . import _core

#: More cells than these are never written.
MOST_CELLS = 250_000


def refuse_fractions(fmt: object, data: _core.Data) -> None:
    """Refuses a format of whole numbers for others, as Python's `format` does.

    Raises
    ------
    InputError
        If there is a number with decimals.
    """
    if not isinstance(fmt, str) or not fmt.endswith(("d", "d}")) or data.cells() > MOST_CELLS:
        return
    import numpy as np

    for part in data.grids():
        values = np.frombuffer(part["values"], dtype=part["dtype"])
        if values.dtype.kind != "f":
            continue
        values = values[(np.frombuffer(part["states"], dtype=np.uint8) == 0) & np.isfinite(values)]
        wrong = values[values % 1 != 0]
        if wrong.size:
            what = f"{fmt!r} writes whole numbers, and {wrong.size} of {values.size} values have decimals"
            raise input_error("fmt", what, '".0f" rounds, ".1f" writes one decimal')
