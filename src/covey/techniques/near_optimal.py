"""NearOptimal, a search for the partition of least loss."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from covey.errors import InvalidParameter
from covey.parameters import OneOfNames, declared
from covey.refining.improving import Settings, default_effort, wants_polish
from covey.refining.refine import EFFORT, POLISH, TIME_LIMIT
from covey.refining.starting import start_and_improve
from covey.techniques.bases import DistanceBased, Driven, Seeded
from covey.techniques.registry import available, get, register
from covey.types import FloatMatrix, IntVector


def starts() -> tuple[str, ...]:
    """Techniques whose groups a search can start from."""
    return tuple(info.name for info in available() if info.cls.starts_search)


@register
@dataclass(eq=False, repr=False)
class NearOptimal(Seeded, Driven, DistanceBased):
    """Search for the groups of least information loss, from the groups of another technique.

    First *annealing*: a record joins the group of a neighbour, alone or in exchange for the best
    member of it, groups dissolve and are founded; a move that costs is made with a chance that
    falls as the search cools. Then rounds that start from the best partition so far: one warms it
    up and cools it again, the next takes pools of neighbouring groups apart and builds them anew.
    Groups before and after a round are linked where they share records, and each connected
    component is decided on its own: what gained is kept. What a temperature means to a record is
    taken from the distances around it, so dense and sparse regions settle at the same time.

    Up to 2,000 records a set-partitioning program at last chooses the best of all groups met. A
    single variable needs no search: its best partition is computed (`OptimalUnivariate`).

    Parameters
    ----------
    k : int, default=3
        Smallest group size; groups have k to 2k − 1 records.
    start : str, default="iamat"
        Technique whose groups the search starts from; one that declares ``starts_search``.
    effort : float, optional
        Moves per record; if neither it nor `time_limit` is given, 100,000, and fewer from 1,600
        records on, so that it takes a few seconds. The same effort and seed give the same
        groups, for any number of threads.
    time_limit : float, optional
        Seconds for the search, start and polish apart. What is found then depends on the machine
        and cannot be repeated. With `effort` too, whichever comes first.
    polish : {"auto", True, False}, default="auto"
        Whether the program runs at the end; "auto" runs it up to 2,000 records.

    Attributes
    ----------
    effort_ : float or None
        Moves per record; None where only `time_limit` counts.
    search_seconds_, polish_seconds_ : float
        How long the search and the program took.
    polish_finished_ : bool or None
        Whether the program was solved to the end; None where none ran.

    Notes
    -----
    *Guarantee*: joint. The loss of the variables that drive the grouping, scaled as asked for, is
    never above that of the start.

    *Complexity*: O(n·effort·d) time on all cores, beside the start and the search for neighbours,
    which are approximate in large files; O(n·(d + k)) memory.

    References
    ----------
    .. [1] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing",
       Science 220, 1983. doi:10.1126/science.220.4598.671
    .. [2] J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for
       statistical disclosure control", IEEE Transactions on Knowledge and Data Engineering
       14(1), 2002 (group sizes of an optimum). doi:10.1109/69.979982

    Examples
    --------
    >>> from covey.techniques import NearOptimal
    >>> NearOptimal(k=2).fit_predict([[1.0], [9.0], [2.0], [11.0], [10.0]])
    array([0, 1, 0, 1, 1])
    """

    paper = "Kirkpatrick et al. 1983; Domingo-Ferrer & Mateo-Sanz 2002"
    is_default = True

    start: str = declared("iamat", OneOfNames(starts))
    effort: float | None = declared(None, EFFORT)
    time_limit: float | None = declared(None, TIME_LIMIT)
    polish: bool | str = declared("auto", POLISH)

    def _group(self, embedding: Any, *arguments: Any, **named: Any) -> None:
        self.prepare_for(*embedding.coordinates.shape)
        super()._group(embedding, *arguments, **named)

    def prepare_for(self, n_records: int, n_coordinates: int) -> None:
        """Decide for the whole file: many strata shall not take many times as long."""
        self.search_seconds_ = self.polish_seconds_ = 0.0
        self.polish_finished_: bool | None = None
        self.effort_ = self.effort
        if self.effort is None and self.time_limit is None:
            self.effort_ = default_effort(n_records, n_coordinates)
        self._polishes = wants_polish(self.polish, n_records)
        self._n_records = n_records

    def decided_parameters(self) -> dict[str, Any]:
        """The effort, which depends on the size of the file."""
        return {"effort": self.effort_}

    def require_divisible(self) -> None:
        """Raise unless cells of near records may be grouped one by one, in any order."""
        super().require_divisible()
        if self.time_limit is not None:
            raise InvalidParameter(
                "In blocks a search ends after so many moves, never by the clock: give effort "
                "instead of time_limit."
            )

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        if coordinates.shape[1] == 1:
            return get("optimalunivariate").configured(k=k)._partition(coordinates, k)
        share = coordinates.shape[0] / self._n_records
        seconds = None if self.time_limit is None else self.time_limit * share
        settings = Settings(self.effort_, seconds, self._polishes)
        seed = self._seed()
        start = partial(self._start, coordinates, k, seed)
        found = start_and_improve(start, coordinates, k, settings, seed, self._meter)
        self.search_seconds_ += found.search_seconds
        self.polish_seconds_ += found.polish_seconds
        if found.finished is not None:
            # Of several strata, all must be finished.
            self.polish_finished_ = found.finished and self.polish_finished_ is not False
        return found.labels

    def _start(self, coordinates: FloatMatrix, k: int, seed: int, meter: IntVector) -> IntVector:
        cls = get(self.start)
        drawn = {"random_state": seed} if "random_state" in cls.parameters else {}
        return cls.configured(k=k, **drawn).counting_in(meter)._partition(coordinates, k)
