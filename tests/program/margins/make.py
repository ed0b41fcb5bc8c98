"""Writes table.csv and truth.json: what numpy says of each row and column of a table with empty cells, infinities, huge numbers,
one row without any value and one with a single one."""

import json
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent
rng = np.random.default_rng(20)
rows, columns = 9, 13
a = np.round(rng.normal(3.0, 40.0, (rows, columns)), 6)
a[rng.random((rows, columns)) < 0.15] = np.nan
a[3] = np.nan
a[4] = np.nan
a[4, 7] = -2.5
a[5] = 7.25
a[6] *= 1e-12
a[7, 2], a[7, 5] = 1e150, -3e149
a[8, 1] = np.inf


def number(v):
    v = float(v)
    return None if np.isnan(v) else ("inf" if v > 0 else "-inf") if np.isinf(v) else v


def truth(lines):
    out = {"mean": [], "min": [], "max": [], "sum": [], "count": [], "std": []}
    for line in lines:
        v = line[~np.isnan(line)]
        nan = np.nan
        with np.errstate(all="ignore"):
            out["mean"].append(number(v.mean() if len(v) else nan))
            out["min"].append(number(v.min() if len(v) else nan))
            out["max"].append(number(v.max() if len(v) else nan))
            out["sum"].append(number(v.sum() if len(v) else nan))
            out["count"].append(len(v))
            out["std"].append(number(v.std(ddof=1) if len(v) > 1 else nan))
    return out


text = [",".join(["row"] + [f"c{c}" for c in range(columns)])]
for r in range(rows):
    cells = ["" if np.isnan(v) else repr(float(v)) for v in a[r]]
    text.append(",".join([f"r{r}"] + cells))
(here / "table.csv").write_text("\n".join(text) + "\n")
(here / "truth.json").write_text(json.dumps({"rows": truth(a), "columns": truth(a.T)}, indent=1) + "\n")
