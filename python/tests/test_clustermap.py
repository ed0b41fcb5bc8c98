"""seaborn's clustermap by its name and parameters: the same orders and values, and strips beside rows and columns."""

import re

import numpy as np
import pandas as pd
import pytest
import seaborn as sns
from readback import only, svg, texts

import gridscope as gs

pytestmark = [
    pytest.mark.filterwarnings("ignore::gridscope.LintWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:seaborn"),
]


@pytest.fixture
def frame():
    values = np.random.default_rng(3).normal(size=(9, 5)) + np.repeat(np.eye(3, 5) * 6, 3, axis=0)
    return pd.DataFrame(values, index=[f"s{i}" for i in range(9)], columns=list("abcde"))


@pytest.fixture
def groups(frame):
    return pd.Series(np.repeat(["one", "two", "three"], 3), index=frame.index, name="group")


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"method": "complete", "metric": "cityblock"},
        {"method": "ward"},
        {"metric": "correlation"},
        {"z_score": 0},
        {"z_score": 1},
        {"standard_scale": 0},
        {"standard_scale": 1},
        {"row_cluster": False},
        {"col_cluster": False},
        {"row_cluster": False, "col_cluster": False},
    ],
    ids=str,
)
def test_orders_and_values_are_seaborns(frame, keywords):
    theirs = sns.clustermap(frame, **keywords).data2d
    grid = only(gs.clustermap(frame, **keywords))
    assert grid.rows.labels == list(theirs.index)
    assert grid.columns.labels == list(theirs.columns)
    np.testing.assert_allclose(grid.values, theirs.to_numpy(), rtol=1e-12, atol=1e-12)


def fills(figure):
    """The colours of all rectangles."""
    return re.findall(r'fill="(#[0-9a-f]{6})"', svg(figure))


def test_colours_are_drawn_as_they_are(frame, groups):
    palette = {"one": "#102030", "two": (0.5, 0.25, 0.0), "three": "#405060"}
    colors = groups.map(palette)
    figure = gs.clustermap(frame, row_colors=colors, cmap="Greys")
    assert {"#102030", "#804000", "#405060"} <= set(fills(figure))
    # Colours have no names, so that the key has its title alone.
    assert "group:" in texts(figure) and not {"#102030", "one"} & set(texts(figure))
    assert "group:" not in texts(gs.clustermap(frame, row_colors=list(colors)))


def test_categories_and_numbers_have_a_key(frame, groups):
    figure = gs.clustermap(frame, row_colors=groups, col_colors=pd.Series([1, 2, 3, 4, 9], index=frame.columns, name="size"))
    assert {"group:", "one", "two", "three", "size:", "1", "9"} <= set(texts(figure))


def test_colours_follow_labels_and_cells(frame, groups):
    # Without a name, and so without a key.
    colors = groups.map({"one": "#102030", "two": "#203040", "three": "#405060"}).rename(None)

    def strip(given, **keywords):
        drawn = gs.heatmap(frame, row_colors=given, cmap="Greys", **keywords)
        return [fill for fill in fills(drawn) if fill in set(colors)]

    plain = strip(colors, rows=(0, 4))
    assert strip(colors.sample(frac=1, random_state=1), rows=(0, 4)) == plain
    assert strip(list(colors), rows=(0, 4)) == plain
    assert set(plain) == {"#102030", "#203040"}
    assert strip(colors.iloc[:3]).count("#203040") == 0


def test_several_strips(frame, groups):
    strips = pd.DataFrame({"group": groups, "half": np.arange(9) > 4})
    shown = texts(gs.clustermap(frame, row_colors=strips))
    assert {"group:", "half:", "one", "True", "False"} <= set(shown)
    nested = gs.clustermap(frame.to_numpy(), row_colors=[["#102030"] * 9, [(0, 1, 0)] * 9])
    assert {"#102030", "#00ff00"} <= set(fills(nested))


def test_a_tidy_table(frame, groups):
    tidy = frame.rename_axis("sample").melt(ignore_index=False, var_name="gene", value_name="level").reset_index()
    tidy["group"] = tidy["sample"].map(groups)
    named = {"index": "sample", "columns": "gene", "values": "level"}
    figure = gs.clustermap(tidy, pivot_kws=named, row_colors="group")
    assert only(figure).rows.labels == only(gs.clustermap(frame)).rows.labels
    assert {"group:", "one", "two", "three"} <= set(texts(figure))


def test_keywords_of_heatmaps_and_a_changed_copy(frame, groups):
    figure = gs.clustermap(frame, row_colors=groups, figsize=(4, 3), cbar_pos=None, dpi=100, title="Genes")
    assert figure.to_numpy().shape == (300, 400, 4)
    assert "one" in texts(figure.with_(cmap="magma"))
    assert only(figure.with_(cluster=None)).rows.labels == list(frame.index)
    assert frame.gs.clustermap(method="ward").to_png() == gs.clustermap(frame, method="ward").to_png()


@pytest.mark.parametrize(
    ("keywords", "place", "hint"),
    [
        ({"row_linkage": np.zeros((8, 4))}, "row_linkage", "row_cluster=False"),
        ({"method": "centroid"}, "method", "average"),
        ({"z_score": 0, "standard_scale": 1}, "standard_scale", "one of"),
        ({"z_score": True}, "z_score", None),
        ({"pivot_kws": {"rows": "a"}}, "pivot_kws['rows']", "index"),
        ({"cluster": "rows"}, "cluster", "row_cluster"),
        ({"linkage": "ward"}, "linkage", "method"),
        ({"figsize": 3}, "figsize", None),
        ({"colour": 1}, "colour", None),
        ({"row_colors": ["red"]}, "row_colors", "one a row"),
        ({"row_colors": 5}, "row_colors", "column"),
        ({"row_colors": pd.Series(["red"] * 9)}, "row_colors", "index"),
        ({"row_colors": [(0, 0, 255)] * 9}, "row_colors", "#3366cc"),
        ({"col_colors": ["red"] * 5, "strip": "a"}, "col_colors", "one of them"),
    ],
    ids=str,
)
def test_what_cannot_work_is_refused_by_name(frame, keywords, place, hint):
    with pytest.raises(gs.InputError) as refused:
        gs.clustermap(frame, **keywords)
    assert refused.value.place == place
    assert hint is None or hint in refused.value.hint


def test_labels_need_labels(frame):
    with pytest.raises(gs.InputError, match="have none"):
        gs.clustermap(frame.to_numpy(), row_colors=pd.Series(["red"] * 9))
    twice = pd.Series(["red", "blue"], index=["s0", "s0"])
    with pytest.raises(gs.InputError, match="several values of one label"):
        gs.clustermap(frame, row_colors=twice)


def test_what_changes_nothing_is_said(frame):
    with pytest.warns(gs.ParameterWarning, match="dendrogram_ratio, tree_kws, cbar_pos"):
        gs.clustermap(frame, dendrogram_ratio=0.1, cbar_pos=(0, 0, 1, 1), tree_kws={"linewidths": 1})
