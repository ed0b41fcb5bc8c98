"""Progress in notebooks: a line that says what is done, and disappears."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def progress_of(given: Callable[[str], None] | bool | None) -> Callable[[str], None] | None:
    """What is called with texts about the progress; a line in notebooks unless another is given."""
    if callable(given):
        return given
    if given is False or (given is None and "ipykernel" not in sys.modules):
        return None
    if given is True and "ipykernel" not in sys.modules:
        return _to_stderr
    return _Line()


def _to_stderr(text: str) -> None:
    print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


class _Line:
    """A line under a cell of a notebook, replaced by each text. It is empty at the end."""

    def __init__(self) -> None:
        self.handle: Any = None

    def __call__(self, text: str) -> None:
        from importlib import import_module

        display = import_module("IPython.display")
        shown = {"text/plain": text}
        if self.handle is None:
            self.handle = display.display(shown, raw=True, display_id=True)
        else:
            self.handle.update(shown, raw=True)
