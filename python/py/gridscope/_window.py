"""The window of a figure: the program in a process of its own, with the values in a temporary folder where they are in no file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ._carried import with_files
from ._errors import DeviceError, GridscopeError, InputError, made
from ._plain import Figure as Keys
from ._sources.source import as_json

if TYPE_CHECKING:
    from ._figure import Figure

#: What the exit codes of the program mean.
_NO_DISPLAY, _INTERRUPTED = 5, 130


def open_window(figure: Figure, block: bool | None) -> None:
    """Opens a window; waits for its end if asked, and where Python is not interactive."""
    folder = Path(tempfile.mkdtemp(prefix="gridscope-"))
    try:
        keys = _handed_over(figure, folder)
        # The window has the name of its file.
        path = folder / f"{_file_name(str(keys.get('title') or ''))}.json"
        path.write_text(as_json(keys), encoding="utf-8")
        command = [sys.executable, "-m", "gridscope._window", str(folder), str(path)]
        waits = not _is_interactive() if block is None else block
        # A window that nobody waits for has no pipe that could fill up.
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE if waits else None)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if waits:
        _wait(child, folder)
    else:
        threading.Thread(target=_reap, args=(child, folder), daemon=True).start()


def _handed_over(figure: Figure, folder: Path) -> Keys:
    from ._sources.hand_over import grid_files

    keys = figure._source.files(with_files(figure._keys, figure._source.placed), folder)
    return keys if keys is not None else grid_files(figure.grids, figure._keys, folder)


def _file_name(title: str) -> str:
    """A title as the name of a file."""
    plain = "".join(letter if letter.isprintable() and letter != "/" else " " for letter in title)
    return " ".join(plain.split())[:40].strip(". ") or "figure"


def _is_interactive() -> bool:
    """Whether a person types, so that a call is not to wait: a prompt of Python, IPython or a notebook."""
    return hasattr(sys, "ps1") or bool(sys.flags.interactive) or "ipykernel" in sys.modules


def _wait(child: subprocess.Popen[bytes], folder: Path) -> None:
    try:
        _, said = child.communicate()
    except KeyboardInterrupt:
        child.terminate()
        child.wait()
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if child.returncode in (0, _INTERRUPTED):
        return
    text = said.decode(errors="replace").strip()
    what = text.removeprefix("error: ") or f"the window ended with code {child.returncode}"
    kind: type[GridscopeError] = {_NO_DISPLAY: DeviceError, 2: InputError, 3: InputError}.get(
        child.returncode, GridscopeError
    )
    lines = what.splitlines()
    hints = [line.removeprefix("hint: ") for line in lines if line.startswith("hint: ")]
    plain = "; ".join(line for line in lines if not line.startswith("hint: "))
    if child.returncode == _NO_DISPLAY and "display" in plain:
        hints = ["fig.save('figure.png') needs no display"]
    failed = made(kind, "", plain, hints[0] if hints else None)
    failed.exit_code = child.returncode
    raise failed


def _reap(child: subprocess.Popen[bytes], folder: Path) -> None:
    child.wait()
    shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """The child: shows a figure file, and removes the folder that it lies in."""
    import signal

    from . import _core

    folder, path = sys.argv[1:3]
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        code = _core.main(["view", path])
    finally:
        # The parent may be gone.
        if os.path.basename(folder).startswith("gridscope-"):
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
