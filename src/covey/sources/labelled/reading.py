"""Reading files of the statistics packages."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NamedTuple

from covey.sources.contents import FileContents
from covey.sources.labelled.categories import are_numbers, labelled_column
from covey.sources.labelled.codebook import CODEBOOK, MEASURES, Codebook
from covey.sources.labelled.products import Product
from covey.sources.packages import STATS
from covey.sources.problems import FileProblem

OLD_ENCODING = "WINDOWS-1252"


class Parsed(NamedTuple):
    """Values by column, and what the file says of the columns."""

    values: dict[str, list[Any]]
    about: Any
    notes: tuple[str, ...] = ()


class Column(NamedTuple):
    """A column as an Arrow array, and what was noticed."""

    array: Any
    user_missing: bool = False
    unlabelled: bool = False
    measured: bool = False


def read_labelled(path: Path, product: Product) -> FileContents:
    """Read a file with its labels, descriptions and missing values."""
    import pyarrow as pa

    parsed = _parsed(path, product)
    books = {name: _codebook(parsed.about, name, product) for name in parsed.values}
    columns = {name: _column(parsed, name, product, book) for name, book in books.items()}
    fields = [
        pa.field(name, column.array.type, metadata=_metadata(parsed.about, name, books[name]))
        for name, column in columns.items()
    ]
    table = pa.Table.from_arrays(
        [column.array for column in columns.values()], schema=pa.schema(fields)
    )
    notes = (*parsed.notes, *_notes(list(columns.values())))
    return FileContents(table, product.name, notes)


def _parsed(path: Path, product: Product) -> Parsed:
    with path.open("rb"):  # a file that must not be read is another problem than a damaged one
        pass
    try:
        return Parsed(*_parse(path, product))
    except MemoryError:
        raise
    except Exception as error:
        # pyreadstat raises errors of many classes, whose texts may quote values.
        if "encoding" not in str(error) and not isinstance(error, UnicodeDecodeError):
            raise _damaged(path, product) from None
    try:
        note = f"Encoding: {OLD_ENCODING}, tried because the text is not in the declared one."
        return Parsed(*_parse(path, product, encoding=OLD_ENCODING), (note,))
    except MemoryError:
        raise
    except Exception:
        raise _damaged(path, product) from None


def _damaged(path: Path, product: Product) -> FileProblem:
    return FileProblem(f"{path} is not a file of {product.name}, or it is damaged.")


def _parse(path: Path, product: Product, **options: Any) -> tuple[dict[str, list[Any]], Any]:
    pyreadstat, _ = STATS.load()
    if product.reader != "read_xport":
        options["user_missing"] = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values, about = getattr(pyreadstat, product.reader)(
            str(path), output_format="dict", disable_datetime_conversion=True, **options
        )
    return dict(values), about


def _codebook(about: Any, name: str, product: Product) -> Codebook:
    """What the file says of a variable."""
    ranges = about.missing_ranges.get(name, ())
    measure = about.variable_measure.get(name)
    return Codebook(
        family=product.family,
        is_text=about.readstat_variable_types[name] == "string",
        labels=dict(about.variable_value_labels.get(name, {})),
        missing=tuple((part["lo"], part["hi"]) for part in ranges),
        measure=measure if measure in MEASURES else None,
        format=about.original_variable_types[name] or None,
        columns=about.variable_display_width.get(name) or None,
    )


def _column(parsed: Parsed, name: str, product: Product, book: Codebook) -> Column:
    given = parsed.values[name]
    values = [None if value is None or book.includes_missing(value) else value for value in given]
    missing = values.count(None) > given.count(None)
    kind = product.calendar.kind(book.format)
    if kind is not None and not book.is_text:
        return Column(product.calendar.read(_numbers(values), kind), missing)
    labels = book.known
    measured = bool(labels) and not book.is_text and are_numbers(values, labels, book.measure)
    if labels and not measured:
        labelled = labelled_column(values, labels)
        return Column(labelled.array, missing, labelled.unlabelled)
    if book.is_text:
        return Column(_texts(values), missing)
    return Column(_whole_or_not(values, parsed.about, name, product), missing, measured=measured)


def _numbers(values: list[Any]) -> Any:
    import pyarrow as pa

    return pa.array(values, pa.float64())


def _texts(values: list[Any]) -> Any:
    import pyarrow as pa

    return pa.array([value or None for value in values], pa.string())


def _whole_or_not(values: list[Any], about: Any, name: str, product: Product) -> Any:
    """Whole numbers where the file declares them and there are no others."""
    import pyarrow as pa

    numbers = pa.array(values)
    if pa.types.is_null(numbers.type):
        numbers = numbers.cast(pa.float64())
    declared = product.whole_pattern.fullmatch(about.original_variable_types[name] or "")
    if about.readstat_variable_types[name].startswith("int") or declared:
        try:
            return numbers.cast(pa.int64())
        except pa.ArrowInvalid:
            return numbers
    return numbers


def _metadata(about: Any, name: str, book: Codebook) -> dict[bytes, bytes]:
    text = about.column_names_to_labels.get(name)
    described = {b"label": text.encode()} if text else {}
    return {**described, CODEBOOK: book.to_metadata()}


def _notes(columns: list[Column]) -> list[str]:
    missing = sum(column.user_missing for column in columns)
    unlabelled = sum(column.unlabelled for column in columns)
    notes = []
    if missing:
        notes.append(f"Values declared as missing were read as missing in {missing} column(s).")
    if unlabelled:
        notes.append(
            f"{unlabelled} labelled column(s) also hold values without a label, "
            "which were read as the text of the value."
        )
    measured = sum(column.measured for column in columns)
    if measured:
        notes.append(f"{measured} column(s) with labels for a few values were read as numbers.")
    return notes
