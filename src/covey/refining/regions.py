"""How a round of the search is divided among threads: by the data alone, never by their number."""

from __future__ import annotations

from typing import NamedTuple

# Records of a region, about: few enough for a core's own cache, and for 64 regions of 100,000
# records. Small files have a few regions all the same, but of so many groups at least.
RECORDS = 1_500
FEWEST_REGIONS = 2
FEWEST_GROUPS = 48
# Reheating suffers from seams: up to so many records several streams search the whole space.
STREAMS = 4
WHOLE_UP_TO = 20_000


class RoundShape(NamedTuple):
    """The space is cut into regions, a power of two of them, in each of the streams."""

    n_regions: int
    n_streams: int


def round_shapes(n_records: int, k: int) -> tuple[RoundShape, RoundShape]:
    """Shapes of cooling and of reheating rounds."""
    most = max(n_records // k // FEWEST_GROUPS, 1)
    wanted = max(n_records // RECORDS, FEWEST_REGIONS)
    n_regions = 1 << (min(wanted, most).bit_length() - 1)
    reheating = RoundShape(1, STREAMS) if n_records <= WHOLE_UP_TO else RoundShape(n_regions, 1)
    return RoundShape(n_regions, 1), reheating


ONE_OF_MANY = RoundShape(1, 1), RoundShape(1, 1)
