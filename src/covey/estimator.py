"""What scikit-learn expects of an estimator, without loading scikit-learn.

Loading it takes longer than most files take to protect. A class needs none of it to be cloned,
searched over, put into a pipeline or shown in a notebook: parameters, tags and a page suffice.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from covey.parameters import Parameter, declarations

Self = TypeVar("Self", bound="Estimator")


class Declarations:
    """`parameters` of a class: what each of its parameters may be, by name."""

    def __get__(self, instance: object, owner: type) -> Mapping[str, Parameter]:
        return declarations(owner)


class Estimator:
    """Base of what is configured by the parameters of its constructor and then fitted.

    A subclass is a dataclass whose fields are its parameters, each `declared` with its default and
    what it may be.

    Examples
    --------
    >>> from covey.techniques import MDAV
    >>> from sklearn.base import clone
    >>> clone(MDAV().set_params(k=5))
    MDAV(k=5)
    """

    parameters: ClassVar[Declarations] = Declarations()

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """Every parameter of the constructor with its default, by name."""
        given = inspect.signature(cls).parameters.values()
        return {one.name: one.default for one in sorted(given, key=lambda one: one.name)}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; with `deep`, those of parts that are estimators too."""
        found: dict[str, Any] = {}
        for name in self._defaults():
            value = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                found |= {f"{name}__{part}": own for part, own in value.get_params().items()}
            found[name] = value
        return found

    def set_params(self: Self, **values: Any) -> Self:
        """Change parameters; ``part__name`` is the parameter `name` of the estimator `part`."""
        known, inside = self.get_params(deep=False), defaultdict[str, dict[str, Any]](dict)
        for name, value in values.items():
            own, nested, rest = name.partition("__")
            if own not in known:
                raise ValueError(
                    f"Invalid parameter {own!r} for estimator {self}. "
                    f"Valid parameters are: {list(known)!r}."
                )
            if nested:
                inside[own][rest] = value
            else:
                setattr(self, own, value)
        for own, parameters in inside.items():
            getattr(self, own).set_params(**parameters)
        return self

    def __repr__(self) -> str:
        """The constructor's call, with the parameters that are not left at their defaults."""
        defaults, values = self._defaults(), self.get_params(deep=False)
        changed = (f"{n}={v!r}" for n, v in values.items() if repr(v) != repr(defaults[n]))
        return f"{type(self).__name__}({', '.join(changed)})"

    def _repr_html_(self) -> str:
        """For notebooks, as every other estimator is shown there."""
        from sklearn.utils import estimator_html_repr

        return str(estimator_html_repr(self))

    def __sklearn_tags__(self) -> Any:
        """For scikit-learn's own functions, which have then been loaded anyway."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))
