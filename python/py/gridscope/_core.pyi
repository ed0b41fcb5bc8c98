from collections.abc import Callable
from typing import Any, TypedDict

version: str

class GridscopeError(Exception):
    """An error of gridscope: its text names the file or keyword, the place and what is wrong."""

    file: str
    place: str
    what: str
    hint: str | None
    exit_code: int

class InputError(GridscopeError, ValueError): ...
class UsageError(InputError): ...
class LimitError(GridscopeError, MemoryError): ...
class DeviceError(GridscopeError, RuntimeError): ...
class OutputError(GridscopeError, OSError): ...
class InternalError(GridscopeError, RuntimeError): ...

# Name, panel, count, text, what it is about ("data", "picture", "note"), and whether the figure denies it.
Lint = tuple[str, str | None, int, str, str, bool]
# What is done, and the part of it that is, where that is known.
Progress = Callable[[str, float | None], None]

class Axis(TypedDict):
    name: str
    unit: str
    coordinates: Any | None
    labels: list[str] | None
    levels: list[list[str]] | None
    strips: list[list[str]]

ArrayInput = tuple[str, object, list[Axis], str, object | None, object, list[str] | None]

class Side(TypedDict):
    name: str
    kind: str
    len: int
    start: int
    labels: list[str] | None
    coordinates: list[float] | None
    levels: list[list[str]]

class GridParts(TypedDict):
    name: str
    value_name: str
    values: bytes
    dtype: str
    shape: tuple[int, int]
    states: bytes
    rows: Side
    columns: Side

class Folded(TypedDict):
    values: bytes
    dtype: str
    states: bytes

class Data:
    @staticmethod
    def files(paths: list[str], figure: str, progress: Progress | None = None) -> Data: ...
    @staticmethod
    def figure_file(path: str) -> tuple[str, list[str]]: ...
    @staticmethod
    def tables(tables: list[tuple[str, object]], figure: str, progress: Progress | None = None) -> Data: ...
    @staticmethod
    def arrays(arrays: list[ArrayInput], figure: str, progress: Progress | None = None) -> Data: ...
    @staticmethod
    def windows(
        name: str,
        shape: list[int],
        dtype: str,
        read: Callable[[list[slice]], Any],
        axes: list[Axis],
        value_name: str,
        figure: str,
        progress: Progress | None = None,
        *,
        chunks: list[int] | None = None,
        fold: Callable[
            [list[int], tuple[int | None, int], tuple[bool, bool], bool, list[bytes], Callable[[], bool]], list[bytes]
        ]
        | None = None,
    ) -> Data: ...
    @staticmethod
    def sparse(
        name: str,
        shape: tuple[int, int],
        row_indices: object,
        column_indices: object,
        values: object,
        axes: list[Axis],
        value_name: str,
        figure: str,
    ) -> Data: ...
    def draw(
        self,
        figure: str,
        format: str,
        *,
        bare: bool = False,
        metadata: bool = True,
        progress: Progress | None = None,
    ) -> tuple[bytes, tuple[int, int], list[Lint]]: ...
    def report(self, figure: str) -> str: ...
    def info(self) -> str: ...
    def grids(self) -> list[GridParts]: ...
    def cells(self) -> int: ...
    def serves(self, figure: str) -> bool: ...
    def lints(self) -> list[Lint]: ...
    def summary(self) -> str: ...
    def file_names(self) -> list[str]: ...

def main(argv: list[str]) -> int: ...
def vocabulary() -> str: ...
def settle() -> None: ...
def set_threads(n: int | None) -> None: ...
def set_memory(limit: str | None) -> bool: ...
def colormaps() -> list[str]: ...
def fold(
    array: object,
    shape: tuple[int, int],
    reduce: str,
    view: tuple[float, float, float, float] | None = None,
    *,
    mask: object | None = None,
    center: float | None = None,
) -> Folded: ...
def fold_plan(shape: tuple[int, int], pixels: tuple[int, int]) -> bytes: ...
def fold_part(
    array: object, at: tuple[int, int], plans: list[bytes], *, mask: object | None = None
) -> list[bytes]: ...
def join_parts(parts: list[bytes]) -> bytes: ...
def parts_values(parts: bytes, kind: str, reduce: str = "mean", center: float | None = None) -> dict[str, Any]: ...
def compare(a: Data, b: Data, tolerance: str | None = None, *, better: str | None = None) -> str: ...
def figure_toml(figure: str) -> str: ...
def check_figure(figure: str) -> None: ...
