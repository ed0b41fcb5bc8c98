#!/usr/bin/env python3
"""Writes truths.json: orders of rows by pandas, and clusterings by scipy (missing values: scikit-learn, pandas).

Run from any folder: python3 tests/order/truths.py
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics.pairwise import nan_euclidean_distances

rng = np.random.default_rng(16)
LINKAGES = ["average", "complete", "ward", "single", "weighted"]
METRICS = ["euclidean", "correlation", "cosine", "cityblock"]


def plain(table):
    return [[None if np.isnan(v) else float(v) for v in row] for row in table]


def condensed(table, metric):
    """Distances of all pairs; over what both have where values are missing."""
    if not np.isnan(table).any():
        return pdist(table, metric)
    if metric == "euclidean":
        return squareform(nan_euclidean_distances(table), checks=False)
    if metric == "correlation":
        return squareform(1 - pd.DataFrame(table.T).corr().to_numpy(), checks=False)
    out = []
    for i in range(len(table)):
        for j in range(i + 1, len(table)):
            both = ~np.isnan(table[i]) & ~np.isnan(table[j])
            share = table.shape[1] / both.sum() if metric == "cityblock" else 1
            out.append(share * pdist(table[[i, j]][:, both], metric)[0])
    return np.array(out)


def least_sum(z, distances):
    """The least sum of the distances of neighbouring leaves, by all ends of each cluster.

    scipy's optimal_leaf_ordering (1.17) leaves some of these trees with a larger one.
    """
    n = len(z) + 1
    ends = {i: {(i, i): 0.0} for i in range(n)}
    for k, (a, b) in enumerate(z[:, :2].astype(int)):
        of = {}
        for first, second in ((ends[a], ends[b]), (ends[b], ends[a])):
            for (p, q), s in first.items():
                for (r, w), t in second.items():
                    of[p, w] = min(of.get((p, w), np.inf), s + t + distances[q, r])
        ends[n + k] = of
    return float(min(ends[2 * n - 2].values()))


def cut(v, holes):
    v = v.copy()
    v[rng.random(v.shape) < holes] = np.nan
    return v


tables = {
    "random": np.round(rng.normal(size=(14, 9)), 3),
    "offset": np.round(rng.normal(size=(9, 20)) + 100, 3),
    "holes": cut(np.round(rng.normal(size=(12, 10)), 3), 0.2),
    "two rows": np.round(rng.normal(size=(2, 3)), 3),
    "one column": np.round(rng.normal(size=(11, 1)), 3),
    "wide range": np.round(rng.normal(size=(8, 5)), 3) * 10.0 ** rng.integers(-3, 4, size=(8, 1)),
}
clusterings = []
for name, table in tables.items():
    for metric in METRICS:
        if name == "one column" and metric in ("correlation", "cosine"):
            continue
        d = condensed(table, metric)
        for linkage in LINKAGES:
            if linkage == "ward" and metric != "euclidean":
                continue
            z = hierarchy.linkage(d, linkage)
            clusterings.append(
                {
                    "table": name,
                    "metric": metric,
                    "linkage": linkage,
                    "heights": z[:, 2].tolist(),
                    "leaves": hierarchy.leaves_list(z).tolist(),
                    "sum": least_sum(z, squareform(d, checks=False)),
                }
            )

# Quarters have exact sums, so that ties are ties.
sorted_table = cut(np.round(4 * rng.normal(size=(15, 4))) / 4, 0.35)
sorted_table[3] = np.nan
sorted_table[7] = [1, np.nan, np.nan, np.nan]
sorted_table[9] = sorted_table[1]
frame = pd.DataFrame(sorted_table)
sorts = {}
for word in ["mean", "median", "min", "max", "sum", "std", "count"]:
    key = getattr(frame, word)(axis=1)
    key[frame.isna().all(axis=1)] = np.nan
    for ascending in [True, False]:
        order = key.sort_values(ascending=ascending, kind="stable", na_position="last").index
        sorts[word if ascending else f"{word}:desc"] = order.tolist()
order = frame[2].sort_values(ascending=False, kind="stable", na_position="last").index
sorts["2:desc"] = order.tolist()

truths = {
    "tables": {name: plain(table) for name, table in tables.items()},
    "clusterings": clusterings,
    "sorted": plain(sorted_table),
    "sorts": sorts,
}
Path(__file__).with_name("truths.json").write_text(json.dumps(truths) + "\n")
