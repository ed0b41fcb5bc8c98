"""Messages speak of keywords as Python writes them."""

import numpy as np
import pandas as pd
import pytest

import gridscope as gs
from gridscope._errors import in_keywords

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


@pytest.mark.parametrize(
    "said, wanted",
    [
        ("hint: --scale panel", 'hint: scale="panel"'),
        ("hint: --width 2.1in", 'hint: width="2.1in"'),
        ("hint: --vmin 0.5, or --robust", "hint: vmin=0.5, or robust"),
        ("a larger --width, or --annot off", "a larger width, or annot=False"),
        ("hint: --table wide --y model --value 1e-05,3e-05,…", 'hint: table="wide", y="model", value=[1e-05, 3e-05, …]'),
        ("hint: -x a", "hint: -x a"),
        ("hint: --slice 0=5, or --panel axis:0", 'hint: slice={0: 5}, or panel="axis:0"'),
        ("hint: --slice time=5", 'hint: slice={"time": 5}'),
        ("hint: --x-domain 5:19 --agg mean", 'hint: x_domain="5:19", agg="mean"'),
        ("hint: --where 'a = 1'", "hint: where='a = 1'"),
        ("--max-memory raises the limit", "gridscope.set_memory raises the limit"),
        ("'gridscope colormaps' lists them", "gridscope.colormaps() lists them"),
        ("invalid type: integer `3`, expected a string", "3 is no text"),
        ('invalid type: string "abc", expected u32', "abc is no whole number from 0 on"),
        ("invalid type: boolean `true`, expected f64", "true is no number"),
        ("--minus shows the difference", "minus shows the difference"),
        ("--drop-empty leaves rows out", "drop_empty leaves rows out"),
        ("hint: --table wide: its first column holds labels", 'hint: table="wide": its first column holds labels'),
        ("hint: --annot on", "hint: annot=True"),
        ("my-file.csv: line 3: a=1 b=2", "my-file.csv: line 3: a=1 b=2"),
        ("there is no column 'x-order'", "there is no column 'x-order'"),
        ("'min-count' is for tables, 'nothing-such' is not", "'min_count' is for tables, 'nothing-such' is not"),
        ("a -- b, and --nothing like it", "a -- b, and --nothing like it"),
    ],
)
def test_flags_become_keywords(said, wanted):
    assert in_keywords(said) == wanted


@pytest.mark.parametrize(
    "make, place, names",
    [
        (lambda: gs.heatmap(np.array(3.0)), "data", ["[[1, 2]"]),
        (lambda: gs.heatmap([[0.5, 1.5]], fmt="d"), "fmt", ['".0f"', "2 of 2"]),
        (lambda: gs.heatmap([[1, 2]], title=True), "title", ["text"]),
        (lambda: gs.heatmap([[1, 2]], cmap="viridiss"), "cmap", ["viridis"]),
        (lambda: gs.heatmap(pd.DataFrame({"a": ["x"], "v": [1.0]}), x="a", y="b", value="v"), None, ["'b'"]),
        (lambda: gs.heatmap([[1, 2]], x_rotate="abc"), "x_rotate", ["abc"]),
        (lambda: gs.heatmap({"a": ["x"], "b": ["y"], "v": [1]}, x="a", y="b", value="v", where="a == 'x' and b == 'y'"), None, ["list"]),
    ],
)
def test_errors_name_place_and_remedy(make, place, names):
    with pytest.raises(gs.InputError) as refused:
        make().to_png()
    message = str(refused.value)
    assert "--" not in message and "flag" not in message, message
    assert all(name in message for name in names), message
    assert place is None or refused.value.place == place, refused.value.place


def test_whole_numbers_in_floats_take_the_format_of_whole_numbers():
    assert gs.heatmap([[1.0, np.nan], [3.0, np.inf]], annot=True, fmt="d").to_png()


def test_numbers_are_titles():
    assert 'title = "3"' in gs.heatmap([[1]], title=3, xlabel=0.5).to_toml()


class Raises:
    """An array whose values cannot be had."""

    def __init__(self, error):
        self.error = error

    def __array__(self, dtype=None, copy=None):
        raise self.error


@pytest.mark.parametrize("error", [KeyError("k"), ZeroDivisionError("z"), NotImplementedError("no data"), OSError("gone")])
def test_what_an_object_raises_is_the_cause(error):
    with pytest.raises(gs.InputError) as refused:
        gs.heatmap(Raises(error))
    assert refused.value.__cause__ is error and type(error).__name__ in str(refused.value)


def test_lack_of_memory_stays_what_it_is():
    with pytest.raises(MemoryError):
        gs.heatmap(Raises(MemoryError()))


def test_dimensions_are_named_as_they_are():
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray(np.zeros((3, 4, 5)), dims=("time", "lat", "lon"))
    for data in (array, array.chunk(2) if hasattr(array, "chunk") else array):
        with pytest.raises(gs.InputError) as refused:
            gs.heatmap(data)
        assert 'slice={"time": 0}' in refused.value.hint and 'panel="time"' in str(refused.value)
        assert gs.heatmap(data, slice={"time": 0}).to_png() and gs.heatmap(data, panel="time").to_png()


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: gs.heatmap({"a": [1.0]}, index="a"), ["y=", "value="]),
        (lambda: gs.heatmap([[1, 2]], legend=False), ["cbar="]),
        (lambda: gs.heatmap([[1, 2]], transparent=True), ["bare=True"]),
        (lambda: gs.heatmap([[1, 2]], columns="dataset"), ["panel='dataset'"]),
        (lambda: gs.heatmap(np.zeros((2, 2, 3)), slice={2: -1}), ["counts from 0"]),
        (lambda: gs.heatmap(pd.DataFrame({"a": [1.0]}), where=pd.Series([True])), ['where="x > 0"']),
    ],
)
def test_words_of_others_lead_to_keywords(make, words):
    with pytest.raises(gs.InputError) as refused:
        make()
    assert all(word in str(refused.value) for word in words), refused.value


def test_no_keyword_is_suggested_that_is_merely_alike():
    with pytest.raises(gs.UnsupportedError) as refused:
        gs.heatmap([[1, 2]], colour="red")
    assert refused.value.hint is None


def test_attributes_of_matplotlib_lead_to_methods():
    for name, words in [("set", "with_(title="), ("xaxis", "xticks="), ("dendrogram_row", "rows.labels")]:
        with pytest.raises(AttributeError, match="has no attribute") as missing:
            getattr(gs.heatmap([[1, 2]]), name)
        assert words in str(missing.value)


def test_axes_of_arrays_are_sliced_by_their_place():
    cube = np.arange(12.0).reshape(2, 2, 3)
    assert gs.heatmap(cube, slice={"axis:2": 1}).grids[0].values.tolist() == cube[:, :, 1].tolist()
