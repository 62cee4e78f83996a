"""Files in and out."""

from covey.sources.files import read_table, write_table

__all__ = ["read_table", "write_table"]
