"""Prints what `gridscope bench --json=FILE` measured, and compares it with an earlier report.

    python benches/report.py NEW.json [--against OLD.json] [--tolerance 0.1] [--markdown]

A case is slower if its median exceeds the older one by more than the tolerance. Exit code: 0 no case is slower, 6 one is, 2 the
reports have no case in common, 3 a file is not a report. Python's standard library is enough.
"""

import argparse
import json
import math
import sys


class Refused(Exception):
    """A file that is not a report."""


def read(path):
    """A report with its cases by name."""
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError) as e:
        raise Refused(f"{path}: {e}") from e
    if not isinstance(report, dict) or report.get("report") != "gridscope bench":
        raise Refused(f"{path}: is not a report of gridscope bench\nhint: gridscope bench --json=FILE writes one")
    try:
        cases = {case["name"]: case for case in report["cases"]}
        system = "{name}: {adapter}".format(**report["backend"])
        wrong = [f"{name}: median_ms is not a positive number" for name, c in cases.items() if not c["median_ms"] > 0]
        names = [case["name"] for case in report["cases"]]
        wrong += [f"{name}: is the name of two cases" for name in cases if names.count(name) > 1]
    except (KeyError, TypeError) as e:
        raise Refused(f"{path}: a key is missing or has a value of another type: {e}") from e
    if wrong:
        raise Refused(f"{path}: {wrong[0]}")
    return report, cases, system


def three(value):
    """A number with three significant digits and without an exponent: 1230, 12.3, 0.0123."""
    if value is None or not math.isfinite(value):
        return "-"
    if value == 0:
        return "0"
    rounded = float(f"{value:.2e}")
    decimals = min(max(2 - math.floor(math.log10(abs(rounded))), 0), 6)
    return f"{rounded:.{decimals}f}"


def table(head, words, rows, markdown):
    """A table whose first columns are words and the others numbers."""
    if markdown:
        rule = ["---" if i < words else "---:" for i in range(len(head))]
        lines = [head, rule, *([text.replace("|", "\\|") for text in row] for row in rows)]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    aligned = lambda i, text: text.ljust(widths[i]) if i < words else text.rjust(widths[i])
    return "".join("  ".join(map(aligned, range(len(row)), row)).rstrip() + "\n" for row in [head, *rows])


def head(report, system):
    """Lines about the program, the machine and the settings."""
    backend, machine = report["backend"], report["machine"]
    driver = ", ".join(filter(None, [backend["api"], backend["driver"]]))
    work = dict.fromkeys(case["work"].replace("cpu", "CPU") for case in report["cases"])
    copy = backend["copy_bytes_per_s"]
    yield (
        f"gridscope {report['version']}, {system}{f' ({driver})' * bool(driver)}"
        f"{', a software device' * (backend['name'] == 'gpu' and backend['software'])}"
        f"; folded and painted by the {' or the '.join(work)}"
    )
    yield (
        f"{machine['cores']} cores, {machine['processor']}, {machine['os']}-{machine['arch']}; "
        + (f"a copy moves {three(copy / 1e9)} GB/s" if copy else "a copy was not measured")
    )
    yield f"runs: {report['runs']}; warm-up frames of each case: {report['warmup']}"
    for grid in report["grids"]:
        if grid["upload_ms"] is not None:
            yield f"{grid['name']} {grid['rows']}x{grid['columns']}: on the device in {three(grid['upload_ms'])} ms"


def tables(report, markdown):
    """The table of times and the table of phases."""
    words = ["grid", "cells", "view", "reduce", "picture"]
    numbers = ["median ms", "p95", "p99", "min", "Gcells/s", "Mpx/s", "GB/s", "of copy"]
    phases = list(dict.fromkeys(name for case in report["cases"] for name in case["phases_ms"]))
    times, parts = [], []
    for c in report["cases"]:
        shape, size = f"{c['rows']}x{c['columns']}", f"{c['width']}x{c['height']}"
        name = [c["grid"], shape, c["view"], c["reduce"], size]
        of = [c["median_ms"], c["p95_ms"], c["p99_ms"], c["min_ms"]]
        of += [c["cells_per_s"] / 1e9, c["pixels_per_s"] / 1e6, c["bytes_per_s"] / 1e9]
        share = "-" if c["of_copy"] is None else f"{three(c['of_copy'] * 100)} %"
        times.append(name + [three(v) for v in of] + [share])
        parts.append(name + [three(c["phases_ms"].get(phase)) for phase in phases])
    return table(words + numbers, 5, times, markdown), table(words + phases, 5, parts, markdown)


def compare(new, old, path, tolerance, markdown):
    """The table of the cases that two reports share, and whether one of them is slower."""
    (_, cases, system), (_, before, old_system) = new, old
    if system != old_system:
        print(f"note: {path} was measured on {old_system}, this report on {system}", file=sys.stderr)
    common = [name for name in cases if name in before]
    gone, added = len(before) - len(common), len(cases) - len(common)
    if gone or added:
        print(f"note: not compared: {gone} cases only in {path}, {added} only in this report", file=sys.stderr)
    rows, is_slower = [], False
    for name in common:
        was, now = before[name]["median_ms"], cases[name]["median_ms"]
        slower = now > was * (1 + tolerance)
        is_slower |= slower
        rows.append([name, three(was), three(now), three(now / was), "slower" * slower])
        if slower:
            times = f"{three(was)} ms became {three(now)} ms, {three(now / was)} times as long"
            print(f"slower: {name}: {times}", file=sys.stderr)
    return table(["case", "old ms", "new ms", "ratio", ""], 1, rows, markdown), is_slower


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new", metavar="NEW.json")
    parser.add_argument("--against", metavar="OLD.json", help="earlier report to compare with")
    parser.add_argument("--tolerance", type=float, default=0.1, help="how much slower a median may be: 0.1 is 10 %%")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    args = parser.parse_args()
    if not args.tolerance >= 0:
        parser.error("--tolerance is a share: 0.1 is 10 %")
    try:
        new = read(args.new)
        old = read(args.against) if args.against else None
    except Refused as e:
        print(f"error: {e}", file=sys.stderr)
        return 3
    report, cases, system = new
    # A comparison without common cases would always succeed.
    if old and not cases.keys() & old[1].keys():
        first = next(iter(old[1]), "none")
        print(f"error: {args.against}: has none of the cases of this report; its first is '{first}'", file=sys.stderr)
        return 2
    print("\n".join(("- " if args.markdown else "") + line for line in head(report, system)))
    times, phases = tables(report, args.markdown)
    print(f"\n{times}\nMedian ms of each phase:\n\n{phases}", end="")
    if not old:
        return 0
    compared, is_slower = compare(new, old, args.against, args.tolerance, args.markdown)
    print(f"\nAgainst {args.against}, tolerance {three(args.tolerance * 100)} %:\n\n{compared}", end="")
    return 6 if is_slower else 0


if __name__ == "__main__":
    sys.exit(main())
