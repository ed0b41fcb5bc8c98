"""Arrays: every type, stride and byte order arrives as it is, without a copy, and lives as long as needed."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import TYPES, make
from readback import only, texts

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


@given(
    kind=st.sampled_from(TYPES),
    rows=st.integers(1, 12),
    columns=st.integers(1, 12),
    order=st.sampled_from("CF"),
    swapped=st.booleans(),
    step=st.integers(1, 3),
    negative=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_values_arrive_as_they_are(kind, rows, columns, order, swapped, step, negative, seed):
    array = make(kind, rows, columns, seed, order, swapped, step, negative)
    values_agree(array)


@pytest.mark.parametrize("kind", TYPES)
def test_each_type(kind):
    values_agree(make(kind, 5, 7, 11))


def values_agree(array):
    grid = only(gs.heatmap(array))
    assert grid.values.shape == array.shape
    if array.dtype.kind == "f":
        np.testing.assert_array_equal(grid.values.astype("f8"), array.astype("f8"))
        np.testing.assert_array_equal(grid.states == 1, np.isnan(array))
    else:
        # 64-bit integers are exact.
        assert [[int(v) for v in row] for row in grid.values] == [[int(v) for v in row] for row in array]


def test_an_array_is_drawn_where_it_is():
    array = np.zeros((50, 50))
    figure = gs.heatmap(array, vmin=0, vmax=1)
    assert np.shares_memory(array, array) and figure.to_png()
    view = np.lib.stride_tricks.as_strided(np.array([[3.0]]), (1000, 1000), (0, 0))
    assert only(gs.heatmap(view)).values[999, 999] == 3


def test_a_figure_outlives_the_name_of_its_array():
    array = np.random.default_rng(1).random((40, 40))
    wanted = gs.heatmap(array).to_png(metadata=False)
    figure = gs.heatmap(array)
    alive = weakref.ref(array)
    del array
    gc.collect()
    assert alive() is not None
    assert figure.to_png(metadata=False) == wanted
    changed = figure.with_(cmap="magma")
    del figure
    gc.collect()
    assert changed.to_png() and alive() is not None
    del changed
    gc.collect()
    assert alive() is None


def test_an_array_in_use_by_a_figure_cannot_be_resized():
    array = np.zeros((4, 4))
    figure = gs.heatmap(array)
    with pytest.raises(ValueError, match="resize|reference"):
        array.resize((400, 400))
    del figure


def test_a_memory_map_stays_in_its_file(tmp_path):
    path = tmp_path / "map.dat"
    array = np.memmap(path, "f4", "w+", shape=(600, 700))
    array[:] = np.arange(600 * 700).reshape(600, 700)
    array.flush()
    again = np.memmap(path, "f4", "r", shape=(600, 700))
    np.testing.assert_array_equal(only(gs.heatmap(again)).values, again)
    assert gs.heatmap(again, reduce="max").to_png()
    assert gs.heatmap(np.load(_saved(tmp_path, again), mmap_mode="r")).to_png()


def _saved(folder, array):
    np.save(folder / "a.npy", array)
    return folder / "a.npy"


def test_read_only_arrays_and_buffers():
    array = np.arange(6.0).reshape(2, 3)
    array.flags.writeable = False
    np.testing.assert_array_equal(only(gs.heatmap(array)).values, array)
    np.testing.assert_array_equal(only(gs.heatmap(memoryview(array))).values, array)


def test_masked_arrays():
    array = np.ma.masked_equal(np.arange(6).reshape(2, 3), 4)
    grid = only(gs.heatmap(array))
    np.testing.assert_array_equal(grid.states == 3, array.mask)


def test_more_dimensions_by_slice_and_panel():
    array = np.arange(2 * 3 * 4.0).reshape(2, 3, 4)
    grids = gs.heatmap(array, panel="axis:0").grids
    assert len(grids) == 2
    np.testing.assert_array_equal(grids[1].values, array[1])
    np.testing.assert_array_equal(only(gs.heatmap(array, slice={0: 1})).values, array[1])


def test_several_arrays_are_panels():
    grids = gs.heatmap({"one": np.zeros((2, 2)), "two": np.ones((3, 2))}).grids
    assert [g.name for g in grids] == ["one", "two"]
    assert grids[1].values.shape == (3, 2)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((2, 2), complex),
        np.zeros((2, 2), "M8[s]"),
        np.zeros((2, 2), "m8[s]"),
        np.array([["a", "b"]]),
        np.zeros((0, 3)),
        np.zeros((3, 0)),
        np.float64(3),
        np.zeros((2, 2), dtype=[("a", "f4")]),
    ],
    ids=lambda a: f"{a.dtype}{a.shape}",
)
def test_what_is_no_grid_is_refused_by_name(array):
    with pytest.raises(gs.InputError) as refused:
        gs.heatmap(array)
    assert len(str(refused.value)) > 10


class OnDevice:
    """An array of another library, seen through DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Converts:
    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.array, dtype=dtype)


class Interface:
    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__
        self.array = array


@pytest.mark.parametrize("wrapper", [OnDevice, Converts, Interface])
def test_arrays_of_other_libraries(wrapper):
    array = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(only(gs.heatmap(wrapper(array))).values, array)


def test_torch():
    torch = pytest.importorskip("torch")
    tensor = torch.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(only(gs.heatmap(tensor)).values, tensor.numpy())
    np.testing.assert_array_equal(only(gs.heatmap(tensor.T[::2].requires_grad_())).values, tensor.T[::2].numpy())
    stored = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], [1.0, 2.0, 3.0], (2, 3), check_invariants=True)
    for sparse in (stored, stored.coalesce().to_sparse_csr()):
        grid = only(gs.heatmap(sparse))
        assert grid.states.tolist() == [[2, 2, 0], [0, 2, 2]] and grid.values[1, 0] == 5
    with pytest.raises(gs.InputError):
        gs.heatmap(torch.empty(2, 2, device="meta"))


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("family", ["array", "matrix"])
def test_sparse_cells_stay_absent(kind, family):
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.array([[0, 1.5, 0], [2, 0, 0]])
    found = only(gs.heatmap(getattr(sparse, f"{kind}_{family}")(dense)))
    if kind not in ("bsr", "dia"):  # these store zeros of their blocks and diagonals
        np.testing.assert_array_equal(found.states == 2, dense == 0)
    np.testing.assert_array_equal(found.values[dense != 0], dense[dense != 0])


def test_explicit_zeros_and_repeated_entries_of_sparse_arrays():
    sparse = pytest.importorskip("scipy.sparse")
    rows, columns, values = [0, 0, 1], [1, 1, 0], [1.0, 2.0, 0.0]
    grid = only(gs.heatmap(sparse.coo_array((values, (rows, columns)), shape=(2, 2))))
    assert grid.values[0, 1] == 3
    assert grid.values[1, 0] == 0 and grid.states[1, 0] == 0
    assert grid.states[0, 0] == 2


def test_cells_that_are_not_stored_are_a_plain_ground():
    sparse = pytest.importorskip("scipy.sparse")
    array = sparse.coo_array(([1.0], ([1], [1])), shape=(4, 4))
    assert not gs.heatmap(array).lints
    assert gs.heatmap(array, deny="absent").lints and gs.heatmap(array, allow=[]).lints
    assert gs.heatmap(array).to_numpy(bare=True)[0, 0].tolist() == [240, 240, 240, 255]


def test_a_huge_sparse_array_is_not_made_dense():
    sparse = pytest.importorskip("scipy.sparse")
    array = sparse.coo_array(([1.0, 2.0], ([0, 9_999], [5, 9_998])), shape=(10_000, 10_000))
    assert gs.heatmap(array, reduce="max", width="800px", height="600px").to_png()


def test_chunked_arrays_are_read_in_windows():
    dask = pytest.importorskip("dask.array")
    array = np.random.default_rng(2).random((300, 200))
    np.testing.assert_array_equal(only(gs.heatmap(dask.from_array(array, chunks=(64, 64)))).values, array)


def test_zarr_arrays(tmp_path):
    zarr = pytest.importorskip("zarr")
    array = np.random.default_rng(2).random((300, 200)).astype("f4")
    stored = zarr.create_array(str(tmp_path / "a.zarr"), shape=array.shape, dtype="f4", chunks=(64, 50))
    stored[:] = array
    np.testing.assert_array_equal(only(gs.heatmap(stored)).values, array)


def test_an_error_in_a_window_is_the_callers_error():
    dask = pytest.importorskip("dask.array")

    def fail(block):
        raise RuntimeError("the disk is on fire")

    array = dask.zeros((10, 10), chunks=5).map_blocks(fail, dtype="f8", meta=np.zeros((0, 0)))
    with pytest.raises(Exception, match="on fire"):
        gs.heatmap(array).to_png()


def test_xarray_has_its_dimensions_units_and_names():
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray(
        np.arange(6.0).reshape(2, 3),
        dims=("lat", "lon"),
        coords={"lat": ("lat", [10.0, 20.0], {"units": "degrees_north", "long_name": "Latitude"}), "lon": [1, 2, 4]},
        name="t2m",
        attrs={"long_name": "Temperature", "units": "K"},
    )
    figure = gs.heatmap(array)
    grid = only(figure)
    np.testing.assert_array_equal(grid.values, array.values)
    np.testing.assert_array_equal(grid.rows.coordinates, [10, 20])
    np.testing.assert_array_equal(grid.columns.coordinates, [1, 2, 4])
    shown = " ".join(texts(figure))
    for word in ("Latitude", "lon", "Temperature", "K"):
        assert word in shown


def test_falling_coordinates_and_datasets():
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray([[1, 2], [3, 4]], dims=("y", "x"), coords={"y": [20.0, 10.0], "x": [0.5, 1.5]})
    grid = only(gs.heatmap(array))
    where = {
        (y, x): grid.values[i, j]
        for i, y in enumerate(grid.rows.coordinates)
        for j, x in enumerate(grid.columns.coordinates)
    }
    assert where == {(20.0, 0.5): 1, (20.0, 1.5): 2, (10.0, 0.5): 3, (10.0, 1.5): 4}
    data = xarray.Dataset({"a": array, "b": array * 10})
    assert [g.name for g in gs.heatmap(data).grids] == ["a", "b"]
    assert only(gs.heatmap(data, value="b")).values[0, 0] in (10, 30)


def test_xarray_times_and_three_dimensions():
    xarray = pytest.importorskip("xarray")
    times = np.array(["2024-01-01", "2024-01-02", "2024-01-04"], "M8[ns]")
    array = xarray.DataArray(np.arange(24.0).reshape(2, 3, 4), dims=("run", "time", "site"), coords={"time": times})
    grids = gs.heatmap(array, panel="run").grids
    assert len(grids) == 2
    np.testing.assert_array_equal(grids[1].values, array.values[1])
