"""Times and sizes of SVG and PDF files beside matplotlib's, for the table in RESULTS.md.

    python benches/vector_files.py target/release/gridscope [GRID.npy]

Whole cold processes of gridscope and matplotlib in turn; medians of 7 and 3 runs (of a grid: 3 and 1). matplotlib runs
matplotlib_figures.py with the interpreter of this script.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = ["core_generalization", "short_to_long", "training_progress", "topics", "r1_llama"]


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def row(program, name, runs, peer_runs):
    with tempfile.TemporaryDirectory() as folder:
        cells = [name]
        for kind in ["png", "svg", "pdf"]:
            ours, theirs = pathlib.Path(folder, f"ours.{kind}"), pathlib.Path(folder, f"theirs.{kind}")
            source = name if name.endswith(".npy") else HERE.parent / "examples" / "figures" / f"{name}.toml"
            times, peers = [], []
            for run in range(runs):
                times.append(seconds([program, "render", source, "-q", "-o", ours]))
                if kind != "png" and run < peer_runs:
                    peers.append(seconds([sys.executable, HERE / "matplotlib_figures.py", name, theirs]))
            t = statistics.median(times)
            cells.append(f"{kind} {1e3 * t:.1f} ms, {ours.stat().st_size / 1e3:.1f} kB")
            if peers:
                p = statistics.median(peers)
                cells.append(f"matplotlib {1e3 * p:.0f} ms, {theirs.stat().st_size / 1e3:.1f} kB, ratio {t / p:.4f}")
        print(" | ".join(cells), flush=True)


for figure in FIGURES:
    row(sys.argv[1], figure, 7, 3)
for grid in sys.argv[2:]:
    row(sys.argv[1], grid, 3, 1)
