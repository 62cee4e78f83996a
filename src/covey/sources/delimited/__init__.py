"""Text files with separated columns: CSV and TSV."""
