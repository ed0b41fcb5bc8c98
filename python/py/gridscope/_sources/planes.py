"""Arrays with their axes, and what comes beside them cell by cell: masks and texts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .. import _core
from .._errors import GridscopeError, input_error
from .._plain import Figure, get, is_nothing, kind, put
from .arrays import as_array
from .axes import axis, relabelled, with_values
from .source import NAME, Request, Source, as_json

if TYPE_CHECKING:
    from pathlib import Path

    from .._core import ArrayInput, Axis
    from .._strips import Strip

#: The state of a cell that the array itself masks.
MASKED = 3
#: Keys of tables that have no meaning for arrays, which are refused with what to do.
TABLE_KEYS = ("data.x", "data.y", "data.value")


@dataclass
class Plane:
    """An array and its axes. `aligned` puts an object with labels in the order of the cells; None where it cannot."""

    values: Any
    axes: list[Axis]
    name: str = ""
    value_name: str = ""
    mask: Any = None
    owner: object = None
    aligned: Callable[[Any, str], Any] | None = None
    defaults: dict[str, Any] = field(default_factory=dict)


def of_array(value: Any, name: str = "", place: str = NAME) -> Plane:
    """The plane of an array without labels."""
    array = as_array(value, place)
    return Plane(array.values, [axis() for _ in array.values.shape], name, mask=array.mask, owner=value)


class PlaneSource(Source):
    """Arrays, a panel each."""

    def __init__(self, planes: Sequence[Plane], request: Request, sources: Sequence[Any] = ()) -> None:
        self.planes = list(planes)
        self.request = request
        self.progress = request.progress
        self.defaults = {}
        for plane in planes:
            for key, value in plane.defaults.items():
                self.defaults.setdefault(key, value)
        beside = request.beside
        keyword = beside.first()
        if keyword is not None and len(self.planes) != 1:
            raise input_error(keyword, f"one for {len(self.planes)} arrays", "draw them one by one, or mask the arrays themselves")
        if self.planes and keyword is not None:
            self.planes[0] = _with_labels(self.planes[0], request)

    def adapted(self, figure: Figure) -> Figure:
        panel = get(figure, "data.panel")
        names = [a["name"] for a in self.planes[0].axes] if self.planes else []
        if isinstance(panel, str) and not panel.startswith("axis:") and panel in names:
            figure = {**figure, "data": {**figure["data"], "panel": f"axis:{panel}"}}
        return figure

    def read(self, figure: Figure) -> _core.Data:
        with self.dimensions():
            return _core.Data.arrays(self.inputs(figure), as_json(self.reading(figure)), self.progress)

    @contextmanager
    def dimensions(self) -> Generator[None]:
        """Errors name dimensions that have names, where the program counts them."""
        try:
            yield
        except GridscopeError as error:
            for place, own in enumerate(self.planes[0].axes if self.planes else []):
                name = own["name"]
                if not name or own["levels"]:
                    continue
                for part in ("hint", "what"):
                    text = getattr(error, part, None)
                    if isinstance(text, str):
                        named = text.replace(f"--slice {place}=", f"--slice {name}=")
                        named = named.replace(f"axis:{place}", name).replace(f"axis:{name}", name)
                        error.args = tuple(str(a).replace(text, named) for a in error.args)
                        setattr(error, part, named)
            raise

    def reading(self, figure: Figure) -> Figure:
        return read_only(figure)

    def inputs(self, figure: Figure) -> list[ArrayInput]:
        """The arrays as the module takes them."""
        made: list[ArrayInput] = []
        for plane in self.planes:
            # A mask of the array itself is data; one beside it hides cells.
            mask, texts = None if plane.mask is None else plane.mask.astype("u1") * MASKED, None
            beside = self.request.beside
            if beside.mask is not None:
                hidden = cells_beside(beside.mask, plane, "mask")
                mask = hidden if mask is None else mask + hidden * (mask == 0)
            if beside.annot is not None:
                texts = texts_of(beside.annot, plane, beside.fmt)
            made.append((plane.name, plane.values, plane.axes, plane.value_name, mask, plane.owner, texts))
        return made

    def carried_bytes(self) -> int:
        return sum(int(plane.values.nbytes) for plane in self.planes)

    def __getstate__(self) -> dict[str, Any]:
        import numpy as np

        # Arrays that are in the order of the cells need no labels to be put into it.
        beside = replace(self.request.beside)
        if beside.mask is not None:
            beside.mask = cells_beside(beside.mask, self.planes[0], "mask")
        if beside.annot is not None:
            plane = self.planes[0]
            texts = texts_of(beside.annot, plane, beside.fmt)
            beside.annot, beside.fmt = np.array(texts, dtype=object).reshape(plane.values.shape), None
        # A pickle holds the elements of a memory map.
        planes = [replace(plane, values=np.asarray(plane.values), owner=None, aligned=None) for plane in self.planes]
        return {**super().__getstate__(), "planes": planes, "request": replace(self.request, beside=beside, progress=None)}

    def files(self, figure: Figure, folder: Path) -> Figure | None:
        from .hand_over import array_files

        return array_files(self, figure, folder)


def read_only(figure: Figure) -> Figure:
    """The figure without the texts that are no column of these values."""
    from .._seaborn import TEXTS

    if get(figure, "annotations.show") != TEXTS:
        return figure
    rest = {key: value for key, value in figure["annotations"].items() if key != "show"}
    return {**figure, "annotations": rest}


def _with_labels(plane: Plane, request: Request) -> Plane:
    beside = request.beside
    shape = plane.values.shape
    if len(shape) != 2 and beside.first():
        raise input_error(str(beside.first()), f"is for two dimensions, and the array has {len(shape)}", "data[index] is one slice")
    rows, columns = plane.axes
    if beside.x_values is not None:
        columns = with_values(columns, beside.x_values, shape[1], "x_values")
    if beside.y_values is not None:
        rows = with_values(rows, beside.y_values, shape[0], "y_values")
    columns = relabelled(columns, beside.xticklabels, shape[1], "xticklabels")
    rows = relabelled(rows, beside.yticklabels, shape[0], "yticklabels")
    rows = _with_strips(rows, beside.row_colors, getattr(plane.owner, "index", None), shape[0], "row_colors")
    columns = _with_strips(columns, beside.col_colors, getattr(plane.owner, "columns", None), shape[1], "col_colors")
    return Plane(
        plane.values, [rows, columns], plane.name, plane.value_name, plane.mask, plane.owner, plane.aligned, plane.defaults
    )


def _with_strips(own: Axis, strips: Sequence[Strip] | None, labels: Any, length: int, keyword: str) -> Axis:
    """The axis with strips, in the order of its cells; `labels` are its own, unless they are none of pandas."""
    index = labels if hasattr(labels, "get_indexer") else None
    made = [strip.texts(index, length, keyword) for strip in strips or ()]
    return {**own, "strips": made} if made else own


def cells_beside(given: Any, plane: Plane, keyword: str) -> Any:
    """A truth value for each cell of the plane.

    Raises
    ------
    InputError
        Another shape, labels that are not those of the values, or values that are no truth values.
    """
    import numpy as np

    array = np.asarray(_placed(given, plane, keyword))
    if array.dtype.kind in "Of" and any(_is_missing(v) for v in array.ravel().tolist()):
        raise input_error(keyword, "has cells that are neither true nor false", f"{keyword}.fillna(False)")
    if array.dtype == object:
        array = array.astype(bool)
    if array.dtype.kind not in "biuf":
        raise input_error(keyword, f"holds {array.dtype}, not truth values", "mask=data < 0")
    _same_shape(array, plane, keyword)
    return array if array.dtype == bool else array != 0


def texts_of(given: Any, plane: Plane, fmt: str | None) -> list[str]:
    """A text for each cell of the plane, row after row."""
    import numpy as np

    placed = _placed(given, plane, "annot")
    array = placed if isinstance(placed, np.ndarray) else np.asarray(placed, dtype=object if _is_lists(placed) else None)
    _same_shape(array, plane, "annot")
    values = array.ravel().tolist()
    return [_text(value, fmt or _decimals(values)) for value in values]


def _decimals(values: list[Any]) -> str | None:
    """The format of numbers without one: as few decimals as all of them need, of up to three digits."""
    numbers = [v for v in values if isinstance(v, float) and abs(v) < float("inf")]
    if not numbers or len(numbers) < sum(isinstance(v, float) and v == v for v in values):
        return None
    largest = max(abs(v) for v in numbers)
    if largest >= 1e6 or 0 < largest < 1e-3:
        return ".3g"
    most = 0 if largest >= 100 else 1 if largest >= 10 else 2 if largest >= 1 else 3
    need = next((n for n in range(most) if all(abs(round(v, n) - v) < 1e-9 for v in numbers)), most)
    return f".{need}f"


def _is_lists(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _is_missing(value: Any) -> bool:
    return is_nothing(value) or bool(value != value)


def _text(value: Any, fmt: str | None) -> str:
    if _is_missing(value):
        return ""
    if isinstance(value, str):
        return value
    try:
        return format(value, fmt) if fmt and not isinstance(value, bool) else str(value)
    except ValueError as error:
        raise input_error("fmt", f"{fmt!r} does not format {value!r}: {error}") from error


def _placed(given: Any, plane: Plane, keyword: str) -> Any:
    if hasattr(given, "reindex") or hasattr(given, "dims"):
        if plane.aligned is not None:
            return plane.aligned(given, keyword)
        return given.to_numpy()
    if hasattr(given, "to_numpy"):
        return given.to_numpy()
    return given


def _same_shape(array: Any, plane: Plane, keyword: str) -> None:
    if array.shape != plane.values.shape:
        raise input_error(keyword, f"has shape {array.shape}, and data has {plane.values.shape}")


def refuse_table_keys(figure: Figure, planes: Sequence[Plane]) -> None:
    """Refuses the names of columns for arrays that have none.

    Raises
    ------
    InputError
        With how to name rows and columns.
    """
    from .._keys import has_any

    keyword = has_any(figure, TABLE_KEYS)
    if keyword is None:
        return
    what = f"names a column of a table; {kind(planes[0].owner)} has none"
    raise input_error(keyword, what, "xlabel= and ylabel= are titles, x_values= and y_values= coordinates")


def default_labels(figure: Figure, defaults: dict[str, Any]) -> Figure:
    """The figure with the keys that it does not set."""
    made = figure
    for key, value in defaults.items():
        if get(made, key) is None:
            table, _, leaf = key.partition(".")
            if leaf:
                made = {**made, table: {**made.get(table, {}), leaf: value}}
            else:
                made = {**made}
                put(made, key, value)
    return made
