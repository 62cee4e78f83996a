"""Parts of the contents in samples.py: a survey of persons and their incomes."""

from __future__ import annotations

from typing import Any

import numpy as np

NAMES = [
    "age",
    "hours",
    "wage_income",
    "self_employment_income",
    "pension_income",
    "capital_income",
    "transfer_income",
    "net_income",
]
UNITS = ["years", "hours a week", *["euro a year"] * 6]
LEVELS = ["none", "primary", "lower secondary", "upper secondary", "vocational", "tertiary"]
TECHNIQUES = ["EGMMAT", "IAMAT", "MDAV", "Projected", "RGMAT", "VMDAV"]


def make_groups_map(n_groups: int = 180, k: int = 5) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    centres = rng.normal(size=(n_groups, 2)) @ [[1.0, 0.5], [0.0, 0.8]]
    labels = np.repeat(np.arange(n_groups), k)
    records = centres[labels] + rng.normal(scale=0.12, size=(labels.size, 2))
    return {
        "x": records[:, 0].tolist(),
        "y": records[:, 1].tolist(),
        "labels": labels.tolist(),
        "group_x": centres[:, 0].tolist(),
        "group_y": centres[:, 1].tolist(),
        "x_title": "first principal component (41 % of the variance)",
        "y_title": "second principal component (17 %)",
        "of_records": 2004,
    }


def make_distributions() -> list[dict[str, Any]]:
    rng = np.random.default_rng(5)
    variables = []
    for j, (name, unit) in enumerate(zip(NAMES, UNITS, strict=True)):
        values = rng.gamma(2.0 + j, 10.0 if j < 2 else 9000.0, size=2000)
        edges = np.linspace(0, np.quantile(values, 0.995), 21)
        moved = values + (values.mean() - values) * 0.08
        counts = [np.histogram(part, edges)[0].tolist() for part in (values, moved)]
        variables.append(
            {
                "kind": "numeric",
                "name": name,
                "unit": unit,
                "edges": edges.tolist(),
                "original": counts[0],
                "released": counts[1],
            }
        )
    return [*variables, make_education()]


def make_education() -> dict[str, Any]:
    return {
        "kind": "categorical",
        "name": "education",
        "levels": LEVELS,
        "original": [3.1, 12.4, 18.2, 29.9, 14.3, 22.1],
        "released": [2.2, 12.0, 18.0, 32.6, 13.4, 21.8],
    }


def make_alternatives() -> dict[str, Any]:
    rng = np.random.default_rng(6)
    tried = [
        {
            "technique": technique,
            "k": k,
            "loss": float(1.6 * k**0.75 * (1 + 0.14 * i) * rng.uniform(0.95, 1.05)),
            "risk": float(62 / k * (1.15 - 0.05 * i) * rng.uniform(0.92, 1.08)),
            "front": False,
            "chosen": (technique, k) == ("IAMAT", 5),
        }
        for i, technique in enumerate(TECHNIQUES)
        for k in (3, 5, 8, 12)
    ]
    for one in tried:
        one["score"] = (one["loss"] + one["risk"]) / 2
        one["front"] = not any(
            other["loss"] < one["loss"] and other["risk"] < one["risk"] for other in tried
        )
    return {
        "loss_label": "information loss (IL), percent",
        "risk_label": "record linkage, percent",
        "max_risk": 15.0,
        "candidates": tried,
        "note": "",
    }


def make_columns() -> list[dict[str, Any]]:
    keys = [
        {
            "name": name,
            "role": "quasi-identifier",
            "kind": "numeric",
            "missing_before": 3 * j,
            "emptied": 0,
            "missing_after": 2 * j,
            "note": "",
        }
        for j, name in enumerate(NAMES)
    ]
    education = {
        "name": "education",
        "role": "quasi-identifier",
        "kind": "ordered category",
        "missing_before": 7,
        "emptied": 0,
        "missing_after": 5,
        "note": "Levels in the order of the classification.",
    }
    removed = {
        "name": "person_id",
        "role": "identifier",
        "kind": "text",
        "missing_before": 0,
        "emptied": 0,
        "missing_after": None,
        "note": "Removed.",
    }
    return [removed, *keys, education]


def make_method() -> dict[str, Any]:
    return {
        "technique": "IAMAT",
        "description": "Groups grow by the record that interacts most with them.",
        "paper": "Oommen & Fayyoumi 2010, doi:10.1016/j.cose.2010.05.002",
        "parameters": [
            {"name": "gamma", "value": "0.5"},
            {"name": "variables", "value": "age, hours, net_income"},
        ],
        "seed": 20417,
        "k": 5,
        "missing_rule": "Missing values count as a value of their own when records are grouped; a "
        "mean is taken over the known values of the group.",
        "min_contributors": 3,
        "strata_rule": "Groups do not cross regions.",
        "strata_changes": [
            {"stratum": "region: islands", "records": 4, "change": "merged with region: coast"},
            {"stratum": "region: abroad", "records": 2, "change": "suppressed"},
        ],
    }


def make_risks() -> list[dict[str, Any]]:
    return [
        {
            "measure": "record linkage (RLD)",
            "meaning": "Share of released records whose own original is among the nearest two.",
            "before": 99.71,
            "after": 12.38,
            "estimated": "after: estimated from 20,000 of 1,000,000 records, ±0.3 points",
            "threshold": 15.0,
            "passed": True,
        },
        {
            "measure": "distance linkage (DLD)",
            "meaning": "Share of persons whom an intruder with the original keys finds.",
            "before": 98.43,
            "after": 9.87,
            "estimated": None,
            "threshold": 10.0,
            "passed": True,
        },
        {
            "measure": "linkage of the most extreme 5 %",
            "meaning": "The same for the records farthest from the middle.",
            "before": 100.0,
            "after": 17.65,
            "estimated": None,
            "threshold": None,
            "passed": None,
        },
        {
            "measure": "interval disclosure (ID)",
            "meaning": "Share of records whose values all lie close to the released ones.",
            "before": 100.0,
            "after": 3.29,
            "estimated": None,
            "threshold": 5.0,
            "passed": True,
        },
    ]


def make_losses() -> dict[str, Any]:
    return {
        "overall_losses": [
            {
                "measure": "information loss (IL)",
                "meaning": "Share of the variance that is gone.",
                "percent": 6.06,
            },
            {
                "measure": "values moved (IL1s)",
                "meaning": "Mean distance of a value from its original, in SDs.",
                "percent": 13.77,
            },
        ],
        "numeric_losses": [
            {
                "name": name,
                "mean_shift": 0.11 * (j - 3),
                "sd_ratio": 0.991 - 0.007 * j,
                "quantile_shift": 1.37 * (j + 1) * (-1) ** j,
            }
            for j, name in enumerate(NAMES)
        ],
        "categorical_losses": [
            {
                "name": "education",
                "share_changed": 21.43,
                "distribution_shift": 2.71,
                "note": None,
            },
            {
                "name": "region",
                "share_changed": None,
                "distribution_shift": None,
                "note": "small strata put together",
            },
        ],
    }


def make_correlations() -> dict[str, Any]:
    rng = np.random.default_rng(7)
    half = rng.normal(scale=0.05, size=(len(NAMES), len(NAMES)))
    matrix = np.round((half + half.T), 3).tolist()
    matrix[4][1] = matrix[1][4] = None
    return {"names": NAMES, "matrix": matrix}


def make_provenance() -> dict[str, Any]:
    return {
        "files": [
            {"role": "original", "name": "survey.csv", "sha256": "3f" * 32},
            {"role": "released", "name": "released.csv", "sha256": "a9" * 32},
        ],
        "software": [
            {"name": "Covey", "version": "0.2.0"},
            {"name": "Python", "version": "3.12.4"},
            {"name": "numpy", "version": "2.1.0"},
        ],
        "platform": "Linux x86_64",
        "seed": 20417,
        "created": "2025-03-14 09:26:53 UTC",
        "settings_toml": '[protect]\nk = 5\ntechnique = "iamat"\n\n[roles]\nidentifiers = '
        '["person_id"]\n',
        "script": 'import covey\n\nrelease = covey.protect("survey.csv", settings="release.toml")\n'
        'release.write("released.csv")\n',
    }


def make_verdict() -> dict[str, Any]:
    return {
        "k_requested": 5,
        "k_achieved": 5,
        "guarantee": "joint",
        "checks": [
            {
                "name": "groups",
                "passed": True,
                "finding": "The smallest class of equal released records has 5.",
            },
            {
                "name": "contributors",
                "passed": True,
                "finding": "Every released value has at least 3 contributors.",
            },
            {
                "name": "identifiers",
                "passed": True,
                "finding": "No identifier is among the released columns.",
            },
        ],
    }


def make_released_columns() -> list[dict[str, Any]]:
    numeric = [
        {
            "name": name,
            "treatment": "mean",
            "unit": unit,
            "rounding": "to whole numbers" if j < 2 else None,
            "missing_cells": 2 * j,
        }
        for j, (name, unit) in enumerate(zip(NAMES, UNITS, strict=True))
    ]
    education = {
        "name": "education",
        "treatment": "lower median",
        "unit": None,
        "rounding": None,
        "missing_cells": 5,
    }
    return [*numeric, education]
