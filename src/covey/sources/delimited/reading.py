"""Reading text files with separated columns: as a whole, or batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from covey.errors import SchemaError
from covey.sources.contents import MISSING_WORDS, FileContents, require_header, require_records
from covey.sources.delimited.deciding import Texts, decide, replaced
from covey.sources.delimited.dialects import Dialect, find_dialect
from covey.sources.delimited.encodings import HINT, find_encoding, given_encoding
from covey.sources.delimited.faults import fault, require_closed_quotes, require_short_lines
from covey.sources.delimited.numerals import Signs, read_signs
from covey.sources.delimited.types import types_of, wider
from covey.sources.problems import FileProblem
from covey.sources.source import Records, cut

BLOCK = 1 << 23


def read_csv(path: Path, encoding: str | None = None) -> FileContents:
    """Read a file whose delimiter is to be found, and its encoding unless it is given."""
    return _read(path, "CSV", None, encoding)


def read_tsv(path: Path, encoding: str | None = None) -> FileContents:
    """Read a file whose columns are separated by tabs."""
    return _read(path, "TSV", "\t", encoding)


def _read(path: Path, format: str, delimiter: str | None, encoding: str | None) -> FileContents:
    with _explained(path):
        dialect = _dialect(path, delimiter, encoding)
        table = _parsed(path, dialect)
        require_header(table.column_names, path)
        if len(set(table.column_names)) < table.num_columns or table.num_rows == 0:
            return FileContents(table, format)  # refused by whoever asked, as in any format
        texts = {name: Texts() for name in _of_text(table.schema)}
        for name, one in texts.items():
            one.add(table[name])
        decisions = decide(dialect, _signs(path, dialect, table.schema), texts)
        table = _with_texts(path, dialect, table, decisions.texts)
        return FileContents(decisions.apply(table), format, decisions.notes)


@contextmanager
def scan_csv(path: Path, encoding: str | None = None) -> Iterator[Records]:
    """The same batch by batch, whatever the memory; the file is parsed several times."""
    yield _scanned(path, None, encoding)


@contextmanager
def scan_tsv(path: Path, encoding: str | None = None) -> Iterator[Records]:
    """The same for columns that are separated by tabs."""
    yield _scanned(path, "\t", encoding)


class _Survey(NamedTuple):
    """What a first pass found: types as Arrow would find them, texts looked at, records."""

    types: Mapping[str, Any]
    texts: Mapping[str, Texts]
    n_records: int


def _scanned(path: Path, delimiter: str | None, encoding: str | None) -> Records:
    import pyarrow as pa

    with _explained(path):
        dialect = _dialect(path, delimiter, encoding)
        survey = _survey(path, dialect)
    found = pa.schema(list(survey.types.items()))
    texts = {name: survey.texts[name] for name in _of_text(found)}
    decisions = decide(dialect, _signs(path, dialect, found), texts)
    types = {**survey.types, **_as_text(decisions.texts)}
    schema = decisions.apply(pa.schema(list(types.items())).empty_table()).schema

    def in_pieces(size: int) -> Iterator[Any]:
        for batch in _batches(path, dialect, types):
            table = decisions.apply(pa.Table.from_batches([batch]))
            yield from table.combine_chunks().to_batches(size)

    def scan(size: int, limit: int | None = None) -> Iterator[Any]:
        return cut(in_pieces(size), limit)

    return Records(schema, survey.n_records, scan, decisions.notes)


def _survey(path: Path, dialect: Dialect) -> _Survey:
    import pyarrow as pa

    names = _names(path, dialect)
    types, n_records = dict.fromkeys(names, pa.null()), 0
    texts = {name: Texts() for name in names}
    for batch in _batches(path, dialect, _as_text(names)):
        n_records += batch.num_rows
        for name, found in types_of(batch, _options(dialect)).items():
            types[name] = wider(types[name], found)
            texts[name].add(batch[name])
    return _Survey(types, texts, n_records)


def _names(path: Path, dialect: Dialect) -> list[str]:
    """The columns; refused as they are when a file is read as a whole."""
    import pyarrow as pa
    from pyarrow import csv

    with _parsing(path, dialect), csv.open_csv(str(path), **_options(dialect)) as reader:
        batches = [batch for _, batch in zip(range(1), reader, strict=False)]
        first = pa.Table.from_batches(batches, schema=reader.schema)
    require_header(first.column_names, path)
    require_records(first, path)
    return list(first.column_names)


# -- the parser --------------------------------------------------------------------------------


def _dialect(path: Path, delimiter: str | None, encoding: str | None) -> Dialect:
    codec = find_encoding(path) if encoding is None else given_encoding(path, encoding)
    require_short_lines(path)
    dialect = find_dialect(path, codec, delimiter)._replace(given=encoding is not None)
    require_closed_quotes(path, dialect)
    return dialect


def _parsed(path: Path, dialect: Dialect, types: Mapping[str, Any] | None = None) -> Any:
    from pyarrow import csv

    with _parsing(path, dialect):
        return csv.read_csv(str(path), **_options(dialect, types))


def _batches(path: Path, dialect: Dialect, types: Mapping[str, Any]) -> Iterator[Any]:
    from pyarrow import csv

    with _parsing(path, dialect), csv.open_csv(str(path), **_options(dialect, types)) as reader:
        yield from reader


@contextmanager
def _parsing(path: Path, dialect: Dialect) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except pa.ArrowInvalid:
        # Arrow's own message quotes the line: a message must not show data.
        raise SchemaError(f"{path} could not be read as CSV: {fault(path, dialect)}.") from None


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except UnicodeError:
        raise FileProblem(f"The encoding of {path} was not recognised. {HINT}") from None


def _options(dialect: Dialect, types: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Options for Arrow; with `types` only these columns are read, as what they say."""
    from pyarrow import csv

    encoding = "utf8" if dialect.encoding in ("utf-8", "utf-8-sig") else dialect.encoding
    return {
        "read_options": csv.ReadOptions(
            block_size=BLOCK, encoding=encoding, skip_rows=dialect.skipped
        ),
        "parse_options": csv.ParseOptions(
            delimiter=dialect.delimiter,
            newlines_in_values=True,
            # In a file of one column a blank line is a record whose value is missing.
            ignore_empty_lines=dialect.columns > 1,
        ),
        "convert_options": csv.ConvertOptions(
            null_values=MISSING_WORDS,
            true_values=["true", "True", "TRUE"],
            false_values=["false", "False", "FALSE"],
            include_columns=list(types or ()),
            column_types=types,
        ),
    }


# -- columns -----------------------------------------------------------------------------------


def _of_text(schema: Any) -> list[str]:
    import pyarrow.types as types

    return [field.name for field in schema if types.is_string(field.type)]


def _as_text(names: Iterable[str]) -> dict[str, Any]:
    import pyarrow as pa

    return dict.fromkeys(names, pa.string())


def _signs(path: Path, dialect: Dialect, schema: Any) -> Signs:
    """What the columns of numbers look like as text; read in pieces to spare memory."""
    import pyarrow.types as types

    fractional = frozenset(field.name for field in schema if types.is_floating(field.type))
    whole = [field.name for field in schema if types.is_integer(field.type)]
    if not fractional and not whole:
        return Signs(frozenset(), frozenset())
    return read_signs(_batches(path, dialect, _as_text((*sorted(fractional), *whole))), fractional)


def _with_texts(path: Path, dialect: Dialect, table: Any, names: frozenset[str]) -> Any:
    if not names:
        return table
    texts = _parsed(path, dialect, _as_text(sorted(names)))
    for name in names:
        table = replaced(table, name, texts[name])
    return table
