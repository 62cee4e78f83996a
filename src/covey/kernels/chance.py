"""Random numbers inside kernels: SplitMix64 streams that are cheap to derive per node.

numba cannot make a NumPy generator inside compiled code, and a recursion needs one stream per
node for its result not to depend on the order in which nodes are worked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compiling import kernel
from covey.types import IntVector

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@kernel
def stream(seed: int, node: int) -> NDArray[np.uint64]:
    """State of the stream that belongs to `node` under `seed`."""
    state = np.empty(1, dtype=np.uint64)
    state[0] = _mixed(_mixed(np.uint64(seed) + _STEP) + np.uint64(node) * _STEP)
    return state


@kernel
def below(state: NDArray[np.uint64], bound: int) -> int:
    """A whole number from 0 to bound − 1."""
    return int(unit(state) * bound)


@kernel
def unit(state: NDArray[np.uint64]) -> float:
    """A number from 0 up to, but not including, 1."""
    state[0] = state[0] + _STEP
    return float(np.float64(_mixed(state[0]) >> _11) / 9007199254740992.0)


@kernel
def skip(state: NDArray[np.uint64]) -> None:
    """Pass over one number, which costs less than drawing it."""
    state[0] = state[0] + _STEP


@kernel
def draw(state: NDArray[np.uint64], items: IntVector, count: int) -> None:
    """Bring `count` items drawn without replacement to the front, in random order."""
    for i in range(count):
        j = i + below(state, items.size - i)
        items[i], items[j] = items[j], items[i]


@kernel
def _mixed(word: Any) -> Any:
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)
