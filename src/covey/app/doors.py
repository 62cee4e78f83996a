"""The doors beside the pages: files in, files out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from covey.app.uploads import Refused, take_in

if TYPE_CHECKING:
    from covey.app.workshop import Workshop

REPORTS = ("internal", "external")


def doors(workshop: Workshop) -> list[Route]:
    """Routes for uploading a file, downloading a part of a run, and showing a report."""

    async def upload(request: Request) -> Response:
        announced = request.headers.get("content-length", "")
        size = int(announced) if announced.isascii() and announced.isdigit() else None
        name = request.query_params.get("name", "")
        try:
            taken = await take_in(workshop, name, size, request.stream())
        except Refused as refused:
            # What is still coming is not read, so that nothing more can be said on this line.
            away = {"connection": "close"}
            return JSONResponse({"message": str(refused)}, refused.status, headers=away)
        except ClientDisconnect:
            return Response(status_code=400)
        job = workshop.open(taken.number)
        return JSONResponse({"upload": taken.number, "job": job.number})

    async def download(request: Request) -> Response:
        path = _part(workshop, request)
        if path is None:
            return _nothing()
        return FileResponse(path, media_type="application/octet-stream", filename=path.name)

    async def show(request: Request) -> Response:
        path = _part(workshop, request)
        if path is None or request.path_params["what"] not in REPORTS:
            return _nothing()
        return FileResponse(path, media_type="text/html; charset=utf-8")

    return [
        Route("/upload", upload, methods=["POST"]),
        Route("/download/{run:int}/{what:str}", download, methods=["GET"]),
        Route("/show/{run:int}/{what:str}", show, methods=["GET"]),
    ]


def _part(workshop: Workshop, request: Request) -> Path | None:
    """A file of a run, by names that the workshop made itself."""
    run = workshop.runs.get(request.path_params["run"])
    name = None if run is None else run.files.get(request.path_params["what"])
    if run is None or name is None:
        return None
    path = run.folder / name
    return path if path.is_file() else None


def _nothing() -> Response:
    return JSONResponse({"message": "There is no such file."}, 404)
