"""Compiled loops: small, array-only, with no knowledge of tables.

Each is plain Python that numba compiles on first use and caches. With
``NUMBA_DISABLE_JIT=1`` the same source runs uncompiled, as the readable reference.
"""
