"""The keywords: each flag of the command line with ``_`` for ``-``, its key in figure files, and the words of others."""

from __future__ import annotations

import json
from functools import lru_cache
from keyword import iskeyword
from typing import NamedTuple

from . import _core


class Vocabulary(NamedTuple):
    """The words of a figure."""

    keys: dict[str, str]
    """The key of each keyword: ``x_domain`` has ``x.domain``."""
    flags: frozenset[str]
    """The flags of the command line that are keywords, without their dashes."""
    elsewhere: dict[str, str]
    """The keyword for each word of seaborn, matplotlib, pandas or plotly."""
    words: dict[str, str]
    """The keyword of each key."""

    def keyword_of(self, key: str) -> str | None:
        """The keyword of a dotted key, if there is one."""
        return self.words.get(key)


def word_of(flag: str) -> str:
    """The keyword of a flag; what is a word of Python has ``_`` behind it, as ``from_``."""
    word = flag.replace("-", "_")
    return f"{word}_" if iskeyword(word) else word


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """Reads the words of the program; there is one list, and it is not repeated here."""
    keys: dict[str, str] = {}
    elsewhere: dict[str, str] = {}
    words: dict[str, str] = {}
    flags: list[str] = []
    for word in json.loads(_core.vocabulary()):
        key, flag = word["key"], word["flag"]
        # Files are arguments of `read`, and tables without a flag are given as `set`.
        keyword = word_of(flag) if flag else None
        if keyword and keyword not in keys:
            keys[keyword] = key
            flags.append(flag)
        if keyword:
            words[key] = keyword
        for other in word["elsewhere"]:
            elsewhere[other.lower().replace("-", "_")] = keyword or f'set={{"{key}": ...}}'
    return Vocabulary(keys, frozenset(flags), elsewhere, words)
