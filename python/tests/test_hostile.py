"""Values, objects and places that nobody means well: errors are those of the package, values are right or refused."""

import contextlib
import copy
import datetime
import io
import os
import pickle
import stat
import threading
import warnings

import matplotlib.colors as mcolors
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readback import only

import gridscope as gs
from gridscope._options import AllOptions

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


class Lying(list):
    """A list that says another length."""

    def __len__(self):
        return 3


class Subclass(np.ndarray):
    """An array that lies about its elements."""

    itemsize = 10**9
    nbytes = 10**12


class Junk:
    """Gives something else wherever it is asked."""

    def __init__(self, given):
        self.given = given

    def __array__(self, dtype=None, copy=None):
        return self.given

    def __arrow_c_stream__(self, requested_schema=None):
        return self.given


HOSTILE = [
    "", "x", "\ud800", "a" * 100_000, b"x", -1, 0, 10**40, 10**5000, True, float("nan"), float("inf"), 1e300, 1 + 2j, [], [1], [[1]],
    {}, {"a": 1}, {1: None}, object(), lambda: 1, np.array(5), np.zeros((3, 3)), np.float32(0.1), np.str_("x"), pd.NA, pd.NaT,
    datetime.date(2024, 1, 1), slice(1, 2), range(3), (1, 2), None, mcolors.Normalize(0, 1), mcolors.Colormap("abstract"),
]  # fmt: skip


@pytest.mark.parametrize("keyword", sorted(AllOptions.__annotations__))
def test_only_errors_of_the_package_come_out_of_a_keyword(keyword):
    table = {"x": [1, 2, 1, 2], "y": [1, 1, 2, 2], "v": [1.0, 2.0, 3.0, 4.0]}
    for value in HOSTILE:
        for data, names in (([[1, 2], [3, 4]], {}), (table, {"x": "x", "y": "y", "value": "v"})):
            try:
                gs.heatmap(data, **{**names, keyword: value})
            except gs.GridscopeError as error:
                assert not isinstance(error, gs.InternalError), (keyword, value)
                assert str(error)
            except MemoryError:
                pass


DATA = [
    3, np.array(3.0), [[10**400]], [[1], [1, 2]], [], {}, {"a": 1}, {"a": [1], "b": [1, 2]}, {1: [1.0], "1": [2.0]}, object(), "nowhere.csv",
    b"x", memoryview(b"abc"), iter([1]), np.zeros((0, 3)), np.zeros((2, 2), dtype="M8[s]"), np.array([["a"]]), np.array([[object()]]),
    np.zeros((2, 2), dtype=complex), pd.Series(["a", "b"]), pd.Series(["a"], dtype="category"), pd.DataFrame(), pd.DataFrame({"a": []}),
    pd.Series([1.0, 2.0], index=pd.MultiIndex.from_tuples([(1, 2), (3, 4)], names=["l", "l"])),
    Junk(3), Junk("x"), Junk(None), Junk(object()), [["\ud800"]], {"\ud800": [1.0], "b": [1]},
    {"a": Lying([1, 2, 3, 4, 5]), "b": [1, 2, 3], "c": [1, 2, 3]}, {"a": {"b": {"c": {}}}},
]  # fmt: skip


@pytest.mark.parametrize("data", DATA, ids=lambda d: type(d).__name__)
@pytest.mark.parametrize("names", [{}, {"x": "a", "y": "b", "value": "c"}])
def test_only_errors_of_the_package_come_out_of_data(data, names):
    try:
        figure = gs.heatmap(data, **names)
        figure.to_svg()
    except gs.GridscopeError as error:
        assert not isinstance(error, gs.InternalError) and str(error)


@pytest.mark.parametrize(
    "call",
    [
        lambda: gs.fold(np.ones((3, 3)), (2, 2), view=5),
        lambda: gs.fold(np.ones((3, 3)), (2, 2), center="x"),
        lambda: gs.fold(np.ones((3, 3)), (2**32, 1)),
        lambda: gs.fold(Junk(None), (1, 1)),
        lambda: gs.compare([[1]], [[1]], better=5),
        lambda: gs.Figure.from_file(None),
        lambda: gs.heatmap([[1]], progress=5),
        lambda: gs.heatmap([[1]]).save(b"a.png", format="png"),
        lambda: gs.heatmap([[1]]).save("a\0.png"),
        lambda: gs.heatmap([[1]]).save("a.png", format=5),
        lambda: gs.mpl.gridshow([[1]], 5),
    ],
)
def test_only_errors_of_the_package_come_out_of_other_functions(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(gs.GridscopeError) as refused:
        call()
    assert not isinstance(refused.value, gs.InternalError)


def test_what_would_not_fit_into_memory_is_refused():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(gs.LimitError):
        gs.fold(np.ones((3, 3)), (60_000, 60_000))
    with pytest.raises(gs.LimitError):
        gs.heatmap(sparse.coo_matrix(([1.0], ([5], [5])), (2 * 10**9, 2 * 10**9)))


def test_subclasses_of_arrays_are_read_as_arrays():
    np.testing.assert_array_equal(only(gs.heatmap(np.arange(4.0).reshape(2, 2).view(Subclass))).values, [[0, 1], [2, 3]])


def test_integers_of_all_kinds_are_exact():
    big = 2**53 + 1
    for frame in (
        pd.DataFrame({"a": pd.array([1], "Int64"), "b": pd.array([2**63], "UInt64")}),
        pd.DataFrame({"a": [big], "b": [True]}),
        pd.DataFrame({"a": np.array([big], dtype=object), "b": [1]}),
        pd.DataFrame({"a": np.array([2**64 - 1], dtype="u8"), "b": np.array([1], dtype="i8")}),
    ):
        assert only(gs.heatmap(frame)).values.tolist() == [[int(frame[name].iloc[0]) for name in frame]]


def test_columns_of_long_frames_are_those_that_are_named():
    n = 100_001
    text = np.where(np.arange(n) % 2, "q", "p").astype(object)
    frame = pd.DataFrame({"k": text, 'a"b': text, "x": np.arange(n) % 3, "v": 1.0})
    for name in ("column 1", 'a"b', "k"):
        grid = only(gs.heatmap(frame, x=name, y="x", value="v", agg="sum"))
        assert grid.columns.labels == ["p", "q"] and grid.values.sum() == n


def test_masked_chunks_have_no_value():
    dask = pytest.importorskip("dask.array")
    array = dask.ma.masked_greater(dask.from_array(np.array([[1.0, 99.0], [5.0, 7.0]]), chunks=1), 6)
    np.testing.assert_array_equal(only(gs.heatmap(array)).values, [[1, np.nan], [5, np.nan]])


def test_arrays_of_arrow_with_nulls_and_decimals():
    pa = pytest.importorskip("pyarrow")
    import decimal

    for array, wanted in (
        (pa.array([1.5, None]), [1.5, np.nan]),
        (pa.array([1, None, 3]), [1, np.nan, 3]),
        (pa.array([True, False]), [1, 0]),
        (pa.array([decimal.Decimal("1.5")]), [1.5]),
        (pa.chunked_array([[1, 2], [3]]), [1, 2, 3]),
    ):
        np.testing.assert_array_equal(only(gs.heatmap(array)).values, [wanted])
    with pytest.raises(gs.InputError):
        gs.heatmap(pa.array(["a"]))


def test_columns_without_a_type_are_no_hindrance():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"x": [1], "y": [1], "v": [2.0], "note": [None]}).with_columns(big=pl.lit(5).cast(pl.Int128))
    assert only(gs.heatmap(frame, x="x", y="y", value="v")).values.tolist() == [[2]]
    assert only(gs.heatmap(frame, x="x", y="y", value="big")).values.tolist() == [[5]]


def test_a_stream_that_is_spent_says_so():
    pa = pytest.importorskip("pyarrow")
    figure = gs.heatmap(pa.table({"x": [1, 2], "y": [1, 1], "v": [1, 2]}).to_reader(), x="x", y="y", value="v")
    assert figure.with_(cmap="magma").to_png()
    with pytest.raises(gs.InputError, match="read once"):
        figure.with_(agg="max", x_order="data", where="v > 1")


def test_warnings_travel_between_processes():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gs.heatmap([[1, np.nan]]).to_png()
    one = next(w for w in caught if isinstance(w.message, gs.LintWarning))
    for again in (pickle.loads(pickle.dumps(one.message)), copy.copy(one.message)):
        assert (again.name, again.count, str(again)) == (one.message.name, 1, str(one.message))


# Places.


def test_links_stay_links_and_devices_devices(tmp_path):
    figure = gs.heatmap([[1]])
    target, link = tmp_path / "target.png", tmp_path / "link.png"
    target.write_bytes(b"old")
    link.symlink_to(target)
    figure.save(link)
    assert link.is_symlink() and target.read_bytes().startswith(b"\x89PNG")
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    figure.save(pipe)
    reader.join(20)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and read[0].startswith(b"\x89PNG")
    with pytest.raises(gs.OutputError):
        figure.save("/dev/full", format="png")
    ends = os.pipe()
    reader = threading.Thread(target=lambda: read.append(os.read(ends[0], 8)))
    reader.start()
    with contextlib.suppress(gs.OutputError):
        # The reader leaves after a few bytes.
        figure.save(f"/dev/fd/{ends[1]}", format="png")
    reader.join(20)
    assert read[1] == b"\x89PNG\r\n\x1a\n"
    os.close(ends[0]), os.close(ends[1])


class Slow(io.RawIOBase):
    """A file that takes ten bytes at a time."""

    def __init__(self):
        self.taken = b""

    def writable(self):
        return True

    def write(self, data):
        self.taken += bytes(data[:10])
        return min(10, len(data))


def test_files_that_are_open_get_all_or_an_error(tmp_path):
    figure = gs.heatmap([[1]])
    slow = Slow()
    figure.save(slow, format="png")
    assert slow.taken == figure.to_png()
    with open(tmp_path / "a.png", "wb") as file:
        figure.save(file, format="png")
    assert (tmp_path / "a.png").read_bytes() == slow.taken
    closed = io.BytesIO()
    closed.close()
    for wrong in (closed, io.StringIO()):
        with pytest.raises(gs.OutputError):
            figure.save(wrong, format="png")
    first = io.BytesIO()
    with pytest.raises(gs.OutputError):
        figure.save(first, tmp_path / "nowhere" / "b.png", format="png")
    assert not first.getvalue()


# Changed copies.

CHANGES = st.one_of(
    st.tuples(st.just("cmap"), st.sampled_from([None, "magma", mcolors.ListedColormap(["red", "blue"]).with_extremes(under="lime", bad="pink")])),
    st.tuples(st.just("norm"), st.sampled_from([None, "linear", mcolors.Normalize(-2, 2), mcolors.TwoSlopeNorm(1, 0, 5), mcolors.LogNorm()])),
    st.tuples(st.just("annot_kws"), st.sampled_from([None, {"size": 9}])),
    st.tuples(st.just("cbar_kws"), st.sampled_from([None, {"label": "L"}, {"orientation": "horizontal"}])),
    st.tuples(st.just("set"), st.sampled_from([None, {"color.under": "red"}])),
    st.tuples(st.sampled_from(["lw", "linewidths", "linewidth"]), st.sampled_from([None, 1, 2])),
    st.tuples(st.just("title"), st.sampled_from([None, "T", "U"])),
    st.tuples(st.just("annot"), st.sampled_from([None, True, False])),
)


@given(st.lists(CHANGES, min_size=1, max_size=6))
def test_steps_give_the_figure_of_all_keywords_at_once(changes):
    figure, last = gs.heatmap([[1.0, 2.0], [3.0, 4.0]]), {}
    for keyword, value in changes:
        figure = figure.with_(**{keyword: value})
        key = "linewidths" if keyword in ("lw", "linewidth") else keyword
        last.pop(key, None)
        if value is not None:
            last[key] = value
    assert figure.to_toml() == gs.heatmap([[1.0, 2.0], [3.0, 4.0]], **last).to_toml()


def test_an_array_beside_the_values_is_not_taken_back_silently():
    figure = gs.heatmap([[1, 2]], mask=np.array([[True, False]]), xticklabels=["a", "b"])
    for keyword in ("mask", "xticklabels"):
        with pytest.raises(gs.UnsupportedError):
            figure.with_(**{keyword: None})
    assert figure.with_(title="T").grids[0].columns.labels == ["a", "b"]


def test_norms_that_clip_have_no_colours_beyond_their_limits():
    cmap = mcolors.ListedColormap(["red", "blue"]).with_extremes(under="lime", over="black")
    values = np.array([[0.0, 3.0, 9.0]])
    for clip in (False, True):
        pixels = gs.heatmap(values, cmap=cmap, norm=mcolors.Normalize(2, 4, clip=clip)).to_numpy(bare=True)
        wanted = cmap(mcolors.Normalize(2, 4, clip=clip)(values), bytes=True)[0]
        assert pixels[0].tolist() == wanted.tolist(), clip


def test_one_call_that_ends_leaves_others_of_the_same_figure_alone():
    dask = pytest.importorskip("dask.array")
    begun, ended = threading.Event(), threading.Event()

    def slow(block):
        begun.set()
        # A call that takes this long reports its progress; the other calls are quick.
        ended.wait(0.1)
        return block

    def fails(text, fraction):
        ended.set()
        raise KeyError("enough")

    outcome = []
    try:
        # More than may be held, so that each draw reads again.
        gs.set_memory("4M")
        array = dask.from_array(np.arange(2.0**20).reshape(1024, 1024), chunks=256).map_blocks(slow, dtype=float)
        figure = gs.heatmap(array)
        other = threading.Thread(target=lambda: outcome.append(figure.to_png()))
        other.start()
        assert begun.wait(300)
        with pytest.raises(KeyError, match="enough"):
            figure._data.draw("{}", "png", progress=fails)
        other.join(300)
        assert outcome and outcome[0].startswith(b"\x89PNG")
        assert figure.to_png() == outcome[0], "a call that was given up ends no later one"
    finally:
        gs.set_memory(None)


def test_what_is_read_once_and_what_changes_later_is_kept():
    table = {"x": [1, 2, 3], "y": [1, 1, 1], "v": [1, 2, 3]}
    names = {"x": "x", "y": "y", "value": "v"}
    labels = only(gs.heatmap(table, **names, x_order=reversed([1, 2, 3])).with_(title="T")).columns.labels
    assert labels == only(gs.heatmap(table, **names).with_(x_order=reversed([1, 2, 3]))).columns.labels == ["3", "2", "1"]
    words = {"label": "L"}
    figure = gs.heatmap([[1]], cbar_kws=words)
    words["label"] = "changed"
    assert "changed" not in figure.with_(title="T").to_toml()
    frame = {"x": [1, 2], "y": [1, 1], "v": [1, 2], "fam": ["a", "b"]}
    assert gs.heatmap(frame, **names, strip="x:fam").with_(strip_cmap="tab10").to_png()
