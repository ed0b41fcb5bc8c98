"""Pictures as bytes: where they are saved, and how a notebook shows them."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

from ._errors import GridscopeError, Lint, OutputError, input_error, made
from ._plain import kind

FORMATS = ("png", "svg", "pdf")
#: Pixels an inch of a picture whose figure does not say it, and of a page in a browser.
DPI, PAGE_DPI = 200.0, 96.0
#: An SVG is shown up to this many bytes.
MOST_SVG = 1_000_000


class Picture(NamedTuple):
    """The bytes of a picture, its size in pixels, and warnings that were denied."""

    data: bytes
    size: tuple[int, int]
    denied: list[Lint]


class Target(NamedTuple):
    """Where a picture is saved, a path or a file that is open, and its format."""

    where: Any
    form: str


def targets(paths: Sequence[Any], form: str | None) -> list[Target]:
    """Where pictures are saved, each with its format.

    Raises
    ------
    InputError
        A format that does not exist, or none.
    """
    if not paths:
        raise input_error("save", "no path is given")
    if form is not None and (not isinstance(form, str) or form.lower().lstrip(".") not in FORMATS):
        raise input_error("format", f"{form!r} is none of {', '.join(FORMATS)}")
    return [Target(path, _format(path, form)) for path in paths]


def _format(path: Any, form: str | None) -> str:
    is_path = isinstance(path, str) or (isinstance(path, os.PathLike) and isinstance(os.fspath(path), str))
    if not is_path and not hasattr(path, "write"):
        raise input_error("save", f"takes a path or a binary file, not {kind(path)}")
    if form is not None:
        return form.lower().lstrip(".")
    if not is_path:
        raise input_error("format", "a file that is open has no name that says it", 'format="png"')
    name = str(os.fspath(path))
    end = os.path.splitext(name)[1][1:].lower()
    if end not in FORMATS:
        what = f"{name!r} ends with no format that is known"
        raise input_error("save", what, 'the end .png, .svg or .pdf, or format="png"')
    return end


def write(pictures: Sequence[tuple[Target, bytes]]) -> None:
    """Writes pictures: those with a path to temporary files beside their places, of which each is renamed once all are written,
    then open files, devices and pipes.

    Raises
    ------
    OutputError
        What cannot be written; older files are untouched.
    """
    waiting: list[tuple[str, str]] = []
    streams: list[tuple[Any, bytes]] = []
    try:
        for target, data in pictures:
            if not isinstance(target.where, (str, os.PathLike)):
                streams.append((target.where, data))
                continue
            path = os.path.expanduser(os.fspath(target.where))
            with _named(path):
                is_stream = os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
                # A link stays one, and its target is replaced.
                path = path if is_stream else os.path.realpath(path)
            if is_stream:
                streams.append((path, data))
            else:
                waiting.append((_temporary(path, data), path))
        while waiting:
            temporary, path = waiting[0]
            with _named(path):
                os.replace(temporary, path)
            del waiting[0]
        for place, data in streams:
            _pour(place, data)
    finally:
        for temporary, _ in waiting:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _pour(place: Any, data: bytes) -> None:
    """Writes into a device, a pipe or an open file, whole."""
    if isinstance(place, str):
        with _named(place), open(place, "wb", buffering=0) as file:
            _write_all(file, data)
        return
    with _named(str(getattr(place, "name", kind(place)))):
        _write_all(place, data)


def _write_all(file: Any, data: bytes) -> None:
    rest = data
    while rest:
        count = file.write(rest)
        if count is None and not isinstance(file, io.RawIOBase):
            # Whatever has no count has taken all.
            return
        if not count:
            raise OSError(0, f"{len(rest)} of {len(data)} bytes were not taken")
        rest = rest[count:]


def _temporary(path: str, data: bytes) -> str:
    import tempfile

    with _named(path):
        if os.path.isdir(path):
            raise IsADirectoryError(21, "it is a folder")
        handle, temporary = tempfile.mkstemp(prefix=".gridscope-", dir=os.path.dirname(path))
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            # As any other new file would have them, and not as temporary ones do.
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, os.stat(path).st_mode & 0o7777 if os.path.exists(path) else 0o666 & ~mask)
        except BaseException:
            os.unlink(temporary)
            raise
    return temporary


@contextlib.contextmanager
def _named(path: str) -> Generator[None]:
    try:
        yield
    except (GridscopeError, MemoryError):
        raise
    except Exception as error:
        failed = made(OutputError, path, f"cannot be written: {getattr(error, 'strerror', None) or error}")
        failed.file, failed.place, failed.exit_code = path, "", 4
        raise failed from error


def mimebundle(
    draw: Callable[..., Picture], dpi: Any, include: Any, exclude: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The picture as a notebook shows it: a PNG, and an SVG if it is asked for and small.

    A PNG has the pixels of the file that `save` writes; on the page it is as large as on paper, so that screens with more
    pixels show all of them.
    """
    wanted = set(include or {"image/png"}) - set(exclude or ())
    data: dict[str, Any] = {}
    about: dict[str, Any] = {}
    if "image/svg+xml" in wanted:
        svg = draw("svg", deny=False, called=False)
        if len(svg.data) <= MOST_SVG:
            data["image/svg+xml"] = svg.data.decode()
    if "image/png" in wanted or ("image/svg+xml" in wanted and not data):
        png = draw("png", metadata=False, deny=False, called=False)
        scale = PAGE_DPI / float(dpi or DPI)
        data["image/png"] = png.data
        about["image/png"] = {"width": round(png.size[0] * scale), "height": round(png.size[1] * scale)}
    return data, about
