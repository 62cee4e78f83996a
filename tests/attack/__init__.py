"""Random tables of every kind, protected in every way, and looked at by something else.

``python -m tests.attack --help`` says how to run many of them, or one again.
"""
