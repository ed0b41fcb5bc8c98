"""Writes two sweeps and what numpy and scipy say of them.

    python tests/rules/truths/findings.py

writes findings.csv (table, lr, dropout, seed, acc) and findings.json beside this file. In the table `flat` dropout makes no
difference; in `missing` some cells have no row, one row, or no value.
"""

import json
import pathlib

import numpy as np
import pandas as pd
from scipy import stats

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(20240612)
LR, DROPOUT = ["1e-05", "0.0001", "0.001", "0.01"], ["0.0", "0.1", "0.3"]
rows = []
for table in ("flat", "missing"):
    for i, lr in enumerate(LR):
        for j, dropout in enumerate(DROPOUT):
            n = 3 if table == "flat" else rng.integers(0, 5)
            middle = 70 + 6 * i - 2 * i**2 + (0 if table == "flat" else -3 * j)
            for seed in range(n):
                acc = middle + rng.normal(0, 1.5)
                rows.append((table, lr, dropout, seed, "" if table == "missing" and rng.random() < 0.1 else repr(float(acc))))
data = pd.DataFrame(rows, columns=["table", "lr", "dropout", "seed", "acc"])
data.to_csv(HERE / "findings.csv", index=False)


def t(df):
    return float(stats.t.isf(0.025, df))


def truth(frame, better):
    frame = frame.assign(acc=pd.to_numeric(frame.acc, errors="coerce"))
    groups = frame.groupby(["dropout", "lr"]).acc
    mean, n, var = groups.mean(), groups.count(), groups.var()
    ranked = mean.dropna().sort_values(ascending=better == "lower")
    (best, next_), out = ranked.index[:2], {}
    out["best"] = {"at": list(best), "value": ranked.iloc[0], "n": int(n[best])}
    out["gap"] = abs(ranked.iloc[0] - ranked.iloc[1])
    out["runner_up"] = list(next_)
    if min(n[best], n[next_]) > 1:
        a, b = var[best] / n[best], var[next_] / n[next_]
        df = (a + b) ** 2 / (a**2 / (n[best] - 1) + b**2 / (n[next_] - 1))
        out["noise"] = t(df) * (a + b) ** 0.5
        out["best"]["ci95"] = t(n[best] - 1) * a**0.5
    out["near"] = int((abs(ranked - ranked.iloc[0]) <= 0.01 * (ranked.max() - ranked.min())).sum())
    wide = mean.unstack("lr").reindex(index=DROPOUT, columns=LR)
    counts = n.unstack("lr").reindex(index=DROPOUT, columns=LR)
    sign = 1 if better == "higher" else -1
    for key, means, missing in (
        ("rows", wide.mean(axis=1), wide.isna().sum(axis=1)),
        ("columns", wide.mean(axis=0), wide.isna().sum(axis=0)),
    ):
        at = (sign * means).idxmax()
        out[key] = {"best": at, "mean": means[at]}
        if missing.max() > 0:
            out[key]["missing"] = [missing.idxmax(), int(missing.max())]
    several = n > 1
    df = float((n[several] - 1).sum())
    pooled = float((var[several] * (n[several] - 1)).sum() / df)
    for key, k in (("rows", counts), ("columns", counts.T)):
        of_line = k.loc[out[key]["best"]]
        of_line = of_line[of_line > 0]
        out[key]["ci95"] = t(df) * (pooled / of_line).sum() ** 0.5 / len(of_line)
    for key, grid, k in (("rows", wide, counts), ("columns", wide.T, counts.T)):
        full = grid.dropna(axis=1)
        if full.shape[1]:
            means = full.mean(axis=1)
            errors = (pooled / k[full.columns]).sum(axis=1) / full.shape[1] ** 2
            low, high = means.idxmin(), means.idxmax()
            out[key]["range"] = means[high] - means[low]
            out[key]["noise"] = t(df) * (errors[low] + errors[high]) ** 0.5
    return out


truths = {
    f"{table} {better}": truth(data[data.table == table], better)
    for table in ("flat", "missing")
    for better in ("higher", "lower")
}
(HERE / "findings.json").write_text(json.dumps(truths, indent=1, default=float) + "\n")
