"""The command ``gridscope``: the program of the Rust crate, in this process."""

from __future__ import annotations

import signal
import sys

from . import _core


def main() -> None:
    """Runs the program with the arguments of this process, and exits with its code."""
    # The program handles Ctrl+C itself; Python's handler would only set a flag while Rust runs.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _core.main(sys.argv[1:])
    sys.stdout.flush()
    sys.exit(code)
