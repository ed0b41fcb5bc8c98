"""What every source of values has: reading them as a figure says, again where another figure says otherwise."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .. import _core
from .._errors import input_error
from .._plain import Figure
from .._seaborn import Beside
from .._strips import AXES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .._carried import Copies
    from .._notebook import Report

#: What messages call values that are in no file.
NAME = "data"


@dataclass
class Request:
    """What a caller asks of values, beside the keys of the figure."""

    x: Any = None
    y: Any = None
    value: Any = None
    panel: Any = None
    beside: Beside = field(default_factory=Beside)
    progress: Report | None = None

    def names_columns(self) -> bool:
        """Whether columns of a table are named."""
        return not (self.x is None and self.y is None and self.value is None)


class Source(ABC):
    """Values that can be read."""

    #: Called with what is done while work lasts.
    progress: Report | None = None
    #: Keys with the values that they have unless the figure sets them.
    defaults: dict[str, Any]
    #: The files of the values.
    paths: Sequence[str] = ()
    #: Where files are that a pickle brought.
    copies: Copies | None = None

    @abstractmethod
    def read(self, figure: Figure) -> _core.Data:
        """Reads the values."""

    def adapted(self, figure: Figure) -> Figure:
        """The figure as it is read and drawn, where words for these values are not those of a file."""
        return figure

    def reading(self, figure: Figure) -> Figure:
        """The figure by which values are read, where it is another one than the figure that is drawn."""
        return figure

    def files(self, figure: Figure, folder: Path) -> Figure | None:
        """A figure file's contents for a program that reads the same values, with what it needs written into the folder; None
        where only the grids can be handed over."""
        return None

    def carried_bytes(self) -> int:
        """The bytes of the values in a pickle, their files left out.

        Raises
        ------
        InputError
            Values that no pickle carries.
        """
        return 0

    def placed(self, path: str) -> str:
        """Where a file is: the copy that a pickle brought, or itself."""
        return self.copies.place(path) if self.copies else path

    def original(self, path: str) -> str:
        """What a file is called, which may be a copy."""
        return self.copies.original(path) if self.copies else path

    def without_copies(self, text: str) -> str:
        """A text with the paths of files in place of those of their copies."""
        return text.replace(self.copies.folder, "") if self.copies else text

    def __getstate__(self) -> dict[str, Any]:
        # What calls this process does not go into another.
        return {**vars(self), "progress": None, "copies": None}


def as_json(figure: Figure) -> str:
    """The text of a figure."""
    return json.dumps(figure, ensure_ascii=False, allow_nan=False)


def without_beside(request: Request, what: str, hint: str) -> None:
    """Refuses arrays beside values whose cells are not known before they are read.

    Raises
    ------
    InputError
        If one is given.
    """
    keyword = request.beside.first()
    if keyword in AXES:
        raise input_error(keyword, f"a list of values needs {what}", f'{keyword}="COLUMN", where each line has one value of it')
    if keyword is not None:
        raise input_error(keyword, f"an array or a list of labels needs {what}", hint)
