"""The command line: thin, it calls the rest and shows what comes back."""
