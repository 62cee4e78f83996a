"""Tables with the column names of real surveys, and contents as these have them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa


class Persons(NamedTuple):
    """Persons of households: the household of each (0, 1, …), and a random generator."""

    household: np.ndarray
    rng: np.random.Generator

    @property
    def n(self) -> int:
        return self.household.size

    def inside(self, values) -> np.ndarray:
        """A value of each household, for all its members."""
        return np.asarray(values)[self.household]

    @property
    def n_households(self) -> int:
        return int(self.household.max()) + 1

    @property
    def line(self) -> np.ndarray:
        """1, 2, … inside each household."""
        starts = np.searchsorted(self.household, np.arange(self.n_households))
        return np.arange(self.n) - starts[self.household] + 1

    def amounts(self, n: int, zeros: float = 0.0, mean: float = 9.8) -> np.ndarray:
        drawn = np.round(np.exp(self.rng.normal(mean, 0.6, n)))
        return np.where(self.rng.random(n) < zeros, 0.0, drawn)


def persons(n_households: int = 600, seed: int = 0) -> Persons:
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 2, 3, 4, 5], n_households, p=[0.3, 0.3, 0.2, 0.15, 0.05])
    return Persons(np.repeat(np.arange(n_households), sizes), rng)


def eu_silc(n_households: int = 600, seed: int = 0) -> pa.Table:
    people = persons(n_households, seed)
    rng, n, h = people.rng, people.n, people.n_households
    household_id = rng.permutation(h) + 1
    sizes = np.bincount(people.household)
    age = rng.integers(0, 95, n)
    adult = age >= 16
    return pa.table(
        {
            "db010": np.full(n, 2019),
            "db020": np.full(n, "AT"),
            "db030": people.inside(household_id),
            "db040": people.inside(rng.choice(["AT1", "AT2", "AT3"], h)),
            "db090": people.inside(np.round(rng.gamma(8.0, 80.0, h), 4)),
            "hsize": people.inside(sizes).astype(float),
            "rb030": people.inside(household_id) * 100 + people.line,
            "rb050": np.round(rng.gamma(9.0, 70.0, n), 4),
            "rb080": 2019 - age,
            "rb090": rng.integers(1, 3, n).astype(float),
            "pb040": pa.array(np.round(rng.gamma(9.0, 80.0, n), 4), mask=~adult),
            "pl031": pa.array(rng.integers(1, 12, n).astype(float), mask=~adult),
            "pb220a": rng.choice(["AT", "EU", "Other"], n, p=[0.9, 0.06, 0.04]),
            "py010g": pa.array(people.amounts(n, zeros=0.4), mask=~adult),
            "py050n": pa.array(people.amounts(n, zeros=0.9), mask=~adult),
            "hy010": people.inside(people.amounts(h, mean=10.4)),
            "hy020": people.inside(people.amounts(h, mean=10.2)),
            "hy050g": people.inside(people.amounts(h, zeros=0.6)),
            "hx090": people.inside(np.round(np.exp(rng.normal(10, 0.5, h)), 2)),
        }
    )


EU_SILC = {
    **dict.fromkeys(("db030", "rb030"), "identifier"),
    **dict.fromkeys(("db010", "db020"), "kept"),
    "db040": "stratum",
    **dict.fromkeys(("db090", "rb050", "pb040"), "weight"),
}


def earnings(n_employers: int = 300, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    employer = np.repeat(np.arange(n_employers), rng.integers(2, 12, n_employers))
    n = employer.size
    size = rng.choice(["E10_49", "E50_249", "E250_499", "E1000"], n_employers)
    monthly = np.round(np.exp(rng.normal(7.8, 0.5, n)))
    return pa.table(
        {
            "location": rng.choice(["AT1", "AT2", "AT3"], n_employers)[employer],
            "NACE1": rng.choice(["C-Manufacturing", "F-Construction"], n_employers)[employer],
            "Sizeclass": size[employer],
            "IDunit": rng.choice(10_000, n_employers, replace=False)[employer],
            "sex": rng.choice(["male", "female"], n),
            "age": rng.integers(15, 65, n),
            "hoursPaid": np.round(rng.normal(160, 25, n), 2),
            "earningsMonth": monthly,
            "earnings": np.round(monthly * rng.uniform(11, 15, n)),
            "earningsHour": np.round(monthly / 160, 2),
            "grossEmployees": np.round(rng.gamma(5.0, 300.0, n_employers))[employer],
            "weightsEmployers": np.round(rng.gamma(2.0, 3.0, n_employers) + 1, 4)[employer],
            "weightsEmployees": np.round(rng.gamma(4.0, 9.0, n) + 1, 4),
            "GrossingEmployees": np.round(rng.gamma(4.0, 30.0, n) + 1, 4),
        }
    )


EARNINGS = {
    "IDunit": "identifier",
    "location": "stratum",
    **dict.fromkeys(("weightsEmployers", "weightsEmployees", "GrossingEmployees"), "weight"),
}


def ipums(n_households: int = 600, seed: int = 0) -> pa.Table:
    people = persons(n_households, seed)
    rng, n, h = people.rng, people.n, people.n_households
    return pa.table(
        {
            "YEAR": np.full(n, 2021),
            "SERIAL": people.inside(np.sort(rng.choice(1_400_000, h, replace=False))),
            "PERNUM": people.line,
            "HHWT": people.inside(np.round(rng.gamma(3.0, 40.0, h)) + 1),
            "PERWT": np.round(rng.gamma(3.0, 40.0, n)) + 1,
            "WTFINL": np.round(rng.gamma(3.0, 900.0, n) + 1, 2),
            "SEX": rng.integers(1, 3, n).astype(float),
            "AGE": rng.integers(0, 95, n).astype(float),
            "RACE": rng.choice([1, 2, 3, 4, 6, 7, 8, 9], n).astype(float),
            "FAMSIZE": people.inside(np.bincount(people.household)),
            "EDUC": rng.integers(0, 12, n),
            "INCTOT": people.amounts(n, zeros=0.2).astype(np.int64),
            "HHINCOME": people.inside(people.amounts(h, mean=11.0)).astype(np.int64),
        }
    )


IPUMS = {
    **dict.fromkeys(("SERIAL", "PERNUM"), "identifier"),
    "YEAR": "kept",
    **dict.fromkeys(("HHWT", "PERWT", "WTFINL"), "weight"),
}


def dhs(n_households: int = 600, seed: int = 0) -> pa.Table:
    people = persons(n_households, seed)
    rng, n, h = people.rng, people.n, people.n_households
    cluster = np.sort(rng.integers(1, 40, h))
    return pa.table(
        {
            "caseid": [f"{c:8d}{i:4d}{j:3d}" for c, i, j in zip(
                people.inside(cluster), people.household, people.line, strict=True
            )],
            "v001": people.inside(cluster),
            "v002": people.household % 30 + 1,
            "v003": people.line,
            "v005": people.inside(np.round(rng.gamma(9.0, 110_000.0, h))).astype(np.int64),
            "v012": rng.integers(15, 50, n),
            "v024": people.inside(rng.integers(1, 5, h)),
            "v106": rng.integers(0, 4, n),
            "v201": rng.poisson(2.1, n),
            "hv009": people.inside(np.bincount(people.household)),
        }
    )  # fmt: skip


DHS = {
    **dict.fromkeys(("caseid", "v001", "v002", "v003"), "identifier"),
    "v005": "weight",
    "v024": "stratum",
}


def labour_force(n_households: int = 600, seed: int = 0) -> pa.Table:
    people = persons(n_households, seed)
    rng, n, h = people.rng, people.n, people.n_households
    return pa.table(
        {
            "COUNTRY": np.full(n, "LU"),
            "HHNUM": people.inside(rng.choice(900_000, h, replace=False)),
            "COEFF": np.round(rng.gamma(6.0, 40.0, n), 3),
            "SEX": rng.integers(1, 3, n),
            "AGE": rng.integers(15, 90, n),
            "ILOSTAT": rng.integers(1, 5, n),
            "ISCO3D": rng.choice([111, 112, 221, 231, 411, 511, 522, 711, 911], n),
            "HWUSUAL": np.clip(np.round(rng.normal(36, 9, n)), 0, 80),
        }
    )


LABOUR_FORCE = {"COUNTRY": "kept", "HHNUM": "identifier", "COEFF": "weight"}


def plainly_named(names: dict[str, str], seed: int = 0) -> pa.Table:
    """A survey in some language: `names` says what household, weight, region … are called."""
    people = persons(seed=seed)
    rng, n, h = people.rng, people.n, people.n_households
    columns = {
        "household": people.inside(rng.permutation(h) + 1000),
        "weight": np.round(rng.gamma(6.0, 40.0, n), 3),
        "region": people.inside(rng.integers(1, 5, h)),
        "sex": rng.integers(1, 3, n),
        "income": people.amounts(n, zeros=0.1).astype(np.int64),
    }
    return pa.table({names[what]: values for what, values in columns.items()})


LANGUAGES = [
    ("haushalt_id", "gewicht", "Bundesland", "Geschlecht", "Einkommen"),
    ("HaushaltsNr", "Hochrechnungsfaktor", "Kanton", "geschlecht", "lohn"),
    ("id_menage", "poids", "Région", "sexe", "revenu"),
    ("idmen", "pond", "departement", "SEXE", "salaire"),
    ("id_hogar", "factor", "provincia", "sexo", "ingreso"),
    ("nquest", "peso", "regione", "sesso", "reddito"),
    ("hid", "wgt", "region", "sex", "income"),
    ("hhid", "sample_weight", "district", "gender", "wage"),
    ("household_no", "hhweight", "province", "sex", "salary"),
    ("idhh", "fexp", "nuts2", "sex", "pay"),
    ("pid", "rep_wgt1", "canton", "sex", "sales"),
]
