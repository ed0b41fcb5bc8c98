"""Arrays of dask are folded where their chunks lie: each chunk is computed once, and the picture is that of the array in memory."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridscope as gs

da = pytest.importorskip("dask.array")
pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


class Counted:
    """An array of dask that counts how often a chunk is computed."""

    def __init__(self, array, chunks):
        self.computed = 0
        self.array = da.from_array(array, chunks=chunks).map_blocks(
            self.count, dtype=array.dtype, meta=np.empty((0,) * array.ndim, array.dtype)
        )

    def count(self, chunk):
        self.computed += 1
        return chunk


def numbers(kind, shape, seed=3):
    values = np.random.default_rng(seed).normal(size=shape) * 1000
    return values.astype(kind)


@pytest.mark.parametrize(
    ("kind", "reduce"), [("f8", "mean"), ("f4", "mean"), ("i2", "min"), ("i8", "max"), ("f4", "count"), ("f8", "extreme")]
)
def test_each_chunk_is_computed_once_and_the_picture_is_that_of_the_array(kind, reduce):
    array = numbers(kind, (1600, 1500))
    counted = Counted(array, (400, 700))
    figure = gs.heatmap(counted.array, reduce=reduce, dpi=60)
    assert figure.to_png() == gs.heatmap(array, reduce=reduce, dpi=60).to_png()
    assert counted.computed == 12
    # The fold is remembered.
    assert figure.to_png(metadata=False) and counted.computed == 12


def test_cells_without_a_value_need_no_second_pass():
    array = numbers("f8", (1600, 1500))
    array[200:900, 300:400] = np.nan
    counted = Counted(array, (500, 500))
    assert gs.heatmap(counted.array, dpi=60).to_png() == gs.heatmap(array, dpi=60).to_png()
    assert counted.computed == 12


@pytest.mark.parametrize(
    "options", [{"vmin": -1, "vmax": 1}, {"margin": "rows:mean"}, {"norm": "symlog:10"}, {"nodata": 0, "reduce": "count"}]
)
def test_options_that_need_every_cell_need_one_pass(options):
    array = numbers("i2", (1600, 1500))
    counted = Counted(array, (800, 1500))
    assert gs.heatmap(counted.array, dpi=60, **options).to_png() == (
        gs.heatmap(array, dpi=60, **options).to_png()
    )
    assert counted.computed == 2


@pytest.mark.parametrize("options", [{}, {"x": "y", "y": "x"}, {"transpose": True}])
@pytest.mark.parametrize("chunks", [{"t": 1, "y": 400, "x": 700}, {"t": 3, "y": 1500, "x": 100}])
def test_slices_in_any_orientation(chunks, options):
    xarray = pytest.importorskip("xarray")
    coords = {"y": np.linspace(60, -60, 1500), "x": np.arange(1600)}
    array = xarray.DataArray(numbers("f8", (3, 1500, 1600)), dims=("t", "y", "x"), coords=coords)
    given = {"slice": "t=1", "reduce": "max", "dpi": 60, **options}
    assert gs.heatmap(array.chunk(chunks), **given).to_png() == gs.heatmap(array, **given).to_png()


def test_masked_chunks_and_uneven_ones():
    array = np.ma.masked_less(numbers("f8", (1600, 1500)), -500)
    plain = np.ma.filled(array, np.nan)
    wanted = gs.heatmap(plain, reduce="min", dpi=60).to_png()
    for chunks in [(400, 700), ((1, 599, 1000), (1500,)), ((1600,), (1, 1498, 1))]:
        given = da.from_array(array, chunks=chunks)
        assert gs.heatmap(given, reduce="min", dpi=60).to_png() == wanted


def test_a_chunk_that_fails_is_the_cause_of_the_error():
    def fail(chunk):
        raise RuntimeError("the disk is gone")

    array = da.zeros((2000, 2000), chunks=500).map_blocks(fail, dtype="f8", meta=np.zeros((0, 0)))
    with pytest.raises(gs.InputError, match="the disk is gone") as raised:
        gs.heatmap(array).to_png()
    assert isinstance(raised.value.__cause__, RuntimeError)


@given(
    kind=st.sampled_from(["f8", "f4", "f2", "i1", "u2", "i4", "i8", "u8", "b1"]),
    rows=st.integers(1, 60),
    columns=st.integers(1, 60),
    pixels=st.tuples(st.integers(1, 20), st.integers(1, 20)),
    cut=st.tuples(st.integers(1, 60), st.integers(1, 60)),
    reduce=st.sampled_from(["mean", "min", "max", "extreme", "count"]),
    seed=st.integers(0, 2**32),
)
def test_parts_in_any_order_are_the_fold_of_the_array(kind, rows, columns, pixels, cut, reduce, seed):
    random = np.random.default_rng(seed)
    array = (random.normal(size=(rows, columns)) * 50).astype(kind)
    if array.dtype.kind == "f":
        array[random.random((rows, columns)) < 0.1] = np.nan
    plan = pickle.loads(pickle.dumps(gs.FoldPlan(array.shape, pixels)))
    parts = [
        plan.fold(array[r : r + cut[0], c : c + cut[1]], r, c)
        for r in range(0, rows, cut[0])
        for c in range(0, columns, cut[1])
    ]
    random.shuffle(parts)
    while len(parts) > 1:
        taken = [parts.pop() for _ in range(min(len(parts), 3))]
        parts.append(gs.Summary.from_bytes(taken[0].merge(*taken[1:]).to_bytes()))
    center = 3.0 if reduce == "extreme" else None
    wanted = gs.fold(array, pixels, reduce, center=center)
    found = parts[0].values(reduce, center=center)
    assert found.dtype == wanted.dtype
    if reduce == "mean":
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-9)
    else:
        np.testing.assert_array_equal(found, wanted)
    dask = gs.fold(da.from_array(array, chunks=cut), pixels, reduce, center=center)
    np.testing.assert_array_equal(dask, found) if reduce != "mean" else np.testing.assert_allclose(dask, found)
    stats, values = parts[0].stats(), array[~np.isnan(array)] if array.dtype.kind == "f" else array
    assert stats["count"] == values.size
    if values.size:
        assert (stats["min"], stats["max"]) == (values.min(), values.max())


def test_what_does_not_fit_is_refused():
    array = np.arange(16.0).reshape(4, 4)
    plan = gs.FoldPlan((4, 4), (2, 2))
    part = plan.fold(array[:2])
    for wrong, words in [
        (lambda: part.values(), "8 of 16 cells"),
        (lambda: part.merge(part).merge(part), "twice"),
        (lambda: part.merge(gs.FoldPlan((4, 4), (1, 1)).fold(array[2:], 2)), "different passes"),
        (lambda: part.merge(plan.fold(array[2:].astype("i8"), 2)), "different types"),
        (lambda: plan.fold(array, 1), "1:5"),
        (lambda: plan.fold(array[0]), "dimensions"),
        (lambda: gs.FoldPlan((0, 4), (1, 1)), "no pixels"),
        (lambda: gs.FoldPlan((4, 4), (1, 70_000)), "65535"),
        (lambda: gs.Summary.from_bytes(b"nonsense"), "no bytes of a Summary"),
        (lambda: gs.Summary.from_bytes(part.to_bytes()[:-1]), "damaged"),
        (lambda: part.merge(plan.fold(array[2:], 2)).values("median"), "reduction"),
        (lambda: gs.fold(da.ones((9, 9), chunks=3, dtype="c16"), (2, 2)), "no numbers"),
        (lambda: gs.fold(da.ones((9, 9), chunks=3)[da.ones(9, chunks=3) > 0], (2, 2)), "unknown sizes"),
    ]:
        with pytest.raises(gs.InputError, match=words):
            wrong()
