"""Errors and warnings: the classes of the module, and how those of Python's side are made."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ._core import (
    DeviceError,
    GridscopeError,
    InputError,
    InternalError,
    LimitError,
    OutputError,
    UsageError,
)

if TYPE_CHECKING:
    import re

__all__ = [
    "DeniedLintError",
    "DeviceError",
    "GridscopeError",
    "InputError",
    "InternalError",
    "LimitError",
    "Lint",
    "LintWarning",
    "OutputError",
    "ParameterWarning",
    "UnsupportedError",
    "UsageError",
]


class UnsupportedError(UsageError, TypeError):
    """A keyword that does not exist, or that cannot work here; the hint names what to use instead."""


class DeniedLintError(GridscopeError):
    """A warning that ``deny`` names arose. Pictures that were asked for are written all the same."""


class Lint:
    """A named warning of a figure.

    Attributes
    ----------
    name : str
        The stable name, as ``deny`` and ``allow`` take it.
    panel : str or None
        The panel that it is about.
    count : int
        How many cells, rows or labels it is about.
    text : str
        What happened, with its hint.
    kind : str
        ``"data"``, ``"picture"``, or ``"note"``, which is no warning.
    denied : bool
        Whether the figure denies it.
    """

    # No dataclass: importing `dataclasses` would take longer than all of this package.
    __slots__ = ("count", "denied", "kind", "name", "panel", "text")

    def __init__(self, name: str, panel: str | None, count: int, text: str, kind: str, denied: bool) -> None:
        self.name = name
        self.panel = panel
        self.count = count
        self.text = text
        self.kind = kind
        self.denied = denied

    def __repr__(self) -> str:
        return f"Lint({self.name!r}, panel={self.panel!r}, count={self.count}, text={self.text!r})"

    def __str__(self) -> str:
        where = f"{self.panel}: " if self.panel else ""
        return f"{self.name}: {where}{self.text}"


class LintWarning(UserWarning):
    """A named warning about data or picture.

    Attributes
    ----------
    name : str
        The stable name, as ``deny`` and ``allow`` take it: ``"clipped"``.
    panel : str or None
        The panel that it is about.
    count : int
        How many cells, rows or labels it is about.
    text : str
        What happened, with its hint.
    """

    def __init__(self, name: str, panel: str | None, count: int, text: str) -> None:
        where = f"{panel}: " if panel else ""
        super().__init__(f"{name}: {where}{text}")
        self.name = name
        self.panel = panel
        self.count = count
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        # By all parts, where Python has the message alone.
        return type(self), (self.name, self.panel, self.count, self.text)


class ParameterWarning(UserWarning):
    """A parameter of seaborn that changes nothing here, such as the length of the colour bar."""


def made(kind: type[GridscopeError], place: str, what: str, hint: str | None = None) -> GridscopeError:
    """An error with its parts as attributes."""
    text = f"{place}: {what}" if place else what
    error = kind(f"{text}\nhint: {hint}" if hint else text)
    error.file = ""
    error.place = place
    error.what = what
    error.hint = hint
    error.exit_code = 2
    return error


def input_error(place: str, what: str, hint: str | None = None) -> InputError:
    """The error of a wrong value; `place` is the keyword."""
    error = made(InputError, place, what, hint)
    assert isinstance(error, InputError)
    return error


def unsupported(keyword: str, what: str, hint: str | None = None) -> UnsupportedError:
    """The error of a keyword that does not exist or cannot work."""
    error = made(UnsupportedError, keyword, what, hint)
    assert isinstance(error, UnsupportedError)
    return error


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    """A flag in a text with what follows it, as ``--x-domain 5,19`` or ``--share-x=false``; two keywords side by side; a value
    of the wrong type; a flag without its dashes in quotes."""
    import re

    return (
        re.compile(r"--([a-z][a-z-]*[a-z]|[xyz])\b(?:[ =]('[^']*'|\"[^\"]*\"|[^\s;,)]+(?:,[^\s;,)]+)*))?"),
        re.compile(r"(=(?:\"[^\"]*\"|'[^']*'|[\[{][^\]}]*[\]}]|[^\s,;\"'\[{]+)) (?=[a-z_]+=)"),
        re.compile(r"invalid (?:type|value): (?:[a-z][a-z ]*[a-z] )?[`\"]?(.+?)[`\"]?, expected (?:an? )?(\w+)"),
        re.compile(r"'([a-z]+(?:-[a-z]+)+)'(?= (?:is for|gives|must|needs|takes)\b)"),
    )


#: Words of the program, and those of this package.
_WORDS = {
    "'gridscope colormaps'": "gridscope.colormaps()",
    "and the flag repeats": "and several are a list",
}
#: Types of Rust and JSON in words.
_TYPES = {
    "u32": "whole number from 0 on",
    "u64": "whole number from 0 on",
    "usize": "whole number from 0 on",
    "f64": "number",
    "string": "text",
    "boolean": "truth value",
}
#: Words that follow the name of a flag in a sentence.
_PROSE = frozenset(
    "a always and alone are at beside by cannot choose chooses colours draws fewer for gives has in is leave leaves makes merged "
    "name names need needs of or orders out pass passes prints raises reads says settles show shows take takes that the their to "
    "watches with".split()
)


def in_keywords(text: str) -> str:
    """The text with flags of the command line as keywords: ``--scale panel`` becomes ``scale="panel"``."""
    for word, own in _WORDS.items():
        text = text.replace(word, own)
    if "invalid " in text:
        text = _patterns()[2].sub(lambda m: f"{m.group(1)} is no {_TYPES.get(m.group(2), m.group(2))}", text)
    from ._vocabulary import vocabulary, word_of

    flags = vocabulary().flags

    def keyword(match: re.Match[str]) -> str:
        flag, value = match.group(1), match.group(2)
        if flag == "max-memory":
            return match.group(0).replace("--max-memory", "gridscope.set_memory")
        if flag not in flags:
            return match.group(0)
        word = word_of(flag)
        if value is None:
            return word
        plain = value.rstrip(":")
        return f"{word} {value}" if plain in _PROSE else f"{word}={_literal(flag, plain)}{value[len(plain) :]}"

    if "--" in text:
        text = _patterns()[1].sub(r"\1, ", _patterns()[0].sub(keyword, text))
    return _patterns()[3].sub(lambda m: f"'{m.group(1).replace('-', '_')}'" if m.group(1) in flags else m.group(0), text)


def _literal(flag: str, value: str) -> str:
    """The value of a flag as Python writes it."""
    if value[0] in "'\"":
        return value
    if flag in {"annot", "notes", "rings", "square"} and value in {"on", "off"}:
        return str(value == "on")
    if flag == "slice" and "=" in value:
        axis, _, index = value.partition("=")
        return f"{{{_literal('', axis)}: {_literal('', index)}}}"
    if "," in value and flag not in {"cmap", "norm"}:
        return f"[{', '.join(one if one == '…' else _literal('', one) for one in value.split(','))}]"
    try:
        float(value)
    except ValueError:
        return f'"{value}"'
    return value


@contextmanager
def keywords(place: str = "data", progress: object = None) -> Generator[None]:
    """Errors that leave the block speak of keywords, where the program speaks of flags and of keys of figure files.

    What other code raises while it is asked for its values becomes the cause of an error at `place`; but for what a caller's
    progress raises, warnings that a filter makes errors of, and lack of memory.
    """
    try:
        yield
    except GridscopeError as error:
        _translate(error)
        raise
    except (MemoryError, Warning):
        raise
    except Exception as error:
        if error is getattr(progress, "raised", None):
            raise
        raise input_error(place, f"{type(error).__name__}: {error}") from error


def _translate(error: GridscopeError) -> None:
    from ._vocabulary import vocabulary

    text = str(error)
    changed = in_keywords(text)
    key = getattr(error, "place", None)
    word = vocabulary().keyword_of(key) if isinstance(key, str) else None
    if key and word and word != key:
        changed = changed.replace(key, word, 1)
        error.place = word
    if changed != text:
        error.args = (changed, *error.args[1:])
    for part in ("what", "hint"):
        old = getattr(error, part, None)
        if isinstance(old, str):
            setattr(error, part, in_keywords(old))


_HERE = os.path.dirname(__file__)


def caller_level() -> int:
    """The ``stacklevel`` of the line outside of this package, for a ``warnings.warn`` in the function that calls this."""
    level = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
        level += 1
    return level


def warn_lints(lints: Iterable[Lint], seen: set[tuple[str, str | None, str]], *, called: bool = True) -> list[Lint]:
    """Warns of each lint that was not `seen`, and returns those that are denied.

    Where nobody `called`, but a notebook or a window shows a figure, no line of the user is to be named, and a lint is the same
    at every size.
    """
    denied: list[Lint] = []
    level = caller_level()
    for lint in lints:
        if lint.denied:
            denied.append(lint)
        key = (lint.name, lint.panel, lint.text)
        if key in seen or lint.kind == "note" or (not called and any(key[:2] == other[:2] for other in seen)):
            continue
        seen.add(key)
        warning = LintWarning(lint.name, lint.panel, lint.count, lint.text)
        if called:
            warnings.warn(warning, stacklevel=level)
        else:
            warnings.warn_explicit(warning, LintWarning, "gridscope", 0)
    return denied


def refuse_denied(denied: list[Lint]) -> None:
    """Raises for lints that ``deny`` names.

    Raises
    ------
    DeniedLintError
        If there is one.
    """
    if not denied:
        return
    first = denied[0]
    more = f", and {len(denied) - 1} more" if len(denied) > 1 else ""
    what = f"{first.text} (denied{more})"
    error = made(DeniedLintError, first.name, what, f'allow=["{first.name}"]')
    error.exit_code = 6
    raise error
