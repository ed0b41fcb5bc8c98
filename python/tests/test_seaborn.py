"""Each parameter of seaborn's heatmap, in the calls that its users write: the import and one name changed."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import seaborn as sns
from readback import only, scale, svg, texts

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


@pytest.fixture
def normal():
    values = np.random.default_rng(7).normal(size=(4, 8))
    return pd.DataFrame(values, index=pd.Series(list("ABCD"), name="letters"))


@pytest.fixture
def uniform():
    return pd.DataFrame(np.random.default_rng(8).random((20, 13)))


# Data and labels.


def test_an_array_has_its_indices_as_labels(matrix):
    grid = only(gs.heatmap(matrix))
    np.testing.assert_array_equal(grid.values, matrix)
    assert grid.columns.labels == [str(i) for i in range(8)]
    assert grid.rows.labels == [str(i) for i in range(4)]
    assert grid.rows.name == grid.columns.name == ""


def test_a_frame_has_its_labels_and_names(normal):
    figure = gs.heatmap(normal)
    grid = only(figure)
    np.testing.assert_array_equal(grid.values, normal.values)
    assert grid.rows.labels == list("ABCD")
    assert grid.rows.name == "letters"
    assert grid.columns.name == ""
    assert "letters" in texts(figure)


def test_a_multi_index_is_a_nested_axis(normal):
    pairs = [("A", 1), ("B", 2), ("C", 3), ("D", 4)]
    normal.index = pd.MultiIndex.from_tuples(pairs, names=["letter", "number"])
    rows = only(gs.heatmap(normal)).rows
    assert [list(level) for level in zip(*rows.levels)] == [["A", "1"], ["B", "2"], ["C", "3"], ["D", "4"]]
    columns = only(gs.heatmap(normal.T)).columns
    assert columns.levels == rows.levels


def test_a_list_of_lists_is_an_array():
    np.testing.assert_array_equal(only(gs.heatmap([[1, 2], [3, 4]])).values, [[1, 2], [3, 4]])


# Masks.


@pytest.mark.parametrize("dtype", [float, np.int64, object])
def test_mask(matrix, dtype):
    mask = matrix > 0
    data = (matrix * 10).astype(dtype)
    grid = only(gs.heatmap(data, mask=mask))
    np.testing.assert_array_equal(grid.states == 3, mask)
    np.testing.assert_array_equal(grid.values[~mask].astype(float), data[~mask].astype(float))


@pytest.mark.parametrize("above", [True, False])
def test_masked_cells_do_not_set_limits(matrix, above):
    mask = matrix > 0 if above else matrix < 0
    shown = matrix[~mask]
    found = scale(gs.heatmap(matrix, mask=mask))
    assert (found["vmin"], found["vmax"]) == (shown.min(), shown.max())


def test_mask_as_a_frame_with_missing_values():
    frame = pd.DataFrame({"a": [1, 1, 1], "b": [2, np.nan, 2], "c": [3, 3, np.nan]})
    grid = only(gs.heatmap(frame, mask=frame.isna()))
    np.testing.assert_array_equal(grid.states != 0, frame.isna())


def test_masks_of_another_shape_or_other_labels_are_refused(normal):
    for mask in (np.zeros((3, 6), bool), pd.DataFrame(np.zeros((4, 8), bool))):
        with pytest.raises(ValueError, match="mask") as refused:
            gs.heatmap(normal, mask=mask)
        assert refused.value.place == "mask"


def test_missing_values_are_no_values():
    frame = pd.DataFrame(np.arange(4.0).reshape(2, 2))
    frame.loc[0, 0] = np.nan
    mask = np.array([[False, True], [False, False]])
    grid = only(gs.heatmap(frame, mask=mask))
    np.testing.assert_array_equal(grid.states, [[1, 3], [0, 0]])


# Limits.


def test_limits_are_those_of_the_data(uniform):
    found = scale(gs.heatmap(uniform))
    assert (found["vmin"], found["vmax"]) == (uniform.values.min(), uniform.values.max())


def test_robust_limits_are_percentiles(uniform):
    found = scale(gs.heatmap(uniform, robust=True))
    assert (found["vmin"], found["vmax"]) == pytest.approx(tuple(np.percentile(uniform.values, [2, 98])), rel=1e-12)


def test_robust_keeps_a_limit_that_is_given(uniform):
    found = scale(gs.heatmap(uniform, robust=True, vmin=0))
    assert (found["vmin"], found["vmax"]) == pytest.approx((0, np.percentile(uniform.values, 98)), rel=1e-12)


def test_limits_that_are_given(uniform, normal):
    found = scale(gs.heatmap(uniform, vmin=0, vmax=1))
    assert (found["vmin"], found["vmax"]) == (0, 1)
    found = scale(gs.heatmap(normal, vmin=-4, vmax=5, center=0))
    assert (found["vmin"], found["vmax"]) == (-4, 5)


def test_columns_without_values_do_not_change_limits():
    values = np.random.default_rng(1).random((10, 10))
    found = [scale(gs.heatmap(data)) for data in (values, np.c_[values, np.full(10, np.nan)])]
    assert [found[0][k] for k in ("vmin", "vmax")] == [found[1][k] for k in ("vmin", "vmax")]


def test_a_centre_keeps_the_limits(uniform):
    found = scale(gs.heatmap(uniform, center=0.5))
    assert (found["vmin"], found["vmax"]) == (uniform.values.min(), uniform.values.max())


# Annotations.


def test_annotations(normal):
    shown = texts(gs.heatmap(normal, annot=True, fmt=".1f"))
    for value in normal.values.flat:
        # Zero has no sign.
        assert f"{value:.1f}".replace("-0.0", "0.0") in shown


def test_annotations_of_other_data(normal):
    other = normal + 10
    shown = texts(gs.heatmap(normal, annot=other, fmt=".1f", cbar=False))
    for value in other.values.flat:
        assert f"{value:.1f}" in shown


def test_annotations_may_be_texts(normal):
    words = np.array([[f"r{r}c{c}" for c in range(8)] for r in range(4)])
    shown = texts(gs.heatmap(normal, annot=words, fmt=""))
    assert set(words.flat) <= set(shown)


def test_annotations_of_another_shape_are_refused(normal):
    with pytest.raises(ValueError, match="annot") as refused:
        gs.heatmap(normal, annot=normal.iloc[:-1])
    assert refused.value.place == "annot"


def test_annotations_with_a_mask_and_without_tick_labels():
    frame = pd.DataFrame({"a": [1, 1, 1], "b": [2, np.nan, 2], "c": [3, 3, np.nan]})
    figure = gs.heatmap(
        frame, annot=True, fmt=".2f", mask=frame.isna(), xticklabels=False, yticklabels=False, cbar=False
    )
    shown = [t for t in texts(figure) if "." in t]
    assert sorted(shown) == sorted(["1.00"] * 3 + ["2.00"] * 2 + ["3.00"] * 2)


def test_integers(normal):
    frame = pd.DataFrame([[112, 118], [115, 126]])
    shown = texts(gs.heatmap(frame, annot=True, fmt="d"))
    assert {"112", "118", "115", "126"} <= set(shown)


@pytest.mark.parametrize("keywords", [{"fontsize": 14}, {"size": 6}])
def test_size_of_annotations_is_that_of_no_other_text(normal, keywords):
    def sizes(figure):
        found = re.findall(r'<text[^>]* font-size="([0-9.]+)"[^>]*>([^<]*)', svg(figure))
        return {float(size) for size, text in found if text in written}, {float(s) for s, text in found if text not in written}

    plain = gs.heatmap(normal, annot=True, fmt=".3f", dpi=72, width="9in")
    written = {f"{v:.3f}".replace("-", "\N{MINUS SIGN}") for v in np.asarray(normal).ravel()}
    (wanted,) = keywords.values()
    changed = plain.with_(annot_kws=keywords)
    assert sizes(changed)[0] == {wanted}
    assert sizes(changed)[1] == sizes(plain)[1]
    assert changed.with_(annot_kws={"size": 500}).to_png(), "values that have no room for it are smaller"


@pytest.mark.parametrize("keywords", [{"color": "0.3"}, {"va": "bottom", "ha": "left"}, {"weight": "bold"}])
def test_other_properties_of_annotations_work_or_are_refused_by_name(normal, keywords):
    try:
        gs.heatmap(normal, annot=True, annot_kws=keywords).to_png()
    except gs.InputError as refused:
        assert refused.place.startswith("annot_kws")
        assert any(key in str(refused) for key in keywords)


# Lines, bar, ticks.


def test_lines_between_cells(normal):
    # The lines are of the colour of linecolor.
    figure = gs.heatmap(normal, linewidths=2, linecolor=(0, 0, 1, 1), cbar=False)
    assert "#0000ff" in svg(figure).lower()
    gs.heatmap(normal, linewidth=0.5).to_png()


def test_square(normal):
    grid = gs.heatmap(normal, square=True)
    picture = grid.to_numpy(bare=True)
    assert picture.shape[1] / picture.shape[0] == pytest.approx(2, rel=0.02)


def test_bar(normal):
    with_bar = gs.heatmap(normal, cbar_kws={"label": "score of the cell"})
    assert "score of the cell" in texts(with_bar)
    assert len(texts(gs.heatmap(normal, cbar=False))) < len(texts(with_bar))
    gs.heatmap(normal, cbar_kws={"orientation": "horizontal"}).to_png()
    gs.heatmap(normal, cbar_kws={"format": "%.2f"}).to_png()


def test_what_has_no_meaning_is_refused_with_what_to_use(normal):
    _, ax = plt.subplots()
    for keywords in ({"cbar_ax": ax}, {"cbar_kws": {"drawedges": True}}, {"rasterized": True}):
        (name,) = keywords
        with pytest.raises(gs.InputError) as refused:
            gs.heatmap(normal, **keywords)
        assert name in refused.value.place
        assert refused.value.hint


def test_tick_labels_off(normal):
    shown = texts(gs.heatmap(normal, xticklabels=False, yticklabels=False, cbar=False))
    assert not set("ABCD") & set(shown)


def test_tick_labels_given(normal):
    columns, rows = [f"c{i}" for i in range(8)], [f"r{i}" for i in range(4)]
    shown = texts(gs.heatmap(normal, xticklabels=columns, yticklabels=rows, cbar=False))
    assert set(columns + rows) <= set(shown)


def test_tick_labels_at_intervals(normal):
    shown = texts(gs.heatmap(normal, xticklabels=2, yticklabels=3, cbar=False))
    assert [t for t in "ABCD" if t in shown] == ["A", "D"]
    assert [str(i) for i in range(8) if str(i) in shown] == ["0", "2", "4", "6"]


# The gallery and the examples of the documentation, with data of the same shape.


def test_gallery_annotated():
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    long = pd.DataFrame(
        [(y, m, 100 + 12 * (y - 1949) + i) for y in range(1949, 1961) for i, m in enumerate(months)],
        columns=["year", "month", "passengers"],
    )
    long["month"] = pd.Categorical(long["month"], categories=months, ordered=True)
    wide = long.pivot(index="month", columns="year", values="passengers")
    grid = only(gs.heatmap(wide, annot=True, fmt="d", linewidths=0.5))
    assert (grid.rows.name, grid.columns.name) == ("month", "year")
    assert grid.rows.labels == months
    assert grid.columns.labels == [str(y) for y in range(1949, 1961)]


def test_gallery_correlations():
    values = np.random.RandomState(33).normal(size=(100, 26))
    correlations = pd.DataFrame(values, columns=[chr(65 + i) for i in range(26)]).corr()
    mask = np.triu(np.ones_like(correlations, dtype=bool))
    cmap = sns.diverging_palette(230, 20, as_cmap=True)
    figure = gs.heatmap(
        correlations,
        mask=mask,
        cmap=cmap,
        vmax=0.3,
        center=0,
        square=True,
        linewidths=0.5,
        cbar_kws={"shrink": 0.5, "ticks": [-0.2, 0, 0.2]},
    )
    assert scale(figure)["vmax"] == 0.3
    np.testing.assert_array_equal(only(figure).states == 3, mask)


def test_gallery_nested_columns():
    columns = pd.MultiIndex.from_product([["1", "5"], ["1", "2"], ["lh", "rh"]], names=["network", "node", "hemi"])
    values = np.random.default_rng(2).normal(size=(50, 8))
    correlations = pd.DataFrame(values, columns=columns).corr()
    grid = only(gs.heatmap(correlations, center=0, cmap="vlag", linewidths=0.75, cluster="both"))
    assert len(grid.rows.levels) == 3
    assert grid.values.shape == (8, 8)


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"annot": True},
        {"annot": True, "fmt": ".1f"},
        {"annot": True, "linewidth": 0.5},
        {"cmap": "crest"},
        {"vmin": 50, "vmax": 100},
    ],
    ids=str,
)
def test_documentation(keywords):
    r = np.random.default_rng(3)
    long = pd.DataFrame(
        [(m, t, 50 + 50 * r.random()) for m in ["BERT", "T5", "ELMo"] for t in ["CoLA", "SST-2", "RTE"]],
        columns=["Model", "Task", "Score"],
    )
    wide = long.pivot(index="Model", columns="Task", values="Score")
    figure = gs.heatmap(wide, **keywords)
    assert (only(figure).rows.name, only(figure).columns.name) == ("Model", "Task")
    assert figure.to_png().startswith(b"\x89PNG")
    ranks = wide.rank(axis="columns")
    assert gs.heatmap(wide, annot=ranks).to_png()
