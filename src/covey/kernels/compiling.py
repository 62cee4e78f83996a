"""How kernels are compiled: lazily, cached, without reordering floating-point sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` on its first call and keep the result on disk.

    No ``fastmath``: it may change which of two nearly equal distances is smaller.
    """
    return cast(Function, njit(cache=True, nogil=True)(function))
