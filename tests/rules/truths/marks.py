"""Writes the truths of conditions on cells: a table with replicates, and the cells that pandas finds for each condition.

    python tests/rules/truths/marks.py

writes marks.csv (x, y, value, p, a<b) and marks.tsv (condition, cells as y/x) beside this file. A cell without a value
meets no condition, and neither does NaN.
"""

import operator
import pathlib

import numpy as np
import pandas as pd

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(7)
rows = []
for i, x in enumerate([0.1, 0.2, 0.3, 1.5, 2.5]):
    for j, y in enumerate(["a", "b", "c, d", "e"]):
        for k in range(int(rng.integers(0, 6))):
            value = float(np.round(rng.normal(0.5, 0.3), 2))
            value = [value, np.nan, np.inf, -np.inf, 1e300, 0.5, 0.5][int(rng.choice(7, p=[0.5, 0.1, 0.05, 0.05, 0.05, 0.15, 0.1]))]
            p = [float(np.round(rng.random() ** 3, 4)), np.nan, 0.05][int(rng.choice(3, p=[0.7, 0.1, 0.2]))]
            rows.append((x, y, value, p, float(rng.integers(-3, 4))))
table = pd.DataFrame(rows, columns=["x", "y", "value", "p", "a<b"])
table.to_csv(HERE / "marks.csv", index=False, na_rep="nan")
groups = table.groupby(["y", "x"], sort=False)
QUANTITIES = {
    "value": groups["value"].mean(),
    "n": groups["value"].count(),
    "max": groups["value"].max(),
    "std": groups["value"].std(),
    "p": groups["p"].mean(),
    "min(p)": groups["p"].min(),
    "count(p)": groups["p"].count(),
    '"a<b"': groups["a<b"].mean(),
    "sum(a<b)": groups["a<b"].sum(),
}
SIGNS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
NUMBERS = {"value": [0.5, 1e300], "n": [1, 2], "max": [0.5], "std": [0.1], "p": [0.05, 0.3], "min(p)": [0.05], "count(p)": [1], '"a<b"': [0, -1], "sum(a<b)": [0]}
has_value = ~QUANTITIES["value"].isna()
with open(HERE / "marks.tsv", "w") as out:
    for name, numbers in QUANTITIES.items():
        for number in NUMBERS[name]:
            for sign, holds in SIGNS.items():
                met = holds(numbers, number) & has_value & ~numbers.isna()
                cells = sorted(f"{y}/{x:g}" for (y, x) in met[met].index)
                out.write(f"{name} {sign} {number:g}\t{';'.join(cells)}\n")
