"""Writes `truth.json`: differences, and the p values that scipy has for them. Needs numpy and scipy 1.17."""

import json
import pathlib
import warnings

import numpy as np
from scipy import stats

warnings.simplefilter("ignore")
rng = np.random.default_rng(5)
cases = [[0.0, 0.0, 0.0], [0.1], [0.25, 0.25], [1.0, -1.0], [0.5, 0.5, 0.5, 0.0]]
for n in [2, 3, 5, 8, 12, 13, 14, 20, 50, 51]:
    cases.append(np.round(rng.normal(0.4, 1, n), 3).tolist())
    cases.append(np.round(rng.normal(0.3, 1, n), 1).tolist())
cases += [(rng.integers(-3, 5, n) / 2).tolist() for n in [6, 13, 14, 30]]


def number(p):
    return None if np.isnan(p) else float(p)


# Pairs that are all equal have 1, whatever scipy's formulas give.
rows = [
    [d, 1.0, 1.0] if not any(d) else [d, number(stats.wilcoxon(d).pvalue), number(stats.ttest_1samp(d, 0).pvalue)]
    for d in cases
]
path = pathlib.Path(__file__).parent / "truth.json"
path.write_text(json.dumps(rows, separators=(",", ":")) + "\n", encoding="utf-8")
