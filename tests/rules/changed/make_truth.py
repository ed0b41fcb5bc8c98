"""Writes `truth.json`: random and hostile tables, what is asked of them, and what pandas makes of them.

Each case has tidy tables (`data`, and `base` where a file is the baseline) and the expected cells as
[row, column, value]; `nan` is a cell without a value. Run again, it writes the same bytes. Needs numpy and pandas.
"""

import json
import pathlib

import numpy as np
import pandas as pd

rng = np.random.default_rng(16)
cases = []


def frame(rows, columns, kind):
    values = rng.normal(size=(rows, columns))
    if kind == "counts":
        values = rng.integers(0, 50, (rows, columns)).astype(float)
    if kind == "wide":
        values = values * 10.0 ** rng.integers(-300, 300, (rows, columns))
    if kind == "huge":
        values = np.abs(values) * 1e307
    if kind == "hostile":
        values = rng.choice([0.0, 1.0, -2.0, 1e300, -1e300, 5e-324, np.inf, -np.inf], (rows, columns))
    holes = rng.random((rows, columns)) < 0.15
    values[holes] = np.nan
    index = [f"r{i}" for i in rng.permutation(rows + 2)[:rows]]
    names = [str(c) for c in sorted(rng.permutation(columns + 2)[:columns].tolist())]
    return pd.DataFrame(values, index=index, columns=names)


def tidy(f):
    lines = ["y,x,v"]
    for y in f.index:
        for x in f.columns:
            if not np.isnan(f.loc[y, x]):
                lines.append(f"{y},{x},{float(f.loc[y, x])!r}")
    return "\n".join(lines) + "\n"


def text(v):
    return "nan" if np.isnan(v) else repr(float(v))


def case(keys, f, wanted, base=None):
    cells = [[y, x, text(wanted.loc[y, x])] for y in wanted.index for x in wanted.columns]
    cases.append({"keys": keys, "data": tidy(f), "base": None if base is None else tidy(base), "cells": cells})


def scaled(f):
    """The same values times a power of two, so that sums and squares stay in range."""
    most = np.nanmax(np.abs(f.to_numpy()), initial=0.0)
    if most > 1e306 and np.isfinite(most):
        return f * 0.5**1000
    return f * 0.5**60 if most == 1e300 else f


def spoiled(f, result, axis):
    """Lines that hold an infinity have no values."""
    bad = np.isinf(f).any(axis=axis)
    return result.mask(np.broadcast_to(bad.to_numpy().reshape((-1, 1) if axis == 1 else (1, -1)), result.shape))


with np.errstate(all="ignore"):
    for kind in ["plain", "counts", "huge", "hostile"]:
        for rows, columns in [(3, 4), (1, 5)]:
            f = frame(rows, columns, kind)
            g = scaled(f)
            share = g.div(g.sum(axis=1, min_count=1), axis=0).replace([np.inf, -np.inf], np.nan)
            case({"normalize": "row"}, f, spoiled(f, share, 1))
            share = g.div(g.sum(axis=0, min_count=1), axis=1).replace([np.inf, -np.inf], np.nan)
            case({"normalize": "column"}, f, spoiled(f, share, 0))
            if kind != "hostile":
                case({"normalize": "all"}, f, g / np.nansum(g.to_numpy()))
                z = g.sub(g.mean(axis=1), axis=0).div(g.std(axis=1), axis=0)
                case({"z_score": "row"}, f, z)
                case({"z_score": "column"}, f, (g - g.mean()) / g.std())
    for kind in ["plain", "counts", "wide", "hostile"]:
        for _ in range(2):
            f, b = frame(4, 3, kind), frame(3, 4, kind)
            case({"minus": "file:base.csv"}, f, f - b, b)
            case({"ratio": "file:base.csv"}, f, f / b, b)
            case({"percent": "file:base.csv"}, f, (f / b - 1) * 100, b)
            row = f.index[0]
            case({"minus": f"y={row}"}, f, f.sub(f.loc[row], axis=1))
            column = f.columns[-1]
            case({"ratio": f"x={column}"}, f, f.div(f[column], axis=0))

path = pathlib.Path(__file__).parent / "truth.json"
path.write_text(json.dumps(cases, separators=(",", ":"), ensure_ascii=False) + "\n", encoding="utf-8")
