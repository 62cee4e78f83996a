"""How much memory may be used, as people write it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from covey.errors import InvalidParameter

UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
LEAST = 256 * 10**6
MOST = 10**18
# When nothing is said.
USUAL = 2 * 10**9


def read_size(given: Any) -> int:
    """Bytes of a size such as "2GB".

    Examples
    --------
    >>> read_size("2GB"), read_size("1.5 GiB")
    (2000000000, 1610612736)
    """
    if given is None:
        return USUAL
    size = size_in_bytes(given, "memory_limit")
    if size < LEAST:
        raise InvalidParameter(
            f"memory_limit must be at least {LEAST // 10**6}MB; got {given!r}. Less is not enough "
            "to work with."
        )
    if size > MOST:
        raise InvalidParameter(
            f"memory_limit must be at most {MOST // 10**12}TB, which no machine has."
        )
    return size


def size_in_bytes(given: Any, name: str) -> int:
    """Bytes of a size; an error calls it by `name`."""
    size = _bytes(given)
    if size is None or size <= 0:
        raise InvalidParameter(f"{name} must be a size such as '2GB' or '500MB'; got {given!r}.")
    return size


def _bytes(given: Any) -> int | None:
    if isinstance(given, bool):
        return None
    if isinstance(given, int):
        return given
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", str(given).lower())
    if found is None or found[2] not in UNITS:
        return None
    return int(Decimal(found[1]) * UNITS[found[2]])
