"""Keywords are the flags of the program, typed; None takes back; progress is reported; windows say why they do not open."""

import inspect
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from readback import texts

import gridscope as gs
from gridscope._notebook import _Terminal
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
    for own, other in ((gs.heatmap, seaborn.heatmap), (gs.clustermap, seaborn.clustermap)):
        theirs = set(inspect.signature(other).parameters) - {"kwargs"}
        assert theirs <= set(inspect.signature(own).parameters)


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
    # So long that any machine says something before it is done.
    array = np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (60_000, 60_000), (0, 0))
    said = []

    def step(text):
        said.append(text)
        if sum(step.fraction is not None for step in said) == 2:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        gs.heatmap(array, progress=step, allow=["flat-panel"]).to_png()
    assert all(isinstance(text, str) and text for text in said)
    fractions = [step.fraction for step in said if step.fraction is not None]
    assert fractions and all(0 < fraction <= 1 for fraction in fractions)
    assert fractions == sorted(fractions)
    said.clear()
    gs.heatmap([[1, 2]], progress=said.append).to_png()
    assert said == []


def test_a_bar_where_a_fraction_is_known(capsys):
    shown = _Terminal()
    shown("reading", None)
    shown("drawing", 0.26)
    shown.close()
    lines = capsys.readouterr().err.replace("\x1b[K", "").split("\r")
    assert lines == ["", "reading, 0 s", "drawing [#####...............] 26%, 0 s", ""]


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


def test_signatures_name_every_keyword():
    import pandas as pd

    every = set(AllOptions.__annotations__)
    figure, frame = gs.heatmap([[1, 2]]), pd.DataFrame([[1, 2]])
    for function in (gs.heatmap, gs.read, gs.info, figure.with_, figure.save, gs.Figure.from_file, frame.gs.heatmap, frame.gs.info):
        found = inspect.signature(function).parameters
        assert every <= set(found), function
        assert all(p.kind is not p.VAR_KEYWORD for p in found.values())
    assert every - {"cluster", "linkage"} <= set(inspect.signature(gs.clustermap).parameters)
    found = inspect.signature(gs.heatmap)
    assert found.parameters["x_order"].annotation == "Names | None"
    assert found.return_annotation == "Figure"
    names = list(found.parameters)
    # Columns, then seaborn's, then groups of the program.
    assert names.index("value") < names.index("vmin") < names.index("where") < names.index("x_rotate") < names.index("title")
    assert list(found.bind([[1, 2]], title="t").arguments) == ["data", "title"]
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("jedi", [True, False])
def test_keywords_complete_by_tab(jedi):
    completer = pytest.importorskip("IPython.core.completer")
    own = completer.IPCompleter(shell=None, namespace={"gs": gs, "fig": gs.heatmap([[1, 2]])})
    own.use_jedi = jedi
    calls = {"gs.heatmap(tit": "title=", "gs.read('a.csv', x_dom": "x_domain=", "gs.clustermap(d, row_c": "row_cluster="}
    if jedi:
        calls["fig.with_(vm"] = "vmin="
    for text, keyword in calls.items():
        with completer.provisionalcompleter():
            assert keyword in [found.text for found in own.completions(text, len(text))], text


def test_signatures_take_no_time_at_import():
    code = "import gridscope, sys; gridscope.heatmap; assert 'gridscope._options' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
