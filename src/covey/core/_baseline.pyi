from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.types import FloatMatrix, FloatVector, IntMatrix, IntVector

class Stopped(Exception): ...

class Search:
    def __init__(
        self,
        points: FloatMatrix,
        neighbours: Any,
        n_near: int,
        scales: FloatVector,
        k: int,
        labels: IntVector,
    ) -> None: ...
    def run(
        self,
        *,
        sweeps: float,
        pools: float,
        hot: float,
        cold: float,
        merge_at: float,
        seed: int,
        number: int,
        n_regions: int,
        n_streams: int,
        threads: int,
        meter: IntVector,
    ) -> float: ...
    def labels(self) -> IntVector: ...
    def tried(self) -> IntVector: ...
    def keep_best(self) -> IntVector: ...
    def best_sse(self) -> float: ...

def runs_avx2() -> bool: ...
def shared_seconds() -> float: ...
def mdav(
    points: FloatMatrix,
    k: int,
    two_a_round: bool,
    moving_center: bool,
    scan_below: int,
    threads: int,
    meter: IntVector,
) -> IntVector: ...
def mdav_by_diameter(
    points: FloatMatrix, k: int, scan_below: int, threads: int, meter: IntVector
) -> IntVector: ...
def iamat(
    points: FloatMatrix,
    k: int,
    largest: int,
    gamma: float,
    moving_center: bool,
    scan_below: int,
    threads: int,
    meter: IntVector,
) -> IntVector: ...
def vmdav(
    points: FloatMatrix, k: int, gamma: float, scan_below: int, threads: int, meter: IntVector
) -> IntVector: ...
def domes(
    points: FloatMatrix, dome_size: int, scan_below: int, threads: int, meter: IntVector
) -> IntVector: ...
def egmmat(
    points: FloatMatrix,
    order: IntVector,
    k: int,
    dome_size: int,
    *,
    crossover_rate: float,
    mutation_rate: float,
    patience: int,
    max_epochs: int,
    seed: int,
    threads: int,
    meter: IntVector,
) -> IntVector: ...
def rgmat(
    points: FloatMatrix,
    k: int,
    *,
    crossover_rate: float,
    mutation_rate: float,
    patience: int,
    max_epochs: int,
    seed: int,
    threads: int,
    meter: IntVector,
) -> IntVector: ...
def exchange_leaves(
    points: FloatMatrix,
    labels: IntVector,
    close: IntMatrix,
    k: int,
    *,
    rate: float,
    patience: int,
    max_epochs: int,
    seed: int,
    meter: IntVector,
) -> IntVector: ...
def windows(
    points: FloatMatrix,
    labels: IntVector,
    k: int,
    *,
    groups: int,
    sweeps: int,
    passes: int,
    seed: int,
    threads: int,
    meter: IntVector,
) -> IntVector: ...
def optimal_labels(values: FloatVector, k: int) -> IntVector: ...
def link_to_released(
    originals: FloatMatrix,
    rows: FloatMatrix,
    sizes: IntVector,
    own: IntVector,
    scan_below: int,
    threads: int,
    meter: IntVector,
) -> FloatVector: ...
def link_to_originals(
    originals: FloatMatrix,
    rows: FloatMatrix,
    members: IntVector,
    starts: IntVector,
    nearest: int,
    share_ties: bool,
    scan_below: int,
    threads: int,
    meter: IntVector,
) -> FloatVector: ...
def count_patterns(
    first: FloatMatrix,
    second: FloatMatrix,
    sizes: IntVector,
    window: float,
    records: IntVector,
    threads: int,
    meter: IntVector,
) -> FloatVector: ...
def mixture_round(
    low: IntVector,
    high: IntVector,
    shares: FloatVector,
    matches_low: FloatVector,
    matches_high: FloatVector,
    others_low: FloatVector,
    others_high: FloatVector,
    threads: int,
) -> FloatVector: ...
def link_by_weight(
    first: FloatMatrix,
    second: FloatMatrix,
    sizes: IntVector,
    own: IntVector,
    window: float,
    weights: FloatVector,
    agree: FloatVector,
    disagree: FloatVector,
    columns: FloatMatrix,
    by_rank: IntMatrix,
    ranks: FloatMatrix,
    threads: int,
    meter: IntVector,
) -> FloatVector: ...
def count_disclosed(
    original: FloatMatrix,
    released: FloatMatrix,
    orders: IntMatrix,
    reaches: IntVector,
    by_record: bool,
    threads: int,
) -> IntVector: ...
def group_diversity(
    labels: IntVector, codes: IntVector, n_groups: int, threads: int
) -> tuple[IntVector, FloatVector]: ...
def group_means(
    values: FloatMatrix, labels: IntVector, n_groups: int, threads: int
) -> FloatMatrix: ...
def median_order(points: FloatMatrix, leaf: int, threads: int, meter: IntVector) -> IntVector: ...
def approximate_neighbours(
    points: FloatMatrix,
    count: int,
    *,
    trees: int,
    leaf: int,
    rounds: int,
    friends: int,
    seed: int,
    threads: int,
    meter: IntVector,
) -> tuple[NDArray[np.int32], FloatMatrix]: ...
def cut_tree_leaves(
    points: FloatMatrix,
    sides: IntVector,
    cuts: FloatVector,
    lower: IntVector,
    upper: IntVector,
    threads: int,
) -> IntVector: ...
def price_groups(
    points: FloatMatrix,
    prices: FloatVector,
    near: FloatMatrix,
    sizes: IntVector,
    *,
    limit: float,
    patience: int,
    kept: int,
    threads: int,
    meter: IntVector,
) -> tuple[FloatVector, bool, IntMatrix]: ...
