"""Contents of reports as a release would give them, small but complete."""

from __future__ import annotations

from typing import Any

from .sample_parts import (
    NAMES,
    make_alternatives,
    make_columns,
    make_correlations,
    make_distributions,
    make_groups_map,
    make_losses,
    make_method,
    make_provenance,
    make_released_columns,
    make_risks,
    make_verdict,
)


def internal_content() -> dict[str, Any]:
    return {
        "title": "Household survey 2024: release for research",
        "date": "14 March 2025",
        "verdict": make_verdict(),
        "summary": [
            "The survey of 2,004 persons is released with nine columns; two persons in a stratum "
            "too small to protect were left out.",
            "No measured risk exceeds its threshold. Means are kept; standard deviations are up to "
            "5 % smaller.",
        ],
        "judgement": [
            "capital_income: 120 of 397 group means (30 %) come mostly from one record.",
            "The most extreme records are found more often than others.",
        ],
        "warnings": ["The most extreme records are found more often than others."],
        "columns": make_columns(),
        "method": make_method(),
        "groups": {
            "records": 2002,
            "groups": 397,
            "smallest": 5,
            "mean": 5.043,
            "largest": 8,
            "sizes": [
                {"size": 5, "groups": 384},
                {"size": 6, "groups": 10},
                {"size": 7, "groups": 2},
                {"size": 8, "groups": 1},
            ],
        },
        "risks": make_risks(),
        "linkage_note": "Record linkage gives the intruder two guesses, distance linkage one.",
        "dominance": {
            "rule": "A mean is dominated when one record makes up more than 85 % of the total, or "
            "when the second largest can tell the largest to within 10 %.",
            "variables": [
                {"variable": "capital_income", "dominated": 11, "groups": 397},
                {"variable": "net_income", "dominated": 0, "groups": 397},
            ],
        },
        "diversity": [
            {"variable": "diagnosis", "fewest_values": 2, "single_value_percent": 0.0},
            {"variable": "debt", "fewest_values": 1, "single_value_percent": 0.75},
        ],
        **make_losses(),
        "groups_map": make_groups_map(),
        "distributions": make_distributions(),
        "correlation_difference": make_correlations(),
        "edit_rules": [
            {
                "rule": "net_income <= gross_income",
                "applies_before": 1987,
                "violations_before": 0,
                "applies_after": 2002,
                "violations_after": 0,
            },
            {
                "rule": "age < 15 implies wage_income == 0",
                "applies_before": 214,
                "violations_before": 0,
                "applies_after": 219,
                "violations_after": 6,
            },
        ],
        "alternatives": make_alternatives(),
        "records_at_risk": [
            {
                "row": 1731,
                "chance": 33.33,
                "reason": "Highest capital income; far from all others.",
                "extreme_in": ["capital_income", "net_income"],
            },
            {
                "row": 88,
                "chance": 25.0,
                "reason": "Oldest person of the region.",
                "extreme_in": [],
            },
        ],
        "three_questions": {
            "singling_out": {"smallest_class": 5, "records_alone": 0},
            "linkability": {"linked_percent": 9.87, "bound_percent": 20.0},
            "inference": {
                "interval_percent": 3.29,
                "dominated_percent": 1.39,
                "single_value_percent": 0.75,
            },
        },
        "provenance": make_provenance(),
    }


def external_content() -> dict[str, Any]:
    released = [
        {name: value for name, value in variable.items() if name != "original"}
        for variable in make_distributions()
    ]
    return {
        "title": "Household survey 2024: file for research",
        "date": "14 March 2025",
        "publisher": "Statistical office",
        "contact": "microdata@office.example",
        "purpose": "Persons who answer a survey are promised that nobody will recognise them. "
        "Before this file was given out its values were changed so that the promise holds.",
        "records": 2002,
        "k": 5,
        "guarantee": "joint",
        "columns": make_released_columns(),
        "removed": [{"name": "person_id", "reason": "It identifies persons directly."}],
        "numeric": [
            {
                "name": name,
                "mean_change": 0.07 * (j - 3),
                "mean_days": None,
                "sd_ratio": 0.991 - 0.007 * j,
                "correlation_difference": 0.011 * (j + 1),
            }
            for j, name in enumerate(NAMES)
        ],
        "mean_basis": "The mean of each file is taken over all cells that have a value in it.",
        "categorical": [
            {"name": "education", "distribution_shift": 2.71, "note": None},
            {"name": "region", "distribution_shift": None, "note": "small strata put together"},
        ],
        "distributions": released,
        "weight": {"name": "weight", "treatment": "It was not changed."},
        "notes": ["Incomes are before the revision of June 2025."],
        "terms": "For research and teaching; not to be passed on.",
        "citation": {
            "text": "Statistical office (2025). Household survey 2024: file for research.",
            "bibtex": "@misc{survey2024,\n  title = {Household survey 2024},\n  year = {2025}\n}",
        },
        "software": "Covey 0.2.0",
    }
