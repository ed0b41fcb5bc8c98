"""Memory: arrays and streams are released, and a thousand figures take no more than a few."""

import gc
import os
import sys
import weakref

import numpy as np
import pandas as pd
import pytest

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")

# The small form; GRIDSCOPE_CASES=1000 draws a thousand.
FIGURES = max(200, int(os.environ.get("GRIDSCOPE_CASES", "0")))


def rss():
    """Memory of this process in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def freed(reference):
    gc.collect()
    return reference() is None


def test_references_to_an_array_are_released():
    array = np.zeros((10, 10))
    before = sys.getrefcount(array)
    figure = gs.heatmap(array)
    grids = figure.grids
    figure.to_png()
    copies = [figure.with_(cmap="magma", vmax=i + 1) for i in range(5)]
    del figure, grids, copies
    gc.collect()
    assert sys.getrefcount(array) == before
    gs.fold(array, (2, 2))
    assert sys.getrefcount(array) == before


def test_errors_release_what_they_met():
    array = np.zeros((10, 10))
    before = sys.getrefcount(array)
    for keywords in ({"cmap": "no map"}, {"vmin": "x"}, {"where": "a > 3"}):
        with pytest.raises(gs.GridscopeError):
            gs.heatmap(array, **keywords).to_png()
    gc.collect()
    assert sys.getrefcount(array) == before


def test_grids_outlive_their_figure():
    figure = gs.heatmap(np.arange(6.0).reshape(2, 3))
    (grid,) = figure.grids
    del figure
    gc.collect()
    np.testing.assert_array_equal(grid.values, [[0, 1, 2], [3, 4, 5]])


def test_frames_and_tables_are_released():
    pyarrow = pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"x": [1, 2], "y": [1, 1], "v": [0.5, 1]})
    figure = gs.heatmap(frame, x="x", y="y", value="v")
    alive = weakref.ref(frame)
    del frame, figure
    assert freed(alive)
    before = pyarrow.total_allocated_bytes()
    for _ in range(20):
        table = pyarrow.table(
            {"x": np.arange(1000), "y": np.arange(1000) % 3, "v": np.random.default_rng(0).random(1000)}
        )
        gs.heatmap(table, x="x", y="y", value="v").grids
    del table
    gc.collect()
    assert pyarrow.total_allocated_bytes() == before


def test_a_stream_that_is_never_read_is_released():
    pyarrow = pytest.importorskip("pyarrow")
    before = pyarrow.total_allocated_bytes()
    with pytest.raises(gs.GridscopeError):
        gs.heatmap(pyarrow.table({"x": np.arange(1000)}), x="no", y="such", value="column")
    gc.collect()
    assert pyarrow.total_allocated_bytes() == before


def test_axes_of_matplotlib_release_their_array():
    import matplotlib.pyplot as plt

    array = np.zeros((50, 50))
    figure, ax = plt.subplots()
    gs.mpl.gridshow(array, ax)
    figure.canvas.draw()
    plt.close(figure)
    alive = weakref.ref(array)
    del array, figure, ax
    assert freed(alive)


def test_many_figures_do_not_grow():
    array = np.random.default_rng(1).random((300, 300))
    frame = pd.DataFrame(
        {"x": np.arange(400) % 20, "y": np.arange(400) // 20, "v": np.random.default_rng(2).random(400)}
    )

    def one(i):
        gs.heatmap(array, vmax=1 + i, width="500px", height="400px").to_png()
        gs.heatmap(frame, x="x", y="y", value="v", width="500px", height="400px").to_numpy()
        gs.fold(array, (10, 10), "max")

    def growth(figures):
        before = rss()
        for i in range(figures):
            one(i)
        gc.collect()
        return rss() - before

    growth(20)
    # What is leaked grows each time; what an allocator holds back does not.
    assert min(growth(FIGURES // 2) for _ in range(3)) < 12e6


def test_a_large_array_is_not_copied():
    import subprocess

    # A process of its own, so that its peak is that of this figure.
    code = """
import resource, numpy as np, gridscope as gs
gs.set_threads(2)
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
gs.heatmap(np.zeros((50, 50)), allow=["flat-panel"]).to_png()
array = np.ones((5000, 5000), dtype="f4")
array[::7, ::3] = 0
before = peak()
gs.heatmap(array, reduce="max").to_png()
print(peak() - before)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # The array has 100 MB.
    assert int(done.stdout) < 60e6
