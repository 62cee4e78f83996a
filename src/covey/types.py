"""Names for the arrays that travel between rooms."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatVector: TypeAlias = NDArray[np.float64]
FloatMatrix: TypeAlias = NDArray[np.float64]
IntVector: TypeAlias = NDArray[np.int64]
BoolVector: TypeAlias = NDArray[np.bool_]
