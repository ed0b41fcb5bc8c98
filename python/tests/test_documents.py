"""The examples of docstrings, the chapter's code, and the notebooks of the book run as they are."""

import doctest
import importlib
import inspect
import os
import pkgutil
import re

import pytest
from paths import ROOT

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")

MODULES = [
    "gridscope",
    *(f"gridscope.{m.name}" for m in pkgutil.walk_packages(gs.__path__) if m.name not in ("_core", "__main__")),
]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
CHAPTER = ROOT / "docs" / "src" / "python.md"


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testmod(importlib.import_module(name), optionflags=flags)
    assert found.failed == 0


def test_public_functions_are_documented():
    for name in gs.__all__:
        thing = getattr(gs, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert inspect.getdoc(thing), name
    for name in ("heatmap", "read", "fold"):
        text = inspect.getdoc(getattr(gs, name))
        assert "Parameters\n---" in text and "Returns\n---" in text and ">>>" in text, name


def test_code_of_the_chapter(tmp_path, monkeypatch):
    """Each block continues the one before. GRIDSCOPE_WRITE_PICTURES=1 writes the chapter's pictures."""
    monkeypatch.chdir(tmp_path)
    for example in (ROOT / "examples" / "figures").glob("*.csv"):
        (tmp_path / example.name).write_bytes(example.read_bytes())
    names: dict = {}
    blocks = re.findall(r"```python\n(.*?)```", CHAPTER.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) > 4
    for block in blocks:
        exec(compile(block, str(CHAPTER), "exec"), names)
    shown = re.findall(r"\]\(pictures/(\w+\.png)\)", CHAPTER.read_text(encoding="utf-8"))
    assert shown and all((tmp_path / name).exists() for name in shown)
    if os.environ.get("GRIDSCOPE_WRITE_PICTURES"):
        for name in shown:
            (CHAPTER.parent / "pictures" / name).write_bytes((tmp_path / name).read_bytes())


def test_the_chapter_names_every_parameter_of_seaborn():
    seaborn = pytest.importorskip("seaborn")
    text = CHAPTER.read_text(encoding="utf-8")
    for name in inspect.signature(seaborn.heatmap).parameters:
        if name not in ("data", "kwargs"):
            assert re.search(rf"^\|[^|]*`{name}`", text, re.MULTILINE), name


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks(path, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [c for c in notebook.cells if c.cell_type == "code"]
    assert not any(c.outputs for c in cells), "notebooks are stored without their output"
    for example in (ROOT / "examples" / "figures").glob("*.csv"):
        (tmp_path / example.name).write_bytes(example.read_bytes())
    nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    pictures = [o for c in cells for o in c.outputs if "image/png" in o.get("data", {})]
    assert pictures
    printed = [o.text for c in cells for o in c.outputs if o.output_type == "stream" and o.name == "stderr"]
    assert not [t for t in printed if "Traceback" in t]
