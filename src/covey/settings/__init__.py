"""The settings of a release: each is declared once."""
