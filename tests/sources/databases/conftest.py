from __future__ import annotations

from .fixtures import duckdb_file, place, postgres, server, sqlite_file

__all__ = ["duckdb_file", "place", "postgres", "server", "sqlite_file"]
