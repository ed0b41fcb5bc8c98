"""Tables of text as people write them: 20 styles of numbers, 30 of dates, and the forms of headers. No cell and no label is wrong
without a word; the reference is what was written, and pandas' reading of the dates. `GRIDSCOPE_CASES=100000` is the run by hand.
"""

from __future__ import annotations

import datetime as dt
import math
import os
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd
import pytest
from readback import only

import gridscope as gs

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
CASES = int(os.environ.get("GRIDSCOPE_CASES", "400"))
Write = Callable[[random.Random], tuple[str, float]]


def digits(form: str, low: float = -1000, high: float = 1000) -> Write:
    """Numbers in a form of Python, which also reads them."""

    def write(r: random.Random) -> tuple[str, float]:
        text = format(r.uniform(low, high), form)
        return text, float(text)

    return write


def changed(inner: Write, change: Callable[[str], str], factor: float = 1) -> Write:
    """Numbers whose text is changed after it was read."""

    def write(r: random.Random) -> tuple[str, float]:
        text, value = inner(r)
        return change(text), value * factor

    return write


def whole(r: random.Random) -> tuple[str, float]:
    value = r.randint(-9999, 9999)
    return str(value), value


def grouped(mark: str, point: str) -> Write:
    """Numbers whose thousands are parted."""

    def write(r: random.Random) -> tuple[str, float]:
        text = f"{r.uniform(-3e6, 3e6):,.2f}"
        return text.replace(",", "_").replace(".", point).replace("_", mark), float(text.replace(",", ""))

    return write


#: Units of time.
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def one_of_units(r: random.Random) -> tuple[str, float]:
    unit = r.choice(list(SECONDS))
    value = r.randint(1, 9999) / 4
    return f"{value} {unit}", value * SECONDS[unit]


plain = digits(".3f")
#: A style of numbers: how it is written, and the delimiters that it may stand between.
NUMBERS: dict[str, tuple[Write, str]] = {
    "whole": (whole, ",;\t| "),
    "fixed": (plain, ",;\t| "),
    "shortest": (digits(""), ",;\t| "),
    "exponent": (digits(".3e"), ",;\t| "),
    "capital exponent": (digits(".4E"), ",;\t| "),
    "Fortran": (changed(digits(".3e"), lambda t: t.replace("e", "D")), ",;\t| "),
    "plus": (digits("+.2f"), ",;\t| "),
    "no zero before": (changed(digits(".3f", 0, 1), lambda t: t.removeprefix("0")), ",;\t| "),
    "no digit after": (changed(digits(".0f"), lambda t: t + "."), ",;\t| "),
    "minus sign": (changed(plain, lambda t: t.replace("-", "\N{MINUS SIGN}")), ",;\t| "),
    "percent": (changed(digits(".1f", 0, 100), lambda t: t + "%"), ",;\t| "),
    "decimal comma": (changed(digits(".4f"), lambda t: t.replace(".", ",")), ";\t| "),
    "thousands": (changed(grouped(",", "."), lambda t: f'"{t}"'), ",;\t"),
    "thousands of points": (grouped(".", ","), ";\t"),
    "quoted": (changed(plain, lambda t: f'"{t}"'), ",;\t"),
    "padded": (changed(plain, lambda t: f"{t:>12}"), ",;\t|"),
    "unit": (changed(digits(".2f", 0), lambda t: t + " ms"), ",;\t|"),
    "units": (one_of_units, ",;\t|"),
    "plus or minus": (changed(digits(".2f", 0), lambda t: t + " \N{PLUS-MINUS SIGN} 0.25"), ",;\t|"),
    "infinite": (lambda r: r.choice([("inf", math.inf), ("-inf", -math.inf), plain(r), plain(r)]), ",;\t| "),
    "missing words": (lambda r: r.choice([("NA", math.nan), ("nan", math.nan), plain(r), plain(r)]), ",;\t| "),
    "missing": (lambda r: r.choice([("", math.nan), plain(r), plain(r), plain(r)]), ",;\t|"),
    "small": (digits(".6g", 1e-30, 1e-29), ",;\t| "),
}

#: Styles of dates and times; those with a blank or a comma need quotes or another delimiter.
DATES = [
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d-%b-%Y", "%d-%b-%y", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%b %d, %Y",
    "%d%b%Y", "%Y-%b-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ",
    "%Y-%m-%d %H:%M:%S UTC", "%Y-%m-%d %H:%M:%S+00:00", "%Y-%m-%d %H:%M:%S +0000", "%Y-%m-%d %H:%M:%S.000",
    "%Y-%m-%d %H:%M:%S,000", "%Y%m%dT%H%M%S", "%a %b %d %H:%M:%S %Y", "%a, %d %b %Y %H:%M:%S +0000", "%Y-%m-%d %I:%M %p",
    "%Y-%m-%d %I:%M:%S %p", "%Y/%m/%d %H:%M", "%m/%d/%Y", "%d/%m/%Y", "%Y%m%d",
]  # fmt: skip


@dataclass
class Table:
    """A table of cells with labels; `header` has a tuple for each column."""

    rows: list[str]
    header: list[tuple[str, ...]]
    cells: list[list[tuple[str, float]]]
    has_units: bool
    times: list[dt.datetime] | None = None
    name: str = "key"
    options: dict[str, object] = field(default_factory=dict)


def labels(r: random.Random, count: int) -> list[str]:
    """Different labels of one kind."""
    kind = r.randrange(6)
    if kind == 0:
        return [f"{word}_{i}" for i, word in enumerate(r.choices(["adam", "sgd", "lion", "rms"], k=count))]
    if kind == 1:
        return [str(n) for n in sorted(r.sample(range(1, 4000), count))]
    if kind == 2:
        return [str(n / 8) for n in sorted(r.sample(range(1, 400), count))]
    if kind == 3:
        return [str(2 ** (n + 1)) for n in range(count)]
    if kind == 4:
        return [f"1e-{n}" for n in range(count, 0, -1)]
    return r.sample(["alpha", "beta", "gamma", "delta", "eps", "zeta", "eta", "theta", "iota", "kappa"], count)


def moments(r: random.Random, count: int) -> list[dt.datetime]:
    step = r.choice([dt.timedelta(days=1), dt.timedelta(days=31), dt.timedelta(days=7)])
    start = dt.datetime(r.randint(1971, 2060), r.randint(1, 12), r.randint(1, 28))
    return [start + i * step for i in range(count)]


def table(r: random.Random, delimiter: str) -> Table:
    rows, columns = r.randint(2, 8), r.randint(2, 7)
    name = r.choice([name for name, (_, among) in NUMBERS.items() if delimiter in among])
    write = NUMBERS[name][0]
    names = [(label,) for label in labels(r, columns)]
    made = Table(labels(r, rows), names, [[write(r) for _ in range(columns)] for _ in range(rows)], name == "units")
    if name in ("decimal comma", "thousands of points"):
        made.rows = [row.replace(".", ",") for row in made.rows]
    if r.random() < 0.3:
        made.times = moments(r, rows)
        form = r.choice([form for form in DATES if delimiter != " " or " " not in form])
        made.rows = [time.strftime(form) for time in made.times]
        made.name = r.choice(["date", "time", "when"])
    if any(delimiter in row for row in made.rows):
        made.rows = [f'"{row}"' for row in made.rows]
    return made


def joined(r: random.Random, lines: list[list[str]], delimiter: str) -> list[str]:
    if delimiter != " ":
        return [delimiter.join(line) for line in lines]
    if r.random() < 0.5:
        return [" ".join(line) for line in lines]
    widths = [max(len(line[c]) for line in lines if c < len(line)) for c in range(max(map(len, lines)))]
    return ["  ".join(f"{text:>{widths[c]}}" for c, text in enumerate(line)) for line in lines]


def text(r: random.Random, made: Table, delimiter: str) -> str:
    """A table in one of the forms of headers."""
    data = [[row, *(cell[0] for cell in cells)] for row, cells in zip(made.rows, made.cells)]
    names = [name[0] for name in made.header]
    blank = '""' if delimiter == " " else ""
    form = r.randrange(9)
    before: list[str] = []
    if form == 0 and delimiter in ",\t ":
        head = [names]
    elif form == 1:
        head = [[blank, *names]]
    elif form == 2 and delimiter != " ":
        groups = [f"g{i // 2}" for i in range(len(names))]
        made.header = list(zip(groups, names))
        head = [["", *groups], ["", *names]] if r.random() < 0.5 else [["group", *groups], ["name", *names], [made.name, *[""] * len(names)]]
    elif form == 3 and delimiter != " ":
        groups = [f"g{i // 2}" if i % 2 == 0 else "" for i in range(len(names))]
        made.header = [(f"g{i // 2}", name) for i, name in enumerate(names)]
        head = [["", *groups], [made.name, *names]]
        made.options["header"] = 2
    elif form == 4:
        # As many words as columns would be their names.
        before = ["# a note of the run", "# seed = 3"] if r.random() < 0.5 else ["# made, by: hand" * 9]
        head = [[made.name, *names]]
    elif form == 5 and delimiter != "|":
        head = [[f"# {made.name}" if delimiter != " " else "#" + made.name, *names]]
    elif form == 6 and any(line[-1] for line in data):
        # A delimiter at the end of all lines makes no column.
        head = []
        made.options["header"] = "none"
        made.header = []
    else:
        head = [[made.name, *names]]
    lines = joined(r, head + data, delimiter)
    if r.random() < 0.15:
        lines.insert(r.randint(len(head) + 1, len(lines)), "# a note amid")
    end = r.choice(["\n", "\r\n"])
    return end.join(before + lines) + (end if r.random() < 0.9 else "")


def same(wanted: float, found: float) -> bool:
    return wanted == found or math.isnan(wanted) and math.isnan(found) or math.isclose(wanted, found, rel_tol=1e-12)


def key(label: str) -> object:
    """What a label says: a number, or its text."""
    label = label.strip('"')
    try:
        return float(label.replace(",", "."))
    except ValueError:
        return label


def moment(label: str) -> object:
    """The time that pandas reads in a label."""
    try:
        return pd.Timestamp(label).tz_localize(None)
    except ValueError:
        return label


def places(wanted: list[object], found: list[object]) -> list[int]:
    """Where each key is found; empty where they are not the same."""
    return [found.index(one) for one in wanted] if len(found) == len(wanted) and all(one in found for one in wanted) else []


def unlike(made: Table, figure: gs.Figure) -> str | None:
    """What of a figure is not as it was written."""
    grid = only(figure)
    rows: list[object] = [key(row) for row in made.rows]
    numbers = [row for row in rows if isinstance(row, float)]
    cells = made.cells
    if not made.header and grid.shape == (len(rows), len(cells[0]) + 1) and len(numbers) == len(rows):
        # Without names, a first column of numbers may be one of the values.
        cells = [[("", number), *line] for number, line in zip(numbers, cells)]
        row_places = list(range(len(rows)))
    elif made.times is not None:
        row_places = places([pd.Timestamp(time) for time in made.times], [moment(label) for label in grid.rows.labels])
    else:
        row_places = places(rows, [key(label) for label in grid.rows.labels])
    column_places = list(range(len(cells[0])))
    if made.header:
        levels = grid.columns.levels or [grid.columns.labels]
        column_places = places([tuple(map(key, name)) for name in made.header], [tuple(map(key, name)) for name in zip(*levels)])
    if grid.shape != (len(rows), len(cells[0])) or not row_places or not column_places:
        return f"{grid.shape} cells, rows {grid.rows.labels}, columns {grid.columns.labels}"
    unit = re.search(r"(\w+)\)?$", grid.value_name)
    factor = SECONDS[unit.group(1)] if made.has_units and unit else 1.0
    values = grid.to_numpy()
    for r, line in enumerate(cells):
        for c, (text, value) in enumerate(line):
            found = float(values[row_places[r], column_places[c]]) * factor
            if not same(value, found):
                return f"row {made.rows[r]}, column {c}: {text!r} became {found}"
    return None


def check(seed: int, path: str) -> tuple[str, str]:
    """What became of a random table, and why."""
    r = random.Random(seed)
    delimiter = r.choice(",,,\t\t;| ")
    made = table(r, delimiter)
    written = text(r, made, delimiter)
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write(written)
    try:
        figure = gs.heatmap(path, **made.options)
    except gs.InputError as error:
        return "refused", str(error)
    wrong = unlike(made, figure)
    if wrong is None:
        return "right", ""
    warned = [str(lint) for lint in figure.lints]
    return ("warned" if warned else "silent"), f"{wrong}\n{warned}"


def test_no_cell_is_wrong_without_a_word(tmp_path):
    path = str(tmp_path / "table.csv")
    counts: dict[str, int] = {}
    for seed in range(CASES):
        kind, why = check(seed, path)
        counts[kind] = counts.get(kind, 0) + 1
        assert kind != "silent", f"case {seed}: {why}\n{open(path, encoding='utf-8').read()}"
    assert counts["right"] > 0.8 * CASES, counts
