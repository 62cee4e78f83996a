"""Every registered technique with random values of the parameters it declares."""

from __future__ import annotations

from typing import Any

from covey import techniques
from covey.parameters import Flag, Maybe, Number, OneOf, OneOfNames, Parameter, Whole
from covey.projections import QUANTIFIERS
from covey.techniques.projected import PROJECTIONS
from tests.attack.columns import Draw

# What is drawn for parameters whose declaration does not say what is sensible here: searches end
# soon, and none by the clock, because it could not be repeated.
SHORT: dict[str, Any] = {
    "patience": [1, 2, 5],
    "max_epochs": [1, 10],
    "effort": [0.5, 20.0, 60.0],
    "refine": [None, None, 5.0, 40.0, "windows"],
    "time_limit": [None],
    "random_state": [0, 1, 2**31 - 1],
    "projection": list(PROJECTIONS),
    "quantifier": list(QUANTIFIERS),
    "gamma": [0.0, 0.2, 1.5, 1e308],
}
# What a parameter is good for, where it is refused otherwise.
ONLY_WITH = {
    "gamma": {"group_size": ("variable",)},
    "remainder": {"groups_per_round": (2,)},
    "scale": {"projection": ("zscores",)},
    "quantifier": {"projection": ("sugeno", "choquet", "wowa")},
    "weights": {"projection": ("owa", "wowa")},
}


def technique(draw: Draw, variables: list[str], in_blocks: bool) -> tuple[str, dict[str, Any]]:
    """A technique, and parameters that are nearly always allowed together.

    For records in blocks it is nearly always one that can work on them.
    """
    found = techniques.available()
    if in_blocks and draw.random() < 0.95:
        found = [info for info in found if info.cls.is_distance_based]
    info = found[draw.integers(len(found))]
    if draw.random() < 0.05:
        return "auto", {"effort": 20.0}
    chosen: dict[str, Any] = {
        name: SHORT[name][draw.integers(len(SHORT[name]))]
        for name in ("patience", "max_epochs", "effort")
        if name in info.parameters
    }
    for name, parameter in info.cls.parameters.items():
        if name not in ("k", "variables", "block_size", *chosen) and draw.random() < 0.35:
            chosen[name] = value_of(name, parameter, draw, len(variables))
    if "block_size" in info.parameters and draw.random() < 0.3:
        chosen["block_size"] = int(draw.integers(1, len(variables) + 2))
    elif "variables" in info.parameters and (info.cls.by_one_variable or draw.random() < 0.2):
        size = 1 if info.cls.by_one_variable else int(draw.integers(1, len(variables) + 1))
        chosen["variables"] = [variables[i] for i in draw.permutation(len(variables))[:size]]
    return info.name, _together(chosen, info.parameters, draw)


def value_of(name: str, parameter: Parameter, draw: Draw, n_variables: int) -> Any:
    """A value that a declaration allows."""
    if name == "weights":
        return draw.uniform(0.1, 1.0, n_variables).tolist()
    if name in SHORT:
        return SHORT[name][draw.integers(len(SHORT[name]))]
    if isinstance(parameter, Maybe):
        alone = draw.random() < 0.3
        return None if alone else value_of(name, parameter.parameter, draw, n_variables)
    if isinstance(parameter, OneOf | OneOfNames):
        return parameter.options[draw.integers(len(parameter.options))]
    if isinstance(parameter, Flag):
        return bool(draw.random() < 0.5)
    if isinstance(parameter, Whole):
        return int(draw.integers(parameter.minimum, parameter.minimum + 5))
    assert isinstance(parameter, Number), f"say in SHORT what {name} may be"
    return parameter.above + float(draw.uniform(0.01, 1.0)) * min(parameter.maximum, 10.0)


def _together(chosen: dict[str, Any], defaults: dict[str, Any], draw: Draw) -> dict[str, Any]:
    """Without what would be refused beside the others, save for one request in thirty."""
    if draw.random() < 1 / 30:
        return chosen
    whole = {**defaults, **chosen}
    idle = {
        name
        for name in chosen
        for other, users in ONLY_WITH.get(name, {}).items()
        if other in whole and whole[other] not in users
    }
    if whole.get("seeds") == "diameter":
        idle |= {"groups_per_round", "center"}
    return {name: value for name, value in chosen.items() if name not in idle}
