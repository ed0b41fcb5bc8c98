"""Figures in pickles and other processes: the same pictures, byte for byte, where the files are gone, too."""

import concurrent.futures
import multiprocessing
import os
import pickle
import shutil

import numpy as np
import pandas as pd
import pytest
from paths import EXAMPLES
from readback import picture

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


def again(figure):
    return pickle.loads(pickle.dumps(figure))


def tidy():
    return pd.DataFrame(
        {
            "x": ["a", "b"] * 3,
            "y": np.repeat([1, 2, 3], 2),
            "v": [0.5, 1, 2, None, 4, 5],
            "kind": np.repeat(["k", "l", "k"], 2),
        }
    )


def wide():
    return pd.DataFrame(np.random.default_rng(2).normal(size=(4, 3)), index=list("ABCD"), columns=list("xyz"))


def nested():
    frame = wide()
    frame.index = pd.MultiIndex.from_product([["p", "q"], [1, 2]], names=["outer", "inner"])
    return frame


def with_beside():
    """A mask and texts in another order than the values, and a strip by labels."""
    frame = wide()
    strip = pd.Series(["k", "l", "k", "l"], index=frame.index, name="kind").iloc[::-1]
    texts = frame.iloc[::-1]
    return gs.heatmap(frame, mask=(frame > 1).iloc[::-1], annot=texts, fmt=".1f", xticklabels=list("pqr"), row_colors=strip)


def labelled():
    xarray = pytest.importorskip("xarray")
    values = np.random.default_rng(3).random((2, 3, 4))
    return xarray.DataArray(values, dims=["t", "lat", "lon"], coords={"lat": [3, 2, 1]}, name="T", attrs={"units": "K"})


NAMED = {"x": "x", "y": "y", "value": "v"}
MADE = {
    "array": lambda: gs.heatmap(np.arange(6.0).reshape(2, 3)[::-1, ::2], title="A title", vmax=3),
    "truths": lambda: gs.heatmap(np.eye(3) > 0),
    "masked array": lambda: gs.heatmap(np.ma.masked_less(np.eye(3), 0.5)),
    "no values": lambda: gs.heatmap(np.full((2, 2), np.nan)),
    "large values": lambda: gs.heatmap([[1e300, -1e300]]),
    "panels": lambda: gs.heatmap({"a": np.eye(2), "b": -np.eye(2)}, panels={"b": {"cmap": "magma"}}),
    "wide frame": lambda: gs.heatmap(wide()),
    "wide frame as a table": lambda: gs.heatmap(wide(), where="x > 0"),
    "nested frame": lambda: gs.heatmap(nested()),
    "beside": with_beside,
    "clusters": lambda: gs.clustermap(wide(), z_score=0),
    "tidy frame": lambda: gs.heatmap(tidy(), **NAMED, strip="kind"),
    "polars": lambda: gs.heatmap(pytest.importorskip("polars").DataFrame(tidy()), **NAMED),
    "pyarrow": lambda: gs.heatmap(pytest.importorskip("pyarrow").table(tidy()), **NAMED),
    "columns": lambda: gs.heatmap(tidy().to_dict("list"), **NAMED),
    "series": lambda: gs.heatmap(nested()["x"]),
    "sparse": lambda: gs.heatmap(pytest.importorskip("scipy.sparse").csr_matrix(np.eye(4))),
    "xarray": lambda: gs.heatmap(labelled(), panel="t"),
    "figure file": lambda: gs.read(EXAMPLES / "r1_llama.toml"),
    "files": lambda: gs.read(EXAMPLES / "r1_llama.csv", x="ratio", y="window", value="pass1", panel="dataset", columns=2),
}


@pytest.mark.parametrize("name", MADE)
def test_pictures_are_the_same(name):
    figure = MADE[name]()
    same = again(figure)
    assert same.to_png() == figure.to_png()
    assert same.to_svg() == figure.to_svg()
    assert same.to_toml() == figure.to_toml()
    assert same.report() == figure.report()
    changed = {"theme": "dark", "title": "Changed"}
    assert again(same).with_(**changed).to_png() == figure.with_(**changed).to_png()


def test_values_are_read_again_where_options_choose_others():
    figure = again(gs.heatmap(wide()))
    assert figure.with_(where="x > 0").to_png() == gs.heatmap(wide(), where="x > 0").to_png()
    assert again(gs.heatmap(tidy(), **NAMED)).with_(agg="max").to_png() == gs.heatmap(tidy(), **NAMED, agg="max").to_png()


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_other_processes_draw(method):
    figures = [MADE[name]() for name in ("array", "wide frame", "tidy frame", "figure file")]
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(picture, figures, timeout=300)) == [figure.to_png() for figure in figures]


@pytest.fixture
def files(tmp_path):
    """Data with a mask and a comparison in other files; two files have one name."""
    for name, values in (("now", np.arange(6.0)), ("before", np.ones(6))):
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / "values.npy", values.reshape(2, 3))
    np.save(tmp_path / "mask.npy", np.arange(6).reshape(2, 3) == 2)
    text = '[data]\nfile = "now/values.npy"\nmask = "mask.npy"\nminus = "file:before/values.npy"\n'
    (tmp_path / "figure.toml").write_text(text)
    return tmp_path


def test_files_may_be_gone(files):
    figure = gs.read(files / "figure.toml")
    wanted, toml = figure.to_png(), figure.to_toml()
    pickled = pickle.dumps(figure)
    shutil.rmtree(files)
    same = pickle.loads(pickled)
    assert same.to_png() == wanted
    assert same.to_toml() == toml
    assert again(same).with_(origin="lower").grids[0].values.shape == (2, 3)


def test_fonts_are_carried(files):
    font = files / "mono.ttf"
    import matplotlib

    shutil.copy(os.path.join(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSansMono.ttf"), font)
    figure = gs.heatmap([[1, 2]], font=font)
    wanted, pickled = figure.to_png(), pickle.dumps(figure)
    font.unlink()
    same = pickle.loads(pickled)
    assert same.to_png() == wanted
    assert same.to_toml() == figure.to_toml()
    assert again(gs.heatmap([[1, 2]]).with_(font=same._keys["font"])).to_png() == wanted


def test_copies_of_files_go_with_their_figure(files):
    figure = again(gs.read(files / "figure.toml"))
    folder = figure._source.copies.folder
    assert os.path.isdir(folder)
    changed = figure.with_(cmap="magma")
    del figure
    assert os.path.isdir(folder)
    del changed
    assert not os.path.exists(folder)


def test_files_that_are_not_those_that_were_read_are_refused(files):
    figure = gs.read(files / "figure.toml")
    np.save(files / "mask.npy", np.zeros((2, 3, 1), bool))
    with pytest.raises(gs.InputError, match=r"mask\.npy has changed") as refused:
        pickle.dumps(figure)
    assert refused.value.place == "pickle" and refused.value.hint
    (files / "now" / "values.npy").unlink()
    with pytest.raises(gs.InputError, match=r"values\.npy is no longer there"):
        pickle.dumps(figure)


def test_what_is_too_large_is_refused_with_its_size(monkeypatch, files):
    array = np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (40_000, 40_000), (0, 0))
    with pytest.raises(gs.LimitError, match=r"5\.96 GiB") as refused:
        pickle.dumps(gs.heatmap(array))
    assert "gridscope.read" in refused.value.hint
    monkeypatch.setattr("gridscope._carried.MOST_BYTES", 100)
    with pytest.raises(gs.LimitError, match="files of"):
        pickle.dumps(gs.read(files / "figure.toml"))


def test_what_no_pickle_carries_is_refused(tmp_path):
    dask = pytest.importorskip("dask.array")
    zarr = pytest.importorskip("zarr")
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(gs.InputError, match="compute"):
        pickle.dumps(gs.heatmap(dask.ones((4, 4), chunks=2)))
    with pytest.raises(gs.InputError, match="read_all"):
        pickle.dumps(gs.heatmap(pyarrow.table(tidy()).to_reader(), **NAMED))
    zarr.save(tmp_path / "a.zarr", np.eye(3))
    with pytest.raises(gs.InputError, match="folder"):
        pickle.dumps(gs.read(tmp_path / "a.zarr"))


def test_a_figure_of_matplotlib_with_one_inside():
    import matplotlib.pyplot as plt

    drawn, ax = plt.subplots()
    gs.heatmap(wide(), ax=ax)
    same = pickle.loads(pickle.dumps(drawn))
    for one in (drawn, same):
        one.canvas.draw()
    np.testing.assert_array_equal(np.asarray(same.canvas.buffer_rgba()), np.asarray(drawn.canvas.buffer_rgba()))
