"""Figures: formats, changed copies, reports, figure files, and what a notebook shows."""

import io
import json
import warnings

import numpy as np
import pandas as pd
import pytest
from paths import EXAMPLES
from PIL import Image
from readback import only, scale, svg, texts

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


@pytest.fixture
def figure(sweep):
    return gs.heatmap(sweep, x="ratio", y="window", value="pass1", panel="dataset", columns=2, cmap="YlGnBu")


def test_every_format(figure, tmp_path):
    assert figure.to_png().startswith(b"\x89PNG")
    assert "<svg" in svg(figure)
    assert figure.to_pdf().startswith(b"%PDF")
    paths = [tmp_path / f"figure.{kind}" for kind in ("png", "svg", "pdf")]
    figure.save(*paths)
    assert all(p.stat().st_size > 1000 for p in paths)
    assert paths[0].read_bytes() == figure.to_png()
    figure.save(str(tmp_path / "text.png"))


def test_pixels_are_those_of_the_picture(figure):
    pixels = figure.to_numpy()
    assert (pixels.dtype, pixels.ndim, pixels.shape[2]) == (np.uint8, 3, 4)
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(figure.to_png())).convert("RGBA")), pixels)


def test_saving_is_refused_by_name(figure, tmp_path):
    with pytest.raises(gs.GridscopeError, match="figure.xyz"):
        figure.save(tmp_path / "figure.xyz")
    with pytest.raises(gs.OutputError) as refused:
        figure.save(tmp_path / "no_folder" / "figure.png")
    assert isinstance(refused.value, OSError)
    (tmp_path / "old.png").write_bytes(b"old")
    with pytest.raises(gs.GridscopeError):
        figure.save(tmp_path / "old.png", tmp_path / "no_folder" / "figure.png")
    assert not list(tmp_path.glob("*.tmp*"))


def test_a_changed_copy_leaves_the_figure_as_it_is(figure):
    before = figure.to_png()
    changed = figure.with_(cmap="magma", title="Sweep")
    assert changed.to_png() != before
    assert "Sweep" in texts(changed)
    assert figure.to_png() == before
    assert changed.with_(cmap="YlGnBu", title=None).to_png() == before


def test_a_changed_copy_reads_nothing_again():
    class Once:
        asked = 0

        def __arrow_c_stream__(self, requested_schema=None):
            import pyarrow

            Once.asked += 1
            return pyarrow.table({"x": [1, 2], "y": [1, 1], "v": [1.0, 2.0]}).__arrow_c_stream__()

    figure = gs.heatmap(Once(), x="x", y="y", value="v")
    figure.to_png()
    figure.with_(vmin=0, vmax=9).to_png()
    assert Once.asked == 1


def test_the_report_is_the_json_of_the_program(figure):
    report = figure.report()
    assert {"version", "panels", "scales", "lints"} <= set(report)
    assert [p["name"] for p in report["panels"]] == [g.name for g in figure.grids]
    assert json.loads(json.dumps(report)) == report


def test_information_and_comparison(figure, sweep):
    found = figure.info()
    assert len(found["panels"]) == len(figure.grids)
    assert gs.info(sweep, x="ratio", y="window", value="pass1", panel="dataset")["panels"] == found["panels"]
    other = gs.heatmap(sweep.assign(pass1=sweep.pass1 + 1), x="ratio", y="window", value="pass1", panel="dataset")
    assert gs.compare(figure, other, better="higher")


def test_figure_files(figure, tmp_path):
    path = tmp_path / "figure.toml"
    path.write_text(figure.to_toml())
    assert 'cmap = "YlGnBu"' in path.read_text()
    described = gs.Figure.from_file(EXAMPLES / "r1_llama.toml")
    assert len(described.grids) == 4
    assert described.to_png() and described.with_(cmap="magma").to_png()


def test_what_a_notebook_shows(figure):
    bundle = figure._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "image/png" in data
    picture = data["image/png"]
    if isinstance(picture, str):
        import base64

        picture = base64.b64decode(picture)
    assert picture.startswith(b"\x89PNG")
    assert len(repr(figure)) < 500


def test_drawing_does_not_depend_on_threads(figure):
    before = figure.to_png()
    try:
        gs.set_threads(1)
        assert figure.to_png() == before
    finally:
        gs.set_threads(None)
    with pytest.raises((ValueError, OverflowError)):
        gs.set_threads(-1)


def test_keywords_are_those_of_the_command_line(matrix):
    figure = gs.heatmap(
        pd.DataFrame(matrix, columns=list("abcdefgh")),
        title="T",
        xlabel="the columns",
        ylabel="the rows",
        cbar_label="the bar",
        x_labels={"a": "zero"},
        annot="on",
        fmt=".2f",
        mark="max",
        norm="twoslope",
        center=0,
        origin="lower",
        width="6in",
        height="4in",
        dpi=100,
        theme="dark",
        note="a note",
    )
    shown = texts(figure)
    for text in ("T", "the columns", "the rows", "the bar", "zero", "a note"):
        assert text in shown
    assert figure.to_numpy().shape == (400, 600, 4)


@pytest.mark.parametrize(
    ("keywords", "names"),
    [
        ({"colormap": "magma"}, ["colormap", "cmap"]),
        ({"cmapp": "magma"}, ["cmapp", "cmap"]),
        ({"cmap": "viridiss"}, ["cmap", "viridiss", "viridis"]),
        ({"vmin": "low"}, ["vmin", "low"]),
        ({"vmin": 3, "vmax": 1}, ["vmin"]),
        ({"norm": "logarithmic"}, ["norm", "logarithmic"]),
        ({"reduce": "median"}, ["reduce", "median"]),
        ({"figsize": (3, 4)}, ["figsize", "width"]),
        ({"width": "6 parsecs"}, ["width"]),
        ({"theme": "solarized"}, ["theme"]),
        ({"dpi": 0}, ["dpi"]),
        ({"linecolor": "no colour"}, ["linecolor"]),
        ({"deny": ["no-lint"]}, ["no-lint"]),
    ],
    ids=str,
)
def test_wrong_keywords_and_values_are_named(matrix, keywords, names):
    with pytest.raises((gs.InputError, TypeError)) as refused:
        gs.heatmap(matrix, **keywords).to_png()
    message = f"{refused.value} {getattr(refused.value, 'hint', '')}"
    assert all(name in message for name in names), message
    assert "--" not in message.replace("---", "")


def test_pictures_over_a_limit_are_refused(matrix):
    with pytest.raises(gs.LimitError) as refused:
        gs.heatmap(matrix, width="70000px", height="70000px").to_png()
    assert isinstance(refused.value, MemoryError)


def test_memory_has_a_limit(matrix):
    rows = {"x": list(range(40_000)), "y": ["a"] * 40_000, "v": [1.5] * 40_000}
    names = {"x": "x", "y": "y", "value": "v"}
    try:
        gs.set_memory("100k")
        with pytest.raises(gs.LimitError) as refused:
            gs.heatmap(rows, **names)
        assert "gridscope.set_memory" in refused.value.hint and "--" not in str(refused.value)
        gs.set_memory(1 << 30)
        assert only(gs.heatmap(rows, **names)).values.shape == (1, 40_000)
    finally:
        gs.set_memory(None)
    for wrong in ("8X", -1, 0, True, 1.5, b"8G"):
        with pytest.raises(gs.InputError) as refused:
            gs.set_memory(wrong)
        assert refused.value.place == "limit" and "None" in refused.value.hint


def test_limits_take_numpy_numbers(matrix):
    found = scale(gs.heatmap(matrix, vmin=np.float32(-1), vmax=np.int64(2)))
    assert (found["vmin"], found["vmax"]) == (-1, 2)


def test_files_are_read_as_by_the_program(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(only(gs.read(tmp_path / "a.npy")).values, np.arange(6.0).reshape(2, 3))
    (tmp_path / "bad.csv").write_text('a,b\n"1,2\n')
    with pytest.raises(gs.InputError) as refused:
        gs.read(tmp_path / "bad.csv")
    assert refused.value.file and refused.value.file.endswith("bad.csv")


# Warnings.


def test_lints_are_warnings_once_each(sweep):
    keywords = {"x": "ratio", "y": "window", "value": "pass1", "panel": "dataset", "vmax": 48}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure = gs.heatmap(sweep, **keywords)
        figure.to_png()
        figure.to_png()
        figure.to_svg()
    ours = [w for w in caught if issubclass(w.category, gs.LintWarning)]
    names = [w.message.name for w in ours]
    assert "clipped" in names
    assert len({(w.message.name, w.message.panel, w.message.text) for w in ours}) == len(ours)
    assert all(w.filename == __file__ for w in ours)
    assert set(names) <= {lint.name for lint in figure.lints}


@pytest.fixture
def errors():
    """As `python -W error`."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_lints_as_errors(sweep, errors):
    with pytest.raises(gs.LintWarning) as raised:
        gs.heatmap(sweep, x="ratio", y="window", value="pass1", panel="dataset", vmax=48).to_png()
    assert raised.value.name == "clipped"


def test_allowed_lints_do_not_warn(errors):
    gs.heatmap(np.array([[1.0, np.nan], [3.0, 4.0]]), allow=["nan"]).to_png()


def test_clean_figures_do_not_warn(errors):
    gs.heatmap(np.arange(12.0).reshape(3, 4)).to_png()


def test_nothing_is_printed(capfd, sweep):
    gs.heatmap(sweep, x="ratio", y="window", value="pass1", panel="dataset", vmax=48).to_png()
    assert capfd.readouterr() == ("", "")


def test_arrays_take_labels_of_their_own(matrix, tmp_path):
    labels = [f"token {i}" for i in range(8)]
    tokens = tmp_path / "tokens.txt"
    tokens.write_text("\n".join(labels) + "\n")
    for given in (labels, np.array(labels), tokens, dict(enumerate(labels))):
        assert gs.heatmap(matrix, x_labels=given).grids[0].columns.labels == labels, given
    with pytest.raises(gs.GridscopeError, match="7 labels, but the x axis has 8 cells"):
        gs.heatmap(matrix, x_labels=labels[:7])
