"""Blocks of records, files larger than memory, clusters."""
