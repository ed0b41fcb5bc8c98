"""Keywords as the keys of a figure, and those of a changed copy."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from ._errors import keywords, unsupported
from ._keys import fill, take_back
from ._plain import Figure as Keys
from ._seaborn import Beside, translate

#: Keywords that are the same under another name.
_SAME = (
    {"linewidths", "linewidth", "lw"},
    {"xticks", "xticklabels"},
    {"yticks", "yticklabels"},
)


def described(options: dict[str, Any], base: Keys, *, quiet: bool = False) -> tuple[Keys, Beside]:
    """The keys of a figure with keywords over those of `base`, and what comes beside the values.

    Raises
    ------
    InputError
        A value that its keyword does not take.
    UnsupportedError
        A keyword that does not exist or cannot work.
    """
    keys = copy.deepcopy(base)
    words = {keyword: value for keyword, value in options.items() if value is not None}
    with keywords("keywords"):
        beside = translate(words, quiet=quiet)
        fill(keys, words)
    return keys, beside


class Words:
    """What describes a figure: the keys of a figure file, and keywords over them.

    Attributes
    ----------
    keys : dict
        The keys of the figure; not to be changed.
    beside : Beside
        What comes beside the values.
    """

    def __init__(self, base: Keys, options: dict[str, Any], *, quiet: bool = False) -> None:
        self.base = base
        self.options = {keyword: _kept(value) for keyword, value in options.items() if value is not None}
        self.keys, self.beside = described(self.options, base, quiet=quiet)

    def changed(self, options: dict[str, Any]) -> Words:
        """These with other keywords, which are in place of their older values; None takes back what a keyword said.

        Raises
        ------
        UnsupportedError
            An array or a list that belongs to the values.
        """
        options = {keyword: _kept(value) for keyword, value in options.items()}
        _refuse_beside(translate({k: v for k, v in options.items() if v is not None}))
        base, merged = copy.deepcopy(self.base), dict(self.options)
        for keyword, value in options.items():
            for same in next((names for names in _SAME if keyword in names), {keyword}):
                older = merged.pop(same, None)
                if value is None and older is not None:
                    _refuse_beside(translate({same: older}, quiet=True))
            if value is None:
                take_back(base, keyword)
            else:
                merged[keyword] = value
        return Words(base, merged, quiet=True)


def _kept(value: Any) -> Any:
    """A value that is read again: what a caller changes afterwards, or what is read once, as a copy."""
    if isinstance(value, Mapping):
        return {key: _kept(one) for key, one in value.items()}
    return list(value) if isinstance(value, list) or hasattr(value, "__next__") else value


def _refuse_beside(beside: Beside) -> None:
    given = beside.first()
    if given is not None:
        raise unsupported(given, "an array or a list belongs to the values", "gridscope.heatmap(data, ...)")
