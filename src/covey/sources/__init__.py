"""Files and databases in and out."""

from covey.sources.asking import Reading
from covey.sources.files import (
    FileContents,
    FileProblem,
    check_target,
    read_file,
    read_table,
    write_table,
    write_whole,
)
from covey.sources.opening import Table, open_source, open_target
from covey.sources.problems import DatabaseProblem
from covey.sources.source import Records, Source, Staged

__all__ = [
    "DatabaseProblem",
    "FileContents",
    "FileProblem",
    "Reading",
    "Records",
    "Source",
    "Staged",
    "Table",
    "check_target",
    "open_source",
    "open_target",
    "read_file",
    "read_table",
    "write_table",
    "write_whole",
]
