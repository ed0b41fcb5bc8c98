"""What a typed program writes: checked by mypy and pyright in strict mode, not run."""

from pathlib import Path

import numpy as np

import gridscope as gs


def draw(array: np.ndarray[tuple[int, int], np.dtype[np.float32]], folder: Path) -> int:
    figure: gs.Figure = gs.heatmap(array, vmin=0, vmax=1, cmap="magma", annot=True, fmt=".1f")
    figure.save(folder / "figure.png", folder / "figure.pdf")
    changed: gs.Figure = figure.with_(title="Sweep", reduce="max")
    for lint in changed.lints:
        print(lint.name, lint.count)
    for grid in changed.grids:
        print(grid.name, grid.values.shape, grid.rows.labels)
    small = gs.fold(array, (10, 10), "max")
    try:
        gs.read(folder / "missing.csv")
    except gs.InputError as error:
        print(error.place, error.hint)
    return len(changed.to_png()) + int(small.size) + len(changed.to_toml())
