"""The groups that settings stand in, and the sections of the app's form."""

from __future__ import annotations

from covey.settings.setting import Group

GROUPING = Group("Groups")
ROLES = Group("Roles of columns", "lists are comma-separated")
TREATMENT = Group("How columns are treated")
INPUT = Group("What to read")
CHECKS = Group("What is checked and reported")
OUTPUT = Group("Output")
LARGE = Group("Larger than memory")

# The section of the form about gaps and about strata below k.
GAPS_AND_STRATA = "Missing values and strata"
