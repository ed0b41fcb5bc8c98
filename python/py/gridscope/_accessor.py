"""``frame.gs`` of pandas: it is there once both packages are imported, in either order, and pandas is not imported for it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._figure import Figure
    from ._options import AllOptions, MoreOptions


class Accessor:
    """Heatmaps of this data frame or series.

    Examples
    --------
    >>> import gridscope, pandas as pd
    >>> runs = pd.DataFrame({"lr": [0.1, 0.2], "layers": [2, 2], "loss": [0.9, 0.7]})
    >>> runs.gs.heatmap("lr", "layers", "loss")
    <gridscope.Figure: 1 x 2>
    """

    def __init__(self, data: Any) -> None:
        self._data = data

    def heatmap(self, x: Any = None, y: Any = None, value: Any = None, **options: Unpack[MoreOptions]) -> Figure:
        """A heatmap of these values; parameters as of `gridscope.heatmap`."""
        from ._heatmap import heatmap

        return heatmap(self._data, x, y, value, **options)

    def clustermap(self, **options: Any) -> Figure:
        """A heatmap in the order of a clustering; parameters as of `gridscope.clustermap`."""
        from ._clustermap import clustermap

        return clustermap(self._data, **options)

    def info(self, **options: Unpack[AllOptions]) -> dict[str, Any]:
        """What the values are; as `gridscope.info`."""
        from ._heatmap import figure_of

        return figure_of(self._data, dict(options)).info()


def _register(pandas: Any) -> None:
    from ._signatures import spelled_out

    for method in (Accessor.heatmap, Accessor.info):
        spelled_out(method)
    for register in (pandas.api.extensions.register_dataframe_accessor, pandas.api.extensions.register_series_accessor):
        register("gs")(Accessor)


class _WhenImported:
    """A finder that lets others find pandas, and registers the accessor when it has been loaded."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "pandas":
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None else None
            if isinstance(spec, ModuleSpec):
                loader: Any = spec.loader
                if loader is not None:
                    spec.loader = cast("Any", _Loader(loader))
                return spec
        return None


class _Loader:
    """A loader that does what another does, and then registers the accessor."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        _register(module)


def install() -> None:
    """Registers the accessor, now or when pandas is imported."""
    pandas = sys.modules.get("pandas")
    # A module that is being imported has no such part yet.
    if pandas is not None and hasattr(pandas, "api"):
        _register(pandas)
    elif pandas is None and not any(isinstance(finder, _WhenImported) for finder in sys.meta_path):
        sys.meta_path.insert(0, cast("Any", _WhenImported()))
