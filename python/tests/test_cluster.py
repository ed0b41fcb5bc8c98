"""Arrays on a cluster of worker processes: the picture of the array in memory, with chunks computed once, also where a worker dies.

`GRIDSCOPE_CLUSTER=1` runs it, in the stage `engines` of `tests/run`.
"""

import os
import sys

import numpy as np
import pytest

import gridscope as gs

if not os.environ.get("GRIDSCOPE_CLUSTER"):
    pytest.skip("GRIDSCOPE_CLUSTER is not set", allow_module_level=True)

import cloudpickle
import dask.array as da
import distributed

# Workers cannot import this module.
cloudpickle.register_pickle_by_value(sys.modules[__name__])
pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


@pytest.fixture(scope="module")
def client():
    # Dead workers are replaced.
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def block(rows, columns):
    return np.random.default_rng(rows[0] + columns[0]).normal(size=(rows[1] - rows[0], columns[1] - columns[0]))


def array():
    return np.block([[block((r, r + 500), (c, c + 1000)) for c in (0, 1000)] for r in range(0, 3000, 500)])


def source(folder):
    """An array whose chunks leave a file each time they are computed."""

    def chunk(block_info=None):
        (rows, columns) = block_info[None]["array-location"]
        with open(f"{folder}/{rows[0]}-{columns[0]}", "a") as file:
            file.write("x")
        return block(rows, columns)

    return da.map_blocks(chunk, chunks=((500,) * 6, (1000,) * 2), dtype="f8", meta=np.zeros((0, 0)))


def computed(folder):
    return [len(p.read_text()) for p in folder.iterdir()]


@pytest.mark.parametrize("reduce", ["mean", "extreme"])
def test_the_cluster_draws_what_one_machine_draws(client, tmp_path, reduce):
    drawn = gs.heatmap(source(tmp_path), reduce=reduce).to_png()
    assert computed(tmp_path) == [1] * 12
    assert drawn == gs.heatmap(array(), reduce=reduce).to_png()
    folded = gs.fold(source(tmp_path), (30, 20), "max")
    np.testing.assert_array_equal(folded, gs.fold(array(), (30, 20), "max"))


def test_little_travels():
    plan = gs.FoldPlan((3000, 2000), (300, 200))
    part = plan.fold(array()[:500, :1000])
    # 50 x 100 pixels of at most 48 bytes, and the plan.
    assert len(part.to_bytes()) < 50 * 100 * 48 + 8192


def test_a_worker_that_dies_is_replaced(client, tmp_path):
    killed = tmp_path / "killed"

    def chunk(block_info=None):
        (rows, columns) = block_info[None]["array-location"]
        if rows[0] == 1500 and not killed.exists():
            killed.touch()
            os._exit(1)
        return block(rows, columns)

    given = da.map_blocks(chunk, chunks=((500,) * 6, (1000,) * 2), dtype="f8", meta=np.zeros((0, 0)))
    assert gs.heatmap(given, reduce="max").to_png() == gs.heatmap(array(), reduce="max").to_png()
    assert killed.exists()


def test_what_fails_on_a_worker_is_the_cause_of_the_error(client):
    def fail(chunk):
        raise RuntimeError("the disk of the worker is gone")

    given = da.zeros((3000, 2000), chunks=500).map_blocks(fail, dtype="f8", meta=np.zeros((0, 0)))
    with pytest.raises(gs.InputError, match="the disk of the worker is gone"):
        gs.heatmap(given).to_png()
