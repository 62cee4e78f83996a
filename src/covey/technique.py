"""Technique: the estimator every microaggregation technique extends.

A technique declares its paper, its parameters and what it can do, and writes `_partition`.
The base validates the input, checks the guarantee and aggregates.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import (
    Any,
    TypeAlias,
    TypeVar,
)

import numpy as np

from covey import parameters
from covey.capabilities import Capabilities, Guarantee
from covey.chance import draw_seed
from covey.errors import (
    DisclosureWarning,
    GuaranteeViolated,
    Infeasible,
)
from covey.parameters import K, declared
from covey.partition import Block, Partition
from covey.progress import Stage
from covey.scaling import standardize
from covey.tables.embedding import RAW, Embedding, embed_numbers
from covey.tables.numeric import NumericTable, read_numeric, remember_features
from covey.types import FloatMatrix, IntVector, Progress
from covey.watching import new_meter, watched

Self = TypeVar("Self", bound="Technique")

# What gives labels for points and k, and what lets it work on parts of the records; the meter
# counts those that are done.
Group: TypeAlias = Callable[[FloatMatrix, int], IntVector]
Divide: TypeAlias = Callable[[Group, FloatMatrix, int, IntVector], IntVector]


@dataclass(eq=False, repr=False)
class Technique(Capabilities):
    """Base of all techniques.

    There is no ``transform``: a record that was not grouped is not protected, so a fitted
    technique has nothing safe to say about new records. As with t-SNE in scikit-learn, only
    ``fit_transform`` returns values, and a technique can only be the last step of a
    ``Pipeline``.

    Parameters
    ----------
    k : int, default=3
        Smallest group size.
    """

    k: int = declared(3, K)

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        """Group label of each record, from coordinates on one footing. To be written.

        `k` is the parameter as a plain int, whatever kind of whole number the user gave.
        """
        raise NotImplementedError

    @property
    def scaling(self) -> str:
        """How numbers are put on one footing; "raw" when the technique scales for itself."""
        return RAW

    def _variable_blocks(self, n_variables: int) -> list[tuple[int, ...]]:
        """Which variables are grouped together; one block means a joint guarantee."""
        return [tuple(range(n_variables))]

    def _check_parameters(self) -> None:
        """Check every declared parameter; techniques add checks of combinations."""
        parameters.check(self.parameters, self.get_params(deep=False))

    def _seed(self) -> int:
        """What a loop that draws at random begins with."""
        return draw_seed(0)

    # -- fitting ---------------------------------------------------------------------------

    def fit(self: Self, X: Any, y: None = None) -> Self:
        """Group the records of X.

        Parameters
        ----------
        X : array-like or data frame of shape (n_records, n_variables)
            Numeric and complete, in raw units.
        y : None
            Ignored; here so that a technique can end a `Pipeline`.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: None = None) -> Any:
        """Group the records of X and release group means, in the container X came in."""
        return self._release(self._fit(X))

    def fit_predict(self, X: Any, y: None = None) -> IntVector:
        """Group the records of X and return `labels_`, as scikit-learn's clusterers do."""
        return self.fit(X).labels_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "clusterer"
        return tags

    def _fit(self, X: Any) -> NumericTable:
        self._check_parameters()
        table = read_numeric(X)
        remember_features(self, table)
        scaled = table.values if self.scaling == RAW else standardize(table.values, self.scaling)
        self._group(embed_numbers(scaled, table.names), X)
        scores = scaled if self.scaling == "zscore" else standardize(table.values)
        self.il_: float = self._information_loss(embed_numbers(scores, table.names))
        return table

    def fit_embedded(
        self: Self,
        embedding: Embedding,
        scores: Embedding,
        X: Any,
        strata: IntVector | None = None,
        progress: Progress | None = None,
        divide: Divide | None = None,
    ) -> Self:
        """Group records of any kind that were embedded in Euclidean space before.

        Parameters
        ----------
        embedding : Embedding
            Coordinates on the footing that `scaling` asks for.
        scores : Embedding
            The same records as z-scores, in which the loss `il_` is taken.
        X : data frame
            The variables as numbers, for a selector to choose from.
        strata : array of int, optional
            Groups never cross strata, which are numbered from 0.
        progress : callable, optional
            Called with (stage, records done, records in all).
        divide : callable, optional
            Lets the technique work on parts of a stratum; see `covey.pipeline`.
        """
        self._check_parameters()
        self.n_features_in_ = embedding.n_variables
        if embedding.names is not None:
            self.feature_names_in_ = np.array(embedding.names, dtype=object)
        self._group(embedding, X, strata, progress, divide)
        self.il_ = self._information_loss(scores)
        return self

    def _group(
        self,
        embedding: Embedding,
        X: Any,
        strata: IntVector | None = None,
        progress: Progress | None = None,
        divide: Divide | None = None,
    ) -> None:
        self._meter = new_meter()
        self._require_enough(embedding.coordinates.shape[0])
        n_variables = embedding.n_variables
        driving = self.driving_columns(X, embedding.names or (), n_variables)
        blocks = self._variable_blocks(n_variables)
        found = []
        for done, block in enumerate(blocks):
            chosen = driving or block
            self.require_driven_by(len(chosen))
            report = _part_of(progress, done, len(blocks))
            labels = self._in_strata(embedding.of(chosen), strata, report, divide)
            found.append(Block(block, self._checked(labels)))
        self.blocks_: tuple[Block, ...] = tuple(found)
        self.guarantee_: Guarantee = "joint" if len(self.blocks_) == 1 else "per block"
        if self.guarantee_ == "per block":
            self._warn_per_block()

    def _require_enough(self, n_records: int) -> None:
        if n_records < self.k:
            raise Infeasible(
                f"{n_records} {'record is' if n_records == 1 else 'records are'} too few for one "
                f"group of k={self.k}. Lower k or add records."
            )

    def _in_strata(
        self,
        coordinates: FloatMatrix,
        strata: IntVector | None,
        progress: Progress | None,
        divide: Divide | None,
    ) -> IntVector:
        """Group labels, formed in each stratum on its own."""
        n_records = coordinates.shape[0]
        strata = np.zeros(n_records, dtype=np.int64) if strata is None else strata
        labels = np.full(n_records, -1, dtype=np.int64)
        done = 0
        for stratum in range(int(strata.max()) + 1):
            inside = np.flatnonzero(strata == stratum)
            self._require_enough(inside.size)
            whole = inside.size == n_records
            points = coordinates if whole else np.ascontiguousarray(coordinates[inside])
            with watched(self._meter, progress, done, n_records):
                found = self._divided(points, int(self.k), divide)
            if found.shape != inside.shape or found.min() < 0:
                raise GuaranteeViolated(
                    "A record was left without a group. Nothing is released. "
                    "Please report this as a bug."
                )
            labels[inside] = found + labels.max() + 1
            done += inside.size
            if progress is not None:
                progress(Stage.GROUPING, done, n_records)
        return labels

    def _divided(self, points: FloatMatrix, k: int, divide: Divide | None) -> IntVector:
        if divide is None:
            return self._grouped(points, k)
        return divide(self.group_alone, points, k, self._meter)

    def _grouped(self, points: FloatMatrix, k: int) -> IntVector:
        """The groups that are released; a base may improve those of `_partition`."""
        return self._partition(points, k)

    def _checked(self, labels: IntVector) -> Partition:
        partition = Partition(labels)
        partition.require(self.k)
        return partition

    def _warn_per_block(self) -> None:
        warnings.warn(
            f"{type(self).__name__} protects each of {len(self.blocks_)} blocks of variables on "
            f"its own: in a block every record shares its values with at least {self.k - 1} "
            "others, but whole released records may be unique.",
            DisclosureWarning,
            stacklevel=4,
        )

    def _release(self, table: NumericTable) -> Any:
        released = np.empty_like(table.values)
        for variables, partition in self.blocks_:
            released[:, variables] = partition.aggregate(table.values[:, variables])
        return table.rebuild(released)

    def _information_loss(self, scores: Embedding) -> float:
        centred = scores.coordinates - scores.coordinates.mean(axis=0)
        total = float(np.square(centred, out=centred).sum())
        lost = sum(partition.sse(scores.of(variables)) for variables, partition in self.blocks_)
        return 100.0 * lost / total if total > 0 else 0.0

    # -- what was fitted -------------------------------------------------------------------

    @property
    def partition_(self) -> Partition:
        """The groups. Only there when all variables share them (a joint guarantee)."""
        blocks: tuple[Block, ...] = getattr(self, "blocks_", ())
        if len(blocks) == 1:
            return blocks[0].partition
        if not blocks:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet; call fit first")
        raise AttributeError(
            f"{type(self).__name__} formed different groups in each of {len(blocks)} blocks of "
            "variables, so there is no joint partition; see blocks_"
        )

    @property
    def labels_(self) -> IntVector:
        """Group of each record; see `partition_`."""
        return self.partition_.labels

    # -- parts of a file ----------------------------------------------------------------------

    def prepare_for(self, n_records: int, n_coordinates: int) -> None:
        """Decide what depends on the size of the whole file, before parts of it are grouped."""

    def group_alone(self, points: FloatMatrix, k: int) -> IntVector:
        """Labels of points that were put on one footing before; several threads may ask."""
        return self.counting_in(new_meter())._grouped(points, k)

    def counting_in(self: Self, meter: IntVector) -> Self:
        """A copy whose loops count the records they are done with in `meter`, and stop with it."""
        alone = copy.copy(self)
        alone._meter = meter
        return alone


def _part_of(progress: Progress | None, part: int, n_parts: int) -> Progress | None:
    """Progress of one of several parts, told as progress of the whole."""
    if progress is None:
        return None
    return lambda stage, done, total: progress(stage, part * total + done, n_parts * total)
