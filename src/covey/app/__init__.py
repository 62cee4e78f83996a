"""The app: a local page that protects a file without programming."""
