"""Tables: each source of Arrow streams, pandas' indices, categories and nullable types; aggregates as pandas has them."""

import re
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readback import only, svg

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


def arrow(frame):
    import pyarrow

    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def reader(frame):
    table = arrow(frame)
    return table.to_reader(max_chunksize=7)


def batch(frame):
    return arrow(frame).combine_chunks().to_batches()[0]


def polars(frame):
    return pytest.importorskip("polars").from_pandas(frame)


def duckdb(frame):
    return pytest.importorskip("duckdb").from_arrow(arrow(frame))


def columns(frame):
    return {name: frame[name].tolist() for name in frame}


def records(frame):
    return frame.to_dict("records")


def arrays(frame):
    return {name: frame[name].to_numpy() for name in frame}


def test_levels_that_are_numbers_come_back_as_numbers():
    index = pd.MultiIndex.from_product([[1e-05, 0.5, 2.0], ["a", "b"]], names=["lr", "model"])
    columns = pd.MultiIndex.from_product([[1, 10], [0.1]], names=["n", "p"])
    frame = pd.DataFrame(np.arange(12.0).reshape(6, 2), index=index, columns=columns)
    pd.testing.assert_frame_equal(only(gs.heatmap(frame)).to_pandas(), frame)


SOURCES = [lambda frame: frame, arrow, reader, batch, polars, duckdb, columns, records, arrays]


@pytest.mark.parametrize("source", SOURCES, ids=lambda f: f.__name__.strip("<>"))
def test_each_source_gives_the_same_panels(sweep, source):
    figure = gs.heatmap(source(sweep), x="ratio", y="window", value="pass1", panel="dataset")
    grids = figure.grids
    assert [g.name for g in grids] == list(sweep["dataset"].unique())
    for grid in grids:
        wanted = sweep[sweep.dataset == grid.name].pivot(index="window", columns="ratio", values="pass1")
        np.testing.assert_array_equal(grid.values, wanted.values)
        assert grid.rows.labels == [str(w) for w in wanted.index]
        assert (grid.rows.name, grid.columns.name) == ("window", "ratio")


def test_the_accessor_is_the_function(sweep):
    picture = sweep.gs.heatmap(x="ratio", y="window", value="pass1", panel="dataset").to_png(metadata=False)
    assert picture == gs.heatmap(sweep, x="ratio", y="window", value="pass1", panel="dataset").to_png(metadata=False)


def test_figures_are_those_of_the_program(sweep, tmp_path):
    """A table in memory and its file draw the same bytes."""
    path = tmp_path / "sweep.csv"
    sweep.to_csv(path, index=False)
    keywords = {"x": "ratio", "y": "window", "value": "pass1", "panel": "dataset"}
    assert gs.heatmap(sweep, **keywords).to_png(metadata=False) == gs.read(path, **keywords).to_png(metadata=False)


@given(
    rows=st.integers(1, 60),
    xs=st.integers(1, 6),
    ys=st.integers(1, 6),
    agg=st.sampled_from(["mean", "median", "min", "max", "sum", "count", "std", "first", "last"]),
    seed=st.integers(0, 2**32),
)
def test_aggregates_are_those_of_pandas(rows, xs, ys, agg, seed):
    r = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "x": r.integers(0, xs, rows),
            "y": [f"m{i}" for i in r.integers(0, ys, rows)],
            "v": r.normal(size=rows).round(6),
        }
    )
    grid = only(gs.heatmap(frame, x="x", y="y", value="v", agg=agg))
    wanted = frame.pivot_table(index="y", columns="x", values="v", aggfunc=agg, sort=False)
    wanted = wanted.reindex(index=grid.rows.labels, columns=[int(x) for x in grid.columns.labels])
    there = (grid.states == 0) if agg != "count" else ~np.isnan(wanted.values)
    np.testing.assert_array_equal(there, ~np.isnan(wanted.values))
    np.testing.assert_allclose(grid.values[there].astype(float), wanted.values[there], rtol=1e-9, atol=1e-12)


def test_categories_keep_their_order():
    frame = pd.DataFrame(
        {
            "x": pd.Categorical(["lo", "hi", "lo", "hi"], ["lo", "mid", "hi"]),
            "y": ["b", "b", "a", "a"],
            "v": [1, 2, 3, 4],
        }
    )
    grid = only(gs.heatmap(frame, x="x", y="y", value="v"))
    assert [label for label in grid.columns.labels if label != "mid"] == ["lo", "hi"]
    order = pd.Categorical(["hi", "lo"], ["hi", "lo"], ordered=True)
    wide = pd.DataFrame([[1, 2], [3, 4]], index=order)
    assert only(gs.heatmap(wide)).rows.labels == ["hi", "lo"]


@pytest.mark.parametrize("kind", ["Int64", "Float64", "boolean", "UInt8", "int64[pyarrow]", "double[pyarrow]"])
def test_nullable_numbers(kind):
    frame = pd.DataFrame({"a": pd.array([1, None, 0], dtype=kind), "b": pd.array([0, 1, None], dtype=kind)})
    grid = only(gs.heatmap(frame))
    np.testing.assert_array_equal(grid.states != 0, frame.isna())
    assert grid.values[0, 0] == 1
    tidy = frame.assign(row=["r", "s", "t"])
    assert gs.heatmap(tidy.melt("row"), x="variable", y="row", value="value").to_png()


def test_large_integers_are_exact():
    frame = pd.DataFrame({"a": [2**53, 2**53 + 1], "b": [2**63 - 1, -(2**63)]})
    assert only(gs.heatmap(frame)).values.tolist() == frame.values.tolist()


@given(
    labels=st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
        min_size=1,
        max_size=6,
        unique_by=str.strip,
    ),
    names=st.tuples(*[st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5)] * 2),
)
def test_any_text_is_a_label(labels, names):
    """A wide frame keeps its labels as they are; the picture is drawn, whatever they are."""
    frame = pd.DataFrame(
        np.arange(len(labels) * 2.0).reshape(-1, 2),
        index=pd.Index(labels, name=names[0]),
        columns=pd.Index(["a", "b"], name=names[1]),
    )
    figure = gs.heatmap(frame)
    grid = only(figure)
    assert grid.rows.labels == labels
    assert (grid.rows.name, grid.columns.name) == names
    np.testing.assert_array_equal(grid.values, frame.values)
    figure.to_png()


def test_texts_of_every_string_type():
    for kind in ("object", "string", "category"):
        frame = pd.DataFrame(
            {"x": pd.Series(["a,b", "c\n", 'd"'], dtype=kind), "y": ["–", "中文", "~"], "v": [1, 2, 3]}
        )
        grid = only(gs.heatmap(frame, x="x", y="y", value="v"))
        assert grid.rows.labels == ["–", "中文", "~"]
        assert grid.columns.labels[0] == "a,b"


def test_times():
    frame = pd.DataFrame({"t": pd.date_range("2024-01-01", periods=4, freq="D"), "y": list("abab"), "v": [1, 2, 3, 4]})
    assert gs.heatmap(frame, x="t", y="y", value="v").to_png()
    assert gs.heatmap(frame.pivot(index="y", columns="t", values="v")).to_png()


def test_a_named_index_is_an_axis_by_name():
    frame = pd.DataFrame({"step": [1, 2], "v": [0.5, 0.25]}, index=pd.Index(["p", "q"], name="run"))
    grid = only(gs.heatmap(frame.set_index("step", append=True), x="step", y="run", value="v"))
    assert grid.rows.labels == ["p", "q"]


def test_a_series_with_two_levels_is_a_grid():
    series = pd.Series(range(4), index=pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["r", "c"]), name="v")
    grid = only(gs.heatmap(series.unstack()))
    np.testing.assert_array_equal(grid.values, [[0, 1], [2, 3]])


def test_several_values_and_nested_axes(sweep):
    frame = sweep.assign(other=sweep.pass1 * 2)
    assert len(gs.heatmap(frame, x="ratio", y=["dataset", "window"], value=["pass1", "other"]).grids) == 2
    grid = only(gs.heatmap(frame, x="ratio", y=["dataset", "window"], value="pass1"))
    assert len(grid.rows.levels) == 2


def test_names_with_commas_are_names(sweep):
    frame = sweep.rename(columns={"ratio": "ratio, of tokens", "pass1": "pass@1, %"})
    grid = only(gs.heatmap(frame[frame.dataset == "AIME24"], x="ratio, of tokens", y="window", value="pass@1, %"))
    assert grid.columns.name == "ratio, of tokens"


def test_filters_and_derived_columns(sweep):
    figure = gs.heatmap(sweep, x="ratio", y="window", value="pass1", panel="dataset", where="dataset != AIME24")
    assert "AIME24" not in [g.name for g in figure.grids]


def test_grids_become_frames(sweep):
    one = sweep[sweep.dataset == "AIME24"]
    frame = only(gs.heatmap(one, x="ratio", y="window", value="pass1")).to_pandas()
    wanted = one.pivot(index="window", columns="ratio", values="pass1")
    np.testing.assert_array_equal(frame.values, wanted.values)
    assert (frame.index.name, frame.columns.name) == ("window", "ratio")


def test_a_stream_is_read_once(sweep):
    import pyarrow

    stream = pyarrow.table({"x": [1, 2], "y": [1, 1], "v": [0.5, 1.0]}).to_reader()
    figure = gs.heatmap(stream, x="x", y="y", value="v")
    assert figure.to_png() and figure.with_(cmap="magma").to_png()


def test_a_stream_that_fails_is_refused():
    import pyarrow

    def rows():
        yield pyarrow.record_batch({"x": [1], "y": [1], "v": [1.0]})
        raise OSError("connection lost")

    schema = pyarrow.schema([("x", pyarrow.int64()), ("y", pyarrow.int64()), ("v", pyarrow.float64())])
    with pytest.raises(gs.InputError, match="connection lost"):
        gs.heatmap(pyarrow.RecordBatchReader.from_batches(schema, rows()), x="x", y="y", value="v")


def test_arrow_types():
    import decimal

    import pyarrow as pa

    columns = {
        "x": pa.array(["a", "b"]).dictionary_encode(),
        "y": pa.array(["p", "q"], pa.large_string()),
        "v": pa.array([decimal.Decimal("1.25"), None], pa.decimal128(6, 2)),
        "w": pa.array([True, False]),
        "h": pa.array([1, 2], pa.float32()).cast(pa.float16()),
        "s": pa.array(["a", "b"], pa.string_view()),
        "u": pa.array([2**64 - 1, 0], pa.uint64()),
    }
    table = pa.table(columns)
    for value in "vwhu":
        grid = only(gs.heatmap(table, x="x", y="y", value=value))
        assert grid.values.shape == (2, 2)
    assert only(gs.heatmap(table, x="s", y="y", value="u")).values[0, 0] == 2**64 - 1


@pytest.mark.parametrize(
    ("keywords", "place"),
    [
        ({"x": "ratios", "y": "window", "value": "pass1"}, "x"),
        ({"x": "ratio", "y": "window", "value": "pass"}, "value"),
        ({"x": "ratio", "y": "window", "value": "dataset"}, "value"),
    ],
)
def test_columns_that_are_not_there_are_named(sweep, keywords, place):
    with pytest.raises(gs.InputError) as refused:
        gs.heatmap(sweep, **keywords)
    assert keywords[place] in str(refused.value)


def test_a_table_without_roles_is_refused_with_what_to_write(sweep):
    with pytest.raises(gs.InputError) as refused:
        gs.heatmap(sweep)
    assert "x=" in refused.value.hint and "--x" not in str(refused.value)


@pytest.mark.parametrize(
    "data", [pd.DataFrame(), pd.DataFrame({"a": []}), [], {}, None, 3, "no_such_file.csv", object()], ids=repr
)
def test_what_is_no_table_is_refused(data):
    with pytest.raises(gs.GridscopeError) as refused:
        gs.heatmap(data)
    assert len(str(refused.value)) > 10


def test_single_digits_of_nested_columns_are_upright():
    # On their sides they would need as much.
    columns = pd.MultiIndex.from_product([[1e-5, 3e-5, 1e-4, 3e-4, 1e-3], range(5)], names=["lr", "seed"])
    rows = pd.MultiIndex.from_product([["Gemma-2-9B", "Llama-3.1-8B", "Mistral-7B-v0.3", "Qwen2.5-7B"], [0, 0.01, 0.1]], names=["model", "wd"])
    frame = pd.DataFrame(np.arange(300.0).reshape(12, 25), index=rows, columns=columns)
    digits = re.findall(r"<text([^>]*)>[0-4]<", svg(gs.heatmap(frame, annot=False)))
    assert len(digits) >= 25 and not any("rotate" in words for words in digits)


TYPED = [arrow, polars, duckdb, columns, records, arrays]


@pytest.mark.parametrize("source", TYPED)
def test_a_column_of_numbers_labels_no_rows(source):
    frame = pd.DataFrame({"cat": [50, 2, 3], "dog": [4, 60, 1], "cow": [0, 5, 70]})
    read = only(gs.heatmap(source(frame))).to_pandas()
    np.testing.assert_array_equal(read.to_numpy(), frame.to_numpy())
    assert list(read.columns) == list(frame.columns)
    named = only(gs.heatmap(source(frame.assign(animal=["a", "b", "c"])[["animal", "cat", "dog"]]))).to_pandas()
    assert (list(named.index), list(named.columns)) == (["a", "b", "c"], ["cat", "dog"])


def test_an_index_is_the_rows():
    frame = pd.DataFrame({"q1": [1.0, 3], "q2": [2.0, 4], "t": ["x", "y"]}, index=["acc", "f1"])
    figure = gs.heatmap(frame)
    read = only(figure).to_pandas()
    assert (list(read.index), list(read.columns), read.to_numpy().tolist()) == (["acc", "f1"], ["q1", "q2"], [[1, 2], [3, 4]])
    assert [lint.name for lint in figure.lints] == ["columns-left-out"]
    levels = pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])
    decimals = frame.drop(columns="t").map(lambda v: Decimal(str(v))).set_axis(levels)
    read = only(gs.heatmap(decimals)).to_pandas()
    assert read.shape == (2, 2) and read.index.nlevels == 2


def test_durations_are_readable_and_to_scale():
    frame = pd.DataFrame({"x": pd.to_timedelta([60, 3600], unit="s"), "y": ["a", "a"], "z": [1.0, 2.0]})
    axis = gs.heatmap(frame, x="x", y="y", value="z").grids[0].columns
    assert list(axis.labels) == ["0:01:00", "1:00:00"]
    assert list(axis.coordinates) == [60.0, 3600.0]
    values = gs.heatmap(pd.DataFrame({"x": [1, 2], "y": ["a", "a"], "t": frame["x"]}), x="x", y="y", value="t")
    assert values.grids[0].values.tolist() == [[60.0, 3600.0]]


def test_declared_texts_are_keys_of_their_own():
    names = ["01", "1", "1e5", "100000"]
    for column in (names, pd.Categorical(names, categories=names)):
        frame = pd.DataFrame({"x": column, "y": ["a"] * 4, "z": [1.0, 2.0, 3.0, 4.0]})
        grid = gs.heatmap(frame, x="x", y="y", value="z").grids[0]
        found = dict(zip(grid.columns.labels, grid.values[0].tolist(), strict=True))
        assert found == {"01": 1.0, "1": 2.0, "1e5": 3.0, "100000": 4.0}


def test_categories_without_rows_stay():
    bins = pd.cut([0.5, 3.5], [0, 1, 2, 3, 4])
    frame = pd.DataFrame({"x": bins, "y": ["a", "a"], "z": [1.0, 2.0]})
    labels = list(gs.heatmap(frame, x="x", y="y", value="z").grids[0].columns.labels)
    assert labels == ["(0, 1]", "(1, 2]", "(2, 3]", "(3, 4]"]
    fewer = gs.heatmap(frame, x="x", y="y", value="z", drop_empty=True).grids[0]
    assert list(fewer.columns.labels) == ["(0, 1]", "(3, 4]"]


def test_variables_of_a_dataset_without_a_grid_are_named():
    xr = pytest.importorskip("xarray")
    data = xr.Dataset({"a": (("x", "y"), np.zeros((2, 2))), "b": (("x",), np.zeros(2))})
    with pytest.warns(gs.LintWarning, match="left out: b"):
        gs.heatmap(data)
