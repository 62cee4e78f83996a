"""From a source to a release that is written batch by batch, whatever the memory."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
from sklearn.base import clone

from covey.errors import DisclosureWarning, Infeasible, InvalidParameter, SchemaError
from covey.release.preparing import Original, Prepared, bare_schema, open_original, prepare
from covey.release.provenance import Provenance, file_hash, now, trace_streamed
from covey.release.settings import Settings
from covey.release.streamed import StreamedRelease
from covey.release.streamed_checking import require_streamed_guarantee
from covey.release.warning import warn_about
from covey.scale.assembling import information_loss
from covey.scale.blocks import BLOCK_SIZE, require_blocks
from covey.scale.chunks import CHUNK, in_chunks
from covey.scale.engines import DaskCluster, Engine, Threads
from covey.scale.folder import WorkFolder
from covey.scale.frame import Frame
from covey.scale.frames_as_sources import DaskFrame, InMemory, is_dask_frame
from covey.scale.parquet_folder import ParquetFolder
from covey.scale.plan import GROUP, KEY, STRATUM, Plan, divide
from covey.scale.running import Finished, group_and_release, spill
from covey.scale.settling import Settled, settle
from covey.scale.surveying import Surveyed, sums_by_key, take_survey
from covey.scale.tasks import PLAN
from covey.sources.databases.database import Database
from covey.sources.files_as_sources import FileParts, FileSource
from covey.sources.opening import open_source, open_target
from covey.sources.source import Records, Source
from covey.tables.kinds import Kinds
from covey.technique import Selector, Technique
from covey.types import Progress

SURVEY = "survey.pickle"
# Records that are read at a time; the release does not depend on it.
READ = CHUNK
# What a cell takes while it is grouped, as a multiple of its records.
TIMES_CELL = 20


class Streaming(NamedTuple):
    """Where the release goes and what may be used for it."""

    target: Source
    memory: int
    work_dir: Path | None = None
    scheduler: Any = None
    force: bool = False


def target_at(out: str | Path | Source, into: str | None = None) -> Source:
    """Where a streamed release goes: Parquet, a folder of it ("name/"), a table of a database."""
    if not isinstance(out, Source) and into is None and str(out).endswith("/"):
        return ParquetFolder(out)
    target = open_target(out, into)
    if isinstance(target, FileSource) and target.file.suffix.lower() != ".parquet":
        raise InvalidParameter(
            f"{target.file} cannot be written batch by batch. Write a .parquet file, a folder "
            "(a name that ends in /) or a table of a database."
        )
    return target


def streamed_source(data: Any, settings: Settings) -> Source:
    """The records of a file, a database, a Dask data frame or a frame that is in memory."""
    if is_dask_frame(data):
        settings.reading.refuse_database_options("a Dask data frame")
        return DaskFrame(data)
    if isinstance(data, str | Path | Source):
        return open_source(data, settings.reading)
    return InMemory(open_original(data, None, settings.reading).table)


def protect_streamed(
    source: Source, settings: Settings, streaming: Streaming, progress: Progress | None = None
) -> StreamedRelease:
    """Protect records that need not fit into memory, and write the release."""
    settings.check()
    require_blocks(settings.instance())
    _require_scannable(source, streaming.memory)
    streaming.target.check_target(force=streaming.force, original=source)
    started = now()
    with source.records() as records:
        _require_free_names(records.schema.names)
        prepared = _first_look(records, settings)
        run = _Run(source, records, settings, streaming, prepared, progress)
        folder = WorkFolder.open(run.place(), run.fingerprint())
        try:
            release = run.release(folder, started)
        except (InvalidParameter, SchemaError, Infeasible):
            folder.remove()  # going on would end the same way
            raise
        finally:
            folder.close()
    folder.remove()
    return release


def _require_scannable(source: Source, memory: int) -> None:
    """Files other than Parquet are read as a whole, so they must fit."""
    if not isinstance(source, FileSource | FileParts):
        return
    whole = [file for file in source.files if file.suffix.lower() != ".parquet"]
    size = sum(file.stat().st_size for file in whole if file.is_file())
    if 4 * size > memory:
        raise InvalidParameter(
            f"{source.name} is too large to be read with this memory_limit: only Parquet files and "
            "databases are read batch by batch. Turn it into Parquet, or query it with DuckDB "
            "(:memory: and a query such as select * from 'file.csv')."
        )


def _require_free_names(names: list[str]) -> None:
    taken = sorted({STRATUM, KEY, GROUP} & set(names))
    if taken:
        raise SchemaError(f"No column may be called {taken[0]!r}: rename it.")


def _first_look(records: Records, settings: Settings) -> Prepared:
    """Roles and kinds, checked on the first chunk before everything is read."""
    if records.n_records < settings.k:
        raise Infeasible(
            f"{records.n_records} records are too few for one group of k={settings.k}. Lower k or "
            "add records."
        )
    chunk = next(in_chunks(records.scan(READ), records.schema))
    return prepare(Original(chunk, nw.Implementation.PYARROW), settings)


class _Run:
    """One run: its steps, each of which a run that was killed may have done."""

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
        self.progress = progress
        self.block_size = int(settings.block_size or BLOCK_SIZE)

    # -- the work folder -------------------------------------------------------------------

    def fingerprint(self) -> str:
        """What is done to what: settings, version and files, or the table where there are none."""
        from covey import __version__

        files = [
            (str(file.resolve()), file.stat().st_size, file.stat().st_mtime_ns)
            for file in self.source.files
        ]
        parts = {
            "settings": self.settings.to_dict(),
            "version": __version__,
            "block_size": self.block_size,
            "source": self.source.name,
            "files": files,
            "records": self.records.n_records,
            "schema": str(self.records.schema),
        }
        text = json.dumps(parts, sort_keys=True, default=repr)
        return hashlib.sha256(text.encode()).hexdigest()

    def place(self) -> Path:
        """The folder that was asked for, else one beside the release."""
        if self.streaming.work_dir is not None:
            return self.streaming.work_dir
        target = self.streaming.target
        beside = target.path.parent if isinstance(target, ParquetFolder) else Path.cwd()
        if isinstance(target, FileSource):
            beside = target.file.parent
        elif isinstance(target, Database) and target.path is not None:
            beside = target.path.parent
        return beside.resolve() / f".covey-work-{self.fingerprint()[:16]}"

    # -- the steps -------------------------------------------------------------------------

    def release(self, folder: WorkFolder, started: datetime) -> StreamedRelease:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DisclosureWarning)
            surveyed = self._surveyed(folder)
            self._warn(surveyed)
            plan = self._plan(folder, surveyed)
            finished = self._finished(folder, plan)
            _warn_of_heavy_weights(finished)
        texts = tuple(dict.fromkeys(str(warning.message) for warning in caught))
        for text in texts:
            warnings.warn(text, DisclosureWarning, stacklevel=4)
        achieved = self._written(folder, plan, finished)
        traced = self._traced(started, texts, surveyed)
        return StreamedRelease(
            written=self.streaming.target.name,
            settings=self._settled_settings(plan),
            roles=self.roles,
            provenance=traced,
            n_records=sum(mark["records"] for mark in finished.marks),
            n_groups=sum(mark["groups"] for mark in finished.marks),
            n_cells=finished.n_cells,
            achieved_k=achieved,
            il_=information_loss(finished.marks),
            merged=plan.settled.merged,
            suppressed=plan.settled.suppressed,
        )

    def _surveyed(self, folder: WorkFolder) -> Surveyed:
        """The first pass; done again where no file tells that the records are the same."""
        before = folder.load(SURVEY) if folder.file(SURVEY).exists() else None
        if before is not None and self.source.files:
            found: Surveyed = before
            return found
        surveyed = take_survey(
            self.records,
            self.roles,
            Kinds.read(self.settings.ordinal, self.settings.nominal, self.settings.integers),
            patterns=self.settings.missing == "pattern",
            digest=not self.source.files,
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
        """What a sample can warn of."""
        original = Original(surveyed.sample, nw.Implementation.PYARROW)
        warn_about(prepare(original, self.settings), self.settings)

    def _plan(self, folder: WorkFolder, surveyed: Surveyed) -> Plan:
        if folder.file(PLAN).exists():
            found: Plan = folder.load(PLAN)
            return found
        technique = self._technique(surveyed)
        frame = surveyed.survey.frame(technique.scaling, dict(self.settings.importance))
        frame = frame._replace(driving=_driving(technique, frame))
        settled = self._settled(surveyed, frame)
        variables = frame.read(surveyed.sample)
        strata = settled.final[surveyed.tally.numbered(surveyed.sample, variables)]
        points = frame.points(variables)
        divisions, n_leaves, n_pools = divide(settled.sizes, strata, points, self.block_size)
        plan = Plan(
            int(self.settings.k),
            technique,
            self.settings.contributors,
            frame,
            surveyed.tally,
            settled,
            divisions,
            n_leaves,
            n_pools,
            bare_schema(self.records.schema),
        )
        folder.save(PLAN, plan)
        return plan

    def _technique(self, surveyed: Surveyed) -> Technique:
        """The technique, with what it decides by looking at all records decided."""
        technique = self.settings.instance()
        wanted = getattr(technique, "variables", None)
        if isinstance(wanted, Selector):
            original = Original(surveyed.sample, nw.Implementation.PYARROW)
            numbers = prepare(original, self.settings).numbers()
            technique.set_params(variables=list(clone(wanted).fit(numbers).variables_))
        technique.prepare_for(self.records.n_records, len(self.roles.quasi_identifiers))
        return technique

    def _settled(self, surveyed: Surveyed, frame: Frame) -> Settled:
        counts, k = np.array(surveyed.tally.counts), int(self.settings.k)
        sums = np.zeros((counts.size, 1))
        if self.settings.small_strata == "merge" and (counts < k).any():
            sums = sums_by_key(self.records, frame, surveyed.tally, READ)
        names, small = self.roles.quasi_identifiers, self.settings.small_strata
        return settle(surveyed.tally, self.records.schema, names, k, small, sums)

    def _finished(self, folder: WorkFolder, plan: Plan) -> Finished:
        memory = self.streaming.memory
        spilled = spill(self.records, plan, folder, memory // 8, READ, self.progress)
        engine = self._engine(plan)
        try:
            return group_and_release(plan, folder, spilled, engine, self.progress)
        finally:
            engine.close()

    def _engine(self, plan: Plan) -> Engine:
        if self.streaming.scheduler is not None:
            return DaskCluster(self.streaming.scheduler)
        width = 8 * (len(plan.schema.names) + len(plan.frame.variables))
        in_each = TIMES_CELL * width * self.block_size
        return Threads(at_most=max(1, self.streaming.memory // 2 // in_each))

    def _written(self, folder: WorkFolder, plan: Plan, finished: Finished) -> int:
        """Stage the release, check it, and let it appear; the smallest class comes back."""
        from pyarrow import parquet

        n_records = sum(mark["records"] for mark in finished.marks)
        if n_records != self.records.n_records - plan.settled.suppressed:
            raise SchemaError("The records changed while they were read. Nothing is released.")
        parts = [folder.file(name) for name in finished.parts]
        schema = parquet.read_schema(parts[0]).remove_metadata()
        _tell(self.progress, "writing", 0)
        batches = _batches(parts, schema)
        staged = self.streaming.target.stage(
            schema, batches, force=self.streaming.force, original=self.source
        )
        try:
            _tell(self.progress, "checking", 0)
            k, memory = int(self.settings.k), self.streaming.memory // 2
            files = staged.paths or parts
            achieved = require_streamed_guarantee(
                files, self.roles, k, n_records, memory, folder.path
            )
            staged.keep()
        except BaseException:
            staged.drop()
            raise
        return achieved

    def _traced(self, started: datetime, texts: tuple[str, ...], surveyed: Surveyed) -> Provenance:
        digest = surveyed.digest
        if isinstance(self.source, FileSource):
            digest = file_hash(self.source.file)
        columns = len(self.records.schema.names)
        return trace_streamed(self.source.name, digest, self.records, columns, started, texts)

    def _settled_settings(self, plan: Plan) -> Settings:
        settings = self.settings.changed(block_size=self.block_size)
        if isinstance(self.settings.parameters.get("variables"), Selector):
            chosen = {**settings.parameters, "variables": plan.technique.get_params()["variables"]}
            return settings.changed(parameters=chosen)
        return settings


def _driving(technique: Technique, frame: Frame) -> tuple[int, ...] | None:
    """The variables that groups are formed by, as numbers."""
    from covey.tables.numeric import column_number

    wanted = getattr(technique, "variables", None)
    if wanted is None:
        return None
    names = [described.name for described in frame.variables]
    return tuple(column_number(one, names, len(names)) for one in wanted)


def _batches(parts: list[Path], schema: Any) -> Iterator[Any]:
    """The released records, part by part."""
    from pyarrow import parquet

    for part in parts:
        with parquet.ParquetFile(part) as file:
            yield from file.read().cast(schema).combine_chunks().to_batches()


def _warn_of_heavy_weights(finished: Finished) -> None:
    from covey.release.masking import warn_of_heavy

    warn_of_heavy(sum(mark["heavy"] for mark in finished.marks))


def _tell(progress: Progress | None, stage: str, done: int) -> None:
    if progress is not None:
        progress(stage, done, 1)
