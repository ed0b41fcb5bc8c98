"""Heatmaps of tables and arrays: exact at any size, ready for a paper, in one call.

>>> import gridscope as gs
>>> fig = gs.heatmap([[1, 2], [3, 4]], title="Four cells")
>>> fig.to_png()[1:4]
b'PNG'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _accessor, _core
from ._core import version as __version__
from ._errors import (
    DeniedLintError,
    DeviceError,
    GridscopeError,
    InputError,
    InternalError,
    LimitError,
    Lint,
    LintWarning,
    OutputError,
    ParameterWarning,
    UnsupportedError,
    UsageError,
)

if TYPE_CHECKING:
    from . import mpl
    from ._clustermap import clustermap
    from ._figure import Figure
    from ._fold import fold
    from ._grid import Axis, Grid
    from ._heatmap import colormaps, compare, heatmap, info, read, set_memory, set_threads
    from ._notebook import Step
    from ._summary import FoldPlan, Summary

__all__ = [
    "Axis",
    "DeniedLintError",
    "DeviceError",
    "Figure",
    "FoldPlan",
    "Grid",
    "GridscopeError",
    "InputError",
    "InternalError",
    "LimitError",
    "Lint",
    "LintWarning",
    "OutputError",
    "ParameterWarning",
    "Step",
    "Summary",
    "UnsupportedError",
    "UsageError",
    "__version__",
    "clustermap",
    "colormaps",
    "compare",
    "fold",
    "heatmap",
    "info",
    "mpl",
    "read",
    "set_memory",
    "set_threads",
]

#: The module of each name that is imported when it is used.
_LAZY = {
    "Axis": "_grid",
    "Figure": "_figure",
    "FoldPlan": "_summary",
    "Grid": "_grid",
    "Step": "_notebook",
    "Summary": "_summary",
    "clustermap": "_clustermap",
    "colormaps": "_heatmap",
    "compare": "_heatmap",
    "fold": "_fold",
    "heatmap": "_heatmap",
    "info": "_heatmap",
    "read": "_heatmap",
    "set_memory": "_heatmap",
    "set_threads": "_heatmap",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "mpl":
        return import_module(".mpl", __name__)
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module 'gridscope' has no attribute {name!r}")
    found = getattr(import_module(f".{module}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)


# A second interpreter of the process is refused here: Python does not always initialise a module again.
_core.settle()
_accessor.install()
