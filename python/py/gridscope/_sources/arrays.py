"""Arrays in memory: anything that numpy can look at without a copy, torch's and jax's tensors too."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from .._errors import GridscopeError, input_error
from .._plain import is_nothing, kind, package
from .source import NAME

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Array(NamedTuple):
    """Numbers, and a truth value for each that is masked; None where none is."""

    values: NDArray[Any]
    mask: NDArray[Any] | None


def is_masked(value: Any) -> bool:
    """Whether a value is a masked array of numpy, whose module is loaded by then: it is not loaded for others."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(value, masked.MaskedArray)


def is_array(value: Any) -> bool:
    """Whether numpy can look at a value as an array."""
    names = ("__array_interface__", "__array__", "__dlpack__", "__array_struct__", "__cuda_array_interface__")
    return any(hasattr(value, name) for name in names) or isinstance(value, (memoryview, bytearray)) or _is_buffer(value)


def _is_buffer(value: Any) -> bool:
    return type(value).__module__ in {"array", "mmap", "ctypes"}


def as_array(value: Any, name: str = NAME) -> Array:
    """The array of a value, without a copy where its memory is in reach of numpy.

    Raises
    ------
    InputError
        Values that are no numbers.
    """
    import numpy as np

    if is_masked(value):
        mask = None if value.mask is np.ma.nomask else np.ma.getmaskarray(value)
        return Array(numbers(np.asarray(value.data), name), mask)
    if isinstance(value, np.ndarray):
        return Array(numbers(_some(value, name), name), None)
    try:
        if package(value) == "torch":
            array = _of_torch(value)
        elif hasattr(value, "__cuda_array_interface__") and hasattr(value, "get"):
            # cupy; its memory is on a device.
            array = value.get()
        elif hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
            array = np.asarray(value)
        elif hasattr(value, "__dlpack__"):
            array = _of_dlpack(value)
        elif isinstance(value, (memoryview, bytearray)) or _is_buffer(value):
            array = np.asarray(memoryview(value))
        else:
            array = _of_lists(value, name)
    except (GridscopeError, MemoryError, Warning):
        raise
    except Exception as error:
        # What an object of another package raises while it is asked for its values.
        raise input_error(name, f"{kind(value)} gives no array: {type(error).__name__}: {error}") from error
    return Array(numbers(_some(array, name), name), None)


def _of_lists(value: Any, name: str) -> NDArray[Any]:
    import numpy as np

    try:
        array = np.array(value)
    except ValueError as error:
        raise input_error(name, "its rows have different lengths", "lists of equal length, with None for no value") from error
    return array


def _of_torch(tensor: Any) -> Any:
    tensor = tensor.detach()
    if tensor.device.type != "cpu":
        tensor = tensor.cpu()
    tensor = tensor.resolve_conj().resolve_neg()
    if str(tensor.dtype) in {"torch.bfloat16", "torch.float8_e4m3fn", "torch.float8_e5m2"}:
        tensor = tensor.float()
    return tensor.numpy()


def _of_dlpack(value: Any) -> Any:
    import numpy as np

    device = getattr(value, "__dlpack_device__", lambda: (1, 0))()
    if device[0] not in (1, 3, 11):
        for name in ("cpu", "get", "to_host"):
            copy = getattr(value, name, None)
            if callable(copy):
                return np.asarray(copy())
    return np.from_dlpack(value)


def _some(array: Any, name: str) -> Any:
    """The array, if it has rows or columns."""
    if not array.ndim:
        raise input_error(name, "one number is no grid", "lists of rows: [[1, 2], [3, 4]]")
    return array


def numbers(array: Any, name: str) -> Any:
    """The array if it holds numbers, or numbers made of its objects.

    Raises
    ------
    InputError
        With what to do about other types.
    """
    import numpy as np

    kind_of, dtype = array.dtype.kind, array.dtype
    if kind_of in "biuf":
        # Extended floats have no counterpart in Rust.
        return array.astype(np.float64) if dtype.itemsize > 8 else array
    if kind_of == "O":
        return _of_objects(array, name)
    if kind_of == "V" and dtype.names is None and dtype.name in {"bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4"}:
        return array.astype(np.float32)
    hints = {
        "c": "abs(data), data.real or numpy.angle(data)",
        "M": "numbers: (data - data.min()) / numpy.timedelta64(1, 's')",
        "m": "numbers: data / numpy.timedelta64(1, 's')",
        "U": "texts as labels, numbers as values: data.astype(float)",
        "S": "texts as labels, numbers as values: data.astype(float)",
        "T": "texts as labels, numbers as values: data.astype(float)",
        "V": "x=, y= and value= name fields of records in one dimension",
    }
    raise input_error(name, f"values of type {dtype} are no numbers", hints.get(kind_of))


def _of_objects(array: Any, name: str) -> Any:
    import numpy as np

    flat = [_number(v) for v in array.ravel().tolist()]
    for place, one in enumerate(flat):
        if isinstance(one, str):
            at = ", ".join(str(i) for i in np.unravel_index(place, array.shape))
            raise input_error(f"{name}[{at}]", f"{one!r} is no number", "None or NaN for no value")
    if flat and all(type(v) is int and -(2**63) <= v < 2**63 for v in flat):
        return np.array(flat, dtype=np.int64).reshape(array.shape)
    return np.array(flat, dtype=np.float64).reshape(array.shape)


def _number(value: Any) -> float | int | str:
    if is_nothing(value):
        return float("nan")
    if isinstance(value, (bool, int, float)):
        return int(value) if isinstance(value, int) else value
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    return str(value)
