"""protect: a table in, a checked release out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from covey.errors import DisclosureWarning, InvalidParameter, memory_explained
from covey.pipeline.frame_sources import is_dask_frame
from covey.pipeline.memory_size import read_size
from covey.progress import Stage
from covey.release.copies import ties_of, warn_about_ties
from covey.release.disclosure_warnings import warn_about
from covey.release.masked import mask
from covey.release.prepared import Original, Prepared, open_original, prepare
from covey.release.provenance import now, trace
from covey.release.release import Release
from covey.release.rules import numeric_names, parse
from covey.release.run import Streaming
from covey.release.settings import Settings, settings_asked
from covey.release.streamed import protect_streamed, streamed_source, target_at
from covey.sources.source import Source
from covey.technique import Technique
from covey.types import Progress


@memory_explained()
def protect(
    data: Any,
    k: int | None = None,
    technique: str | Technique = "auto",
    identifiers: Sequence[str] = (),
    quasi_identifiers: Sequence[str] | None = None,
    confidential: Sequence[str] = (),
    strata: Sequence[str] = (),
    weight: str | Sequence[str] | None = None,
    keep: Sequence[str] = (),
    *,
    parameters: Mapping[str, Any] | None = None,
    ordinal: Mapping[str, Sequence[Any]] | Sequence[str] = (),
    nominal: Sequence[str] = (),
    integers: bool | Sequence[str] = False,
    importance: Mapping[str, float] | None = None,
    missing: str = "group",
    min_contributors: int | None = None,
    small_strata: str = "error",
    block_size: int | None = None,
    encoding: str | None = None,
    table: str | None = None,
    query: str | None = None,
    order_by: Sequence[str] = (),
    rules: Mapping[str, str] | Sequence[str] = (),
    thresholds: Mapping[str, float] | None = None,
    exact: bool = False,
    settings: Settings | str | Path | None = None,
    progress: Progress | None = None,
    out: str | Path | Source | None = None,
    into: str | None = None,
    memory_limit: str | int | None = None,
    work_dir: str | Path | None = None,
    scheduler: Any = None,
    force: bool = False,
) -> Release:
    """Microaggregate a table and check the result.

    Wherever a list of columns is taken, the name of one column will do.

    Parameters
    ----------
    data : data frame, path of a file, database, or source
        pandas, polars, pyarrow or any other frame that narwhals knows, or one of Dask; a file that
        `covey.sources` reads, or many of them by a pattern or as a folder, here or on an object
        store (``s3://bucket/folder/``); a DuckDB or SQLite file or the address of a PostgreSQL
        database, with `table` or `query`; or what `covey.sources.Table` gives.
    k : int, optional
        Smallest group size; 3 if not given. A technique that is an instance has its own.
    technique : str or Technique, default="auto"
        Technique that forms the groups, by its name, or auto. An instance will do too. "auto" is
        NearOptimal, which searches for about half a minute, or a minute on large files: the larger
        the file, the fewer moves per record. With more than two million records it works in blocks
        of 65,536.
    identifiers : list of str
        Columns that name a person or firm; they are dropped.
    quasi_identifiers : list of str, optional
        Columns to microaggregate; columns named nowhere are then dropped. If not given, every
        column that is named nowhere is microaggregated.
    confidential : list of str
        Columns nobody should learn about a person; released as they are. They are checked for
        diversity inside the groups.
    strata : list of str
        Columns that groups never cross. They are released and count as known to an intruder.
    weight : str or list of str, optional
        Survey weight; released as the mean of the group. Of several the first is used. Means, modes
        and medians of groups are weighted. Name it in `keep` too to release the original weights.
        All of several weights are released; a record without one of the others counts as 0 in its
        mean.
    keep : list of str
        Columns released as they are.
    parameters : mapping, optional
        Parameters of the technique, when it is given by name.
    ordinal : mapping or list of str
        Ordered columns, with their categories from low to high. Numbers and ordered categories need
        no list. Categories are released as lower medians, numbers without a list as the mean of the
        `min_contributors` middle members, unless that many share the median.
    nominal : list of str
        Columns of numbers that are codes of categories. Text is nominal anyway.
    integers : bool or list of str, default=False
        Columns of whole numbers whose means are rounded. True for all of them.
    importance : mapping, optional
        How much a column counts when records are compared; 1 if not named.
    missing : {"group", "pattern", "error"}, default="group"
        What is done with missing values. "group": a group's value comes from the members that have
        one and is given to all of them. "pattern": only records that miss the same values are
        grouped. "error": refuse.
    min_contributors : int, optional
        Known values behind a released one; the smaller of 3 and k if not given. Where fewer members
        have any known value, that of the whole group is missing.
    small_strata : {"error", "merge", "suppress"}, default="error"
        What is done with strata of fewer than k records.
    block_size : int, optional
        Records that are grouped at a time; all at once if not given. The seams between such blocks
        are repaired; see docs/scale.md. The technique "auto" works in blocks by itself when there
        are very many records.
    encoding : str, optional
        Encoding of a CSV file, when the one that is recognised is wrong.
    table : str, optional
        Table or view of a database to read.
    query : str, optional
        Query of a database; it only reads.
    order_by : list of str
        Columns that order the rows of a database; else its primary key, else all.
    rules : mapping or list of str
        Edit rules for the report, such as 'gross - tax = net'. A rule may have a name: in a table
        of names and rules, or as NAME: RULE in an option.
    thresholds : mapping, optional
        Highest risks allowed, in percent. A limit that is exceeded is reported; the release is made
        all the same.
    exact : bool, default=False
        Measure linkage on all records, never on a sample. That may take long; see docs/measures.md.
    settings : Settings or path of a TOML file, optional
        All of the above at once.
    progress : callable, optional
        Called with (stage, done, total).
    out : path or source, optional
        Write the release here, part by part. For data that need not fit into memory. A file, a
        folder of Parquet files (a name that ends in /) or a database. Files other than Parquet are
        put together at the end.
    into : str, optional
        Table for the release, when it goes to a database.
    memory_limit : str or int, optional
        Work part by part in so much memory, such as 2GB. With `out`; 2GB if not given.
    work_dir : path, optional
        Folder for the work; a killed run goes on there. With `out`; beside it if not given. The
        folder holds original values. Call again what was killed, and it goes on.
    scheduler : str or distributed.Client, optional
        Dask cluster that does the work: tcp://… With `out`.
    force : bool, default=False
        Replace existing files and tables. With `out`: a release that is there already.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"name": ["a", "b", "c", "d"], "age": [31, 35, 60, 64]})
    >>> release = protect(people, k=2, identifiers=["name"])
    >>> release.data["age"].to_pylist()
    [33.0, 33.0, 62.0, 62.0]
    """
    settings = settings_asked(locals())
    if out is None:
        _require_out(data, memory_limit, into, work_dir, scheduler, force)
        return protect_whole(data, settings, progress)
    place = None if work_dir is None else Path(work_dir)
    where = Streaming(target_at(out, into), read_size(memory_limit), place, scheduler, force)
    return protect_streamed(streamed_source(data, settings), settings, where, progress)


def _require_out(data: Any, *given: Any) -> None:
    if is_dask_frame(data) or any(value not in (None, False) for value in given):
        raise InvalidParameter(
            "Say where the release goes (out=): a Dask data frame, memory_limit, into, work_dir, "
            "scheduler and force are for releases that are made part by part."
        )


def protect_whole(data: Any, settings: Settings, progress: Progress | None = None) -> Release:
    """Protect data that fit into memory."""
    settings.check()
    settings.instance()  # what is misspelt is told before anything is read
    return protect_original(open_original(data, progress, settings.reading), settings, progress)


def protect_original(
    original: Original, settings: Settings, progress: Progress | None = None
) -> Release:
    """Protect data that were opened before."""
    settings.check()
    return protect_prepared(prepare(original, settings), settings, progress)


def protect_prepared(
    prepared: Prepared, settings: Settings, progress: Progress | None = None
) -> Release:
    """Protect columns that were read before, and check what is released."""
    started = now()
    settings = settings.for_records(prepared.n_records, len(prepared.roles.quasi_identifiers))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DisclosureWarning)
        warn_about(prepared, settings)
        warn_about_ties(ties_of(prepared))
        masked = mask(prepared, settings, progress)
    settings = settings.with_driving(masked.technique)
    if progress is not None:
        progress(Stage.CHECKING, 0, 1)
    for rule in settings.rules.values():
        parse(rule, numeric_names(masked.table))
    # The warnings are for the caller now, and for the reports later.
    texts = tuple(dict.fromkeys(str(warning.message) for warning in caught))
    for text in texts:
        warnings.warn(text, DisclosureWarning, stacklevel=3)
    traced = trace(prepared.original, started, texts)
    return Release(masked, settings, masked.part.counted, traced, (masked.part.noted,))
