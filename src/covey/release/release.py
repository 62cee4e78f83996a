"""Release: protected data, and everything there is to know about how they came about."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn, SupportsIndex

import narwhals as nw

from covey.errors import DisclosureWarning, memory_explained, refuse_to_pickle
from covey.measures import Evaluation, evaluate
from covey.measures.all_measures import risks_of_original
from covey.measures.loss.il_parts import LossSums, il_of_parts
from covey.parameters import OneOf, require
from covey.partition import Partition
from covey.pipeline.guarantee import (
    Counted,
    key_columns,
    require_guarantee,
    require_same_classes,
)
from covey.pipeline.part import dropped
from covey.release.as_numbers import Coded, coded_pair
from covey.release.masked import Masked
from covey.release.provenance import Provenance, table_hash
from covey.release.script import script_of
from covey.release.settings import Settings
from covey.release.totals import Totals
from covey.sources.databases.columns import without_declaration
from covey.sources.files import read_back, table_writer
from covey.sources.hashes import file_hash, joint_hash
from covey.sources.opening import open_target
from covey.sources.source import BATCH, Source
from covey.sources.whole import Together
from covey.tables.categories import in_released_order
from covey.tables.frames import in_pandas
from covey.tables.roles import Roles
from covey.technique import Technique
from covey.types import Progress


@dataclass(frozen=True)
class Release:
    """Protected data and how they came about.

    It holds the original too, so it is not pickled: `write` keeps the release and
    `settings.write` what made it.

    Attributes
    ----------
    data : data frame
        Released columns in the kind of frame that came in, rows in the order of the original
        (without suppressed records). Of a release that was written to a place (``out=``) they are
        read from there when they are asked for, in the order they have there.
    table : pyarrow.Table
        The same as a pyarrow table; this is what `write` writes.
    n_records, n_groups, n_parts : int
        Released records, their groups, and the parts that they were released in: one in memory.
    il_ : float
        Information loss in percent, of all records.
    is_sampled : bool
        Whether figures and pictures beyond counts and `il_` are those of whole groups that were
        drawn from a release larger than memory.
    written : str
        Where the release was written to, if it was made with ``out=``.
    technique : Technique
        The fitted technique: `partition_`, `blocks_`, `il_`, `guarantee_`; of a sample, the groups
        in it.
    settings : Settings
        Everything that decided the release; `settings.write("run.toml")` keeps it.
    achieved_k : int
        Smallest number of records that are equal in all released quasi-identifiers and strata.
    block_k : int
        The same inside each block of variables: what a per-block guarantee is about. Equal to
        `achieved_k` when the guarantee is joint.
    dropped : dict
        Columns that were left out, and why.
    merged, suppressed
        Strata that were put together because they were too small, in words, and the number of
        records that were left out for that reason.
    emptied : dict
        Columns in which cells lost their value, and the number of these cells: too few records
        stand behind a value that could be released, or the cells are of small strata that were
        put together in a column that does not hold text.
    lost_weights : dict
        Averaged weights of which such cells had a part, and the percentage of the total that is
        lost with them.
    averaged_codes : tuple of str
        Quasi-identifiers that hold few whole numbers, as codes of categories do, and were averaged
        as numbers because they were not declared nominal, ordinal or integers; some released
        values are none of the original ones.
    roles : Roles
        The role of every column.
    provenance : Provenance
        Hashes, versions and times.
    """

    masked: Masked = field(repr=False)
    settings: Settings
    counted: Counted
    provenance: Provenance = field(repr=False)
    notes: tuple[dict[str, Any], ...] = field(repr=False)
    target: Source | None = field(default=None, repr=False)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_to_pickle(self)

    def __copy__(self) -> Release:
        return replace(self, provenance=deepcopy(self.provenance))

    def __deepcopy__(self, memo: Any) -> Release:
        """A copy in memory; what never changes is shared."""
        return self.__copy__()

    @cached_property
    def table(self) -> Any:
        return self.masked.table if self.target is None else self.target.read().table

    @cached_property
    def data(self) -> Any:
        original = self.masked.prepared.original
        if self.target is not None and original.source is not None:
            frame = original.source.frame_at(self.target)
            if frame is not None:
                return frame
        backend = original.backend
        if backend is nw.Implementation.PANDAS:
            return in_pandas(self.table)
        return nw.from_arrow(nw.from_native(self.table), backend=backend).to_native()

    @cached_property
    def totals(self) -> Totals:
        """What is counted over all parts."""
        return Totals(self.notes, self.roles)

    @property
    def n_records(self) -> int:
        return self.totals.n_records

    @property
    def n_groups(self) -> int:
        return sum(self.group_sizes.values())

    @property
    def n_parts(self) -> int:
        return len(self.notes)

    @property
    def group_sizes(self) -> dict[int, int]:
        """How many groups there are of each size."""
        return self.totals.group_sizes

    @property
    def il_(self) -> float:
        return self.totals.il

    @property
    def is_sampled(self) -> bool:
        return self.masked.prepared.n_records < self.n_records

    @property
    def written(self) -> str:
        return "" if self.target is None else self.target.name

    @property
    def gaps(self) -> dict[str, tuple[int, int]]:
        """Missing cells of each released column, before and after."""
        return self.totals.gaps

    @property
    def technique(self) -> Technique:
        return self.masked.technique

    @property
    def partition(self) -> Partition:
        """The groups; only there when the guarantee is joint."""
        return self.technique.partition_

    @property
    def achieved_k(self) -> int:
        return self.counted.achieved_k

    @property
    def block_k(self) -> int:
        return self.counted.block_k

    @property
    def roles(self) -> Roles:
        return self.masked.prepared.roles

    @property
    def dropped(self) -> dict[str, str]:
        return dropped(self.roles, self.technique)

    @property
    def merged(self) -> tuple[str, ...]:
        return tuple(words for words, _ in self.masked.plan.settled.merged)

    @property
    def suppressed(self) -> int:
        return self.masked.plan.settled.suppressed

    @property
    def emptied(self) -> dict[str, int]:
        return self.totals.emptied

    @property
    def lost_weights(self) -> dict[str, float]:
        return self.totals.lost_weights

    @cached_property
    def averaged_codes(self) -> tuple[str, ...]:
        return self.totals.averaged_codes(self.masked.prepared.variables)

    @cached_property
    def coded(self) -> Coded:
        """Original and released values as numbers, as the measures take them."""
        return coded_pair(self.masked)

    @cached_property
    def evaluation(self) -> Evaluation:
        """Loss and risk, for an intruder who knows every quasi-identifier and stratum."""
        return self.evaluate()

    def measure(self, progress: Progress | None = None) -> Evaluation:
        """`evaluation`, telling how far it is when it has to be taken first."""
        if "evaluation" not in self.__dict__:
            self.__dict__["evaluation"] = self.evaluate(progress=progress)
        return self.evaluation

    def measure_original(self, progress: Progress | None = None) -> Evaluation:
        """The risk of releasing the original as it is, for the internal report."""
        if "_original_risk" not in self.__dict__:
            coded = self.coded
            self.__dict__["_original_risk"] = risks_of_original(
                coded.original, coded.nominal, progress, exact=self.settings.exact
            )
        found: Evaluation = self.__dict__["_original_risk"]
        return found

    @memory_explained()
    def evaluate(
        self,
        keys: Sequence[str] | None = None,
        weight: float = 0.5,
        subsets: Any = "auto",
        progress: Progress | None = None,
        exact: bool | None = None,
    ) -> Evaluation:
        """Loss and risk of the release; see `covey.evaluate`.

        `exact` is what the settings say if not given.
        """
        coded = self.coded
        found = evaluate(
            coded.original,
            coded.released,
            keys=keys,
            confidential=coded.confidential,
            weight=weight,
            subsets=subsets,
            nominal=coded.nominal,
            ordinal=coded.ordinal,
            strata=coded.strata,
            aligned=True,
            progress=progress,
            exact=self.settings.exact if exact is None else exact,
        )
        parts = {**found.parts, **self._exact_parts()}
        return replace(found, parts=parts, backend=self.masked.prepared.original.backend)

    def _exact_parts(self) -> dict[str, Any]:
        """What is known of all records, where the rest is measured on a sample of them."""
        sums = [noted["loss_sums"] for noted in self.notes if noted.get("loss_sums")]
        if not self.is_sampled or not sums:
            return {}
        return {"il": il_of_parts([LossSums.from_plain(lists) for lists in sums])}

    def script(self) -> str:
        """Python that makes this release again."""
        written = next(iter(self.provenance.written), repr("released.csv"))
        return script_of(self.settings, self.masked.prepared.original.source, written)

    @memory_explained()
    def write(
        self,
        place: str | Path | Source,
        *,
        table: str | None = None,
        order: str = "released",
        force: bool = False,
    ) -> None:
        """Write the release, whole or not at all.

        `place` is a file, whose ending decides the format, or a database, into which the release
        goes as `table`, in one transaction. Rows are ordered by their released values, so that
        nothing of the original order is left; ``order="original"`` keeps it, with a warning.
        """
        with self.together(force=force) as files:
            self.write_into(files, open_target(place, table), order=order)

    def together(self, *, force: bool = False) -> Together:
        """Files about this release that appear together; the original is never replaced."""
        return Together(force=force, original=self.masked.prepared.original.files)

    def write_into(self, files: Together, target: Source, *, order: str = "released") -> None:
        """Add the release to what will appear together, and note its hash."""
        require(OneOf(("released", "original")), order=order)
        table = self.table
        require_guarantee(
            table, self.roles, self.technique.blocks_, int(self.settings.k), table.num_rows
        )
        if order == "released":
            table = in_released_order(table)
        else:
            warnings.warn(
                "The order of the rows is released too: whoever knows the order of the original "
                "file can tell whose record is whose.",
                DisclosureWarning,
                stacklevel=3,
            )
        if target.file is not None:
            self._add_file(files, target.file, table)
            self.provenance.written.append(target.as_target)
        else:
            self._add_elsewhere(files, target, table)

    def _add_file(self, files: Together, path: Path, table: Any) -> None:
        staged = files.add(path, table_writer(table, path))
        self._require_same_classes(read_back(staged, path), table)
        self.provenance.outputs[path.name] = file_hash(staged)

    def _add_elsewhere(self, files: Together, target: Source, table: Any) -> None:
        """Write so that nobody sees it, until everything else is in place."""
        original = self.masked.prepared.original.source
        schema, batches = self._declared_schema(table.schema), table.to_batches(BATCH)
        staged = target.stage(schema, batches, force=files.force, original=original)
        files.add_staged(staged)
        written = staged.read_back()
        self._require_same_classes(written, table)
        hashes = [file_hash(path) for path in staged.paths]
        digest = joint_hash(hashes) if hashes else table_hash(in_released_order(written))
        self.provenance.outputs[target.name] = digest
        self.provenance.written.append(target.as_target)

    def _declared_schema(self, schema: Any) -> Any:
        """The schema; strata that were merged have longer names than their column may hold."""
        strata = self.roles.strata if self.merged else ()
        for index, part in enumerate(schema):
            if part.name in strata:
                schema = schema.set(index, without_declaration(part))
        return schema

    def _require_same_classes(self, written: Any, table: Any) -> None:
        require_same_classes(written, table, self.key_columns, self._least_class)

    @property
    def key_columns(self) -> list[str]:
        """The released columns in which the members of a group are equal."""
        return key_columns(self.roles, self.table.column_names)

    @property
    def _least_class(self) -> int:
        return int(self.settings.k) if self.technique.guarantee_ == "joint" else 1

    def report(
        self,
        path: str | Path,
        audience: str = "internal",
        *,
        alternatives: Any = None,
        title: str | None = None,
        publisher: str | None = None,
        contact: str | None = None,
        force: bool = False,
    ) -> None:
        """Write a report as one HTML file, and the same as JSON beside it.

        "internal" has everything needed to replicate and sign; "external" is for those who will
        use the data, and says nothing an intruder could use. `alternatives` is a `Comparison`
        whose candidates the internal report shows; `publisher` and `contact` are for the external
        one.
        """
        from covey.release.reporting import check_page, rendered

        check_page(Path(path))
        about = {"title": title, "publisher": publisher, "contact": contact}
        report = rendered(self, audience, alternatives, **about)
        with self.together(force=force) as files:
            report.write_into(files, Path(path))
