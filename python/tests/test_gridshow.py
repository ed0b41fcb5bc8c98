"""The matplotlib artist: its pixels are exact reductions, and matplotlib's own parts work on it."""

import io
import pickle

import matplotlib.colors as mcolors
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.backend_bases import MouseEvent
from matplotlib.image import AxesImage
from PIL import Image

import gridscope as gs


def test_without_axes_the_image_is_the_current_one():
    image = gs.mpl.gridshow(np.eye(3))
    assert plt.gci() is image and plt.colorbar().mappable is image
    other = plt.figure().add_subplot()
    gs.mpl.gridshow(np.eye(3), other)
    assert plt.gci() is None


def canvas(figure):
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba()).copy()


def body(ax):
    """The pixels of the axes alone."""
    box = ax.bbox
    whole = canvas(ax.figure)
    height = whole.shape[0]
    return whole[height - round(box.y1) : height - round(box.y0), round(box.x0) : round(box.x1)]


def bare(pixels, dpi=100):
    """Axes that are the whole figure, of a number of pixels."""
    figure = plt.figure(figsize=(pixels[1] / dpi, pixels[0] / dpi), dpi=dpi)
    ax = figure.add_axes([0, 0, 1, 1])
    ax.set_axis_off()
    return figure, ax


@pytest.mark.parametrize("reduce", ["mean", "min", "max"])
@pytest.mark.parametrize("origin", ["upper", "lower"])
def test_pixels_are_the_fold_through_norm_and_map(reduce, origin):
    array = np.random.default_rng(1).normal(size=(403, 517)).astype("f4")
    figure, ax = bare((40, 50))
    image = gs.mpl.gridshow(array, ax, reduce, cmap="viridis", origin=origin, aspect="auto")
    wanted = image.cmap(image.norm(gs.fold(array, (40, 50), reduce)), bytes=True)
    np.testing.assert_array_equal(canvas(figure), wanted if origin == "upper" else wanted[::-1])


def test_one_cell_of_a_hundred_million_is_seen_at_every_size():
    array = np.zeros((10_000, 10_000), dtype="u1")
    array[1234, 5678] = 1
    for pixels in ((50, 50), (123, 77), (400, 300)):
        figure, ax = bare(pixels)
        gs.mpl.gridshow(array, ax, "max", cmap="gray", aspect="auto")
        assert (canvas(figure)[..., 0] == 255).sum() == 1


def test_cells_larger_than_pixels_are_those_of_imshow(matrix):
    matrix[2, 3] = np.nan
    for keywords in ({}, {"origin": "lower"}, {"alpha": 0.5}, {"extent": (5, 1, 3, 7)}, {"vmin": -1, "cmap": "RdBu"}):
        pictures = []
        for draw in (
            lambda ax: ax.imshow(matrix, interpolation="nearest", **keywords),
            lambda ax: gs.mpl.gridshow(matrix, ax, **keywords),
        ):
            figure, ax = plt.subplots(figsize=(3, 2))
            figure.colorbar(draw(ax))
            pictures.append(canvas(figure))
        # Borders between cells may be a pixel apart.
        assert (pictures[0] != pictures[1]).any(-1).mean() < 0.03


def test_zooming_folds_anew():
    array = np.zeros((1000, 1000))
    array[500, 500] = 1
    figure, ax = bare((100, 100))
    gs.mpl.gridshow(array, ax, cmap="gray", vmin=0, vmax=1)
    assert body(ax)[..., 0].max() < 5
    ax.set(xlim=(450, 550), ylim=(550, 450))
    assert body(ax)[..., 0].max() == 255
    ax.set(xlim=(0, 10), ylim=(10, 0))
    assert body(ax)[..., 0].max() == 0


def test_inverted_axes_and_parts_beyond_the_array():
    array = np.arange(12.0).reshape(3, 4)
    figure, ax = bare((60, 80))
    gs.mpl.gridshow(array, ax, cmap="gray", aspect="auto")
    plain = canvas(figure)
    ax.invert_xaxis()
    np.testing.assert_array_equal(canvas(figure), plain[:, ::-1])
    ax.invert_yaxis()
    np.testing.assert_array_equal(canvas(figure), plain[::-1, ::-1])
    ax.set(xlim=(100, 200))
    assert (canvas(figure)[..., :3] == 255).all()


def test_saving_folds_for_the_resolution_of_the_file():
    array = np.zeros((2000, 2000))
    array[77, 1999] = 1
    figure, ax = bare((50, 50))
    gs.mpl.gridshow(array, ax, "max", cmap="gray", aspect="auto")
    for dpi in (30, 100, 250):
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=dpi)
        picture = np.asarray(Image.open(file))
        assert picture.shape[0] == round(50 / 100 * dpi)
        assert (picture[..., 0] == 255).sum() == 1


def test_pdf_and_svg_hold_the_fold():
    import base64
    import re

    array = np.random.default_rng(2).random((300, 300))
    figure, ax = bare((60, 60))
    image = gs.mpl.gridshow(array, ax, cmap="gray", aspect="auto")
    file = io.BytesIO()
    figure.savefig(file, format="svg", dpi=144)
    (found,) = re.findall(r"data:image/png;base64,\s*([A-Za-z0-9+/=\s]+)\"", file.getvalue().decode())
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(found))).convert("RGBA"))
    wanted = image.cmap(image.norm(gs.fold(array, picture.shape[:2])), bytes=True)
    # The file's image is upside down, and its place turns it.
    np.testing.assert_array_equal(picture[::-1], wanted)
    file = io.BytesIO()
    figure.savefig(file, format="pdf", dpi=144)
    assert file.getvalue().startswith(b"%PDF")
    assert b"/Subtype /Image" in file.getvalue()


@pytest.mark.parametrize(
    "norm",
    [
        None,
        "log",
        mcolors.LogNorm(),
        mcolors.PowerNorm(0.5),
        mcolors.SymLogNorm(0.1),
        mcolors.CenteredNorm(),
        mcolors.TwoSlopeNorm(0.4),
        mcolors.BoundaryNorm([0, 0.25, 1, 2], 256),
        mcolors.AsinhNorm(),
        mcolors.FuncNorm((np.sqrt, np.square)),
    ],
    ids=str,
)
def test_norms_have_the_limits_that_imshow_gives_them(norm):
    array = np.abs(np.random.default_rng(3).normal(size=(50, 60)))
    array[3, 4], array[5, 6], array[7, 8] = np.nan, 0, np.inf
    figure, (one, two) = plt.subplots(1, 2)
    theirs = one.imshow(array, norm=pickle.loads(pickle.dumps(norm)), interpolation="nearest")
    ours = gs.mpl.gridshow(array, two, norm=pickle.loads(pickle.dumps(norm)))
    for image in (theirs, ours):
        figure.colorbar(image)
    figure.canvas.draw()
    assert ours.get_clim() == theirs.get_clim()


def test_limits_map_norm_and_data_can_be_changed():
    figure, ax = bare((20, 20))
    image = gs.mpl.gridshow(np.arange(400.0).reshape(20, 20), ax, cmap="gray", aspect="auto")
    assert image.get_clim() == (0, 399)
    image.set_clim(0, 1)
    assert (canvas(figure)[1:, :, 0] == 255).all()
    image.set_cmap("viridis")
    assert tuple(canvas(figure)[19, 19]) == image.cmap(1.0, bytes=True)
    image.set_data(np.zeros((5, 5)))
    assert tuple(canvas(figure)[19, 19]) == image.cmap(0.0, bytes=True)
    image.autoscale()
    assert image.get_clim() == (0, 0)
    image.set_reduce("max")
    assert image.get_reduce() == "max"
    assert isinstance(image, AxesImage)


def test_the_array_is_held_not_copied():
    array = np.zeros((10, 10))
    figure, ax = bare((10, 10))
    image = gs.mpl.gridshow(array, ax, vmin=0, vmax=1, cmap="gray", aspect="auto")
    assert np.shares_memory(image.get_array(), array)
    array[0, 0] = 1
    assert canvas(figure)[0, 0, 0] == 255


def test_a_colour_bar_follows():
    figure, ax = plt.subplots()
    image = gs.mpl.gridshow(np.arange(6.0).reshape(2, 3), ax)
    bar = figure.colorbar(image)
    figure.canvas.draw()
    assert (bar.vmin, bar.vmax) == (0, 5)
    image.set_clim(1, 4)
    figure.canvas.draw()
    assert (bar.vmin, bar.vmax) == (1, 4)


def test_cursor_data_are_the_cell_or_the_reduction():
    figure, ax = bare((100, 100))
    small = np.array([[1, 2], [3, 4]], dtype="u8")
    image = gs.mpl.gridshow(small, ax, aspect="auto")
    figure.canvas.draw()
    at = lambda x, y: image.get_cursor_data(MouseEvent("motion_notify_event", figure.canvas, x, y))
    # y grows upwards on a canvas.
    assert [int(at(*p)) for p in ((10, 90), (90, 90), (10, 10), (90, 10))] == [1, 2, 3, 4]
    assert "2" in image.format_cursor_data(at(90, 90))
    array = np.random.default_rng(4).random((1000, 700))
    for reduce in ("mean", "max"):
        ax.clear()
        image = gs.mpl.gridshow(array, ax, reduce, aspect="auto")
        folded = gs.fold(array, (100, 100), reduce)
        assert at(37, 20) == pytest.approx(folded[79, 37], rel=1e-12)
    ax.set(xlim=(10, 20), ylim=(20, 10))
    assert at(0, 99) == array[10, 10]
    ax.set(xlim=(-500, 1500))
    assert at(3, 50) is None


def test_counts_have_limits_of_their_own():
    figure, ax = bare((10, 10))
    image = gs.mpl.gridshow(np.ma.masked_less(np.arange(400.0).reshape(20, 20), 4), ax, "count", aspect="auto")
    figure.canvas.draw()
    assert image.get_clim() == (0, 4)


def test_extremes_are_measured_from_the_centre_of_the_norm():
    array = np.array([[-1.0, 2.0, 0.0, 0.0]])
    for vcenter, wanted in ((0.0, 2.0), (1.9, -1.0)):
        figure, ax = bare((1, 1))
        norm = mcolors.TwoSlopeNorm(vcenter, -3, 3)
        image = gs.mpl.gridshow(array, ax, "extreme", norm=norm, cmap="gray", aspect="auto")
        assert tuple(canvas(figure)[0, 0]) == image.cmap(norm(wanted), bytes=True)


def test_figures_with_it_can_be_pickled():
    figure, ax = bare((20, 20))
    gs.mpl.gridshow(np.arange(9.0).reshape(3, 3), ax)
    again = pickle.loads(pickle.dumps(figure))
    np.testing.assert_array_equal(canvas(again), canvas(figure))


def test_booleans_and_integers():
    for kind in ("?", "i8", "u1", "f2"):
        figure, ax = bare((2, 2))
        gs.mpl.gridshow(np.array([[0, 1], [1, 0]], dtype=kind), ax, cmap="gray", aspect="auto")
        np.testing.assert_array_equal(canvas(figure)[..., 0], [[0, 255], [255, 0]])


@pytest.mark.parametrize(
    "keywords", [{"interpolation": "bilinear"}, {"resample": True}, {"filterrad": 3}, {"interpolation_stage": "rgba"}]
)
def test_parameters_without_a_meaning_are_refused_by_name(keywords):
    _, ax = plt.subplots()
    (name,) = keywords
    with pytest.raises(gs.InputError) as refused:
        gs.mpl.gridshow(np.zeros((2, 2)), ax, **keywords)
    assert refused.value.place == name
    assert refused.value.hint
    assert not ax.images


@pytest.mark.parametrize(
    ("keywords", "place"),
    [
        ({"reduce": "median"}, "reduce"),
        ({"alpha": np.ones((2, 2))}, "alpha"),
        ({"origin": "left"}, "origin"),
        ({"extent": (0, 1)}, "extent"),
        ({"norm": mcolors.Normalize(0, 1), "vmin": 0}, "norm"),
    ],
)
def test_wrong_values_are_refused_by_name(keywords, place):
    _, ax = plt.subplots()
    with pytest.raises(gs.InputError) as refused:
        gs.mpl.gridshow(np.zeros((2, 2)), ax, **keywords)
    assert refused.value.place == place
    assert not ax.images


def test_axes_without_equal_cells_are_refused():
    _, ax = plt.subplots()
    ax.set_xscale("log")
    with pytest.raises(gs.InputError, match="log") as refused:
        gs.mpl.gridshow(np.zeros((2, 2)), ax)
    assert refused.value.place == "ax"
    with pytest.raises(gs.InputError, match="polar"):
        gs.mpl.gridshow(np.zeros((2, 2)), plt.figure().add_subplot(projection="polar"))
    figure, ax = plt.subplots()
    gs.mpl.gridshow(np.zeros((2, 2)), ax, extent=(1, 2, 1, 2))
    ax.set_yscale("log")
    with pytest.raises(gs.InputError, match="log"):
        figure.canvas.draw()


def test_limits_of_a_large_array_make_no_copy():
    import tracemalloc

    array = np.ones((3000, 3000), dtype="f4")
    figure, ax = bare((50, 50))
    tracemalloc.start()
    gs.mpl.gridshow(array, ax)
    figure.canvas.draw()
    assert tracemalloc.get_traced_memory()[1] < 8e6
    tracemalloc.stop()
