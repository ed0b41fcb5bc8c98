"""Writes the truths of aggregates: a table of groups, and what pandas, numpy and scipy make of each.

    python tests/rules/truths/aggregates.py

writes aggregates.csv (group, value) and aggregates.tsv (group, aggregate, result) beside this file.
"""

import pathlib
import statistics
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy import stats

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(20240611)
inf, nan = np.inf, np.nan
GROUPS = {
    "one": [2.5],
    "two": [1.0, 4.0],
    "equal": [0.5, 0.5, 0.5],
    "ties": [3, 1, 3, 1, 2, 2],
    "missing": [1.0, nan, 2.0, nan, 7.0],
    "nothing": [nan, nan],
    "zero": [0.0, -0.0, 0.0],
    "infinite": [1.0, inf, 2.0],
    "both": [-inf, 0.0, inf],
    "large": [1e300, 3e300, 2e300],
    "far": [1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.4],
    "small": [1e-300, 2e-300, 5e-300],
    "whole": [9007199254740993, 9007199254740995, 9007199254740997],
    "negative": [-5, -3, -8, 2],
}
for n in (5, 30, 251):
    GROUPS[f"normal{n}"] = list(rng.normal(70, 3, n))
    GROUPS[f"skewed{n}"] = list(rng.lognormal(0, 2, n))

PLAIN = ["mean", "median", "min", "max", "sum", "count", "std", "var", "sem"]
QUANTILES = ["0", "2.5", "10", "25", "33.3", "75", "97.5", "100"]
LEVELS = ["50", "95", "99", "99.9"]


def deviation(full, exact):
    """As pandas, but for the digits that it loses where values lie close together or squares leave the range of f64."""
    if len(full) < 2 or not np.isfinite(full).all():
        return full.std()
    values = [Fraction(v) for v in exact.tolist()]
    unit = Fraction(2) ** int(np.log2(full.abs().max() or 1.0))
    return float(statistics.variance(v / unit for v in values)) ** 0.5 * float(unit)


def results(values):
    s = pd.Series(values)
    full = s.dropna().astype(float)
    std = deviation(full, s.dropna())
    spread = {"var": std * std, "std": std, "sem": std / np.sqrt(max(len(full), 1))}
    for word in PLAIN:
        if word in spread and np.isfinite(full).all() and full.abs().between(1e-9, 1e12).all():
            assert np.isclose(spread[word], getattr(full, word)(), rtol=1e-5, equal_nan=True), (word, values)
        # pandas gives 0 as the sum of nothing; here it is missing.
        yield word, nan if word == "sum" and full.empty else spread.get(word, getattr(s, word)())
    for q in QUANTILES:
        # numpy's straight line has no value beside an infinity.
        if np.isfinite(full).all():
            yield f"q{q}", np.percentile(full, float(q)) if len(full) else nan
    for level in LEVELS:
        width = nan
        if len(full) > 1 and np.isfinite(full).all():
            width = stats.t.isf((1 - float(level) / 100) / 2, len(full) - 1) * spread["sem"]
        yield f"ci{level}", width


def text(v):
    return "nan" if pd.isna(v) else repr(v.item() if hasattr(v, "item") else v)


with np.errstate(all="ignore"):
    rows = ["group,all,value"]
    truths = []
    for name, values in GROUPS.items():
        rows += [f"{name},a,{'' if pd.isna(v) else repr(v.item() if hasattr(v, 'item') else v)}" for v in values]
        truths += [f"{name}\t{word}\t{text(v)}" for word, v in results(values)]
(HERE / "aggregates.csv").write_text("\n".join(rows) + "\n")
(HERE / "aggregates.tsv").write_text("\n".join(truths) + "\n")
