"""The memory of a column in Arrow's layout."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from .._plain import is_nothing, labels
from .arrays import is_masked


@dataclass
class Buffers:
    """A column: its format, rows, missing values and the addresses of its buffers, which `held` owns."""

    form: bytes
    length: int
    nulls: int
    addresses: list[int | None]
    held: list[Any]
    dictionary: Buffers | None = None


#: Arrow's formats of numpy's numbers.
_FORMS = {
    "i1": b"c", "u1": b"C", "i2": b"s", "u2": b"S", "i4": b"i", "u4": b"I", "i8": b"l", "u8": b"L",
    "f2": b"e", "f4": b"f", "f8": b"g",
}  # fmt: skip
_UNITS = {"s": b"s", "ms": b"m", "us": b"u", "ns": b"n"}


def buffers(column: Any) -> Buffers:
    """The buffers of a column: an array, a series of pandas or a list; what is no number and no time is a text."""
    import numpy as np

    dtype = getattr(column, "dtype", None)
    if type(dtype).__name__ == "CategoricalDtype":
        return _categories(column)
    array = getattr(column, "array", column)
    if hasattr(array, "_mask") and hasattr(array, "_data") and type(array).__module__.startswith("pandas."):
        # A nullable type of pandas.
        return _plain(np.asarray(array._data), ~np.asarray(array._mask))
    if getattr(dtype, "tz", None) is not None:
        times, in_utc = of_zone(sys.modules["pandas"].DatetimeIndex(column))
        return _times(times.to_numpy(), None, b"UTC" if in_utc else b"")
    values = column.to_numpy() if hasattr(column, "to_numpy") else _values(column)
    if is_masked(values):
        return _plain(np.asarray(values.data), ~np.ma.getmaskarray(values))
    values = np.asarray(values)
    if values.ndim != 1:
        values = np.array([*list(values), None], dtype=object)[:-1]
    if values.dtype.kind in "biufMm" and values.dtype.itemsize <= 8:
        return _plain(values, None)
    if values.dtype.kind == "f":
        return _plain(values.astype(np.float64), None)
    return _objects(values.tolist())


def _values(column: Any) -> Any:
    """An array of a list, where all of it has one type; numpy would make texts of numbers beside texts."""
    import numpy as np

    if isinstance(column, np.ndarray) or not isinstance(column, (list, tuple)):
        return np.asarray(column)
    kinds = {type(v) for v in column}
    if kinds <= {int, float} or kinds <= {bool}:
        try:
            return np.array(column)
        except OverflowError:
            pass
    return np.array([*column, None], dtype=object)[:-1]


def _validity(valid: Any) -> tuple[Any, int]:
    import numpy as np

    if valid is None:
        return None, 0
    nulls = int(valid.size - np.count_nonzero(valid))
    return (np.packbits(valid, bitorder="little"), nulls) if nulls else (None, 0)


def _address(array: Any) -> int | None:
    return None if array is None else int(array.ctypes.data)


def _plain(values: Any, valid: Any) -> Buffers:
    """Numbers, truth values and times."""
    import numpy as np

    kind = values.dtype.kind
    if kind in "Mm":
        return _times(values, valid)
    length = int(values.shape[0])
    bits, nulls = _validity(valid)
    if kind == "b":
        data = np.packbits(values.astype(bool), bitorder="little")
        return Buffers(b"b", length, nulls, [_address(bits), _address(data)], [bits, data])
    data = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
    form = _FORMS[f"{kind}{values.dtype.itemsize}"]
    return Buffers(form, length, nulls, [_address(bits), _address(data)], [bits, data])


def of_zone(times: Any) -> tuple[Any, bool]:
    """Times of pandas with a zone as its clock shows them, or in UTC where that clock shows an hour twice; and whether in UTC."""
    local = times.tz_localize(None)
    utc = times.tz_convert("UTC").tz_localize(None)
    return (utc, True) if local.nunique() < utc.nunique() else (local, False)


def _times(values: Any, valid: Any, zone: bytes = b"") -> Buffers:
    import numpy as np

    kind = values.dtype.kind
    unit, step = np.datetime_data(values.dtype)
    if unit not in _UNITS or step != 1:
        unit = "s" if unit in {"D", "W", "M", "Y", "h", "m"} else "ns"
        values = values.astype(f"{kind}8[{unit}]")
    some = ~np.isnat(values)
    days = values.astype("M8[D]") if kind == "M" and not zone else None
    if days is not None and bool((days == values)[some].all()) and abs(days[some].astype(np.int64)).max(initial=0) < 2**31:
        # Midnights are dates, as they are in labels of data frames.
        bits, nulls = _validity(some if valid is None else some & valid)
        data = np.where(some, days.astype(np.int64), 0).astype(np.int32)
        return Buffers(b"tdD", int(data.shape[0]), nulls, [_address(bits), _address(data)], [bits, data])
    bits, nulls = _validity(some if valid is None else some & valid)
    data = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("="))).view(np.int64)
    form = (b"ts" + _UNITS[unit] + b":" + zone) if kind == "M" else b"tD" + _UNITS[unit]
    return Buffers(form, int(data.shape[0]), nulls, [_address(bits), _address(data)], [bits, data])


def _categories(column: Any) -> Buffers:
    import numpy as np

    accessor = getattr(column, "cat", column)
    codes = np.ascontiguousarray(np.asarray(accessor.codes), dtype=np.int32)
    bits, nulls = _validity(codes >= 0)
    # Codes without a category are no index of the dictionary.
    data = np.maximum(codes, 0) if nulls else codes
    words = buffers(accessor.categories)
    return Buffers(b"i", int(data.shape[0]), nulls, [_address(bits), _address(data)], [bits, data], words)



def _objects(values: list[Any]) -> Buffers:
    """Objects: numbers or truth values if all are, else texts."""
    import numpy as np

    missing = [is_nothing(v) or (type(v) is float and v != v) for v in values]
    kinds = {type(v) for v, gone in zip(values, missing, strict=True) if not gone}
    valid = ~np.array(missing, dtype=bool)
    if kinds and (kinds <= {int} or kinds <= {bool}) and all(-(2**63) <= v < 2**63 for v in values if type(v) is int):
        filled = [0 if gone else v for v, gone in zip(values, missing, strict=True)]
        return _plain(np.array(filled, dtype=bool if kinds == {bool} else np.int64), valid)
    if kinds and all(issubclass(k, (int, float, np.number)) and k is not bool for k in kinds):
        filled = [0.0 if gone else float(v) for v, gone in zip(values, missing, strict=True)]
        return _plain(np.array(filled, dtype=np.float64), valid)
    texts = iter(labels(v for v, gone in zip(values, missing, strict=True) if not gone))
    return _texts([None if gone else next(texts) for gone in missing])


def _texts(values: list[str | None]) -> Buffers:
    import numpy as np

    encoded = [b"" if v is None else v.encode("utf-8", "surrogatepass") for v in values]
    offsets = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    data = np.frombuffer(b"".join(encoded) or b"\0", dtype=np.uint8)
    bits, nulls = _validity(np.array([v is not None for v in values], dtype=bool))
    return Buffers(b"U", len(values), nulls, [_address(bits), _address(offsets), _address(data)], [bits, offsets, data])
