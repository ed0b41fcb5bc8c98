"""The answers of the chapter "Twelve questions" as pandas and seaborn give them, to compare pictures and code.

    python peers.py FOLDER     # needs pandas, seaborn and scipy; writes a PNG for each question
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from scipy import stats


def search():
    t = pd.read_csv("search.csv")
    edges = np.logspace(np.log10(t.lr.min()), np.log10(t.lr.max()), 13)
    t["lr bin"] = pd.cut(t.lr, edges, include_lowest=True)
    t["dropout bin"] = pd.cut(t.dropout, 10)
    g = t.pivot_table(index="dropout bin", columns="lr bin", values="accuracy", aggfunc="mean", observed=False)
    sns.heatmap(g.iloc[::-1], annot=True, fmt=".1f", annot_kws={"size": 6})


def methods():
    t = pd.read_csv("methods.csv")
    wide = t.pivot_table(index=["task", "budget", "seed"], columns="method", values="score").reset_index()
    wide["gain"] = wide.B - wide.A
    g = wide.pivot_table(index="task", columns="budget", values="gain")
    p = wide.groupby(["task", "budget"]).apply(lambda d: stats.wilcoxon(d.B, d.A).pvalue).unstack()
    text = g.map(lambda v: f"{v:+.1f}") + p.map(lambda v: "***" if v < 0.001 else "**" if v < 0.01 else "*" if v < 0.05 else "")
    sns.heatmap(g, annot=text, fmt="", center=0, cmap="RdBu_r")


def topics():
    t = pd.read_csv("topics.csv")
    g = t.pivot_table(index="topic", columns="model", values="score")
    kinds = t.drop_duplicates("topic").set_index("topic").kind
    colors = kinds.map(dict(zip(kinds.unique(), sns.color_palette())))
    sns.clustermap(g, row_colors=colors, z_score=1, metric="correlation", cmap="vlag", center=0)


def certainty():
    t = pd.read_csv("methods.csv").query("method == 'B'")
    g = t.groupby(["task", "budget"]).score.agg(["mean", "std", "count"])
    g["ci"] = stats.t.ppf(0.975, g["count"] - 1) * g["std"] / np.sqrt(g["count"])
    text = g.apply(lambda r: f"{r['mean']:.1f} ± {r.ci:.1f}", axis=1).unstack()
    sns.heatmap(g["mean"].unstack(), annot=text, fmt="")


def requests():
    t = pd.read_csv("requests.csv", parse_dates=["time"])
    g = pd.crosstab(t.time.dt.day_name(), t.time.dt.hour)
    g = g.reindex(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"])
    sns.heatmap(g)


def digits():
    t = pd.read_csv("digits.csv")
    sns.heatmap(pd.crosstab(t.true, t.predicted, normalize="index"), annot=True, fmt=".0%")


def effects():
    t = pd.read_csv("effects.csv")
    g, p = (t.pivot(index="change", columns="measure", values=v) for v in ("effect", "p"))
    text = g.map("{:.1f}".format) + p.map(lambda v: "*" if v < 0.05 else "")
    sns.heatmap(g, annot=text, fmt="", center=0, cmap="RdBu_r")


def scaling():
    t = pd.read_csv("scaling.csv")
    order = ["70m", "160m", "410m", "1b", "1.4b", "2.8b", "6.9b", "12b"]
    g = t.pivot(index="parameters", columns="tokens_bn", values="accuracy").loc[order]
    axes = sns.heatmap(g)
    axes.contour(np.arange(7) + 0.5, np.arange(8) + 0.5, g.values, levels=[0.5, 0.8], colors="white")


def releases():
    a, b = (pd.read_csv(f"release_{i}.csv").pivot(index="suite", columns="language", values="pass_rate") for i in (1, 2))
    _, axes = plt.subplots(1, 3, figsize=(13, 5), sharey=True)
    for ax, g in zip(axes, (a, b)):
        sns.heatmap(g, ax=ax, vmin=70, vmax=100)
    sns.heatmap(b - a, ax=axes[2], center=0, cmap="RdBu_r", annot=True, fmt="+.1f")


def optimizers():
    t = pd.read_csv("optimizers.csv")
    g = sns.FacetGrid(t, row="optimizer", col="dataset", margin_titles=True)
    g.map_dataframe(lambda data, color: sns.heatmap(data.pivot(index="depth", columns="width", values="loss"), vmin=0.3, vmax=1.5, cbar=False))


def genes():
    t = pd.read_csv("genes.csv")
    g = t.pivot(index="gene", columns="sample", values="expression")
    top = g.loc[g.std(axis=1).sort_values(ascending=False).index[:40]]
    kinds = t.drop_duplicates("sample").set_index("sample").kind
    colors = kinds.map(dict(zip(kinds.unique(), sns.color_palette())))
    sns.clustermap(top, z_score=0, col_colors=colors, cmap="RdBu_r", center=0)


if __name__ == "__main__":
    for draw in (search, methods, topics, certainty, requests, digits, effects, scaling, releases, optimizers, genes):
        plt.close("all")
        draw()
        plt.savefig(f"{sys.argv[1]}/{draw.__name__}.png", dpi=100, bbox_inches="tight")
