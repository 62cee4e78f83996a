"""Reading files of the statistics packages."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NamedTuple

from covey.sources.contents import FileContents
from covey.sources.labelled.categories import labelled_column
from covey.sources.labelled.missing import Missing, without_missing
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


def read_labelled(path: Path, product: Product) -> FileContents:
    """Read a file with its labels, descriptions and missing values."""
    import pyarrow as pa

    parsed = _parsed(path, product)
    columns = {name: _column(parsed, name, product) for name in parsed.values}
    fields = [
        pa.field(name, column.array.type, metadata=_description(parsed.about, name))
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
    except Exception as error:
        # pyreadstat raises errors of many classes, whose texts may quote values.
        if "encoding" not in str(error) and not isinstance(error, UnicodeDecodeError):
            raise _damaged(path, product) from None
    try:
        note = f"Encoding: {OLD_ENCODING}, tried because the text is not in the declared one."
        return Parsed(*_parse(path, product, encoding=OLD_ENCODING), (note,))
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


def _column(parsed: Parsed, name: str, product: Product) -> Column:
    about = parsed.about
    text = about.readstat_variable_types[name] == "string"
    missing = Missing(about.missing_ranges.get(name, ()), tags=not text)
    values = without_missing(parsed.values[name], missing)
    labels = missing.kept(about.variable_value_labels.get(name, {}))
    kind = product.calendar.kind(about.original_variable_types[name])
    if kind is not None and not text:
        array = product.calendar.read(_numbers(values.kept), kind)
        return Column(array, values.user_missing)
    if labels:
        labelled = labelled_column(values.kept, labels)
        return Column(labelled.array, values.user_missing, labelled.unlabelled)
    if text:
        return Column(_texts(values.kept), values.user_missing)
    return Column(_whole_or_not(values.kept, about, name, product), values.user_missing)


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


def _description(about: Any, name: str) -> dict[bytes, bytes] | None:
    text = about.column_names_to_labels.get(name)
    return {b"label": text.encode()} if text else None


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
    return notes
