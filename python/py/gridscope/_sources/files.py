"""Files: whatever the program reads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import _core
from .._plain import Figure
from .source import Request, Source, as_json, without_beside

if TYPE_CHECKING:
    from pathlib import Path


class FileSource(Source):
    """Files by their paths."""

    def __init__(self, paths: Sequence[str | os.PathLike[str]], request: Request) -> None:
        without_beside(request, "data in memory", 'mask="mask.npy", x_labels={key: text}, or read the file into an array')
        self.defaults = {}
        self.paths = [_absolute(path) for path in paths]
        self.progress = request.progress

    def read(self, figure: Figure) -> _core.Data:
        return _core.Data.files(self._places(), as_json(figure), self.progress)

    def files(self, figure: Figure, folder: Path) -> Figure:
        return {**figure, "data": {**figure.get("data", {}), "file": self._places()}}

    def _places(self) -> list[str]:
        return [self.placed(path) for path in self.paths]


def is_path(value: object) -> bool:
    """Whether a value is the path of a file."""
    return isinstance(value, (str, os.PathLike))


def _absolute(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    # Addresses of stores are no paths.
    return text if "://" in text else os.path.abspath(os.path.expanduser(text))
