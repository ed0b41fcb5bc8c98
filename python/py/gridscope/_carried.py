"""Figures in pickles: their values, and the contents of the files that they name."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._errors import LimitError, input_error, made
from ._plain import Figure as Keys

if TYPE_CHECKING:
    from ._described import Words
    from ._figure import Figure
    from ._sources.source import Source

#: The most bytes of values and files together.
MOST_BYTES = 2**30
#: What messages call the place of a fault.
PLACE = "pickle"
#: Keys of which a text may be a file, and those of which each of a list may be one.
_ONE, _SEVERAL = ("values", "labels", "font"), ("file", "mask", "mark", "minus", "ratio", "percent", "against")
#: A comparison names a file by it.
_FILE = "file:"
#: When a file was changed, and its size.
Stamps = dict[str, tuple[int, int]]


def with_files(keys: Any, change: Callable[[str], str]) -> Any:
    """Keys of a figure with other paths of files; `change` gets each text that may be one."""
    if isinstance(keys, list):
        return [with_files(one, change) for one in keys]
    if not isinstance(keys, dict):
        return keys
    found: Keys = {}
    for key, value in keys.items():
        if key in _SEVERAL and isinstance(value, list):
            found[key] = [_changed(one, change) if isinstance(one, str) else one for one in value]
        elif key in (*_ONE, *_SEVERAL) and isinstance(value, str):
            found[key] = _changed(value, change)
        else:
            found[key] = with_files(value, change)
    return found


def _changed(text: str, change: Callable[[str], str]) -> str:
    return _FILE + change(text[len(_FILE) :]) if text.startswith(_FILE) else change(text)


class Copies:
    """Copies of files in a folder of this process, which is removed with this object: paths have the same ends."""

    def __init__(self, contents: dict[str, bytes]) -> None:
        import tempfile

        self.folder = tempfile.mkdtemp(prefix="gridscope-")
        weakref.finalize(self, _remove, self.folder, os.getpid())
        #: The copy of each file.
        self.places: dict[str, str] = {}
        for path, content in contents.items():
            place = self.folder + os.path.abspath(path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(content)
            self.places[path] = place
        self.originals = {place: path for path, place in self.places.items()}

    def place(self, path: str) -> str:
        """Where a file is."""
        return self.places.get(path, path)

    def original(self, path: str) -> str:
        """Where a file was."""
        return self.originals.get(path, path)


def _remove(folder: str, process: int) -> None:
    # A fork has the object, and not the folder.
    if os.getpid() == process:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def stamps(source: Source, keys: Keys) -> Stamps:
    """The files of a figure as they are now."""
    found = {path: _stamp(path) for path in _files(source, keys)}
    return {path: stamp for path, stamp in found.items() if stamp is not None}


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        about = os.stat(path)
    except (OSError, ValueError):
        return None
    return about.st_mtime_ns, about.st_size


def _files(source: Source, keys: Keys) -> list[str]:
    """The files of values, and what else keys name that is a file, by the paths where they are."""
    found = [source.placed(path) for path in source.paths]

    def note(text: str) -> str:
        if text not in found and os.path.isfile(text):
            found.append(text)
        return text

    with_files(keys, note)
    return found


def carried(figure: Figure) -> tuple[Any, ...]:
    """What a pickle holds of a figure.

    Raises
    ------
    LimitError
        More values than a pickle may hold.
    InputError
        Values that cannot be carried, or files that are no longer those that were read.
    """
    source = figure._source
    paths = _files(source, with_files(figure._keys, source.placed))
    for path in paths:
        _check(path, figure._stamps)
    values, files = source.carried_bytes(), sum(os.path.getsize(path) for path in paths)
    if values + files > MOST_BYTES:
        parts = [f"{what} {_size(n)}" for what, n in (("values of", values), ("files of", files)) if n]
        instead = "gridscope.read(path) there" if files else "numpy.save(path, data) and gridscope.read(path) there"
        what = f"{' and '.join(parts)} are more than {_size(MOST_BYTES)}"
        raise made(LimitError, PLACE, what, f"{instead}; or save() the picture")
    contents: dict[str, bytes] = {}
    for path in paths:
        with open(path, "rb") as file:
            contents[source.original(path)] = file.read()
    return type(figure), source, figure._words, contents


def _check(path: str, known: Stamps) -> None:
    hint = "gridscope.read(path) there, save() the picture, or heatmap(figure.grids[0].to_pandas())"
    if not os.path.isfile(path):
        what = "is a folder, whose files are not carried" if os.path.isdir(path) else "is no longer there"
        raise input_error(PLACE, f"{path} {what}", hint)
    if _stamp(path) != known.get(path):
        raise input_error(PLACE, f"{path} has changed since it was read", f"read it again; or {hint}")


def _size(count: int) -> str:
    for unit, step in (("GiB", 2**30), ("MiB", 2**20)):
        if count >= step:
            return f"{count / step:.3g} {unit}"
    return f"{count} bytes"


def restored(of: type[Figure], source: Source, words: Words, contents: dict[str, bytes]) -> Figure:
    """A figure from a pickle: its values are read from what the pickle holds."""
    source.copies = Copies(contents) if contents else None
    return of(source, words)
