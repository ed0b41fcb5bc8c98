"""Arrays of dask: each chunk is folded where it lies, on a thread or a worker of a cluster, and the results are joined in a tree."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import accumulate
from typing import Any

from .. import _core
from .._errors import input_error
from .arrays import is_masked

#: Results that are joined at a time.
FAN = 8

#: Folds all chunks of a plane: of the first index of each axis, its row and column axis, which of them are reversed, whether they
#: are then swapped, for these plans, until somebody stops it.
Fold = Callable[
    ["list[int]", "tuple[int | None, int]", "tuple[bool, bool]", bool, "list[bytes]", "Callable[[], bool]"],
    "list[bytes]",
]


def has_masks(values: Any) -> bool:
    """Whether the chunks of an array of dask are masked."""
    return is_masked(getattr(values, "_meta", None))


def plain(part: Any, masked: bool) -> Any:
    """A part of an array as numbers of numpy, NaN where it is masked."""
    import numpy as np

    return np.ma.filled(np.ma.asarray(part).astype(np.float64), np.nan) if masked else np.asarray(part)


def fold_chunk(
    chunk: Any,
    masked: bool,
    index: tuple[Any, ...],
    swap: bool,
    flips: tuple[int, int],
    at: tuple[int, int],
    plans: list[bytes],
) -> list[bytes]:
    """The results of plans over a part of a chunk, whose first cell is at (row, column) `at` of the plane."""
    part = plain(chunk[index], masked)
    part = part.T if swap else part
    return _core.fold_part(part[:: flips[0], :: flips[1]], at, plans)


def join(results: list[list[bytes]]) -> list[bytes]:
    """The results of several parts as those of one, plan by plan."""
    return [_core.join_parts(list(of_plan)) for of_plan in zip(*results, strict=True)]


def folder(values: Any) -> Fold:
    """The fold of an array of dask."""

    def fold(
        first: list[int],
        axes: tuple[int | None, int],
        reverse: tuple[bool, bool],
        swapped: bool,
        plans: list[bytes],
        stopped: Callable[[], bool],
    ) -> list[bytes]:
        from dask.delayed import delayed

        chunks, shared = values.to_delayed(), delayed(plans, pure=False)
        task, masked = delayed(fold_chunk, pure=False), has_masks(values)
        places = _parts(values, first, axes, reverse, swapped)
        parts = [task(chunks[place], masked, *part, shared) for place, part in places]
        return _computed(_joined(parts), stopped)

    return fold


def check_numbers(values: Any, place: str) -> None:
    """Refuses an array whose chunks are no numbers or have unknown sizes."""
    if any(side != side for side in values.shape):
        raise input_error(place, "an array whose chunks have unknown sizes", f"{place}.compute_chunk_sizes()")
    if getattr(values.dtype, "kind", "f") not in "biuf":
        raise input_error(place, f"values of type {values.dtype} are no numbers")


def fold_array(values: Any, plan: bytes) -> bytes:
    """The result of a plan over an array of dask of two dimensions."""
    rows, columns = 0, 1
    return folder(values)([0, 0], (rows, columns), (False, False), False, [plan], lambda: False)[0]


def _parts(
    values: Any, first: list[int], axes: tuple[int | None, int], reverse: tuple[bool, bool], swapped: bool
) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...]]]:
    """The number of each chunk of a plane along each axis, and what `fold_chunk` does with it."""
    row_axis, column_axis = axes
    starts = [list(accumulate(side, initial=0))[:-1] for side in values.chunks]
    place: list[int] = []
    index: list[Any] = []
    for side, at_first in zip(starts, first, strict=True):
        number = bisect_right(side, at_first) - 1
        place.append(number)
        index.append(at_first - side[number])
    # Elements of one row are one row.
    rows = [(0, 1)] if row_axis is None else list(zip(starts[row_axis], values.chunks[row_axis], strict=True))
    columns = list(zip(starts[column_axis], values.chunks[column_axis], strict=True))
    height, width = (sum(length for _, length in side) for side in (rows, columns))
    for i, (row, row_count) in enumerate(rows):
        for j, (column, column_count) in enumerate(columns):
            if row_count == 0 or column_count == 0:
                continue
            own_place, own_index = list(place), list(index)
            own_place[column_axis], own_index[column_axis] = j, slice(None)
            if row_axis is None:
                own_index.insert(column_axis, None)
            else:
                own_place[row_axis], own_index[row_axis] = i, slice(None)
            at = (height - row - row_count if reverse[0] else row, width - column - column_count if reverse[1] else column)
            flips = (-1 if reverse[0] else 1, -1 if reverse[1] else 1)
            swap = (row_axis is not None and row_axis > column_axis) != swapped
            if swapped:
                at, flips = (at[1], at[0]), (flips[1], flips[0])
            yield tuple(own_place), (tuple(own_index), swap, flips, at)


def _joined(parts: list[Any]) -> Any:
    from dask.delayed import delayed

    task = delayed(join, pure=False)
    while len(parts) > 1:
        groups = [parts[i : i + FAN] for i in range(0, len(parts), FAN)]
        parts = [task(group) if len(group) > 1 else group[0] for group in groups]
    return parts[0]


def _computed(total: Any, stopped: Callable[[], bool]) -> list[bytes]:
    """What a task gives, on the scheduler that the caller has chosen."""
    client = client_of()
    if client is not None:
        return _of_cluster(client, total, stopped)
    callbacks: Any = import_module("dask.callbacks")

    def check(*_: object) -> None:
        if stopped():
            raise RuntimeError("interrupted")

    with callbacks.Callback(pretask=check):
        result: list[bytes] = total.compute()
    return result


def client_of() -> Any:
    """The client of the cluster that dask computes on, or None."""
    base: Any = import_module("dask.base")
    client = getattr(base.get_scheduler(), "__self__", None)
    return client if hasattr(client, "scheduler_info") else None


def _of_cluster(client: Any, total: Any, stopped: Callable[[], bool]) -> list[bytes]:
    distributed: Any = import_module("distributed")
    future = client.compute(total)
    while not future.done():
        try:
            distributed.wait(future, timeout=0.25)
        except distributed.TimeoutError:
            if stopped():
                future.cancel()
                raise
    result: list[bytes] = future.result()
    return result
