"""`gridscope.fold` beside numpy, for each reduction, type, stride and byte order."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import TYPES, make

import gridscope as gs

REDUCTIONS = ["mean", "min", "max", "extreme", "count"]


def spans(cells, pixels, view=None):
    """The cells under each pixel, by the rule of the book."""
    if view is None:
        if cells > pixels:
            return [(i * cells // pixels, (i + 1) * cells // pixels) for i in range(pixels)]
        return [((2 * i + 1) * cells // (2 * pixels),) * 2 for i in range(pixels)]
    start, step = view[0], (view[1] - view[0]) / pixels
    edge = lambda v: min(max(math.floor(v), 0), cells)
    if step > 1:
        return [(edge(start + i * step), edge(start + (i + 1) * step)) for i in range(pixels)]
    return [(math.floor(start + (i + 0.5) * step),) * 2 for i in range(pixels)]


def reference(array, shape, reduce, view=None, center=None):
    """The reduction by numpy, and NaN where a pixel has no value."""
    rows = spans(array.shape[0], shape[0], view and view[:2])
    columns = spans(array.shape[1], shape[1], view and view[2:])
    out = np.empty(shape, dtype=object)
    for i, (r0, r1) in enumerate(rows):
        for j, (c0, c1) in enumerate(columns):
            cells = array[r0 : max(r1, r0 + 1), c0 : max(c1, c0 + 1)]
            values = np.ma.compressed(np.ma.masked_invalid(cells) if array.dtype.kind == "f" else np.ma.asarray(cells))
            if reduce == "count":
                out[i, j] = values.size
            elif values.size == 0:
                out[i, j] = math.nan
            elif reduce == "mean":
                out[i, j] = math.fsum(values.tolist()) / values.size
            elif reduce == "extreme":
                low, high = values.min().item(), values.max().item()
                out[i, j] = low if center - low > high - center else high
            else:
                out[i, j] = getattr(values, reduce)().item()
    return out


@given(
    kind=st.sampled_from(TYPES),
    rows=st.integers(1, 40),
    columns=st.integers(1, 40),
    shape=st.tuples(st.integers(1, 12), st.integers(1, 12)),
    reduce=st.sampled_from(REDUCTIONS),
    order=st.sampled_from("CF"),
    swapped=st.booleans(),
    step=st.integers(1, 3),
    negative=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_every_type_and_layout_agrees_with_numpy(
    kind, rows, columns, shape, reduce, order, swapped, step, negative, seed
):
    array = make(kind, rows, columns, seed, order, swapped, step, negative)
    agrees(array, shape, reduce)


@pytest.mark.parametrize("reduce", REDUCTIONS)
@pytest.mark.parametrize("kind", TYPES)
def test_each_reduction_of_each_type(kind, reduce):
    agrees(make(kind, 31, 17, 3), (7, 5), reduce)


def agrees(array, shape, reduce, view=None):
    center = 0.25 if reduce == "extreme" else None
    got = gs.fold(array, shape, reduce, view=view, center=center)
    wanted = reference(array, shape, reduce, view, center)
    assert got.shape == shape
    if reduce == "mean":
        scale = np.nanmax(np.abs(array.astype(float)), initial=0.0)
        np.testing.assert_allclose(got, wanted.astype(float), rtol=1e-9, atol=1e-12 * scale)
        assert got.dtype == np.float64
    elif got.dtype.kind in "iu":
        # 64-bit integers are exact, beyond 2**53 too.
        assert [[int(v) for v in row] for row in got] == [[int(v) for v in row] for row in wanted]
    else:
        np.testing.assert_array_equal(got.astype(float), wanted.astype(float))
    if reduce in ("min", "max", "extreme") and not np.isnan(got.astype(float)).any():
        assert got.dtype == array.dtype.newbyteorder("=")


@given(
    rows=st.integers(1, 30),
    columns=st.integers(1, 30),
    shape=st.tuples(st.integers(1, 8), st.integers(1, 8)),
    reduce=st.sampled_from(REDUCTIONS),
    ends=st.tuples(*[st.floats(0, 1)] * 4),
    seed=st.integers(0, 2**32),
)
def test_a_part_agrees_with_numpy(rows, columns, shape, reduce, ends, seed):
    array = make("f8", rows, columns, seed)
    view = []
    for cells, (a, b) in ((rows, sorted(ends[:2])), (columns, sorted(ends[2:]))):
        start = a * (cells - 0.5)
        view += [start, max(start + 0.25, b * cells)]
    agrees(array, shape, reduce, tuple(view))


def test_each_cell_is_counted_once():
    assert gs.fold(np.zeros((1003, 997)), (10, 13), "count").sum() == 1003 * 997


def test_infinities_are_values():
    array = np.array([[1.0, np.inf, -np.inf, np.nan]])
    assert gs.fold(array, (1, 1), "max")[0, 0] == np.inf
    assert gs.fold(array, (1, 1), "min")[0, 0] == -np.inf
    assert gs.fold(array, (1, 1), "count")[0, 0] == 3
    assert gs.fold(array[:, :2], (1, 1))[0, 0] == np.inf


def test_means_of_large_numbers_do_not_overflow():
    assert gs.fold(np.full((4, 4), 1e308), (1, 1))[0, 0] == 1e308


def test_masked_cells_take_no_part():
    array = np.ma.MaskedArray(np.arange(16).reshape(4, 4), np.arange(16).reshape(4, 4) % 2 == 1)
    np.testing.assert_array_equal(gs.fold(array, (1, 2), "max"), [[12, 14]])
    np.testing.assert_array_equal(gs.fold(array, (4, 4), "count"), ~array.mask)
    assert np.isnan(gs.fold(array, (4, 4), "min")[0, 1])


def test_lists_and_data_frames_are_arrays():
    import pandas as pd

    np.testing.assert_array_equal(gs.fold([[1, 2], [3, 4]], (1, 1)), [[2.5]])
    np.testing.assert_array_equal(gs.fold(np.array([[1, None], [3, 5]], dtype=object), (1, 2)), [[2, 5]])
    np.testing.assert_array_equal(gs.fold(np.ones((2, 2), np.longdouble), (1, 1)), [[1]])
    frame = pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": pd.array([3, 5], dtype="Int64")})
    np.testing.assert_array_equal(gs.fold(frame, (1, 2)), [[1, 4]])


def test_results_are_the_callers():
    result = gs.fold(np.zeros((4, 4)), (2, 2))
    result[0, 0] = 3
    assert result.flags.writeable


@pytest.mark.parametrize(
    ("array", "shape", "keywords", "place"),
    [
        (np.zeros(3), (1, 1), {}, "array"),
        (np.zeros((2, 2, 2)), (1, 1), {}, "array"),
        (np.zeros((0, 3)), (1, 1), {}, "array"),
        (np.zeros((2, 2), complex), (1, 1), {}, "array"),
        (np.zeros((2, 2), "M8[s]"), (1, 1), {}, "array"),
        (np.array([["a", "b"]]), (1, 1), {}, "array"),
        (np.zeros((2, 2)), (0, 1), {}, "shape"),
        (np.zeros((2, 2)), (1,), {}, "shape"),
        (np.zeros((2, 2)), 3, {}, "shape"),
        (np.zeros((2, 2)), (1, 1), {"reduce": "median"}, "reduce"),
        (np.zeros((2, 2)), (1, 1), {"view": (0, 1)}, "view"),
        (np.zeros((2, 2)), (1, 1), {"view": (1, 1, 0, 2)}, "view"),
        (np.zeros((2, 2)), (1, 1), {"view": (0, math.nan, 0, 2)}, "view"),
    ],
)
def test_what_cannot_be_folded_is_refused_by_name(array, shape, keywords, place):
    with pytest.raises(gs.InputError) as refused:
        gs.fold(array, shape, **keywords)
    assert refused.value.place == place
    assert isinstance(refused.value, ValueError)
