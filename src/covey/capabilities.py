"""What techniques can do, as they declare it, for whoever offers, compares or divides them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar

from covey.docstrings import parameter_texts
from covey.errors import InvalidParameter, SchemaError, unknown_name
from covey.estimator import Estimator
from covey.tables.numeric import column_number

Self = TypeVar("Self", bound="Capabilities")

# What k holds for: whole records, or values inside each block of variables.
Guarantee: TypeAlias = Literal["joint", "per block"]


class TechniqueInfo(NamedTuple):
    """What the registry knows of a technique; `guarantee` is in words, for people to read."""

    name: str
    cls: type[Capabilities]
    paper: str
    guarantee: str
    parameters: dict[str, Any]
    summary: str
    about: dict[str, str]

    @property
    def is_comparable(self) -> bool:
        """Whether its releases of many variables can be compared with those of others."""
        return self.cls.guarantee == "joint" and not self.cls.by_one_variable


class Capabilities(Estimator):
    """What techniques declare, and what they answer, so that nobody asks for their names.

    Attributes
    ----------
    paper : str
        Where it comes from.
    guarantee : {"joint", "per block"}
        Whether k holds for whole records, or only inside each block of variables.
    block_parameter : str or None
        The parameter that, when given, makes a joint guarantee one per block.
    by_one_variable : bool
        One variable drives the grouping, never more.
    is_distance_based : bool
        Records near to each other share a group, so that a file may be divided into cells of near
        records and its groups repaired at the seams.
    starts_search : bool
        Its groups can be the start of a search for better ones.
    is_quick : bool
        It is among the first to try while somebody waits.
    is_default : bool
        It is what "auto" stands for; exactly one technique is.
    """

    paper: ClassVar[str]
    guarantee: ClassVar[Guarantee] = "joint"
    block_parameter: ClassVar[str | None] = None
    by_one_variable: ClassVar[bool] = False
    is_distance_based: ClassVar[bool] = False
    starts_search: ClassVar[bool] = False
    is_quick: ClassVar[bool] = False
    is_default: ClassVar[bool] = False

    @classmethod
    def guarantee_in_words(cls) -> str:
        """The guarantee, and the parameter that weakens it."""
        if cls.block_parameter is None:
            return cls.guarantee
        return f"{cls.guarantee}; per block with {cls.block_parameter}"

    @property
    def selects_variables(self) -> bool:
        """Whether a selector chooses the variables that drive the grouping from the data."""
        return False

    @property
    def selected_variables(self) -> list[Any] | None:
        """The variables that a selector chose in `fit`; None without one."""
        return None

    def wanted_variables(self, X: Any) -> Any:
        """The variables that drive the grouping as they are named, chosen from X by a selector.

        None means all.
        """
        return None

    def driving_columns(
        self, X: Any, names: Sequence[str], n_variables: int
    ) -> tuple[int, ...] | None:
        """Numbers of the columns that drive the grouping, chosen from X by a selector.

        None means all.
        """
        wanted = self.wanted_variables(X)
        if wanted is None:
            return None
        chosen = tuple(column_number(name, names, n_variables) for name in wanted)
        if not chosen or len(set(chosen)) < len(chosen):
            raise InvalidParameter(
                f"variables must name at least one column, each once; got {list(wanted)!r}."
            )
        return chosen

    def require_driven_by(self, n_variables: int) -> None:
        """Refuse a number of driving variables that the technique cannot work with."""
        if self.by_one_variable and n_variables != 1:
            raise SchemaError(
                f"{type(self).__name__} groups by one variable; the data have {n_variables}. "
                "Choose one with variables=[...], or use another technique."
            )

    def decided_parameters(self) -> dict[str, Any]:
        """Parameters that were left open, with what `prepare_for` decided for them."""
        return {}

    def require_divisible(self) -> None:
        """Raise unless cells of near records may be grouped one by one, in any order."""
        if not self.is_distance_based:
            raise InvalidParameter(
                f"{type(self).__name__} groups single variables over all records, so it cannot "
                "work in blocks. Leave out block_size, or choose another technique."
            )

    @classmethod
    def configured(cls: type[Self], **values: Any) -> Self:
        """An instance with the given parameters; `InvalidParameter` for one it does not have."""
        for name in values:
            if name not in cls.parameters:
                message = unknown_name("parameter", name, cls.parameters)
                raise InvalidParameter(f"{cls.__name__}: {message}")
        return cls(**values)

    @classmethod
    def describe(cls) -> TechniqueInfo:
        """What the registry knows of it; parameters with their defaults."""
        given = inspect.signature(cls).parameters.values()
        return TechniqueInfo(
            name=cls.__name__.lower(),
            cls=cls,
            paper=cls.paper,
            guarantee=cls.guarantee_in_words(),
            parameters={one.name: one.default for one in given},
            summary=(cls.__doc__ or "").strip().split("\n")[0],
            about=parameter_texts(cls),
        )
