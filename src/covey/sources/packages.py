"""Packages that only some formats need."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from covey.errors import missing_extra


class Extra(NamedTuple):
    """A purpose, the packages that serve it and the extra that brings them."""

    purpose: str
    packages: tuple[str, ...]
    name: str

    def load(self) -> tuple[Any, ...]:
        """Import the packages, or say how to install them."""
        return tuple(self._imported(package) for package in self.packages)

    def _imported(self, package: str) -> Any:
        try:
            return import_module(package)
        except ImportError:
            raise missing_extra(self.purpose, package, self.name) from None


EXCEL = Extra("Reading or writing Excel files", ("openpyxl",), "excel")
STATS = Extra("Reading or writing SPSS, Stata and SAS files", ("pyreadstat", "pandas"), "stats")
POSTGRES = Extra(
    "Reading or writing PostgreSQL databases",
    ("adbc_driver_postgresql.dbapi", "adbc_driver_manager"),
    "postgres",
)
