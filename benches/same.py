"""Compares the output of two builds over every file of a folder, for refactorings that should change nothing.

    python benches/same.py OLD NEW FOLDER [--jobs 2] [--words] [--options "--reduce max"]

Both programs draw each file, and each Zarr store as a whole, with `render --backend cpu --json`. If the program asks which
columns or array to draw, it is run again with the options of its hint. The script compares exit codes, the bytes of the
picture without its metadata, the reports without times, peaks of memory, versions, paths and texts of messages, and with
--words standard error. It prints a line for each difference, and ends with exit code 1 if there is one. It needs only Python's
standard library.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

# Keys of reports with times, memory, names of outputs or messages.
LEFT_OUT = {"version", "phases_ms", "peak_rss_mb", "output", "outputs", "text", "hint", "why"}


def plain(value):
    """A report without values that may differ between runs of one build, and without messages."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in LEFT_OUT}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def run(program, path, options, seconds):
    """Exit code, picture, report and standard error of one run."""
    with tempfile.TemporaryDirectory() as folder:
        line = [program, "render", path, "-o", "out.png", "--json=out.json", "--backend", "cpu", "--no-metadata", *options]
        environment = dict(os.environ, XDG_RUNTIME_DIR=os.environ.get("XDG_RUNTIME_DIR", folder))
        try:
            ran = subprocess.run(line, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, env=environment)
        except subprocess.TimeoutExpired:
            return {"exit": f"none within {seconds} s", "picture": None, "report": None, "words": ""}
        picture, report = None, None
        if os.path.exists(os.path.join(folder, "out.png")):
            with open(os.path.join(folder, "out.png"), "rb") as file:
                picture = hashlib.sha256(file.read()).hexdigest()[:16]
        if os.path.exists(os.path.join(folder, "out.json")):
            with open(os.path.join(folder, "out.json"), encoding="utf-8") as file:
                report = plain(json.load(file))
        return {"exit": ran.returncode, "picture": picture, "report": report, "words": ran.stderr.decode(errors="replace")}


def answer(words):
    """The options of a hint that can be copied; None if there is none."""
    hint = re.search(r"^hint: (--[^\n]*)", words, re.MULTILINE)
    if not hint or " COL" in hint[1]:
        return None
    try:
        options = shlex.split(re.split(r", or |; |  \(", hint[1])[0])
    except ValueError:
        return None
    return options if options and "FILE" not in hint[1] else None


def changes(old, new, at=""):
    """The differences of two reports, with their places."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from changes(old.get(key), new.get(key), f"{at}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, pair in enumerate(zip(old, new)):
            yield from changes(*pair, f"{at}[{i}]")
    elif json.dumps(old) != json.dumps(new):
        yield f"{at.lstrip('.')}: {json.dumps(old)[:60]}, now {json.dumps(new)[:60]}"


def inputs(folder):
    """The files below a folder; a Zarr store counts as one."""
    for at, folders, files in os.walk(folder):
        stores = [f for f in folders if {".zarray", ".zgroup", "zarr.json"} & set(os.listdir(os.path.join(at, f)))]
        folders[:] = sorted(set(folders) - set(stores))
        for name in sorted(files + stores):
            yield os.path.join(at, name)


def compare(arguments, path):
    """The number of runs and the differences of one file."""
    found, runs, options = [], 0, list(arguments.options)
    for _ in range(2):
        old, new = (run(program, path, options, arguments.timeout) for program in (arguments.old, arguments.new))
        runs += 1
        what = f"{os.path.relpath(path, arguments.folder)} {shlex.join(options)}".rstrip()
        if old["exit"] != new["exit"]:
            found.append(f"{what}: exit {old['exit']}, now {new['exit']}: {(new['words'] or old['words']).strip()[:200]}")
        elif old["picture"] != new["picture"]:
            found.append(f"{what}: picture {old['picture']}, now {new['picture']}")
        found += [f"{what}: report: {change}" for change in changes(old["report"], new["report"])]
        if arguments.words and old["words"] != new["words"]:
            found.append(f"{what}: says {old['words'].strip()[:200]!r}, now {new['words'].strip()[:200]!r}")
        more = answer(old["words"]) if old["exit"] == 2 else None
        if not more:
            break
        options += more
    return runs, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("folder")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="files at a time")
    parser.add_argument("--timeout", type=float, default=60, help="seconds that a run may take")
    parser.add_argument("--words", action="store_true", help="compare standard error too")
    parser.add_argument("--options", type=shlex.split, default=[], help="more options of each run")
    arguments = parser.parse_args()
    for name in ("old", "new", "folder"):
        setattr(arguments, name, os.path.abspath(getattr(arguments, name)))
    files = list(inputs(arguments.folder))
    if not files:
        sys.exit(f"{arguments.folder}: no files")
    runs = different = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for count, found in pool.map(lambda path: compare(arguments, path), files):
            runs += count
            different += bool(found)
            for line in found:
                print(line, flush=True)
    print(f"{len(files)} files, {runs} runs of each: {different} files differ", file=sys.stderr)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
