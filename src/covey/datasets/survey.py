"""A synthetic household survey that behaves like a real one."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.parameters import Number, Whole, require
from covey.types import FloatVector, IntVector

REGIONS = ("North", "East", "South", "West")
EDUCATION = ("primary", "secondary", "vocational", "bachelor", "master")
OCCUPATIONS = ("agriculture", "industry", "construction", "trade", "services", "public", "none")


def make_survey(n: int = 1000, random_state: Any = 0, missing: float = 0.0) -> Any:
    """A household survey of n persons, as a pyarrow Table.

    ``person_id`` identifies; ``region``, ``sex`` and ``occupation`` are nominal, ``education``
    is ordinal; ``age`` and ``hours`` are whole numbers; five income components with many zeros
    and heavy tails add up exactly to ``gross_income``, and ``gross_income − income_tax`` to
    ``net_income``; ``weight`` is a survey weight. Amounts are whole euros.

    Parameters
    ----------
    n : int, default=1000
        Number of persons.
    random_state : int or None, default=0
        Seed.
    missing : float, default=0.0
        Share of values that are missing, in every column but the identifier, the region and
        the weight.

    Examples
    --------
    >>> survey = make_survey(5)
    >>> survey.column_names[:6]
    ['person_id', 'region', 'sex', 'age', 'education', 'occupation']
    """
    require(Whole(1), n=n)
    require(Number(0.0, maximum=0.95, closed=True), missing=missing)
    rng = np.random.default_rng(random_state)
    people = _people(n, rng)
    columns = people | _incomes(people, rng)
    columns["weight"] = np.round(rng.gamma(12.0, 40.0, n) * (1 + 0.2 * (people["age"] > 64)), 2)
    return _as_table(columns, missing, rng)


def _people(n: int, rng: np.random.Generator) -> dict[str, Any]:
    age = np.clip(np.round(rng.beta(1.9, 2.3, n) * 78 + 16), 16, 94).astype(np.int64)
    schooling = np.clip(rng.normal(1.9 - (age > 60) * 0.5 - (age < 22) * 0.8, 1.15, n), 0, 4.4)
    education = np.round(schooling).astype(np.int64).clip(0, 4)
    usual_hours = np.clip(np.round(rng.normal(37, 8, n)), 4, 70)
    works = rng.random(n) < np.where((age > 18) & (age < 66), 0.60 + 0.06 * education, 0.06)
    return {
        "person_id": np.array([f"P{i:07d}" for i in rng.permutation(n) + 1]),
        "region": np.array(REGIONS)[rng.choice(4, n, p=[0.22, 0.19, 0.34, 0.25])],
        "sex": np.where(rng.random(n) < 0.51, "female", "male"),
        "age": age,
        "education": np.array(EDUCATION)[education],
        "occupation": np.array(OCCUPATIONS)[np.where(works, rng.integers(0, 6, n), 6)],
        "hours": np.where(works, usual_hours, 0).astype(np.int64),
    }


def _incomes(people: dict[str, Any], rng: np.random.Generator) -> dict[str, IntVector]:
    age, hours = people["age"], people["hours"]
    n = age.size
    level = np.array([EDUCATION.index(word) for word in people["education"]])
    south = np.where(people["region"] == "South", -0.12, 0.05)
    skill = rng.normal(0.14 * level + south + 0.009 * np.minimum(age, 55), 0.42, n)
    own_business = rng.random(n) < 0.11
    retired = (age > 62) & (hours == 0)
    wealth = rng.pareto(1.7, n) * np.exp(0.5 * skill)
    components = {
        "wage_income": np.where((hours > 0) & ~own_business, 430 * hours * np.exp(skill), 0),
        "self_employment_income": np.where(
            (hours > 0) & own_business, 300 * hours * np.exp(skill + rng.normal(0, 0.7, n)), 0
        ),
        "pension_income": np.where(retired, 11_000 * np.exp(0.8 * skill - 0.3), 0),
        "capital_income": np.where(rng.random(n) < 0.38, 420 * wealth, 0),
        "transfer_income": np.where(
            rng.random(n) < np.where(hours == 0, 0.55, 0.16), rng.gamma(2.2, 1900, n), 0
        ),
    }
    whole = {name: _whole(amount) for name, amount in components.items()}
    gross = np.sum(list(whole.values()), axis=0)
    tax = _whole(_progressive_tax(gross * rng.uniform(0.93, 1.0, n)))
    return whole | {"gross_income": gross, "income_tax": tax, "net_income": gross - tax}


def _progressive_tax(income: FloatVector) -> FloatVector:
    """12 % above 10,000, 25 % above 25,000 and 42 % above 60,000."""
    steps = ((10_000, 0.12), (25_000, 0.13), (60_000, 0.17))
    return np.asarray(sum(rate * np.maximum(income - floor, 0) for floor, rate in steps))


def _whole(amounts: FloatVector) -> IntVector:
    return np.round(amounts).astype(np.int64)


def _as_table(columns: dict[str, Any], missing: float, rng: np.random.Generator) -> Any:
    import pyarrow as pa

    kept = {"person_id", "region", "weight"}
    arrays = {}
    for name, values in columns.items():
        gaps = rng.random(values.size) < (0.0 if name in kept else missing)
        arrays[name] = pa.array(values, mask=gaps)
    return pa.table(arrays)
