"""Hashes of the labels of techniques, at their default seeds: what a faster search must not change.

`python -m tests.techniques.label_hashes` prints those of the present code as JSON, for a technique
that is new; a hash that is there already never changes.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from covey import datasets
from covey.errors import DisclosureWarning
from covey.techniques import (
    EGMMAT,
    IAMAT,
    MDAV,
    RGMAT,
    VMDAV,
    IndividualRanking,
    OptimalUnivariate,
    Projected,
    Technique,
)

KNOWN = Path(__file__).with_name("label_hashes.json")
LARGE = (
    "grid 20,000 × 3 of 5",
    "grid 100,000 × 3 of 5",
    "normal 100,000 × 5",
    "normal 100,000 × 10",
)
SIZES = (3, 5, 10)


def _file(load: Callable[[], object]) -> np.ndarray:
    table = load()
    return np.column_stack([column.to_numpy() for column in table.columns]).astype(float)


def _grid(n: int, d: int, values: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, values, (n, d)).astype(float)


def _normal(n: int, d: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(n, d))


FILES: dict[str, Callable[[], np.ndarray]] = {
    "census": lambda: _file(datasets.load_census),
    "tarragona": lambda: _file(datasets.load_tarragona),
    "eia11": lambda: _file(lambda: datasets.load_eia("eia11")),
}
MADE: dict[str, Callable[[], np.ndarray]] = {
    "grid 2,000 × 3 of 5": lambda: _grid(2_000, 3, 5),
    "grid 3,000 × 2 of 12": lambda: _grid(3_000, 2, 12),
    "duplicates 2,000 × 4": lambda: np.repeat(_normal(200, 4), 10, axis=0),
    "normal 5,000 × 2": lambda: _normal(5_000, 2),
    "normal 5,000 × 20": lambda: _normal(5_000, 20),
    "grid 20,000 × 3 of 5": lambda: _grid(20_000, 3, 5, seed=0),
    "grid 100,000 × 3 of 5": lambda: _grid(100_000, 3, 5, seed=0),
    "normal 100,000 × 5": lambda: _normal(100_000, 5),
    "normal 100,000 × 10": lambda: _normal(100_000, 10),
}

TECHNIQUES: dict[str, Callable[[int], Technique]] = {
    "MDAV": lambda k: MDAV(k),
    "MDAV, one group a round": lambda k: MDAV(k, groups_per_round=1),
    "MDAV, initial centre": lambda k: MDAV(k, center="initial"),
    "MDAV, rest to the last": lambda k: MDAV(k, remainder="last"),
    "MDAV, rest to the densest": lambda k: MDAV(k, remainder="modal"),
    "MDAV, range": lambda k: MDAV(k, standardize="range"),
    "V-MDAV": lambda k: VMDAV(k),
    "V-MDAV, gamma 1.1": lambda k: VMDAV(k, gamma=1.1),
    "IAMAT": lambda k: IAMAT(k),
    "IAMAT, recomputed centre": lambda k: IAMAT(k, center="recomputed"),
    "IAMAT, variable size": lambda k: IAMAT(k, group_size="variable"),
    "OptimalUnivariate": lambda k: OptimalUnivariate(k, variables=[0]),
    "IndividualRanking": lambda k: IndividualRanking(k),
    "Projected": lambda k: Projected(k),
    "Projected, sum of z-scores": lambda k: Projected(k, projection="zscores"),
    "MDAV, diameter": lambda k: MDAV(k, seeds="diameter"),
    # Without leaf swaps: SciPy, which finds the leaves nearest to each, promises no order of ties.
    "RGMAT, no leaf swaps": lambda k: RGMAT(k, leaf_swaps=False),
    "EGMMAT": lambda k: EGMMAT(k, max_epochs=100),
}
# Slow by nature: not for the large files.
SMALL_ONLY = ("MDAV, diameter", "EGMMAT")


def cases(files: tuple[str, ...]) -> Iterator[tuple[str, str, int]]:
    """File, technique and k of every hash about these files."""
    for file in files:
        for technique in TECHNIQUES:
            if not (file in LARGE and technique in SMALL_ONLY):
                for k in SIZES[:1] if file in LARGE else SIZES:
                    yield file, technique, k


def label_hash(values: np.ndarray, technique: str, k: int) -> str:
    """The labels of all blocks of a technique as sixteen hexadecimal digits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)
        fitted = TECHNIQUES[technique](k).fit(values)
    digest = hashlib.sha256()
    for block in fitted.blocks_:
        digest.update(np.ascontiguousarray(block.partition.labels, dtype="<i8").tobytes())
    return digest.hexdigest()[:16]


def name_of(file: str, technique: str, k: int) -> str:
    return f"{file} | {technique} | k={k}"


def main() -> None:
    found = {}
    for file, load in (FILES | MADE).items():
        values = load()
        for case in cases((file,)):
            found[name_of(*case)] = label_hash(values, *case[1:])
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
