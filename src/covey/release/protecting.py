"""protect: a table in, a checked release out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from covey.errors import DisclosureWarning, InvalidParameter, memory_explained
from covey.release.checking import require_guarantee
from covey.release.copies import ties_of, warn_about_ties
from covey.release.masking import mask
from covey.release.preparing import Original, Prepared, open_original, prepare
from covey.release.provenance import now, trace
from covey.release.release import Release
from covey.release.rules import numeric_names, parse
from covey.release.settings import Settings, settings_of
from covey.release.streamed import StreamedRelease
from covey.release.streamed_run import Streaming
from covey.release.streaming import protect_streamed, streamed_source, target_at
from covey.release.warning import warn_about
from covey.scale.frames_as_sources import is_dask_frame
from covey.scale.sizes import read_size
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
    missing: str = "group",
    min_contributors: int | None = None,
    small_strata: str = "error",
    block_size: int | None = None,
    ordinal: Mapping[str, Sequence[Any]] | Sequence[str] = (),
    nominal: Sequence[str] = (),
    integers: bool | Sequence[str] = False,
    importance: Mapping[str, float] | None = None,
    parameters: Mapping[str, Any] | None = None,
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
) -> Release | StreamedRelease:
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
        Smallest group size, 3 if not given. A technique that is an instance has its own.
    technique : str or Technique, default="auto"
        A registered name or an instance. "auto" is NearOptimal, which searches for about half a
        minute, or a minute on large files: the larger the file, the fewer moves per record. With
        more than two million records it works in blocks of 65,536.
    identifiers : list of str
        Columns that name a person or firm; they are dropped.
    quasi_identifiers : list of str, optional
        Columns to microaggregate. If not given, every column that is named nowhere. If given, a
        column that is named nowhere is dropped.
    confidential : list of str
        Columns with what nobody should learn about a person; released as they are, and checked
        for diversity inside the groups.
    strata : list of str
        Groups never cross these columns, which are released and count as known to an intruder.
    weight : str or list of str, optional
        Survey weight: means, modes and medians of groups are weighted, and every record is given
        the mean weight of its group; name it in `keep` too to release the original weights. Of
        several weights the first is used and all are released; a record without one of the others
        counts as 0 in its mean.
    keep : list of str
        Columns released as they are.
    missing : {"group", "pattern", "error"}, default="group"
        "group": a group's value comes from the members that have one and is given to all of them.
        "pattern": only records that miss the same values are grouped. "error": refuse.
    min_contributors : int, optional
        Where fewer members have any known value, that of the whole group is missing; min(3, k).
    small_strata : {"error", "merge", "suppress"}, default="error"
        What to do with strata of fewer than k records.
    block_size : int, optional
        Group so many records at a time, then repair the seams between these blocks; see
        docs/scale.md. If not given, all at once (but see "auto").
    ordinal : mapping or list
        Ordinal columns, with their categories from low to high (or nothing for numbers and ordered
        categories). Categories are released as lower medians, numbers without a list as the mean of
        the `min_contributors` middle members, unless that many share the median.
    nominal : list of str
        Columns of numbers that are codes of categories. Text is nominal anyway.
    integers : bool or list of str, default=False
        Columns of whole numbers whose means are rounded; True for all of them.
    importance : mapping, optional
        How much a variable counts when records are compared; 1 for those not named.
    parameters : mapping, optional
        Parameters of the technique, when it is given by name.
    encoding : str, optional
        Encoding of a CSV file, when the one that is recognised is wrong.
    table, query : str, optional
        What to read from a database: a table, or a query that only reads.
    order_by : list of str
        Columns that put the rows of a database in order; else its primary key, else all columns.
    rules, thresholds : mapping, optional
        Edit rules and highest risks in percent, for the reports.
    exact : bool, default=False
        Measure linkage on all records, however long it takes; see docs/measures.md.
    settings : Settings or path of a TOML file, optional
        All of the above at once.
    progress : callable, optional
        Called with (stage, done, total).
    out : path or source, optional
        Write the release here, batch by batch, and return a `StreamedRelease`: for data that need
        not fit into memory. A .parquet file, a folder (a name that ends in /) or a database.
    into : str, optional
        The table for the release, when `out` is a database.
    memory_limit : str or int, optional
        With `out`: about how much memory may be used, such as "2GB", which it is if not given.
    work_dir : path, optional
        With `out`: the folder for work that is going on, beside `out` if not given. It holds
        original values. A run that was killed goes on from there when it is called again.
    scheduler : str or distributed.Client, optional
        With `out`: the Dask cluster that does the work.
    force : bool, default=False
        With `out`: replace a release that is there already.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"name": ["a", "b", "c", "d"], "age": [31, 35, 60, 64]})
    >>> release = protect(people, k=2, identifiers=["name"])
    >>> release.data["age"].to_pylist()
    [33.0, 33.0, 62.0, 62.0]
    """
    asked = {
        "identifiers": identifiers,
        "quasi_identifiers": quasi_identifiers,
        "confidential": confidential,
        "strata": strata,
        "weight": weight,
        "keep": keep,
        "missing": missing,
        "min_contributors": min_contributors,
        "small_strata": small_strata,
        "block_size": block_size,
        "ordinal": ordinal,
        "nominal": nominal,
        "integers": integers,
        "importance": importance or {},
        "encoding": encoding,
        "table": table,
        "query": query,
        "order_by": order_by,
        "rules": rules,
        "thresholds": thresholds or {},
        "exact": exact,
    }
    if settings is None:
        chosen = settings_of(technique, k)
        chosen["parameters"] = {**chosen.get("parameters", {}), **(parameters or {})}
        settings = Settings.from_dict({**chosen, **asked})
    else:
        _require_settings_alone(k, technique, parameters, asked)
        settings = settings if isinstance(settings, Settings) else Settings.read(settings)
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
            "scheduler and force are for releases that are written batch by batch."
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
        progress("checking", 0, 1)
    for rule in settings.rules.values():
        parse(rule, numeric_names(masked.table))
    counted = require_guarantee(
        masked.table,
        prepared.roles,
        masked.technique.blocks_,
        int(settings.k),
        prepared.n_records - masked.suppressed,
    )
    # The warnings are for the caller now, and for the reports later.
    texts = tuple(dict.fromkeys(str(warning.message) for warning in caught))
    for text in texts:
        warnings.warn(text, DisclosureWarning, stacklevel=3)
    return Release(masked, settings, counted, trace(prepared.original, started, texts))


def _require_settings_alone(
    k: int | None,
    technique: str | Technique,
    parameters: Mapping[str, Any] | None,
    asked: Mapping[str, Any],
) -> None:
    nothing = {name: getattr(Settings(), name) for name in asked} | {"ordinal": (), "rules": ()}
    given = [name for name, value in asked.items() if value and value != nothing[name]]
    if k is not None or technique != "auto" or parameters or given:
        raise InvalidParameter("Give settings= or the single parameters, not both.")
