"""Columns of numpy, pandas and plain lists as an Arrow stream, by the C data interface: pyarrow is not needed.

Columns of numbers are not copied: the stream points to their memory and holds them until it is released.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable, Mapping
from typing import Any

from .arrow_buffers import Buffers, buffers

_voidp = ctypes.c_void_p


class ArrowSchema(ctypes.Structure):
    """The type of a column; the layout is Arrow's."""


class ArrowArray(ctypes.Structure):
    """The memory of a column; the layout is Arrow's."""


class ArrowStream(ctypes.Structure):
    """Tables one after the other; the layout is Arrow's."""


_ReleaseSchema: Any = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))
_ReleaseArray: Any = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))
_GetSchema: Any = ctypes.CFUNCTYPE(ctypes.c_int, _voidp, ctypes.POINTER(ArrowSchema))
_GetNext: Any = ctypes.CFUNCTYPE(ctypes.c_int, _voidp, ctypes.POINTER(ArrowArray))
_LastError: Any = ctypes.CFUNCTYPE(_voidp, _voidp)
_ReleaseStream: Any = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowStream))
_Destructor: Any = ctypes.PYFUNCTYPE(None, _voidp)


def _callback(kind: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that makes a C function of this type."""
    return lambda function: kind(function)


ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", _ReleaseSchema),
    ("private_data", _voidp),
]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(_voidp)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", _ReleaseArray),
    ("private_data", _voidp),
]
ArrowStream._fields_ = [
    ("get_schema", _GetSchema),
    ("get_next", _GetNext),
    ("get_last_error", _LastError),
    ("release", _ReleaseStream),
    ("private_data", _voidp),
]

#: What exported structures point to, until they are released; a consumer may release parts from any thread.
_held: dict[int, object] = {}
_numbers = itertools.count(1)
_lock = threading.Lock()

NULLABLE = 2


def _hold(*things: object) -> int:
    with _lock:
        number = next(_numbers)
        _held[number] = things
    return number


def _let_go(private: int | None) -> None:
    with _lock:
        _held.pop(private or 0, None)


def _release_parts(structure: Any, nothing: Any) -> None:
    """Releases the children that the consumer did not take, then the structure itself."""
    for place in range(structure.n_children):
        child = structure.children[place]
        if child.contents.release:
            child.contents.release(child)
    if structure.dictionary and structure.dictionary.contents.release:
        structure.dictionary.contents.release(structure.dictionary)
    _let_go(structure.private_data)
    structure.release = nothing


@_callback(_ReleaseSchema)
def _release_schema(schema: Any) -> None:
    _release_parts(schema.contents, _ReleaseSchema())


@_callback(_ReleaseArray)
def _release_array(array: Any) -> None:
    _release_parts(array.contents, _ReleaseArray())


def _schema(form: bytes, name: str, children: list[ArrowSchema], dictionary: ArrowSchema | None = None) -> ArrowSchema:
    pointers = (ctypes.POINTER(ArrowSchema) * max(len(children), 1))(*[ctypes.pointer(c) for c in children])
    text = name.encode()
    own = ctypes.pointer(dictionary) if dictionary is not None else ctypes.POINTER(ArrowSchema)()
    held = _hold(form, text, children, pointers, dictionary)
    many = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(ArrowSchema)))
    return ArrowSchema(form, text, None, NULLABLE, len(children), many, own, _release_schema, held)


def _array(part: Buffers, children: list[ArrowArray], dictionary: ArrowArray | None = None) -> ArrowArray:
    addresses = (_voidp * len(part.addresses))(*part.addresses)
    pointers = (ctypes.POINTER(ArrowArray) * max(len(children), 1))(*[ctypes.pointer(c) for c in children])
    own = ctypes.pointer(dictionary) if dictionary is not None else ctypes.POINTER(ArrowArray)()
    held = _hold(part, addresses, children, pointers, dictionary)
    many = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(ArrowArray)))
    where = ctypes.cast(addresses, ctypes.POINTER(_voidp))
    count = len(part.addresses)
    return ArrowArray(part.length, part.nulls, 0, count, len(children), where, many, own, _release_array, held)


def _column(name: str, column: Any) -> tuple[ArrowSchema, ArrowArray]:
    if hasattr(column, "combine_chunks"):
        column = column.combine_chunks()
    if hasattr(column, "__arrow_c_array__"):
        return _moved(name, column)
    part = buffers(column)
    if part.dictionary is None:
        return _schema(part.form, name, []), _array(part, [])
    words = part.dictionary
    return (
        _schema(part.form, name, [], _schema(words.form, "", [])),
        _array(part, [], _array(words, [])),
    )


def _moved(name: str, column: Any) -> tuple[ArrowSchema, ArrowArray]:
    """An Arrow array of another package, moved out of its capsules."""
    of_schema, of_array = column.__arrow_c_array__()
    # The name is the column's here; the exporter's schema is the only child that holds its type.
    schema, array = ArrowSchema(), ArrowArray()
    for capsule, word, target in ((of_schema, b"arrow_schema", schema), (of_array, b"arrow_array", array)):
        kind = type(target)
        source = ctypes.cast(_pointer(capsule, word), ctypes.POINTER(kind))
        ctypes.memmove(ctypes.byref(target), source, ctypes.sizeof(kind))
        source.contents.release = (_ReleaseSchema if kind is ArrowSchema else _ReleaseArray)()
    return _named(schema, name), array


def _named(schema: ArrowSchema, name: str) -> ArrowSchema:
    """The schema under another name: it is held by one that has its type, and is released with it."""
    own = ArrowSchema()
    ctypes.memmove(ctypes.byref(own), ctypes.byref(schema), ctypes.sizeof(ArrowSchema))
    text = name.encode()
    own.name = text

    @_callback(_ReleaseSchema)
    def release(pointer: Any) -> None:
        schema.release(ctypes.byref(schema))
        pointer.contents.release = _ReleaseSchema()
        _let_go(pointer.contents.private_data)

    own.release = release
    own.private_data = _hold(schema, text, release)
    return own


_api = ctypes.pythonapi
_new = _api.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [_voidp, ctypes.c_char_p, _Destructor]
_get = ctypes.PYFUNCTYPE(_voidp, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
# A capsule that is being destroyed must not become an object of Python again.
_get_dying = ctypes.PYFUNCTYPE(_voidp, _voidp, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
STREAM = b"arrow_array_stream"


def _pointer(capsule: Any, word: bytes) -> Any:
    return _get(capsule, word)


@_callback(_Destructor)
def _destroy(capsule: int) -> None:
    stream = ctypes.cast(_get_dying(capsule, STREAM), ctypes.POINTER(ArrowStream))
    if stream.contents.release:
        stream.contents.release(stream)
    _capsules.pop(ctypes.addressof(stream.contents), None)


#: The structures in capsules that are alive.
_capsules: dict[int, ArrowStream] = {}


class ColumnTable:
    """Columns of one length by their names, as a stream of one table.

    The first `label_columns` label the rows of a wide table; None leaves that to the type of the first column.
    """

    def __init__(self, columns: Mapping[str, Any], label_columns: int | None = None) -> None:
        self.columns = dict(columns)
        self.label_columns = label_columns

    def __len__(self) -> int:
        return max((len(column) for column in self.columns.values()), default=0)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        # Both are made at once: what a column is may take a look at all of its values.
        made = [_column(name, column) for name, column in self.columns.items()]
        length = made[0][1].length if made else 0
        other = next((name for name, (_, array) in zip(self.columns, made, strict=True) if array.length != length), None)
        if other is not None:
            raise ValueError(f"column {other!r} has another length than the first")
        state = {
            "schema": _schema(b"+s", "", [schema for schema, _ in made]),
            "array": _array(Buffers(b"+s", length, 0, [None], []), [array for _, array in made]),
        }

        @_callback(_GetSchema)
        def get_schema(_: Any, out: Any) -> int:
            return _give(state, "schema", ArrowSchema, out)

        @_callback(_GetNext)
        def get_next(_: Any, out: Any) -> int:
            return _give(state, "array", ArrowArray, out)

        @_callback(_LastError)
        def last_error(_: Any) -> int | None:
            return None

        @_callback(_ReleaseStream)
        def release(pointer: Any) -> None:
            for part in list(state.values()):
                part.release(ctypes.byref(part))
            state.clear()
            private = pointer.contents.private_data
            pointer.contents.release = _ReleaseStream()
            _let_go(private)

        held = _hold(get_schema, get_next, last_error, release, state)
        stream = ArrowStream(get_schema, get_next, last_error, release, held)
        _capsules[ctypes.addressof(stream)] = stream
        capsule: object = _new(ctypes.addressof(stream), STREAM, _destroy)
        return capsule


def _give(state: dict[str, Any], part: str, kind: Any, out: Any) -> int:
    """Moves a structure to the consumer; the end of the stream is one without a release."""
    made = state.pop(part, None)
    if made is None:
        ctypes.memset(out, 0, ctypes.sizeof(kind))
        return 0 if kind is ArrowArray else 22
    ctypes.memmove(out, ctypes.byref(made), ctypes.sizeof(kind))
    return 0
