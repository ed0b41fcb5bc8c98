"""The window that `show` opens, on a display of its own: Xvfb, keys by xdotool."""

import os
import shutil
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

# Longer than anything takes, even on a busy machine: it ends what hangs.
PATIENCE = 300


def killed_after(seconds, process):
    """Ends a process that hangs, so that nothing waits for it for ever."""
    timer = threading.Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()
    return timer


@pytest.fixture(scope="module")
def display():
    missing = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
    if missing:
        assert "GRIDSCOPE_REQUIRE_ADAPTER" not in os.environ, missing
        pytest.skip(f"no {missing[0]}")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        hangs = killed_after(2 * PATIENCE, server)
        yield f":{server.stdout.readline().strip()}"
        hangs.cancel()
        server.kill()


@pytest.fixture
def script(display, tmp_path):
    """Starts code that shows a figure, on the display, with a folder of its own for temporary files."""
    env = {**os.environ, "DISPLAY": display, "TMPDIR": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
    env.pop("WAYLAND_DISPLAY", None)
    started, hangs = [], []

    def start(code):
        lines = "import gridscope as gs, numpy as np\n" + textwrap.dedent(code)
        started.append(subprocess.Popen([sys.executable, "-c", lines], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        hangs.append(killed_after(PATIENCE, started[-1]))
        return started[-1]

    yield start
    for process, timer in zip(started, hangs, strict=True):
        timer.cancel()
        process.kill()


def windows(display):
    env = {**os.environ, "DISPLAY": display}
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", " - gridscope$"], env=env, capture_output=True, text=True).stdout.split()
    names = [subprocess.run(["xdotool", "getwindowname", w], env=env, capture_output=True, text=True).stdout.strip() for w in found]
    return dict(zip(names, found, strict=True))


def wait_for(what, process=None):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        if process is not None and process.poll() is not None:
            raise AssertionError(process.stderr.read())
        time.sleep(0.1)
    raise AssertionError("nothing within the time")


def close(display, window):
    env = {**os.environ, "DISPLAY": display}
    subprocess.run(["xdotool", "windowfocus", "--sync", window, "key", "q"], env=env, check=True, timeout=PATIENCE)


FIGURES = {
    "array": "gs.heatmap(np.arange(12.0).reshape(3, 4), title='Shown /')",
    "frame": "gs.heatmap(__import__('pandas').DataFrame([[1, 2], [3, 4]], index=['a', 'b'], columns=['c', 'd']), title='Shown /')",
    "table": "gs.heatmap({'x': [1, 2], 'y': [1, 1], 'v': [3, 4]}, x='x', y='y', value='v', title='Shown /')",
    "masked": "gs.heatmap(np.arange(12.0).reshape(3, 4), mask=np.eye(3, 4) > 0, title='Shown /')",
}


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_a_script_waits_until_the_window_is_closed(script, display, tmp_path, figure):
    process = script(f"{figure}.show()\nprint('closed')")
    ((name, number),) = wait_for(lambda: windows(display), process).items()
    assert name == "Shown.json - gridscope"
    assert process.poll() is None
    close(display, number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "closed\n", "")
    assert not list(tmp_path.glob("gridscope-*"))


def test_without_waiting_the_window_outlives_the_call(script, display, tmp_path):
    process = script(
        """
        gs.heatmap([[1, 2], [3, 4]]).show(block=False)
        print("returned", flush=True)
        """
    )
    assert process.stdout.readline() == "returned\n"
    ((_, number),) = wait_for(lambda: windows(display)).items()
    process.wait(PATIENCE)
    assert windows(display), "the window belongs to a process of its own"
    close(display, number)
    wait_for(lambda: not windows(display))
    wait_for(lambda: not list(tmp_path.glob("gridscope-*")))


def test_a_window_shows_what_a_memory_map_holds_without_a_copy(script, display, tmp_path):
    path = tmp_path / "large.npy"
    np.save(path, np.arange(4_000_000, dtype="f4").reshape(2000, 2000))
    process = script(f"gs.heatmap(np.load({str(path)!r}, mmap_mode='r')).show()")
    ((_, number),) = wait_for(lambda: windows(display), process).items()
    files = [f for folder in tmp_path.glob("gridscope-*") for f in folder.iterdir()]
    assert sum(f.stat().st_size for f in files) < 100_000
    close(display, number)
    assert process.wait(PATIENCE) == 0


def test_without_a_display_the_error_says_what_works(tmp_path):
    code = "import gridscope as gs\ntry:\n gs.heatmap([[1]]).show()\nexcept gs.DeviceError as e:\n print(e.hint)"
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    run = subprocess.run([sys.executable, "-c", code], env={**env, "TMPDIR": str(tmp_path)}, capture_output=True, text=True)
    assert "save" in run.stdout, run
    assert not list(tmp_path.iterdir())
