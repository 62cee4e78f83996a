"""Files in and out."""

from covey.sources.files import (
    FileContents,
    FileProblem,
    check_target,
    read_file,
    read_table,
    write_table,
    write_whole,
)

__all__ = [
    "FileContents",
    "FileProblem",
    "check_target",
    "read_file",
    "read_table",
    "write_table",
    "write_whole",
]
