"""Recompute every table of docs/papers.md: published beside reproduced beside correct.

Run with the benchmark files in the folder COVEY_DATA names:  python -m benchmarks.papers
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from tests.papers import published
from tests.papers.reproduction import (
    iamat_by_exponentials,
    il_of_selection,
    il_with_faulty_sum,
)

from benchmarks.pages import ROOT, fill, table
from covey import datasets
from covey.selection import DependenceTree
from covey.techniques import EGMMAT, IAMAT, MDAV, RGMAT

KS = (3, 4, 5, 6, 10)
ONE: dict[str, Any] = {"groups_per_round": 1}


@cache
def data(name: str) -> np.ndarray:
    loaders = {
        "tarragona": datasets.load_tarragona,
        "census": datasets.load_census,
        "eia10": lambda: datasets.load_eia("eia10"),
        "eia11": lambda: datasets.load_eia("eia11"),
    }
    columns = loaders[name]().columns
    return np.column_stack([column.to_numpy() for column in columns]).astype(float)


def il(technique: Any, name: str) -> str:
    return f"{technique.fit(data(name)).il_:.4f}"


def agrees(found: float, printed: float) -> str:
    return "yes" if f"{found:.4f}" == f"{printed:.4f}" else "no"


def recipes() -> str:
    variants = {
        "MDAV": MDAV(),
        "MDAV, one a round": MDAV(**ONE),
        "MDAV, one a round, initial centre": MDAV(center="initial", **ONE),
        "MDAV by diameter": MDAV(seeds="diameter"),
        "IAMAT": IAMAT(),
        "IAMAT, centre recomputed": IAMAT(center="recomputed"),
    }
    cells = [(name, k) for name in published.FILES for k in KS]
    cells += [(name, k) for name in ("eia10", "eia11") for k in (3, 5, 10)]
    short = {"tarragona": "T", "census": "C", "eia10": "EIA10-", "eia11": "EIA11-"}
    rows = [
        [label, *(il(technique.set_params(k=k), name) for name, k in cells)]
        for label, technique in variants.items()
    ]
    return table(["technique", *(f"{short[name]}{k}" for name, k in cells)], rows)


def mdav() -> str:
    rows = []
    for name in published.FILES:
        for k, printed in published.MDAV_2007[name].items():
            found = MDAV(k=k, **ONE).fit(data(name)).il_
            # The paper cuts digits off where others round.
            same = "yes" if abs(found - printed) < 1e-4 else "no"
            rows.append([name, k, f"{printed:.4f}", f"{found:.4f}", same])
    return table(["file", "k", "published", "MDAV, one a round", "agrees"], rows)


def iamat() -> str:
    rows = []
    for name in published.FILES:
        for k, printed in published.IAMAT_2007[name].items():
            faulty = il_with_faulty_sum(data(name), k)
            correct = il(IAMAT(k=k), name)
            rows.append(
                [name, k, f"{printed:.4f}", f"{faulty:.4f}", agrees(faulty, printed), correct]
            )
    return table(["file", "k", "published", "with the faulty sum", "agrees", "correct IL"], rows)


def log_domain() -> str:
    rows = []
    for k in (3, 4, 5, 6):
        literal = [iamat_by_exponentials(data("tarragona"), k, t) for t in (np.float64, np.float32)]
        rows.append([k, il(IAMAT(k=k), "tarragona"), *(f"{value:.4f}" for value in literal)])
    return table(["k", "Covey", "exponentials, double", "exponentials, single"], rows)


def variable_size() -> str:
    cells = [(name, k) for name in published.FILES for k in KS]
    cells += [("eia11", k) for k in (3, 5, 10)]
    rows = [["fixed", *(il(IAMAT(k=k), name) for name, k in cells)]]
    for gamma in (0.3, 0.5, 0.7, 0.9, 1.1):
        technique = IAMAT(group_size="variable", gamma=gamma)
        rows.append([gamma, *(il(technique.set_params(k=k), name) for name, k in cells)])
    short = {"tarragona": "T", "census": "C", "eia11": "EIA11-"}
    return table(["gamma", *(f"{short[name]}{k}" for name, k in cells)], rows)


def simulated_2007() -> str:
    rows = []
    for (d, k), uniform_cells in published.UNIFORM_2007.items():
        normal_cells = published.NORMAL_2007[d, k]
        rng = np.random.default_rng(0)
        sets = rng.uniform(0, 1000, (10_000, d)), rng.normal(0, 0.05, (10_000, d))
        found = [[MDAV(k=k, **ONE).fit(X).il_, IAMAT(k=k).fit(X).il_] for X in sets]
        for word, printed, ours in zip(
            ("uniform", "normal"), (uniform_cells, normal_cells), found, strict=True
        ):
            rows.append([word, d, k, printed[0], f"{ours[0]:.2f}", printed[1], f"{ours[1]:.2f}"])
    return table(["data", "d", "k", "MDAV published", "ours", "IAMAT published", "ours"], rows)


def simulated_2010() -> str:
    rng = np.random.default_rng(0)
    sets = [
        ("uniform, 4800 × 16", published.UNIFORM_2010, rng.uniform(0, 40_000, (4800, 16))),
        (
            "“normal”, against uniform data, 1560 × 16",
            published.NORMAL_2010,
            rng.uniform(0, 1, (1560, 16)),
        ),
        (
            "“normal”, against normal data, 1560 × 16",
            published.NORMAL_2010,
            rng.normal(500, 150, (1560, 16)),
        ),
    ]
    rows = [
        [
            label,
            k,
            printed[0],
            f"{MDAV(k=k, **ONE).fit(X).il_:.2f}",
            printed[1],
            f"{IAMAT(k=k).fit(X).il_:.2f}",
        ]
        for label, cells, X in sets
        for k, printed in cells.items()
    ]
    return table(["set", "k", "MDAV published", "ours", "IAMAT published", "ours"], rows)


def genetic() -> str:
    rows = []
    for name in published.FILES:
        for k in (3, 4, 5):
            dome = published.DOMES_2021[name][k]
            X = data(name)
            ours = [
                [make(seed).fit(X).il_ for seed in range(10)]
                for make in (
                    lambda seed, k=k: RGMAT(k=k, leaf_swaps=False, patience=1, random_state=seed),
                    lambda seed, k=k: RGMAT(k=k, random_state=seed),
                    lambda seed, k=k, dome=dome: EGMMAT(k=k, dome_size=dome, random_state=seed),
                )
            ]
            literal, swapped, egmmat = (f"{np.mean(ils):.2f} ± {np.std(ils):.2f}" for ils in ours)
            rows.append(
                [
                    name,
                    k,
                    published.RGMAT_2021[name][k],
                    literal,
                    swapped,
                    published.EGMMAT_2021[name][k],
                    egmmat,
                ]
            )
    return table(
        ["file", "k", "RGMAT published", "literal text", "Covey", "EGMMAT published", "Covey"],
        rows,
    )


def selections() -> str:
    rows = []
    for name, weight, width, sure, tied in published.SELECTIONS:
        choices = DependenceTree(3, weight, width).fit(data(name)).possibilities_
        found = {frozenset(j + 1 for j in choice) for choice in choices}
        expected = {frozenset(sure | set(rest)) for rest in combinations(tied, 3 - len(sure))}
        text = " ".join(map(str, sorted(sure))) or "none"
        rest = " ".join(map(str, sorted(tied))) or "none"
        rows.append([name, weight, width, text, rest, "yes" if found == expected else "no"])
    return table(
        ["file", "weight", "width", "always chosen", "tied at the cut", "reproduced"], rows
    )


def three_variables() -> str:
    return _selection_losses(published.THREE_VARIABLES, "published", lambda variables: variables)


def four_variables() -> str:
    return _selection_losses(
        published.FOUR_VARIABLES, "published for four", lambda variables: variables[:3]
    )


def _selection_losses(cells: Any, heading: str, counted: Any) -> str:
    rows = []
    for name in published.FILES:
        for variables, printed in cells[name].items():
            reproduced = il_of_selection(data(name), counted(variables), last_group=False)
            correct = il_of_selection(data(name), variables, last_group=True)
            rows.append(
                [
                    name,
                    " ".join(map(str, variables)),
                    f"{printed:.4f}",
                    f"{reproduced:.4f}",
                    agrees(reproduced, printed),
                    f"{correct:.4f}",
                ]
            )
    return table(["file", "variables", heading, "reproduced", "agrees", "correct IL"], rows)


def subsets() -> str:
    rows = []
    for name in published.FILES:
        _, low, _, high, means = published.ALL_SUBSETS[name]
        losses = {
            triple: il_of_selection(data(name), triple, last_group=False)
            for triple in combinations(range(1, 14), 3)
        }
        fours = [
            il_of_selection(data(name), four, last_group=True)
            for four in combinations(range(1, 14), 4)
        ]
        cells = [
            ("least, three", low, min(losses.values())),
            ("largest, three", high, max(losses.values())),
        ]
        for size, printed in zip((3, 4, 5), means, strict=True):
            mean = np.mean([losses[c[:3]] for c in combinations(range(1, 14), size)])
            cells.append((f"mean, {size} (lowest three counted)", printed, float(mean)))
        rows += [[name, what, f"{p:.4f}", f"{f:.4f}", agrees(f, p)] for what, p, f in cells]
        three = min(
            il_of_selection(data(name), triple, last_group=True)
            for triple in combinations(range(1, 14), 3)
        )
        rows.append([name, "least, three, correct", f"{low:.4f}", f"{three:.4f}", "no"])
        rows.append([name, "least, four, correct", f"{low:.4f}", f"{min(fours):.4f}", "no"])
    return table(["file", "over all subsets", "published", "found", "agrees"], rows)


def recovery() -> str:
    cases = [
        ("siblings related", "siblings related", 1),
        ("siblings unrelated", "siblings unrelated", 1),
        ("8 variables, ten intervals", 8, 100),
        ("16 variables, ten intervals", 16, 100),
        ("22 variables, ten intervals", 22, 100),
    ]
    sizes = (50, 150, 500, 1500, 5000)
    rows = [
        [label, weight, *(_recovered(n, tree, weight, width) for n in sizes)]
        for label, tree, width in cases
        for weight in ("emim", "chi2", "correlation")
    ]
    return table(["tree", "weight", *(f"n = {n}" for n in sizes)], rows)


def _recovered(n: int, tree: Any, weight: str, width: float) -> int:
    count = 0
    for seed in range(20):
        drawn = datasets.make_dependence_tree(n, tree, seed)
        selector = DependenceTree(1, weight, "auto" if weight == "correlation" else width)
        found = {(edge.first, edge.second) for edge in selector.fit(drawn.X).tree_.edges}
        count += found == drawn.edges
    return count


TABLES = {
    "recipes": recipes,
    "mdav": mdav,
    "iamat": iamat,
    "log-domain": log_domain,
    "variable-size": variable_size,
    "simulated-2007": simulated_2007,
    "simulated-2010": simulated_2010,
    "genetic": genetic,
    "selections": selections,
    "three-variables": three_variables,
    "four-variables": four_variables,
    "subsets": subsets,
    "recovery": recovery,
}

if __name__ == "__main__":
    fill(ROOT / "docs" / "papers.md", TABLES)
