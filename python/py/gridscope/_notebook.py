"""Progress of long work: a caller's function, or a line that says what is done, and disappears."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from ._errors import input_error

#: Characters of a bar.
_BAR = 20
#: A function that the module calls: with what is done, and the part of it that is, where that is known.
Report = Callable[[str, "float | None"], None]


class Step(str):
    """What is done, as ``"drawing"``.

    Attributes
    ----------
    fraction : float or None
        The part of the values that this pass over them has read, above 0 and up to 1; None where that is not known.
    """

    fraction: float | None

    def __new__(cls, text: str, fraction: float | None = None) -> Step:
        made = super().__new__(cls, text)
        made.fraction = fraction
        return made


def progress_of(given: Callable[[Step], None] | bool | None) -> Report | None:
    """What is called with the progress; a line in notebooks unless another is given."""
    if callable(given):
        return _Own(given)
    if given is not None and not isinstance(given, bool):
        raise input_error("progress", f"takes a function or True or False, not {given!r}")
    if given is False or (given is None and "ipykernel" not in sys.modules):
        return None
    if given is True and "ipykernel" not in sys.modules:
        return _Terminal()
    return _Line()


@contextmanager
def ended(progress: Report | None) -> Generator[None]:
    """Ends the line of a progress with the work of a block."""
    try:
        yield
    finally:
        if isinstance(progress, _Shown):
            progress.close()


class _Own:
    """A caller's function, and what it raised."""

    def __init__(self, function: Callable[[Step], None]) -> None:
        self.function = function
        self.raised: BaseException | None = None

    def __call__(self, text: str, fraction: float | None = None) -> None:
        try:
            self.function(Step(text, fraction))
        except BaseException as error:
            self.raised = error
            raise


class _Shown:
    """A text with a bar and the seconds since the work began, shown again when it changes."""

    def __init__(self) -> None:
        self.began = 0.0
        self.shown = ""

    def __call__(self, text: str, fraction: float | None = None) -> None:
        now = time.monotonic()
        self.began = self.began or now
        said = f"{text}{_bar(fraction)}, {now - self.began:.0f} s"
        if said != self.shown:
            self.show(said)
            self.shown = said

    def show(self, text: str) -> None:
        """Replaces the text."""
        raise NotImplementedError

    def close(self) -> None:
        """Removes the text."""
        if self.shown:
            self.show("")
        self.began, self.shown = 0.0, ""


def _bar(fraction: float | None) -> str:
    """A bar and a per cent, nothing where no part is known."""
    if fraction is None:
        return ""
    full = int(fraction * _BAR)
    return f" [{'#' * full}{'.' * (_BAR - full)}] {fraction:.0%}"


class _Terminal(_Shown):
    """A line of standard error."""

    def show(self, text: str) -> None:
        print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


class _Line(_Shown):
    """A line under a cell of a notebook."""

    def __init__(self) -> None:
        super().__init__()
        self.handle: Any = None

    def show(self, text: str) -> None:
        from importlib import import_module

        content = {"text/plain": text}
        if self.handle is None:
            self.handle = import_module("IPython.display").display(content, raw=True, display_id=True)
        else:
            self.handle.update(content, raw=True)

    def close(self) -> None:
        super().close()
        self.handle = None
