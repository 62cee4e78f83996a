"""What is counted over all parts of a release, from what was noted of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from covey.pipeline.part import information_loss
from covey.tables.column_facts import averaged_codes
from covey.tables.roles import Roles
from covey.tables.variables import Variable
from covey.tables.weights import lost_percents


class Totals:
    """Counts of all records, whether they were ever in memory together or not."""

    def __init__(self, notes: Sequence[Mapping[str, Any]], roles: Roles) -> None:
        self._notes = notes
        self._roles = roles

    @property
    def n_records(self) -> int:
        return sum(int(noted["records"]) for noted in self._notes)

    @cached_property
    def il(self) -> float:
        """Information loss in percent."""
        return information_loss(self._notes)

    @cached_property
    def group_sizes(self) -> dict[int, int]:
        """How many groups there are of each size."""
        found: Counter[int] = Counter()
        for noted in self._notes:
            found.update({int(size): count for size, count in noted["sizes"].items()})
        return dict(sorted(found.items()))

    @cached_property
    def gaps(self) -> dict[str, tuple[int, int]]:
        """Missing cells of each released column, before and after."""
        found: dict[str, tuple[int, int]] = {}
        for noted in self._notes:
            for name, (before, after) in noted["gaps"].items():
                known = found.get(name, (0, 0))
                found[name] = (known[0] + before, known[1] + after)
        return found

    @property
    def emptied(self) -> dict[str, int]:
        """Cells of each column that lost their value."""
        counts = sum((Counter(noted["emptied"]) for noted in self._notes), Counter())
        return {name: counts[name] for name in self._roles.changed if name in counts}

    @property
    def lost_weights(self) -> dict[str, float]:
        """Percentage of the total of each weight that was in such cells."""
        return lost_percents([noted["weight_sums"] for noted in self._notes])

    def averaged_codes(self, variables: Sequence[Variable]) -> tuple[str, ...]:
        """Variables of few whole numbers of which a released mean is none."""
        codes = {v.name: set(v.values[v.known]) for v in variables}
        new = {
            name
            for noted in self._notes
            for name, means in noted["new_means"].items()
            if not codes[name].issuperset(means)
        }
        return tuple(name for name in averaged_codes(variables) if name in new)
