"""Times the Python package beside seaborn, matplotlib, numpy with Pillow, and polars, in ratios of one run.

    python benches/python.py [CASE]... [--rounds 5] [--side 10000] [--rows 10000000]

Needs an environment with the package built for release (`pip install ./python`), seaborn, polars, pyarrow and Pillow. Each
measurement is a new process, which imports everything before its clock starts; programs take turns; times are medians.
`memory` is the growth of the process's peak beyond the inputs in MB.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

EXAMPLE = os.path.join(os.path.dirname(__file__), "..", "examples", "figures", "r1_llama.csv")

# What each process runs: preparations, and what is timed.
PANDAS = "import pandas as pd\nsweep = pd.read_csv(EXAMPLE)"
SEABORN = "import io, matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt, seaborn as sns"
GRID = "import numpy as np\ncells = np.random.default_rng(1).random((60, 60)) * 100"
ARRAY = "import numpy as np\narray = np.random.default_rng(1).random((SIDE, SIDE), dtype='f4')"
TABLE = """
import numpy as np, polars as pl
r = np.random.default_rng(1)
lr = np.round(np.logspace(-5, -1, 100), 9)[r.integers(0, 100, ROWS)]
model = np.array([f"model-{i}" for i in range(100)])[r.integers(0, 100, ROWS)]
frame = pl.DataFrame({"lr": lr, "model": model, "loss": r.normal(2, 0.5, ROWS)})
"""
DRAW = """
figure = plt.figure(figsize=(8, 6), dpi=100)
ax = figure.add_subplot()
image = {draw}
figure.canvas.draw()
"""

# Case: {program: (preparation, timed)}, and the ratio to reach for the first over the second.
CASES = {
    "first-figure": (
        1 / 20,
        {
            "gridscope": (
                f"{PANDAS}\nimport gridscope as gs",
                "gs.heatmap(sweep, x='ratio', y='window', value='pass1', panel='dataset', columns=2, vmin=24, vmax=48).to_png()",
            ),
            "seaborn": (
                f"{PANDAS}\n{SEABORN}",
                """
figure, axes = plt.subplots(2, 2, figsize=(6.5, 5), dpi=200, layout="constrained")
for ax, (name, rows) in zip(axes.flat, sweep.groupby("dataset", sort=False)):
    grid = rows.pivot(index="window", columns="ratio", values="pass1")
    sns.heatmap(grid, vmin=24, vmax=48, annot=True, fmt=".1f", ax=ax).set_title(name)
figure.savefig(io.BytesIO(), format="png")
""",
            ),
        },
    ),
    "3600-annotations": (
        1 / 40,
        {
            "gridscope": (
                f"{GRID}\nimport gridscope as gs",
                "gs.heatmap(cells, annot=True, fmt='.0f', width='20in', height='18in', dpi=100).to_png()",
            ),
            "seaborn": (
                f"{GRID}\n{SEABORN}",
                """
figure, ax = plt.subplots(figsize=(20, 18), dpi=100)
sns.heatmap(cells, annot=True, fmt=".0f", ax=ax)
figure.savefig(io.BytesIO(), format="png")
""",
            ),
        },
    ),
    "large-array": (
        0.3,
        {
            "gridscope": (
                f"{ARRAY}\nimport gridscope as gs",
                "gs.heatmap(array, width='1000px', height='1000px').to_png(bare=True)",
            ),
            "numpy and Pillow": (
                f"{ARRAY}\nimport io, matplotlib\nfrom PIL import Image\nlut = (matplotlib.colormaps['viridis'](range(256)) * 255).astype('u1')",
                """
k = SIDE // 1000
means = array.reshape(1000, k, 1000, k).mean(axis=(1, 3))
low, high = array.min(), array.max()
pixels = lut[np.clip((means - low) / (high - low) * 256, 0, 255).astype("u1")]
Image.fromarray(pixels).save(io.BytesIO(), format="png")
""",
            ),
        },
    ),
    "redraw": (
        1 / 10,
        {
            "gridshow": (
                f"{ARRAY}\n{SEABORN}\nimport gridscope as gs{DRAW.format(draw='gs.mpl.gridshow(array, ax)')}",
                "figure.canvas.draw()",
            ),
            "imshow": (f"{ARRAY}\n{SEABORN}{DRAW.format(draw='ax.imshow(array)')}", "figure.canvas.draw()"),
        },
    ),
    "polars-table": (
        1.2,
        {
            "gridscope": (
                f"{TABLE}\nimport gridscope as gs",
                "gs.heatmap(frame, x='lr', y='model', value='loss', agg='mean').grids",
            ),
            "polars": (TABLE, "frame.group_by('lr', 'model').agg(pl.col('loss').mean())"),
        },
    ),
    "pyarrow-table": (
        1.2,
        {
            "gridscope": (
                f"{TABLE}\nimport gridscope as gs\ntable = frame.to_arrow()",
                "gs.heatmap(table, x='lr', y='model', value='loss', agg='mean').grids",
            ),
            "polars": (TABLE, "frame.group_by('lr', 'model').agg(pl.col('loss').mean())"),
        },
    ),
    # In milliseconds, and nothing to compare with but the interpreter's own start.
    "import": (None, {"gridscope": ("", "import gridscope"), "json": ("", "import json, decimal")}),
}

PROCESS = """
import json, resource, sys, time, warnings
warnings.simplefilter("ignore")
prepared, timed, names = json.loads(sys.stdin.read())
space = dict(names)
exec(prepared, space)
code = compile(timed, "timed", "exec")
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before = peak()
start = time.perf_counter()
exec(code, space)
print(json.dumps([time.perf_counter() - start, peak() - before]))
"""


def measure(prepared, timed, names):
    text = json.dumps([prepared, timed, names])
    done = subprocess.run([sys.executable, "-c", PROCESS], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--side", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=10_000_000)
    args = parser.parse_args()
    names = {"EXAMPLE": os.path.abspath(EXAMPLE), "SIDE": args.side, "ROWS": args.rows}
    for case in args.cases or CASES:
        goal, programs = CASES[case]
        found = {program: [] for program in programs}
        for _ in range(args.rounds):
            for program, (prepared, timed) in programs.items():
                found[program].append(measure(prepared, timed, names))
        times = {program: statistics.median(t for t, _ in runs) for program, runs in found.items()}
        texts = [f"{p} {times[p] * 1000:.1f} ms, {max(m for _, m in runs):.0f} MB" for p, runs in found.items()]
        ours, peer = times.values()
        ratios = sorted(a[0] / b[0] for a, b in zip(*found.values()))
        line = f"{case}: {'; '.join(texts)}"
        if goal is not None:
            line += f"; ratio {ours / peer:.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f}), goal {goal:.3f}"
        print(line, flush=True)


main()
