"""One run of a streamed release: its steps, each of which a killed run may have done."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw

from covey.errors import CoveyError, DisclosureWarning, InvalidParameter, SchemaError
from covey.pipeline.cells import usual_cell
from covey.pipeline.chunks import CHUNK
from covey.pipeline.executors import DaskCluster, Executor, Threads, current_client
from covey.pipeline.frame_sources import DaskFrame
from covey.pipeline.guarantee import Counted
from covey.pipeline.plan import ROW, Plan
from covey.pipeline.released_parts import ReleasedParts, are_final
from covey.pipeline.route import Finished, release_parts, route
from covey.pipeline.sample import part_of, read_sample
from covey.pipeline.spark import SparkCluster, is_spark
from covey.pipeline.strata_tally import unnamed_strata
from covey.pipeline.survey import Surveyed, take_survey
from covey.pipeline.tasks import PLAN
from covey.pipeline.work_folder import WorkFolder
from covey.release.copies import ties_of, warn_about_ties
from covey.release.disclosure_warnings import warn_about
from covey.release.fingerprint import fingerprint, see
from covey.release.masked import (
    Masked,
    masked_of,
    warn_of_heavy,
    warn_of_heavy_means,
    warn_of_unnamed_strata,
)
from covey.release.plan_request import PlanRequest, make_plan, prepare_sample
from covey.release.prepared import Original, Prepared, bare_schema
from covey.release.provenance import trace_streamed
from covey.release.release import Release
from covey.release.settings import MOST_AT_ONCE, Settings
from covey.release.written_classes import require_streamed_guarantee
from covey.sources.source import Classes, Records, Room, Source
from covey.tables.kinds import Kinds
from covey.types import Progress

SURVEY = "survey.pickle"
# The mark of a run whose release is in place, or was about to be.
KEPT = "kept"
CHANGED = "The records changed while they were read. Nothing is released."
# Records that are read at a time; the release does not depend on it.
READ = CHUNK
# Records of a part, at most, and what it takes to release them, as a multiple of their own size.
PART_RECORDS = 2**21
TIMES_PART = 8
# Bytes that the check is given, at least.
LEAST_FOR_CHECK = 200 * 10**6


class Divided(NamedTuple):
    """Records that are in the work folder, so that their source is not needed any more."""

    surveyed: Surveyed
    plan: Plan
    routed: dict[str, Any]
    warnings: tuple[str, ...]


class Streaming(NamedTuple):
    """Where the release goes and what may be used for it."""

    target: Source
    memory: int
    work_dir: Path | None = None
    scheduler: Any = None
    force: bool = False


class Run:
    """Records on their way from a source to a target."""

    def __init__(
        self,
        source: Source,
        records: Records,
        settings: Settings,
        streaming: Streaming,
        prepared: Prepared,
        progress: Progress | None,
    ) -> None:
        self.source = source
        self.records = records
        self.settings = settings
        self.streaming = streaming
        self.roles = prepared.roles
        self._ties = ties_of(prepared)  # of the first records: identifiers are kept nowhere
        self._n_seen = prepared.n_records
        self.progress = progress
        self.cell_size = self._cell_size()
        self.part_size = self._part_size()
        self.engine = self._engine()
        self.is_grouped = False
        self._seen = see(source)

    def _engine(self) -> Executor:
        cluster = self.streaming.scheduler
        if cluster is None and isinstance(self.source, DaskFrame):
            cluster = current_client()
        if is_spark(cluster):
            return SparkCluster(cluster)
        if cluster is not None:
            return DaskCluster(cluster)
        return Threads()

    @property
    def _room(self) -> int:
        """How many records may be released at a time."""
        width = len(self.records.schema.names) + len(self.roles.quasi_identifiers)
        return self.streaming.memory // (TIMES_PART * 8 * width)

    def _cell_size(self) -> int | None:
        """What was asked for; else all records at once, or the usual cells where they are many."""
        asked = self.settings.block_size
        if asked is not None or self.records.n_records <= MOST_AT_ONCE:
            return asked
        return usual_cell(len(self.roles.quasi_identifiers))

    def _part_size(self) -> int:
        return max(min(PART_RECORDS, self._room), 2 * int(self.settings.k))

    # -- the work folder -------------------------------------------------------------------

    def fingerprint(self) -> str:
        """What is done to what."""
        sizes = self.cell_size, self.part_size
        return fingerprint(self.records, self.settings, sizes, self._seen)

    def place(self) -> Path:
        """The folder that was asked for, else one beside the release."""
        asked = self.streaming.work_dir
        if asked is not None:
            return asked.resolve()
        beside = self.streaming.target.folder.resolve()
        return beside / f".covey-work-{self.fingerprint()[:16]}"

    # -- the steps -------------------------------------------------------------------------

    def divide(self, folder: WorkFolder) -> Divided:
        """All that reads the source: two passes, or none where they were done before."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DisclosureWarning)
            surveyed = self._surveyed(folder)
            self._warn(surveyed)
            plan = self._plan(folder, surveyed)
            warn_of_unnamed_strata(unnamed_strata(plan.tally, plan.settled))
        most = self.streaming.memory // 8
        routed = route(self.records, plan, folder, most, READ, self.progress)
        if see(self.source) != self._seen:
            raise SchemaError(CHANGED)
        return Divided(surveyed, plan, routed, _texts(caught))

    def finish(self, folder: WorkFolder, divided: Divided, started: datetime) -> Release:
        """Group what was divided, and write the release."""
        plan = divided.plan
        digest = self._digest(divided.surveyed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DisclosureWarning)
            finished = release_parts(
                plan, folder, divided.routed, self.engine, self._room, self.progress
            )
            self.is_grouped = True
            warn_of_heavy(sum(noted["heavy"] for noted in finished.notes))
            warn_of_heavy_means(_added_up([noted["heavy_means"] for noted in finished.notes]))
        texts = (*divided.warnings, *_texts(caught))
        for text in texts:
            warnings.warn(text, DisclosureWarning, stacklevel=4)
        counted = self._written(folder, divided, finished)
        columns = len(self.records.schema.names)
        traced = trace_streamed(self.source.name, digest, self.records, columns, started, texts)
        target = self.streaming.target
        written = target.content_hash()
        if written is not None:
            traced.outputs[target.name] = written
        traced.written.append(target.as_target)
        masked = self._sample(folder, plan, finished)
        settings = self._settled_settings(plan)
        return Release(masked, settings, counted, traced, tuple(finished.notes), target)

    def _sample(self, folder: WorkFolder, plan: Plan, finished: Finished) -> Masked:
        """Groups drawn from all parts, as a release in memory has all of its own."""
        table = read_sample(folder, finished.samples)
        part = part_of(plan, table, finished.notes)
        names = [name for name in self.records.schema.names if name in table.column_names]
        original = Original(table.select(names), self._backend(), self.source, self.records.notes)
        weights = plan.frame.weights(table)
        importance = dict(self.settings.importance)
        prepared = Prepared(
            original, original.table, self.roles, part.variables, weights, importance
        )
        return masked_of(prepared, plan, table, part, table[ROW].to_numpy())

    def _backend(self) -> Any:
        return getattr(self.source, "backend", nw.Implementation.PYARROW)

    def _surveyed(self, folder: WorkFolder) -> Surveyed:
        """The first pass; done again where no file tells that the records are the same."""
        before = folder.load(SURVEY) if folder.file(SURVEY).exists() else None
        if before is not None and self._seen.is_in_files:
            found: Surveyed = before
            return found
        surveyed = take_survey(
            self.records,
            self.roles,
            Kinds.read(self.settings.ordinal, self.settings.nominal, self.settings.integers),
            patterns=self.settings.missing == "pattern",
            digest=not self._seen.is_in_files,
            batch_size=READ,
            progress=self.progress,
        )
        if before is not None and before.digest != surveyed.digest:
            raise InvalidParameter(
                "The records changed since the run that is gone on with; it begins anew next time."
            )
        if self.settings.missing == "error":
            surveyed.survey.require_complete()
        folder.save(SURVEY, surveyed)
        return surveyed

    def _warn(self, surveyed: Surveyed) -> None:
        """What a sample can warn of: not how many values differ, if it is not all records."""
        prepared = prepare_sample(surveyed.sample, self.settings)
        n_records = self.records.n_records
        warn_about(prepared, self.settings, of_records=n_records)
        warn_about_ties(self._ties, first=None if self._n_seen == n_records else self._n_seen)

    def _digest(self, surveyed: Surveyed) -> str:
        """SHA-256 of the file, of the files one after the other, or of the records."""
        return self.source.content_hash() or surveyed.digest

    def _plan(self, folder: WorkFolder, surveyed: Surveyed) -> Plan:
        if folder.file(PLAN).exists():
            found: Plan = folder.load(PLAN)
            return found
        sizes = self.cell_size, self.part_size
        asked = PlanRequest(self.settings, self.records, *sizes, READ)
        plan = make_plan(asked, surveyed)
        folder.save(PLAN, plan)
        return plan

    def _written(self, folder: WorkFolder, divided: Divided, finished: Finished) -> Counted:
        """Stage the release, check it, and let it appear; the smallest classes come back."""
        from pyarrow import parquet

        n_records = sum(noted["records"] for noted in finished.notes)
        if n_records != self.records.n_records - divided.plan.settled.suppressed:
            raise SchemaError(CHANGED)
        paths = [folder.file(name) for name in finished.parts]
        schema = bare_schema(parquet.read_schema(paths[0]))
        target, where = self.streaming.target, {"force": self.streaming.force}
        _tell(self.progress, "writing", 0)
        counted = None
        if target.takes_files and are_final(paths, schema):
            staged = target.stage_files(paths, **where, original=self.source)
            counted = _counted_in_parts(staged.paths, finished)
        else:
            parts = ReleasedParts(paths, schema, _declared(divided))
            staged = target.stage(schema, parts.batches(), **where, original=self.source)
        _tell(self.progress, "writing", 1)
        try:
            _tell(self.progress, "checking", 0)
            joint = all(noted["joint"] for noted in finished.notes)
            least = int(self.settings.k) if joint else 1
            room = Room(max(self.streaming.memory // 3, LEAST_FOR_CHECK), folder.path)
            achieved = require_streamed_guarantee(
                staged, schema.names, self.roles, least, n_records, room, counted
            )
            _tell(self.progress, "checking", 1)
            folder.set_mark(KEPT, True)
            staged.keep()
        except BaseException as error:
            staged.drop()
            if isinstance(error, CoveyError):  # then it is not in place
                folder.clear(f"{KEPT}.json")
            raise
        return Counted(achieved, min(noted["counted"][1] for noted in finished.notes))

    def _settled_settings(self, plan: Plan) -> Settings:
        return self.settings.changed(block_size=self.cell_size).with_driving(plan.technique)


def _counted_in_parts(paths: Sequence[Path], finished: Finished) -> Classes:
    """What the tasks counted: no class of all parts is smaller. Rows are those of the files."""
    from pyarrow import parquet

    smallest = min(noted["counted"][0] for noted in finished.notes)
    return Classes(smallest, sum(parquet.read_metadata(path).num_rows for path in paths))


def _declared(divided: Divided) -> dict[str, Any]:
    """All categories of the columns that list theirs: as they came, or as the settings say."""
    variables = divided.plan.frame.variables
    settled = {one.name: one.categories for one in variables if one.categories is not None}
    return {**divided.surveyed.levels, **settled}


def _added_up(counts: Sequence[Mapping[str, int]]) -> Counter[str]:
    return sum(map(Counter, counts), Counter())


def _texts(caught: list[warnings.WarningMessage]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(warning.message) for warning in caught))


def _tell(progress: Progress | None, stage: str, done: int) -> None:
    if progress is not None:
        progress(stage, done, 1)
