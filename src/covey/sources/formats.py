"""The file formats Covey knows, by the ending of a name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from covey.errors import InvalidParameter
from covey.sources import columnar, workbook_writing, workbooks
from covey.sources.contents import FileContents
from covey.sources.delimited import reading as delimited
from covey.sources.delimited.writing import write_csv, write_tsv
from covey.sources.labelled import products
from covey.sources.labelled.products import Product
from covey.sources.labelled.reading import read_labelled
from covey.sources.labelled.writing import write_labelled
from covey.sources.packages import EXCEL, STATS, Extra
from covey.sources.source import Records


class Format(NamedTuple):
    """A format: the endings of its files, how to read and, if possible, write them.

    `encoded` tells whether `read` takes an encoding. `scan` reads batch by batch, where a format
    allows it.
    """

    endings: tuple[str, ...]
    read: Callable[..., FileContents]
    write: Callable[[Any, str], None] | None
    extra: Extra | None = None
    encoded: bool = False
    scan: Callable[..., AbstractContextManager[Records]] | None = None


def _labelled(endings: tuple[str, ...], product: Product) -> Format:
    write = partial(write_labelled, product=product) if product.writer else None
    return Format(endings, partial(read_labelled, product=product), write, STATS)


FORMATS = (
    Format(
        (".csv", ".txt", ""),
        delimited.read_csv,
        write_csv,
        encoded=True,
        scan=delimited.scan_csv,
    ),
    Format((".tsv", ".tab"), delimited.read_tsv, write_tsv, encoded=True, scan=delimited.scan_tsv),
    Format(
        (".parquet",), columnar.read_parquet, columnar.write_parquet, scan=columnar.scan_parquet
    ),
    Format((".arrow", ".feather", ".ipc"), columnar.read_arrow, columnar.write_arrow),
    Format((".xlsx",), workbooks.read_xlsx, workbook_writing.write_xlsx, EXCEL),
    _labelled((".sav",), products.SPSS),
    _labelled((".zsav",), products.SPSS_COMPRESSED),
    _labelled((".dta",), products.STATA),
    _labelled((".xpt",), products.SAS_TRANSPORT),
    _labelled((".sas7bdat",), products.SAS),
)
ENCODED = tuple(format for format in FORMATS if format.encoded)
BY_ENDING = {ending: format for format in FORMATS for ending in format.endings}


def format_to_read(path: Path) -> Format:
    """Format of a file to be read; its packages are at hand."""
    format = BY_ENDING.get(path.suffix.lower())
    if format is None:
        raise InvalidParameter(
            f"{path}: the ending {path.suffix!r} is not known. Known are {_endings(FORMATS)}."
        )
    if format.extra:
        format.extra.load()
    return format


def reader_for(path: Path, encoding: str | None) -> Callable[[Path], FileContents]:
    """What reads a file of this name; its packages are at hand."""
    format = format_to_read(path)
    if encoding is None:
        return format.read
    if not format.encoded:
        raise InvalidParameter(
            f"An encoding can be given for {_endings(ENCODED)} only; {path} tells its own. "
            "Leave it out."
        )
    return partial(format.read, encoding=encoding)


def writer_for(path: Path) -> Callable[[Any, str], None]:
    """What writes a file of this name; its packages are at hand."""
    format = BY_ENDING.get(path.suffix.lower())
    if format is not None and format.write is not None:
        if format.extra:
            format.extra.load()
        return format.write
    if path.suffix.lower() == ".sas7bdat":
        raise InvalidParameter(f"{path}: .sas7bdat files can only be read. For SAS write .xpt.")
    writable = tuple(format for format in FORMATS if format.write)
    raise InvalidParameter(
        f"{path}: use a name that ends in one of {_endings(writable)}; "
        f"{path.suffix!r} cannot be written."
    )


def _endings(formats: tuple[Format, ...]) -> str:
    return ", ".join(ending for format in formats for ending in format.endings if ending)
