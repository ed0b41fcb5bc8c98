"""Draws the five figures, or a plain grid, with matplotlib, for the table of vector files in RESULTS.md.

    python benches/matplotlib_figures.py NAME OUT.svg|OUT.pdf     NAME: a figure of examples/figures, or a .npy file

Text stays text (svg.fonttype none, pdf.fonttype 42) and cells are drawn by imshow, as in a script written by hand.
"""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("svg" if sys.argv[2].endswith("svg") else "pdf")
matplotlib.rcParams.update({"svg.fonttype": "none", "pdf.fonttype": 42, "font.size": 8, "figure.dpi": 200})
import matplotlib.pyplot as plt
import numpy as np

FOLDER = pathlib.Path(__file__).parent.parent / "examples" / "figures"
AXES = {
    "core_generalization": ("length", "type", "accuracy", None),
    "short_to_long": ("length", "type", "accuracy", None),
    "training_progress": ("training_progress", "model_size", "accuracy", "benchmark"),
    "topics": ("model,method", "topic", "value", "metric"),
    "r1_llama": ("ratio", "window", "pass1", "dataset"),
}


def panels(name):
    x, y, value, panel = AXES[name]
    rows = list(csv.DictReader(open(FOLDER / (name + ".csv"), encoding="utf-8")))
    key = lambda row, names: " ".join(row[n] for n in names.split(","))
    unique = lambda names: list(dict.fromkeys(key(r, names) for r in rows))
    xs, ys = unique(x), unique(y)[:29]
    for p in unique(panel) if panel else [None]:
        grid = np.full((len(ys), len(xs)), np.nan)
        for r in rows:
            if (panel is None or r[panel] == p) and key(r, y) in ys:
                grid[ys.index(key(r, y)), xs.index(key(r, x))] = float(r[value])
        yield p, xs, ys, grid


def figure(name):
    made = list(panels(name))
    columns = {1: 1, 2: 2, 4: 2, 8: 4}[len(made)]
    shape = (len(made) // columns, columns)
    fig, axes = plt.subplots(*shape, figsize=(7.5, shape[0] * max(2.5, 0.14 * len(made[0][2]) + 2)), squeeze=False, layout="constrained")
    for ax, (title, xs, ys, grid) in zip(axes.flat, made):
        shown = ax.imshow(grid, aspect="auto", cmap="YlGnBu")
        ax.set_title(title)
        step = max(1, len(xs) // 12)
        ax.set_xticks(range(0, len(xs), step), xs[::step], rotation=90 if "," in AXES[name][0] else 0)
        ax.set_yticks(range(len(ys)), ys)
        if grid.size <= 200:
            low, high = np.nanmin(grid), np.nanmax(grid)
            for (r, c), v in np.ndenumerate(grid):
                if v == v:
                    ax.text(c, r, f"{v:.1f}", ha="center", va="center", color="w" if v > (low + high) / 2 else "k", fontsize=6)
    fig.colorbar(shown, ax=axes)
    return fig


def grid(path):
    fig, ax = plt.subplots(figsize=(6.5, 5), layout="constrained")
    fig.colorbar(ax.imshow(np.load(path, mmap_mode="r"), aspect="auto", cmap="viridis"))
    return fig


(grid(sys.argv[1]) if sys.argv[1].endswith(".npy") else figure(sys.argv[1])).savefig(sys.argv[2])
