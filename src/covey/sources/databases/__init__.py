"""Tables of databases: DuckDB, SQLite and PostgreSQL."""
