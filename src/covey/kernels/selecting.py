"""The smallest of many, without sorting them."""

from __future__ import annotations

from covey.kernels.compiling import kernel
from covey.types import FloatVector, IntVector


@kernel
def bring_smallest(keys: FloatVector, items: IntVector, count: int) -> None:
    """Reorder `items` with their `keys` so that the `count` smallest come first.

    Equal keys are ordered by item, so the chosen set does not depend on the order given.
    """
    low, high = 0, items.size - 1
    while low < high:
        pivot_key, pivot = keys[(low + high) // 2], items[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while keys[i] < pivot_key or (keys[i] == pivot_key and items[i] < pivot):
                i += 1
            while keys[j] > pivot_key or (keys[j] == pivot_key and items[j] > pivot):
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                items[i], items[j] = items[j], items[i]
                i += 1
                j -= 1
        if count - 1 <= j:
            high = j
        elif count - 1 >= i:
            low = i
        else:
            return
