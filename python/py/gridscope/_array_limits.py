"""The extremes of an array from which matplotlib's norms take their limits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import matplotlib.colors as mcolors
import numpy as np
from numpy.typing import NDArray

from ._fold import Matrix

# Norms whose limits follow from the least and the greatest value alone.
BY_EXTREMES = (
    mcolors.Normalize,
    mcolors.CenteredNorm,
    mcolors.TwoSlopeNorm,
    mcolors.SymLogNorm,
    mcolors.AsinhNorm,
    mcolors.PowerNorm,
    mcolors.BoundaryNorm,
    mcolors.NoNorm,
)


def _chunks(data: Matrix) -> Iterator[NDArray[Any]]:
    """The values with a value, rows at a time, so that no copy of the whole is made."""
    step = max(1, 4_000_000 // data.values.shape[1])
    for row in range(0, data.values.shape[0], step):
        values = data.values[row : row + step]
        yield values if data.mask is None else values[~data.mask[row : row + step]]


def finite_extremes(data: Matrix) -> tuple[float, float]:
    low, high = math.inf, -math.inf
    for values in _chunks(data):
        finite = values[np.isfinite(values)]
        if finite.size:
            low, high = min(low, float(finite.min())), max(high, float(finite.max()))
    return low, high


def least_positive(data: Matrix) -> float:
    least = math.inf
    for values in _chunks(data):
        positive = values[values > 0]
        if positive.size:
            least = min(least, float(positive.min()))
    return least
