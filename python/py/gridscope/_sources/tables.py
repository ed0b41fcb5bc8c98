"""Tables in memory: anything with an Arrow stream, data frames of pandas, columns and records of Python."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import _core
from .._carried import PLACE
from .._errors import input_error
from .._plain import Figure, kind, label, package
from .source import NAME, Request, Source, as_json, without_beside

if TYPE_CHECKING:
    from pathlib import Path

#: Tables with more rows hand over the columns of text that the figure names, and all of numbers.
MANY = 100_000


class TableSource(Source):
    """Tables, whose rows are read together."""

    def __init__(self, tables: Sequence[tuple[str, Any]], request: Request) -> None:
        without_beside(request, "wide data", "x_labels={key: text}, or a mask in words: mask='upper', mask='p > 0.05'")
        self.tables = list(tables)
        self.progress = request.progress
        self.defaults = {}
        self.is_spent = False
        #: Columns that label the rows of a wide table, of a frame whose index they are.
        self.label_columns: int | None = None

    def read(self, figure: Figure) -> _core.Data:
        if self.is_spent:
            raise input_error(NAME, "a stream is read once, and these keywords need it again", "reader.read_all() first")
        self.is_spent = any(type(table).__name__ == "RecordBatchReader" for _, table in self.tables)
        tables = [(name, arrow(table, figure, self.label_columns)) for name, table in self.tables]
        return _core.Data.tables(tables, as_json(figure), self.progress)

    def carried_bytes(self) -> int:
        if self.is_spent:
            raise input_error(PLACE, "a stream is read once", "reader.read_all() first")
        return sum(_bytes(table) for _, table in self.tables)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "tables": [(name, _portable(table)) for name, table in self.tables]}

    def files(self, figure: Figure, folder: Path) -> Figure | None:
        if self.is_spent:
            return None
        from .hand_over import table_files

        return table_files(self, figure, folder)


def arrow(table: Any, figure: Figure, label_columns: int | None = None) -> Any:
    """An object with an Arrow stream."""
    if is_pandas(table):
        return _of_pandas(table, figure, label_columns)
    if package(table) == "polars" and hasattr(table, "with_columns"):
        return _of_polars(table)
    return table


def _portable(table: Any) -> Any:
    """A table that a pickle can hold: others than data frames become tables of pyarrow.

    Raises
    ------
    InputError
        Without pyarrow.
    """
    from .arrow_columns import ColumnTable

    if is_pandas(table) or isinstance(table, ColumnTable) or package(table) in {"polars", "pyarrow"}:
        return table
    try:
        import pyarrow
    except ImportError as error:
        raise input_error(PLACE, f"{kind(table)} is carried by pyarrow, which is not installed", "pip install pyarrow") from error
    return pyarrow.table(table)


def _bytes(table: Any) -> int:
    """The bytes of a table, or nearly."""
    from .arrow_columns import ColumnTable

    if isinstance(table, ColumnTable):
        return sum(int(getattr(column, "nbytes", 0)) or 8 * len(column) for column in table.columns.values())
    if is_pandas(table):
        return int(table.memory_usage(deep=True).sum())
    return int(table.estimated_size() if package(table) == "polars" else getattr(table, "nbytes", 0))


def _of_polars(frame: Any) -> Any:
    """The frame with types that Arrow's readers know."""
    polars = sys.modules["polars"]
    unknown = {"Null", "Int128", "UInt128", "Float16"}
    odd = [name for name, dtype in frame.schema.items() if str(dtype) in unknown]
    return frame.with_columns([polars.col(name).cast(polars.Float64) for name in odd]) if odd else frame


def is_pandas(value: Any) -> bool:
    """Whether a value is a data frame of pandas, a subclass included."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def is_stream(value: Any) -> bool:
    """Whether a value gives Arrow data."""
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")


def _of_pandas(frame: Any, figure: Figure, label_columns: int | None) -> Any:
    from .arrow_columns import ColumnTable

    names = [label(c) for c in frame.columns]
    twice = next((n for i, n in enumerate(names) if n in names[:i]), None)
    if twice is not None:
        raise input_error(NAME, f"two columns are named {twice!r}", "data.loc[:, ~data.columns.duplicated()]")
    wanted: Sequence[int] = range(len(names))
    if len(frame) > MANY:
        # Texts are copied: those that no key can mean stay where they are.
        words = json.dumps(figure, ensure_ascii=False)
        plain = [getattr(d, "kind", "O") in "biufMm" for d in frame.dtypes]
        mentioned = [i for i in wanted if plain[i] or json.dumps(names[i], ensure_ascii=False)[1:-1] in words]
        is_by_place = re.search(r"\bcolumn \d", words) is not None
        if not is_by_place and (figure.get("data", {}).get("value") or len(mentioned) > 2):
            wanted = mentioned
    columns = {names[i]: frame.iloc[:, i] for i in wanted}
    return ColumnTable({name: _column(column) for name, column in columns.items()}, label_columns)


def _column(series: Any) -> Any:
    """A series as an Arrow array where pandas holds one, else as it is."""
    own = getattr(series.array, "_pa_array", None)
    return own if own is not None else series


def of_columns(columns: Mapping[Any, Any], request: Request) -> Source:
    """Columns by their names, all of one length.

    Raises
    ------
    InputError
        Columns of different lengths.
    """
    from .arrow_columns import ColumnTable

    lengths = {label(name): len(column) for name, column in columns.items()}
    if len(lengths) < len(columns):
        twice = next(n for n in lengths if sum(label(name) == n for name in columns) > 1)
        raise input_error(NAME, f"two columns are named {twice!r}")
    if len(set(lengths.values())) > 1:
        text = ", ".join(f"{name}: {length}" for name, length in lengths.items())
        raise input_error(NAME, f"columns of different lengths ({text})")
    return TableSource([(NAME, ColumnTable({label(name): column for name, column in columns.items()}))], request)


def of_records(records: Sequence[Mapping[Any, Any]], request: Request) -> Source:
    """A mapping a row; names that a row does not have are missing values."""
    names: dict[str, None] = {}
    for place, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise input_error(f"{NAME}[{place}]", f"{kind(record)} among records", "a dict a row")
        names.update(dict.fromkeys(record))
    columns: dict[Any, Any] = {name: [record.get(name) for record in records] for name in names}
    return of_columns(columns, request)
