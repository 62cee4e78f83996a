"""One run of a streamed release: its steps, each of which a killed run may have done."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from covey.errors import CoveyError, DisclosureWarning, InvalidParameter, SchemaError
from covey.release.copies import ties_of, warn_about_ties
from covey.release.masking import warn_of_heavy, warn_of_heavy_means, warn_of_unnamed_strata
from covey.release.preparing import Prepared, bare_schema
from covey.release.provenance import trace_streamed
from covey.release.sameness import fingerprint, see
from covey.release.settings import Settings
from covey.release.streamed import StreamedRelease
from covey.release.streamed_checking import require_streamed_guarantee
from covey.release.streamed_planning import Asked, make_plan, prepare_sample
from covey.release.warning import warn_about
from covey.scale.assembling import information_loss
from covey.scale.blocks import BLOCK_SIZE
from covey.scale.chunks import CHUNK
from covey.scale.engines import DaskCluster, Engine, Threads, current_client
from covey.scale.folder import WorkFolder
from covey.scale.frames_as_sources import DaskFrame
from covey.scale.plan import Plan
from covey.scale.released_parts import ReleasedParts
from covey.scale.running import Finished, group_and_release, spill
from covey.scale.settling import unnamed_strata
from covey.scale.surveying import Surveyed, take_survey
from covey.scale.tasks import PLAN
from covey.sources.source import Records, Room, Source
from covey.tables.column_facts import averaged_codes
from covey.tables.kinds import Kinds
from covey.tables.roles import Roles
from covey.tables.weights import lost_percents
from covey.technique import Selector
from covey.types import Progress

SURVEY = "survey.pickle"
# The mark of a run whose release is in place, or was about to be.
KEPT = "kept"
CHANGED = "The records changed while they were read. Nothing is released."
# Records that are read at a time; the release does not depend on it.
READ = CHUNK
# What a cell takes while it is grouped, as a multiple of its records.
TIMES_CELL = 20
# Bytes that the check is given, at least.
LEAST_FOR_CHECK = 200 * 10**6


class Divided(NamedTuple):
    """Records that are in the work folder, so that their source is not needed any more."""

    surveyed: Surveyed
    plan: Plan
    spilled: dict[str, Any]
    warnings: tuple[str, ...]
    codes: dict[str, frozenset[float]]


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
        self.block_size = int(settings.block_size or BLOCK_SIZE)
        self.engine = self._engine()
        self.is_grouped = False
        self._seen = see(source)

    def _engine(self) -> Engine:
        cluster = self.streaming.scheduler
        if cluster is None and isinstance(self.source, DaskFrame):
            cluster = current_client()
        if cluster is not None:
            return DaskCluster(cluster)
        width = 8 * (len(self.records.schema.names) + len(self.roles.quasi_identifiers))
        in_each = TIMES_CELL * width * self.block_size
        return Threads(at_most=max(1, self.streaming.memory // 2 // in_each))

    # -- the work folder -------------------------------------------------------------------

    def fingerprint(self) -> str:
        """What is done to what."""
        return fingerprint(self.records, self.settings, self.block_size, self._seen)

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
            coded = self._warn(surveyed)
            plan = self._plan(folder, surveyed)
            warn_of_unnamed_strata(unnamed_strata(plan.tally, plan.settled))
        spilled = spill(self.records, plan, folder, self.streaming.memory // 8, READ, self.progress)
        if see(self.source) != self._seen:
            raise SchemaError(CHANGED)
        return Divided(surveyed, plan, spilled, _texts(caught), coded)

    def finish(self, folder: WorkFolder, divided: Divided, started: datetime) -> StreamedRelease:
        """Group what was divided, and write the release."""
        plan = divided.plan
        digest = self._digest(divided.surveyed)
        finished = group_and_release(plan, folder, divided.spilled, self.engine, self.progress)
        self.is_grouped = True
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DisclosureWarning)
            warn_of_heavy(sum(mark["heavy"] for mark in finished.marks))
            warn_of_heavy_means(_added_up([mark["heavy_means"] for mark in finished.marks]))
        texts = (*divided.warnings, *_texts(caught))
        for text in texts:
            warnings.warn(text, DisclosureWarning, stacklevel=4)
        achieved = self._written(folder, divided, finished)
        columns = len(self.records.schema.names)
        traced = trace_streamed(self.source.name, digest, self.records, columns, started, texts)
        target = self.streaming.target
        written = target.content_hash()
        if written is not None:
            traced.outputs[target.name] = written
        return StreamedRelease(
            written=target.name,
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
            emptied=_emptied(self.roles, finished),
            lost_weights=lost_percents([mark["weight_sums"] for mark in finished.marks]),
            averaged_codes=_averaged_codes(divided, finished),
        )

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

    def _warn(self, surveyed: Surveyed) -> dict[str, frozenset[float]]:
        """What a sample can warn of: not how many values differ, if it is not all records.

        The variables that seem to hold codes and are averaged come back, with their codes.
        """
        prepared = prepare_sample(surveyed.sample, self.settings)
        n_records = self.records.n_records
        warn_about(prepared, self.settings, of_records=n_records)
        warn_about_ties(self._ties, first=None if self._n_seen == n_records else self._n_seen)
        if self.settings.thresholds:
            warnings.warn(
                "Risk is not measured when a release is written batch by batch: the limits that "
                "were set are not checked.",
                DisclosureWarning,
                stacklevel=2,
            )
        coded = averaged_codes(prepared.variables)
        return {v.name: frozenset(v.values[v.known]) for v in prepared.variables if v.name in coded}

    def _digest(self, surveyed: Surveyed) -> str:
        """SHA-256 of the file, of the files one after the other, or of the records."""
        return self.source.content_hash() or surveyed.digest

    def _plan(self, folder: WorkFolder, surveyed: Surveyed) -> Plan:
        if folder.file(PLAN).exists():
            found: Plan = folder.load(PLAN)
            return found
        asked = Asked(self.settings, self.records, self.block_size, READ)
        plan = make_plan(asked, surveyed)
        folder.save(PLAN, plan)
        return plan

    def _written(self, folder: WorkFolder, divided: Divided, finished: Finished) -> int:
        """Stage the release, check it, and let it appear; the smallest class comes back."""
        from pyarrow import parquet

        n_records = sum(mark["records"] for mark in finished.marks)
        if n_records != self.records.n_records - divided.plan.settled.suppressed:
            raise SchemaError(CHANGED)
        paths = [folder.file(name) for name in finished.parts]
        schema = bare_schema(parquet.read_schema(paths[0]))
        parts = ReleasedParts(paths, schema, _declared(divided))
        _tell(self.progress, "writing", 0)
        staged = self.streaming.target.stage(
            schema, parts.batches(), force=self.streaming.force, original=self.source
        )
        _tell(self.progress, "writing", 1)
        try:
            _tell(self.progress, "checking", 0)
            room = Room(max(self.streaming.memory // 3, LEAST_FOR_CHECK), folder.path)
            achieved = require_streamed_guarantee(
                staged, schema.names, self.roles, int(self.settings.k), n_records, room
            )
            _tell(self.progress, "checking", 1)
            folder.set_mark(KEPT, True)
            staged.keep()
        except BaseException as error:
            staged.drop()
            if isinstance(error, CoveyError):  # then it is not in place
                folder.clear(f"{KEPT}.json")
            raise
        return achieved

    def _settled_settings(self, plan: Plan) -> Settings:
        settings = self.settings.changed(block_size=self.block_size)
        if isinstance(self.settings.parameters.get("variables"), Selector):
            chosen = {**settings.parameters, "variables": plan.technique.get_params()["variables"]}
            return settings.changed(parameters=chosen)
        return settings


def _declared(divided: Divided) -> dict[str, Any]:
    """All categories of the columns that list theirs: as they came, or as the settings say."""
    variables = divided.plan.frame.variables
    settled = {one.name: one.categories for one in variables if one.categories is not None}
    return {**divided.surveyed.levels, **settled}


def _emptied(roles: Roles, finished: Finished) -> dict[str, int]:
    """The cells of each column that lost their value, in all pools."""
    counts = _added_up([mark["emptied"] for mark in finished.marks])
    return {name: counts[name] for name in roles.changed if name in counts}


def _averaged_codes(divided: Divided, finished: Finished) -> tuple[str, ...]:
    """Variables of codes in which a released mean is none of the codes."""
    return tuple(
        name
        for name, codes in divided.codes.items()
        if any(not codes.issuperset(mark["new_means"].get(name, ())) for mark in finished.marks)
    )


def _added_up(counts: Sequence[Mapping[str, int]]) -> Counter[str]:
    return sum(map(Counter, counts), Counter())


def _texts(caught: list[warnings.WarningMessage]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(warning.message) for warning in caught))


def _tell(progress: Progress | None, stage: str, done: int) -> None:
    if progress is not None:
        progress(stage, done, 1)
