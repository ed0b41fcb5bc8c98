"""Arrays of dask: each chunk is folded where it lies, on a thread or a worker of a cluster, and the results are joined in a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from .. import _core

#: Results that are joined at a time.
FAN = 8

#: Folds all chunks of a plane: of the first index of each axis, its row and column axis, which of them are reversed, whether they
#: are then swapped, for these plans, until somebody stops it.
Fold = Callable[
    ["list[int]", "tuple[int | None, int]", "tuple[bool, bool]", bool, "list[bytes]", "Callable[[], bool]"],
    "list[bytes]",
]


def fold_chunk(
    chunk: Any, index: tuple[Any, ...], swap: bool, flips: tuple[int, int], at: tuple[int, int], plans: list[bytes]
) -> list[bytes]:
    """The results of plans over a part of a chunk, whose first cell is at (row, column) `at` of the plane."""
    import numpy as np

    part = np.ma.asarray(chunk)[index] if isinstance(chunk, np.ma.MaskedArray) else np.asarray(chunk)[index]
    part = part.T if swap else part
    part = part[:: flips[0], :: flips[1]]
    if isinstance(part, np.ma.MaskedArray):
        part = np.ma.filled(part.astype(np.float64), np.nan)
    return _core.fold_part(part, at, plans)


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
        task = delayed(fold_chunk, pure=False)
        parts = [task(chunks[place], *part, shared) for place, part in _parts(values, first, axes, reverse, swapped)]
        return _computed(_joined(parts), stopped)

    return fold


def fold_array(values: Any, plan: bytes) -> bytes:
    """The result of a plan over an array of dask of two dimensions."""
    rows, columns = 0, 1
    return folder(values)([0, 0], (rows, columns), (False, False), False, [plan], lambda: False)[0]


def _parts(
    values: Any, first: list[int], axes: tuple[int | None, int], reverse: tuple[bool, bool], swapped: bool
) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...]]]:
    """The number of each chunk of a plane along each axis, and what `fold_chunk` does with it."""
    row_axis, column_axis = axes
    starts = [_starts(side) for side in values.chunks]
    place: list[int] = []
    index: list[Any] = []
    for axis, side in enumerate(values.chunks):
        number = next(n for n in reversed(range(len(side))) if starts[axis][n] <= first[axis])
        place.append(number)
        index.append(first[axis] - starts[axis][number])
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


def _starts(side: tuple[int, ...]) -> list[int]:
    """The first index of each chunk."""
    starts = [0]
    for length in side:
        starts.append(starts[-1] + int(length))
    return starts[:-1]


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
