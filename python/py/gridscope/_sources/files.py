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
        database = _database(figure)
        return _core.Data.files([database] if database else self._places(), as_json(figure), self.progress)

    def files(self, figure: Figure, folder: Path) -> Figure:
        if _database(figure):
            return figure
        return {**figure, "data": {**figure.get("data", {}), "file": self._places()}}

    def _places(self) -> list[str]:
        return [self.placed(path) for path in self.paths]


def is_path(value: object) -> bool:
    """Whether a value is the path of a file."""
    return isinstance(value, (str, os.PathLike))


def _database(figure: Figure) -> str | None:
    """The address of the database that stands in place of files."""
    address = figure.get("data", {}).get("db")
    return str(address) if address else None


def from_anywhere(address: str) -> str:
    """The address of a database, valid in any folder."""
    scheme, colon, path = address.partition(":")
    if scheme not in {"duckdb", "sqlite"} or not path:
        return address
    return f"{scheme}{colon}{_absolute(path.removeprefix('//'))}"


def _absolute(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    # Addresses of stores are no paths.
    return text if "://" in text else os.path.abspath(os.path.expanduser(text))
