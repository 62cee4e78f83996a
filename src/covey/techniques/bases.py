"""Bases of techniques: each adds one parameter that several have, and what it does.

A technique extends those whose parameters it has, in the opposite order of its signature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from covey.chance import RANDOM_STATE, draw_seed
from covey.errors import InvalidParameter
from covey.parameters import Maybe, Number, NumberOrWord, OneOf, Satisfies, as_list, declared
from covey.refining.improving import Settings
from covey.refining.starting import start_and_improve
from covey.refining.windows import WINDOWS, start_and_improve_in_windows
from covey.scaling import STANDARDIZE
from covey.technique import Technique
from covey.types import FloatMatrix, IntVector


@runtime_checkable
class Selector(Protocol):
    """Chooses variables from the data: fitted, it has `variables_`."""

    def fit(self, X: Any) -> Any: ...


VARIABLES = Satisfies(
    "None, a column name, a list of names or numbers, or a selector such as DependenceTree",
    lambda value: (
        value is None
        or (isinstance(value, Selector) and not hasattr(value, "fit_predict"))
        or (isinstance(as_list(value), Sequence) and not isinstance(value, bytes))
    ),
)


@dataclass(eq=False, repr=False)
class DistanceBased(Technique):
    """A technique that groups records by their distances.

    Parameters
    ----------
    standardize : {"zscore", "range", "none"}, default="zscore"
        How variables are put on one footing before distances are taken.
    """

    is_distance_based = True

    _: KW_ONLY
    standardize: str = declared("zscore", STANDARDIZE)

    @property
    def scaling(self) -> str:
        """How numbers are put on one footing."""
        return self.standardize


@dataclass(eq=False, repr=False)
class Driven(Technique):
    """A technique whose groups some of the variables may drive.

    Parameters
    ----------
    variables : list of columns or selector, optional
        The variables that drive the grouping. All variables are released.
    """

    _: KW_ONLY
    variables: Any = declared(None, VARIABLES)

    @property
    def selects_variables(self) -> bool:
        """Whether a selector chooses the variables that drive the grouping from the data."""
        return isinstance(self.variables, Selector)

    @property
    def selected_variables(self) -> list[Any] | None:
        """The variables that a selector chose in `fit`; None without one."""
        chosen = getattr(self, "selector_", None)
        return None if chosen is None else list(chosen.variables_)

    def wanted_variables(self, X: Any) -> Any:
        """The variables that drive the grouping as they are named, chosen from X by a selector."""
        if not self.selects_variables:
            return None if self.variables is None else as_list(self.variables)
        from sklearn.base import clone

        self.selector_ = clone(self.variables).fit(X)
        return self.selected_variables


@dataclass(eq=False, repr=False)
class Refined(Technique):
    """A technique whose groups may be improved afterwards.

    Parameters
    ----------
    refine : float or "windows", optional
        How the groups are improved afterwards: by a search of the given number of moves per record
        (see `NearOptimal`, whose effort this is), or by "windows", best exchanges and relocations
        inside small windows of the space, which take about as long as the groups themselves. Not
        given, the groups are the technique's own.
    """

    _: KW_ONLY
    refine: float | str | None = declared(None, Maybe(NumberOrWord(Number(0.0), OneOf((WINDOWS,)))))

    def _grouped(self, points: FloatMatrix, k: int) -> IntVector:
        """The technique's groups, improved by a search or in windows where `refine` asks for it."""
        if self.refine is None:
            return self._partition(points, k)
        seed = self._seed()

        def start(meter: IntVector) -> IntVector:
            return self.counting_in(meter)._partition(points, k)

        if self.refine == WINDOWS:
            return start_and_improve_in_windows(start, points, k, seed, self._meter)
        settings = Settings(float(self.refine))
        return start_and_improve(start, points, k, settings, seed, self._meter).labels


@dataclass(eq=False, repr=False)
class Seeded(Technique):
    """A technique that draws at random.

    Parameters
    ----------
    random_state : int, RandomState or None, default=0
        The same seed gives the same groups.
    """

    _: KW_ONLY
    random_state: Any = declared(0, RANDOM_STATE)

    def require_divisible(self) -> None:
        """Raise unless cells of near records may be grouped one by one, in any order."""
        super().require_divisible()
        if isinstance(self.random_state, np.random.RandomState):
            raise InvalidParameter(
                "In blocks several cells are grouped at a time, and none knows which draws first: "
                "give random_state as a whole number."
            )

    def _seed(self) -> int:
        return draw_seed(self.random_state)
