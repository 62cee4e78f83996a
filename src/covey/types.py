"""Names for the arrays that travel between rooms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatVector: TypeAlias = NDArray[np.float64]
FloatMatrix: TypeAlias = NDArray[np.float64]
FloatArray: TypeAlias = NDArray[np.float64]
IntVector: TypeAlias = NDArray[np.int64]
IntMatrix: TypeAlias = NDArray[np.int64]
BoolVector: TypeAlias = NDArray[np.bool_]

# What long work calls to say how far it is: (stage, done, total).
Progress: TypeAlias = Callable[[str, int, int], None]
