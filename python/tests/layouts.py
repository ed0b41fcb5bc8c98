"""Random arrays of every type that is drawn, in every layout that numpy has."""

import numpy as np

TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]


def make(kind, rows, columns, seed, order="C", swapped=False, step=1, negative=False):
    """A random array of a type, in a layout: Fortran order, the other byte order, every nth cell, reversed."""
    r = np.random.default_rng(seed)
    dtype = np.dtype(kind)
    shape = (rows * step, columns * step)
    if dtype.kind == "f":
        whole = r.normal(size=shape).astype(dtype)
        whole[r.random(shape) < 0.2] = np.nan
    elif dtype.kind == "b":
        whole = r.random(shape) < 0.5
    else:
        limits = np.iinfo(dtype)
        whole = r.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    whole = np.asarray(whole, order=order)
    if swapped:
        whole = whole.astype(dtype.newbyteorder())
    part = whole[::step, ::step]
    return part[::-1, ::-1] if negative else part
