"""A stable order of floats by their bits, several times as fast as comparing them."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.types import FloatVector, IntVector

BITS = 8
SIZE = 1 << BITS
PASSES = 64 // BITS


@kernel
def stable_order(values: FloatVector) -> IntVector:
    """The places of finite values from the smallest; equal values keep their order.

    Bits of floats, with the sign turned round, sort like the floats. They are sorted byte by byte
    from the last; a byte that is the same in all is passed over.
    """
    n = values.size
    keys = (values + 0.0).view(np.uint64)  # −0.0 and 0.0 are one value
    order = np.arange(n)
    if n == 0:
        return order
    sign, mask = np.uint64(1) << np.uint64(63), np.uint64(SIZE - 1)
    counts = np.zeros((PASSES, SIZE), dtype=np.int64)
    for i in range(n):
        bits = keys[i]
        bits = ~bits if bits & sign else bits | sign
        keys[i] = bits
        for p in range(PASSES):
            counts[p, np.int64((bits >> np.uint64(p * BITS)) & mask)] += 1
    other_keys, other_order = np.empty_like(keys), np.empty_like(order)
    for p in range(PASSES):
        shift, places = np.uint64(p * BITS), counts[p]
        if places[np.int64((keys[0] >> shift) & mask)] == n:
            continue
        before = 0
        for byte in range(SIZE):
            count = places[byte]
            places[byte] = before
            before += count
        for i in range(n):
            byte = np.int64((keys[i] >> shift) & mask)
            place = places[byte]
            places[byte] = place + 1
            other_keys[place] = keys[i]
            other_order[place] = order[i]
        keys, other_keys = other_keys, keys
        order, other_order = other_order, order
    return order
