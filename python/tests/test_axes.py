"""Figures in axes of matplotlib: in the pixels of each canvas, as large as the axes, without their frame."""

import copy
import io
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


@pytest.fixture
def two_axes():
    """A line plot, and axes beside it whose borders are whole pixels at 100 dots per inch."""
    drawn = plt.figure(figsize=(6, 3), dpi=100)
    line = drawn.add_axes((0.05, 0.1, 0.4, 0.8))
    line.plot([1, 2])
    return line, drawn.add_axes((0.5, 0.1, 0.45, 0.8))


def pixels(drawn, **options):
    """The picture that `savefig` writes."""
    file = io.BytesIO()
    drawn.savefig(file, format="png", **options)
    return (plt.imread(io.BytesIO(file.getvalue())) * 255).round().astype(np.uint8)


@pytest.mark.parametrize("dpi", [100, 200, 300])
def test_the_picture_is_drawn_in_the_pixels_of_each_canvas(two_axes, matrix, dpi):
    line, ax = two_axes
    figure = gs.heatmap(matrix, ax=ax, title="Beside a line", annot=True)
    wanted = figure.with_(width="2.7in", height="2.4in", dpi=dpi).to_numpy()
    rows, columns = slice(dpi * 3 // 10, dpi * 27 // 10), slice(dpi * 3, dpi * 57 // 10)
    np.testing.assert_array_equal(pixels(ax.figure, dpi=dpi)[rows, columns, :3], wanted[..., :3])
    assert not ax.axison and line.axison


def test_the_figure_is_returned_and_shows_itself_once(two_axes, matrix):
    figure = gs.heatmap(matrix, ax=two_axes[1])
    assert isinstance(figure, gs.Figure)
    assert figure._repr_mimebundle_() == ({}, {})
    # One made of it is in no axes.
    assert "image/png" in figure.with_(cmap="magma")._repr_mimebundle_()[0]


def test_whole_figures_and_subfigures(matrix):
    drawn = plt.figure(figsize=(4, 2))
    figure = gs.heatmap(matrix, ax=drawn)
    wanted = figure.with_(width="4in", height="2in", dpi=150).to_numpy()
    np.testing.assert_array_equal(pixels(drawn, dpi=150), wanted)
    assert pixels(drawn, dpi=100, bbox_inches="tight", pad_inches=0).shape[:2] == (200, 400)

    drawn = plt.figure(figsize=(4, 2))
    left, right = drawn.subfigures(1, 2)
    left.subplots().plot([1, 2])
    figure = gs.heatmap(matrix, ax=right)
    wanted = figure.with_(width="2in", height="2in", dpi=100).to_numpy()
    np.testing.assert_array_equal(pixels(drawn, dpi=100)[:, 200:], wanted)


@pytest.mark.parametrize("layout", [None, "tight", "constrained"])
def test_layouts(matrix, layout):
    drawn, (line, ax) = plt.subplots(1, 2, figsize=(6, 3), layout=layout)
    line.plot([1, 2])
    gs.heatmap(matrix, ax=ax)
    for _ in range(2):
        drawn.canvas.draw()
        drawn.set_size_inches(7, 4)
    # Labels are inside of the axes, which have as much room as others.
    assert ax.get_position().height == pytest.approx(line.get_position().height)
    assert pixels(drawn, bbox_inches="tight").std() > 0


@pytest.mark.parametrize("form", ["pdf", "svg"])
def test_files_of_vectors_hold_a_fine_image(two_axes, matrix, form, monkeypatch):
    asked = []
    draw = gs.Figure._draw

    def drawing(figure, *arguments, **options):
        picture = draw(figure, *arguments, **options)
        asked.append(picture.size)
        return picture

    monkeypatch.setattr(gs.Figure, "_draw", drawing)
    gs.heatmap(matrix, ax=two_axes[1])
    for dpi in (None, 1200):
        file = io.BytesIO()
        two_axes[1].figure.savefig(file, format=form, **({"dpi": dpi} if dpi else {}))
        assert file.getvalue()
    assert asked == [(1620, 1440), (3240, 2880)]


def test_large_pages_have_images_within_bounds():
    from matplotlib.transforms import Bbox

    from gridscope._axes_picture import MOST_VECTOR_PIXELS, _vector_scale

    box = Bbox.from_bounds(0, 0, 72 * 40, 72 * 60)
    scale = _vector_scale(box, 72, 1)
    assert scale > 1 and box.width * scale * box.height * scale <= MOST_VECTOR_PIXELS * 1.001
    assert _vector_scale(box, 72, 9) == 9


def test_a_picture_is_drawn_once_for_each_size(two_axes, matrix, monkeypatch):
    figure = gs.heatmap(matrix, ax=two_axes[1])
    canvas = two_axes[1].figure.canvas
    canvas.draw()
    monkeypatch.setattr(gs.Figure, "_draw", lambda *_, **__: pytest.fail("drawn again"))
    two_axes[0].plot([2, 1])
    canvas.draw()
    assert figure is not None


def test_warnings_come_once():
    drawn, ax = plt.subplots()
    gs.heatmap([[1, None], [3, 4]], ax=ax)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for width in (4, 5, 6):
            drawn.set_size_inches(width, 4)
            drawn.canvas.draw()
    assert [w.message.name for w in caught] == ["nan"]


def test_denied_warnings_are_errors():
    drawn, ax = plt.subplots()
    gs.heatmap([[1, None]], ax=ax, deny=["nan"])
    with pytest.raises(gs.DeniedLintError):
        drawn.canvas.draw()


@pytest.mark.parametrize("projection", ["3d", "polar"])
def test_axes_of_any_projection_give_their_place(matrix, projection):
    drawn = plt.figure()
    gs.heatmap(matrix, ax=drawn.add_subplot(projection=projection))
    assert len(np.unique(pixels(drawn)[..., :3].reshape(-1, 3), axis=0)) > 20


def test_closed_and_copied_figures_draw(matrix):
    drawn, ax = plt.subplots()
    plt.close(drawn)
    gs.heatmap(matrix, ax=ax)
    np.testing.assert_array_equal(pixels(copy.deepcopy(drawn)), pixels(drawn))


def test_axes_that_are_too_small_say_how_small(matrix):
    drawn, axes = plt.subplots(20, 20)
    gs.heatmap(matrix, ax=axes[3, 3])
    with pytest.raises(gs.LimitError, match=r"0\.21 x 0\.15 in") as refused:
        drawn.canvas.draw()
    assert refused.value.place == "ax"
    assert "figsize" in refused.value.hint


def test_what_is_no_place_is_refused(matrix):
    drawn, axes = plt.subplots(2)
    removed = drawn.add_subplot()
    removed.remove()
    for wrong, hint in ((axes, "axes[0]"), ("ax", "add_subplot"), (removed, "add_subplot")):
        with pytest.raises(gs.InputError) as refused:
            gs.heatmap(matrix, ax=wrong)
        assert refused.value.place == "ax"
        assert hint in refused.value.hint


def test_all_that_makes_figures_takes_axes(two_axes, sweep, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sweep.to_csv("sweep.csv", index=False)
    keys = 'title = "Sweep"\n[data]\nfile = "sweep.csv"\nx = "ratio"\ny = "window"\npanel = "dataset"\n'
    (tmp_path / "figure.toml").write_text(keys)
    ax = two_axes[1]
    wide = pd.DataFrame(np.eye(3))
    made = [
        gs.read("figure.toml", ax=ax),
        gs.Figure.from_file("figure.toml", ax=ax),
        wide.gs.heatmap(ax=ax),
        gs.heatmap(gs.heatmap(wide), ax=ax),
        gs.heatmap(wide).with_(ax=ax),
    ]
    assert [type(artist).__name__ for artist in ax.artists] == ["AxesPicture"] * len(made)
    ax.figure.canvas.draw()
    for other in (lambda: gs.info(wide, ax=ax), lambda: made[2].save("a.png", ax=ax), lambda: gs.compare(wide, wide, ax=ax)):
        with pytest.raises(gs.UnsupportedError, match="with_"):
            other()
    assert len(ax.artists) == len(made)
