"""From a source to a release that is made part by part, whatever the memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import narwhals as nw

from covey.errors import (
    CellFailed,
    CoveyError,
    DisclosureWarning,
    GuaranteeViolated,
    Infeasible,
    InvalidParameter,
    SchemaError,
)
from covey.pipeline.chunks import CHUNK, in_chunks
from covey.pipeline.frame_sources import DaskFrame, InMemory, is_dask_frame
from covey.pipeline.parquet_folder import ParquetFolder
from covey.pipeline.plan import KEY, ROW, STRATUM
from covey.pipeline.shared_types import with_shared_types
from covey.pipeline.work_folder import WorkFolder
from covey.release.prepared import Original, Prepared, open_original, prepare, roles_in
from covey.release.provenance import now
from covey.release.release import Release
from covey.release.run import KEPT, Run, Streaming
from covey.release.settings import Settings
from covey.sources.contents import require_columns
from covey.sources.databases.addresses import is_remote
from covey.sources.file_systems import plain_place
from covey.sources.formats import BY_ENDING
from covey.sources.opening import open_source, open_target
from covey.sources.problems import DatabaseProblem, FileProblem
from covey.sources.source import Records, Source
from covey.types import Progress

REMOVE = "Remove the folder if you will not go on."


def target_at(out: str | Path | Source, into: str | None = None) -> Source:
    """Where a release goes: a file, a folder of Parquet ("name/"), a table of a database."""
    if not isinstance(out, Source) and into is None and _is_folder(plain_place(str(out))):
        return ParquetFolder(plain_place(str(out)))
    return open_target(out, into)


def _is_folder(out: str) -> bool:
    """A name that ends in /, which a Path forgets, or a folder that has no name of a file."""
    named_as_file = Path(out).suffix.lower() in set(BY_ENDING) - {""}
    return not is_remote(out) and (out.endswith("/") or (Path(out).is_dir() and not named_as_file))


def streamed_source(data: Any, settings: Settings) -> Source:
    """The records of a file, a database, a Dask data frame or a frame that is in memory."""
    if is_dask_frame(data):
        settings.reading.refuse_for_frame("a Dask data frame")
        return DaskFrame(data)
    if isinstance(data, str | Path | Source):
        return open_source(data, settings.reading)
    original = open_original(data, None, settings.reading)
    return InMemory(original.table, original.backend)


def protect_streamed(
    source: Source, settings: Settings, streaming: Streaming, progress: Progress | None = None
) -> Release:
    """Protect records that need not fit into memory, and write the release."""
    settings.check()
    settings.instance()  # what is misspelt is told before anything is read
    _require_scannable(source, streaming.memory)
    started = now()
    with ExitStack() as reading:
        records = reading.enter_context(source.records())
        require_columns(records.schema.names, source.name)
        _require_free_names(records.schema.names)
        roles = roles_in(records.schema.names, settings)
        # Only the first look sees what is dropped: values of a unit may tie its records together.
        prepared = _first_look(with_shared_types(records, roles.dropped, emptied=False), settings)
        records = with_shared_types(records, roles.dropped)
        run = Run(source, records, settings, streaming, prepared, progress)
        try:
            _require_target(run)
            with _work_folder(run) as folder:
                divided = run.divide(folder)
                reading.close()  # others may write there now, and so may we
                return run.finish(folder, divided, started)
        finally:
            run.engine.close()


def _require_target(run: Run) -> None:
    """Raise if the release cannot be written; what a run left that had written it is removed."""
    streaming = run.streaming
    try:
        streaming.target.check_target(force=streaming.force, original=run.source)
    except CoveyError:
        if not streaming.force and run.place().is_dir():
            _remove_if_kept(run)
        raise


def _remove_if_kept(run: Run) -> None:
    """Remove the folder of a run that was killed when its release was in place already."""
    with suppress(InvalidParameter):  # a folder of somebody else
        folder = WorkFolder.open(run.place(), run.fingerprint())
        if folder.mark(KEPT):
            folder.remove()
        folder.close()


@contextmanager
def _work_folder(run: Run) -> Iterator[WorkFolder]:
    """The folder of a run, which stays if going on with it may end better."""
    folder = WorkFolder.open(run.place(), run.fingerprint())
    if folder.is_gone_on_with and run.progress is not None:
        run.progress("going on where a run before ended", 1, 1)
    try:
        yield folder
        folder.remove()
    except (InvalidParameter, SchemaError, Infeasible) as error:
        if not run.is_grouped:
            folder.remove()
            raise
        raise type(error)(f"{error} {_work_stays(folder)} {REMOVE}") from error
    except (FileProblem, DatabaseProblem) as error:
        raise type(error)(
            f"{error} {_work_stays(folder)} It takes about three times the room of the data; "
            f"work_dir= or --work-dir puts it elsewhere. {REMOVE}"
        ) from error
    except CellFailed as error:
        raise CellFailed(f"{error} {_work_stays(folder)} {REMOVE}") from error
    except GuaranteeViolated:  # going on would end in the same way
        folder.remove()
        raise
    except Exception:
        warnings.warn(f"{_work_stays(folder)} {REMOVE}", DisclosureWarning, stacklevel=2)
        raise
    finally:
        folder.close()


def _work_stays(folder: WorkFolder) -> str:
    return (
        f"The work so far is in {folder.path}, with original values: the same call goes on from "
        "there."
    )


def _require_scannable(source: Source, memory: int) -> None:
    """Files other than Parquet and text are read as a whole, so they must fit."""
    if 4 * source.bytes_read_whole > memory:
        raise InvalidParameter(
            f"{source.name} is too large to be read with this memory_limit: only Parquet and CSV "
            "files and databases are read batch by batch. Turn it into one of these."
        )


def _require_free_names(names: list[str]) -> None:
    taken = sorted({STRATUM, KEY, ROW} & set(names))
    if taken:
        raise SchemaError(f"No column may be called {taken[0]!r}: rename it.")


def _first_look(records: Records, settings: Settings) -> Prepared:
    """Roles and kinds, checked on the first chunk before everything is read."""
    if records.n_records < settings.k:
        raise Infeasible(
            f"{records.n_records} records are too few for one group of k={settings.k}. Lower k or "
            "add records."
        )
    chunk = next(in_chunks(records.scan(CHUNK, CHUNK), records.schema))
    return prepare(Original(chunk, nw.Implementation.PYARROW), settings)
