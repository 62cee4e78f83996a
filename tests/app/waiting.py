"""Waiting for a coroutine, also where a driven browser keeps an event loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def wait_for(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What it gives; in a thread, which has no event loop yet."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
