"""The command `app`: a page on this computer that protects a file without programming."""

from __future__ import annotations

from typing import Annotated

import typer


def app(
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=65535, help="Port; a free one if not given."),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    max_size: Annotated[
        str, typer.Option("--max-size", metavar="SIZE", help="Largest file that the page takes.")
    ] = "500MB",
) -> None:
    """Protect a file in the browser; everything stays on this computer."""
    from covey.app.server import serve
    from covey.pipeline.memory_size import size_in_bytes

    serve(port, limit=size_in_bytes(max_size, "--max-size"), opens_browser=browser)
