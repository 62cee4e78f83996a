"""What a measure says of itself, once, for all tables, reports, commands and pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from covey.measures.evaluation import Evaluation
    from covey.measures.inputs import Inputs

# In the order in which tables show them. A score weighs loss against risk.
KINDS = ("loss", "risk", "count", "score")
LAST = 1000


class Need(Enum):
    """What a measure cannot do without; without it the measure is left out."""

    RECORDS = "the same records in the same order"
    GROUPS = "classes of equal released records"
    KEYS = "what an intruder knows"
    NUMBERS = "variables that are numbers"
    KNOWN_NUMBERS = "a number among the keys"
    AMOUNTS = "numbers that have a zero"
    CATEGORIES = "nominal variables that may change"
    CONFIDENTIAL = "confidential variables"


@dataclass(frozen=True, kw_only=True)
class Measure:
    """The declaration of a measure. A module of `loss`, `risk` or `composites` holds it.

    Everything that lists measures asks for the declarations (`covey.measures.available`): the
    evaluation and its printed table, the command line, the reports, limits on risk, the pages of
    the app and the tables in the docs.

    Parameters
    ----------
    name : str
        What an evaluation, settings files and the command line call it: ``evaluation.il``.
    label : str
        What people call it, in a table.
    meaning : str
        What it says, in a sentence for people who do not know it.
    caveat : str
        What it does not say.
    kind : {"loss", "risk", "count", "score"}
        What it is about. A count is no share: it is printed as it is.
    function : callable
        The function that users call; its summary is the definition in the docs.
    take : callable, optional
        Takes the measure of `Inputs`. Its result is a named tuple with the `headline`.
    made_of : callable, optional
        For what is made of other measures: their weights by name, given the evaluation.
    needs : tuple of Need
        What the data must have.
    most_keys : int, optional
        With more keys it is left out.
    headline : str, default="percent"
        The field of the result that is the figure.
    unit : {"percent", "records"}
        What the figure counts.
    lower_is_better : bool, default=True
        Which direction is good.
    before : bool, default=False
        Whether it says something about the original as it is.
    sampled : bool, default=False
        Whether large files are estimated from a sample. The field ``sampled`` of the result, a
        `Sampled`, then says how sure the figure is. Such measures are long: they are taken one
        after another, use all threads and call ``progress``.
    limit : bool, default=False
        Whether a highest figure that is allowed can be set (``thresholds``).
    repeats : str, default=""
        Another measure whose parts this one only averages in another order: reports, which show
        that one, leave this one out.
    printed : bool, default=True
        Whether a printed evaluation shows it.
    position : int
        Its place among those of its kind; those without one stand last, by name.

    Notes
    -----
    What is not there yet has its place here:

    - *A release without groups* (noise, synthetic data): a measure of it does not need
      `Need.GROUPS`, and one that compares distributions does not need `Need.RECORDS` either.
      `Inputs.has` then says no to these needs, and what rests on them is left out.
    - *Frequency risk* (how rare a combination of keys is): `before` is True, for it is about the
      original too; sample weights join `Inputs` with a need of their own.
    - *Two releases* of the same records: the second one joins `Inputs` with a need of its own, so
      that such a measure is left out where there is only one.
    - *A sampling error* is stated by every measure whose result has ``sampled``; a measure that
      estimates in another way than by a simple random sample fills in the same `Sampled`.
    """

    name: str
    label: str
    meaning: str
    kind: Literal["loss", "risk", "count", "score"]
    function: Callable[..., Any]
    take: Callable[[Inputs], Any] | None = None
    made_of: Callable[[Evaluation], Mapping[str, float]] | None = None
    caveat: str = ""
    needs: tuple[Need, ...] = ()
    most_keys: int | None = None
    headline: str = "percent"
    unit: Literal["percent", "records"] = "percent"
    lower_is_better: bool = True
    before: bool = False
    sampled: bool = False
    limit: bool = False
    repeats: str = ""
    printed: bool = True
    position: int = LAST

    @property
    def is_composite(self) -> bool:
        """Whether it is made of other measures."""
        return self.made_of is not None

    @property
    def can_be_compared(self) -> bool:
        """Whether candidates can be ranked by it: a share of which less is better."""
        return self.unit == "percent" and self.lower_is_better

    @property
    def definition(self) -> str:
        """The summary of what users call."""
        return (self.function.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")

    @property
    def place(self) -> tuple[int, int, str]:
        """Where it stands in a table."""
        return KINDS.index(self.kind), self.position, self.name

    def figure(self, part: Any) -> float:
        """The headline of a result; a figure is its own."""
        return float(getattr(part, self.headline, part))

    def shown(self, figure: float) -> str:
        """A figure in a printed table."""
        return f"{figure:9.4f}" if self.unit == "percent" else f"{figure:9.0f}"
