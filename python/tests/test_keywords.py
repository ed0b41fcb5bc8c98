"""Keywords are the flags of the program, typed; None takes back; progress is reported; windows say why they do not open."""

import inspect
import tempfile
from pathlib import Path

import numpy as np
import pytest
from readback import texts

import gridscope as gs
from gridscope._options import AllOptions
from gridscope._vocabulary import vocabulary

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


def test_every_flag_is_a_typed_keyword():
    typed = set(AllOptions.__annotations__)
    assert set(vocabulary().keys) - typed == set()
    # Beside flags: tables of keys, and parameters of seaborn.
    beside = typed - set(vocabulary().keys)
    assert beside <= {
        "panels",
        "set",
        "annot_kws",
        "cbar_kws",
        "cbar_ax",
        "xticklabels",
        "yticklabels",
        "row_colors",
        "col_colors",
        "ax",
        "linewidth",
        "lw",
    }


def test_the_signature_has_seaborns_parameters():
    seaborn = pytest.importorskip("seaborn")
    theirs = set(inspect.signature(seaborn.heatmap).parameters) - {"kwargs"}
    assert theirs <= set(inspect.signature(gs.heatmap).parameters)


def test_words_of_others_are_refused_with_ours():
    for word, keyword in [
        ("colormap", "cmap"),
        ("aggfunc", "agg"),
        ("zmin", "vmin"),
        ("figsize", "width"),
        ("suptitle", "title"),
    ]:
        with pytest.raises(gs.UnsupportedError) as refused:
            gs.heatmap([[1, 2]], **{word: 1})
        assert refused.value.place == word
        assert keyword in refused.value.hint


def test_none_takes_back():
    figure = gs.heatmap([[1, 2], [3, 4]])
    titled = figure.with_(title="A title", vmin=0)
    assert "A title" in texts(titled)
    assert titled.with_(title=None, vmin=None).to_png() == figure.to_png()


def test_keys_of_one_panel():
    figure = gs.heatmap(
        {"a": [[1.0, 2.0]], "b": [[3.0, 4.0]]},
        panels={"b": {"title": "The second", "cmap": "magma"}},
        set={"title": "Both"},
    )
    assert {"The second", "Both", "a"} <= set(texts(figure))


def test_progress_of_long_work():
    array = np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (14_000, 14_000), (0, 0))
    said = []
    gs.heatmap(array, progress=said.append, allow=["flat-panel"]).to_png()
    assert said and all(isinstance(text, str) and text for text in said)
    said.clear()
    gs.heatmap([[1, 2]], progress=said.append).to_png()
    assert said == []


def test_an_error_in_the_progress_is_the_callers():
    array = np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (60_000, 60_000), (0, 0))

    def stop(text):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        gs.heatmap(array, progress=stop).to_png()


def test_a_window_without_a_display_says_so(monkeypatch, tmp_path):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(gs.DeviceError) as refused:
        gs.heatmap([[1, 2], [3, 4]]).show(block=True)
    assert "display" in str(refused.value)
    assert list(Path(tmp_path).iterdir()) == []
