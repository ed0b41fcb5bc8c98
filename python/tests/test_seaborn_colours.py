"""Colours of cells, maps and norms, cell by cell beside seaborn's own."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import seaborn as sns

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


def cells(figure, rows, columns):
    """The colour in the middle of each cell of a bare picture, as hex."""
    picture = np.asarray(figure.to_numpy(bare=True))
    h, w = picture.shape[:2]
    return [
        [
            matplotlib.colors.to_hex(picture[int((r + 0.5) * h / rows), int((c + 0.5) * w / columns)] / 255)
            for c in range(columns)
        ]
        for r in range(rows)
    ]


def face_colours(**keywords):
    """The colours of seaborn's own heatmap."""
    _, ax = plt.subplots()
    drawn = sns.heatmap(ax=ax, cbar=False, **keywords)
    drawn.figure.canvas.draw()
    return [matplotlib.colors.to_hex(c) for c in drawn.collections[0].get_facecolors()]


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"vmin": 0},
        {"vmin": 0, "vmax": 0.7},
        {"center": 0.5},
        {"center": 0.3, "vmin": 0, "vmax": 1},
        {"norm": None, "vmin": 0},
        {"norm": matplotlib.colors.LogNorm(0.1, 1)},
        {"norm": matplotlib.colors.PowerNorm(0.5, 0, 1)},
        {"norm": matplotlib.colors.TwoSlopeNorm(0.4, 0, 1)},
        {"norm": matplotlib.colors.BoundaryNorm([0, 0.3, 0.6, 1], 256)},
    ],
    ids=str,
)
@pytest.mark.parametrize("cmap", ["binary", "viridis", "RdBu_r"])
def test_colours_are_those_of_seaborn(keywords, cmap):
    values = [np.linspace(0.2, 1, 9)]
    (ours,) = cells(gs.heatmap(values, cmap=cmap, **keywords), 1, 9)
    theirs = face_colours(data=values, cmap=cmap, **keywords)
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        difference = np.abs(np.array(matplotlib.colors.to_rgb(a)) - matplotlib.colors.to_rgb(b)).max() * 255
        # seaborn resamples a recentred map to 256 colours, so that it may be one entry apart.
        assert difference <= (4.1 if "center" in keywords else 1.01), (ours, theirs)


@pytest.mark.parametrize("cmap", ["rocket", "mako", "flare", "crest", "vlag", "icefire", "rocket_r", "BuGn", "tab10"])
def test_names_of_seaborn_and_matplotlib(cmap):
    (ours,) = cells(gs.heatmap([np.linspace(0, 1, 11)], cmap=cmap), 1, 11)
    entries = sns.color_palette(cmap, as_cmap=True) if not cmap.startswith("tab") else matplotlib.colormaps[cmap]
    for at, colour in zip(np.linspace(0, 1, 11), ours):
        assert np.abs(np.array(matplotlib.colors.to_rgb(colour)) - entries(at)[:3]).max() * 255 <= 2


@pytest.mark.parametrize(
    "cmap",
    [
        matplotlib.colormaps["BuGn"],
        matplotlib.colormaps["viridis"].resampled(7),
        matplotlib.colors.ListedColormap(["red", "#00ff00", "0.5"]),
        matplotlib.colors.LinearSegmentedColormap.from_list("own", ["navy", "white", "crimson"]),
        sns.cubehelix_palette(as_cmap=True),
        sns.diverging_palette(230, 20, as_cmap=True),
    ],
    ids=lambda c: c.name,
)
def test_colormap_objects(cmap):
    values = np.linspace(0, 1, 12)
    (ours,) = cells(gs.heatmap([values], cmap=cmap), 1, 12)
    for at, colour in zip(values, ours):
        assert np.abs(np.array(matplotlib.colors.to_rgb(colour)) - cmap(float(at))[:3]).max() * 255 <= 2


def test_a_list_of_colours_is_a_listed_map():
    (ours,) = cells(gs.heatmap([[0, 1, 2]], cmap=["red", "lime", "blue"]), 1, 3)
    assert ours == ["#ff0000", "#00ff00", "#0000ff"]


@pytest.mark.parametrize("center", [None, 0.5])
def test_extremes_of_a_map_are_kept(center):
    cmap = matplotlib.colormaps["BrBG"].with_extremes(bad="red", under="lime", over="blue")
    (ours,) = cells(gs.heatmap([[np.nan, -1.0, 0.5, 9.0]], cmap=cmap, vmin=0, vmax=1, center=center), 1, 4)
    assert (ours[0], ours[1], ours[3]) == ("#ff0000", "#00ff00", "#0000ff")
