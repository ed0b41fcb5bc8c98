"""Processes and threads: import, the command, fork, thread pools, sub-interpreters, Ctrl+C."""

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from paths import EXAMPLES
from readback import random_picture

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::gridscope.LintWarning")


def python(code, *arguments, **keywords):
    return subprocess.run(
        [sys.executable, *arguments, "-c", code], capture_output=True, text=True, timeout=300, **keywords
    )


def test_import_brings_no_other_library():
    code = """
import sys, gridscope
heavy = {"numpy", "pandas", "matplotlib", "pyarrow", "polars", "xarray", "scipy", "PIL"} & set(sys.modules)
assert not heavy, heavy
gridscope.heatmap([[1, 2], [3, 4]]).to_png()
heavy = {"pandas", "matplotlib", "pyarrow", "polars", "xarray", "scipy", "PIL"} & set(sys.modules)
assert not heavy, heavy
"""
    done = python(code)
    assert done.returncode == 0, done.stderr


def test_all_names_exist():
    for name in gs.__all__:
        assert getattr(gs, name) is not None
    assert gs.__version__
    with pytest.raises(AttributeError):
        gs.no_such_name


@pytest.mark.parametrize(
    "command", [[sys.executable, "-m", "gridscope"], [os.path.join(os.path.dirname(sys.executable), "gridscope")]]
)
def test_the_command(command, tmp_path):
    def run(*arguments):
        return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=300)

    picture = tmp_path / "figure.png"
    done = run("render", str(EXAMPLES / "r1_llama.toml"), "-o", str(picture), "-q")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert run("--version").stdout.startswith("gridscope ")
    assert run("render").returncode == 2
    missing = run("render", "no_such_file.csv", "-o", str(picture))
    assert missing.returncode == 3 and missing.stderr.startswith("error: no_such_file.csv")
    assert run("render", str(EXAMPLES / "r1_llama.toml"), "-o", str(picture), "--deny", "clipped").returncode == 6
    assert '"panels"' in run("info", str(EXAMPLES / "r1_llama.toml"), "--json").stdout


def test_pythons_warnings_as_errors():
    code = "import gridscope, numpy; gridscope.heatmap(numpy.arange(6.0).reshape(2, 3)).to_png()"
    done = python(code, env={**os.environ, "PYTHONWARNINGS": "error"})
    assert done.returncode == 0, done.stderr


def test_python_without_assertions_and_docstrings():
    done = python("import gridscope; gridscope.heatmap([[1, 2]]).to_png()", "-OO")
    assert done.returncode == 0, done.stderr


def test_threads_draw_at_once():
    arrays = [np.random.default_rng(i).random((200, 200)) for i in range(8)]

    def draw(i):
        return gs.heatmap(arrays[i], vmin=0, vmax=1, width="600px", height="400px").to_png(metadata=False)

    one_by_one = [draw(i) for i in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            assert list(pool.map(draw, range(8))) == one_by_one


def test_threads_share_a_figure():
    figure = gs.heatmap(np.random.default_rng(1).random((300, 300)))
    wanted = figure.to_png()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: figure.to_png(), range(16))) == {wanted}


def test_other_threads_run_while_a_large_array_is_folded():
    array = np.zeros((2000, 2000), dtype="f4")
    turns, stop = [0], threading.Event()

    def turn():
        while not stop.is_set():
            turns[0] += 1
            time.sleep(0.0001)

    def turns_during_a_fold():
        before = turns[0]
        gs.fold(array, (100, 100))
        return turns[0] - before

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=turn)
    thread.start()
    try:
        # The other thread has a turn only where this one gives the lock away, which a call that holds it never does.
        sys.setswitchinterval(1000)
        assert any(turns_during_a_fold() for _ in range(1000))
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()


def test_an_array_may_change_while_threads_read_it():
    array = np.zeros((500, 500))
    stop = threading.Event()

    def write():
        while not stop.is_set():
            array[:] = np.random.default_rng(0).random()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(20):
            assert gs.fold(array, (10, 10)).shape == (10, 10)
    finally:
        stop.set()
        thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_draws():
    figure = gs.heatmap(np.random.default_rng(1).random((300, 300)))
    wanted = figure.to_png()
    child = os.fork()
    if child == 0:
        # No test code runs after this in the child.
        signal.alarm(300)
        os._exit(0 if figure.to_png() == wanted and figure.with_(cmap="magma").to_png() else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools_of_processes(method):
    import multiprocessing
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        context = multiprocessing.get_context(method)
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            assert list(pool.map(random_picture, range(4), timeout=300)) == [random_picture(i) for i in range(4)]


def test_sub_interpreters_are_refused_or_work():
    code = """
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
import gridscope, numpy
made = interpreters.create()
try:
    failed = interpreters.run_string(made, "import gridscope; gridscope.heatmap([[1, 2]]).to_png()")
    if failed is not None:
        print(failed)
except Exception as error:
    print(error)
interpreters.destroy(made)
gridscope.heatmap([[1, 2]]).to_png()
print("alive")
"""
    done = python(code, "-W", "ignore")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("alive\n")
    if done.stdout != "alive\n":
        assert "ImportError" in done.stdout and "interpreter" in done.stdout


def processor_time(process):
    """Seconds that a process has worked for."""
    with open(f"/proc/{process}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="no /proc on this system")
def test_ctrl_c_ends_a_long_fold(tmp_path):
    code = """
import numpy, gridscope, sys
array = numpy.lib.stride_tricks.as_strided(numpy.zeros(1, "f8"), (400_000, 400_000), (0, 0))
try:
    print("start", flush=True)
    gridscope.heatmap(array).to_png()
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "start\n"
        # After half a second of work it is amid the fold.
        spent = processor_time(process.pid)
        while process.poll() is None and processor_time(process.pid) < spent + 0.5:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=300)
    finally:
        process.kill()
    assert out == "interrupted\n", errors


def test_signals_of_python_stay_as_they_are():
    before = signal.getsignal(signal.SIGINT)
    gs.heatmap([[1, 2]]).to_png()
    assert signal.getsignal(signal.SIGINT) is before
