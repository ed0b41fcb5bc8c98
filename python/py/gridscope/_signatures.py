"""Signatures that name every keyword, for completion by Tab: they are read off the typed keywords when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, Signature
from types import FunctionType, MappingProxyType
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def spelled_out(function: Function) -> Function:
    """The function, whose signature has the keywords of its ``**options: Unpack[...]`` in place of ``**options``."""
    vars(function)["__signature__"] = _Spelled(function)
    return function


class _Spelled(Signature):
    """A signature that is made when it is looked at: most programs never look, and import times stay as they are."""

    __slots__ = ("_function", "_made")

    def __init__(self, function: Callable[..., Any]) -> None:
        # The attributes of the base are made below.
        self._function = cast("FunctionType", function)
        self._made: Signature | None = None

    def _plain(self) -> Signature:
        if self._made is None:
            self._made = _signature(self._function)
        return self._made

    @property
    def parameters(self) -> MappingProxyType[str, Parameter]:
        return self._plain().parameters

    @property
    def return_annotation(self) -> Any:
        return self._plain().return_annotation

    def replace(self, **changes: Any) -> Any:
        return self._plain().replace(**changes)

    __replace__ = replace

    def __reduce__(self) -> Any:
        return self._plain().__reduce__()


def _signature(function: FunctionType) -> Signature:
    from . import _options

    # A function of the same code, which has no signature yet.
    bare = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    bare.__kwdefaults__, bare.__annotations__ = function.__kwdefaults__, function.__annotations__
    own = Signature.from_callable(bare)
    *named, rest = own.parameters.values()
    found = re.fullmatch(r"Unpack\[(\w+)\]", str(rest.annotation))
    assert found is not None, "the keywords of a function are a typed dict"
    typed: dict[str, Any] = getattr(_options, found.group(1)).__annotations__
    listed = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=getattr(kind, "__forward_arg__", kind))
        for name, kind in typed.items()
    ]
    return own.replace(parameters=[*named, *listed])


__all__ = ["spelled_out"]
