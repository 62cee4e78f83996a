"""The plain compiled scan: what the index is judged against.

MDAV (two groups a round, moving centre) and IAMAT (groups of k) as one writes them down, in C++
(`plain.cpp`): no tree, no order kept, no record ever moved. It shares no search with Covey, only
three rules, so that the labels can be compared one by one: a distance is one loop over the
variables, ties go to the lowest record, and the centre is what is left of a running sum, in order
of removal.
"""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from covey.core.remainder import join_nearest
from covey.types import FloatMatrix, IntVector

SOURCE = Path(__file__).with_suffix(".cpp")
FLAGS = ("-std=c++20", "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC")


def mdav(points: FloatMatrix, k: int) -> IntVector:
    """The labels of `covey.techniques.MDAV(k)`."""
    labels = _labels("mdav", points, k)
    if labels.min() < 0:
        join_nearest(points, labels, 0)
    return labels


def iamat(points: FloatMatrix, k: int) -> IntVector:
    """The labels of `covey.techniques.IAMAT(k)`."""
    labels = _labels("iamat", points, k)
    labels[labels < 0] = labels.max()
    return labels


def _labels(name: str, points: FloatMatrix, k: int) -> IntVector:
    points = np.ascontiguousarray(points, dtype=np.float64)
    labels = np.full(points.shape[0], -1, dtype=np.int64)
    sizes = (ctypes.c_int64(size) for size in (*points.shape, k))
    getattr(_compiled(), name)(
        points.ctypes.data_as(ctypes.c_void_p), *sizes, labels.ctypes.data_as(ctypes.c_void_p)
    )
    return labels


@functools.cache
def _compiled() -> ctypes.CDLL:
    """Compiled once a process, with the compiler named in CXX or the system's."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "plain.so"
        compiler = os.environ.get("CXX", "c++")
        subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))
