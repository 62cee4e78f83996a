"""Files in and out beside the pages, behind the gate and without a network."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from covey.app.doors import doors
from covey.app.gate import Gate
from covey.app.keys import Keys
from covey.app.workshop import Workshop
from tests.app.waiting import wait_for

HERE = "http://127.0.0.1:8123"


@pytest.fixture
def workshop(tmp_path) -> Workshop:
    """A workshop that nobody works in, with one run."""
    made = Workshop(tmp_path, limit=1000)
    folder = tmp_path / "run-0001"
    folder.mkdir()
    (folder / "people-released-1.csv").write_text("a\n=1+1\n")
    (folder / "internal.html").write_text("<script>alert(1)</script>")
    (folder / "contents.pickle").write_text("inside")
    files = {"data": "people-released-1.csv", "internal": "internal.html", "gone": "gone.csv"}
    made.runs[1] = SimpleNamespace(folder=folder, files=files)  # type: ignore[assignment]
    return made


@pytest.fixture
def ask(workshop):
    """Ask as the page does, from inside."""
    keys = Keys()
    gate = Gate(Starlette(routes=doors(workshop)), 8123, keys)

    def ask(method: str, path: str, **more: Any) -> httpx.Response:
        async def asking() -> httpx.Response:
            transport = httpx.ASGITransport(app=gate)
            async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
                client.cookies.set("covey-8123", keys.session)
                return await client.request(method, path, headers={"Origin": HERE}, **more)

        return wait_for(asking())

    return ask


def test_a_download_is_a_file_and_never_a_page(ask):
    answer = ask("GET", "/download/1/data")
    assert answer.text == "a\n=1+1\n"
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == 'attachment; filename="people-released-1.csv"'
    assert answer.headers["cache-control"] == "no-store"
    report = ask("GET", "/download/1/internal")
    assert report.headers["content-disposition"].startswith("attachment")
    assert report.headers["content-type"] == "application/octet-stream"


def test_a_report_can_be_shown_and_runs_nothing(ask):
    answer = ask("GET", "/show/1/internal")
    assert answer.headers["content-type"].startswith("text/html")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "script-src" not in answer.headers["content-security-policy"]
    assert "nonce" not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        *("/download/2/data", "/download/1/gone", "/download/1/contents.pickle", "/show/1/data"),
        *("/download/1/..%2Fcontents.pickle", "/download/1/people-released-1.csv"),
        *("/download/x/data", "/show/1/..", "/upload/../download"),
    ],
)
def test_only_what_a_run_offers(ask, path):
    answer = ask("GET", path)
    assert answer.status_code == 404
    assert "inside" not in answer.text


def test_an_upload_is_opened_at_once(ask, workshop):
    answer = ask("POST", "/upload?name=people.csv", content=b"a,b\n1,2\n")
    assert answer.json() == {"upload": 1, "job": 1}
    assert workshop.jobs.all[0].name == "Open people.csv"
    assert Path(workshop.uploads[1].path).read_bytes() == b"a,b\n1,2\n"


@pytest.mark.parametrize(
    ("path", "content", "status"),
    [
        ("/upload?name=a.csv", b"x" * 1001, 413),
        ("/upload?name=a.exe", b"x", 415),
        ("/upload?name=a.csv", b"", 400),
    ],
)
def test_a_refusal_is_a_sentence(ask, workshop, path, content, status):
    answer = ask("POST", path, content=content)
    assert answer.status_code == status
    assert answer.json()["message"].endswith(".")
    assert workshop.jobs.all == []


@pytest.mark.parametrize("length", ["-1", "1e3", "many", "٣"])
def test_a_length_that_is_none_is_not_believed(workshop, length):
    """What comes is counted in any case."""
    keys = Keys()
    gate = Gate(Starlette(routes=doors(workshop)), 8123, keys)
    sent: list[Any] = []
    parts = [{"type": "http.request", "body": b"x" * 600, "more_body": True}] * 3

    async def receive() -> Any:
        return parts.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [
        *((b"host", b"127.0.0.1:8123"), (b"origin", HERE.encode())),
        *((b"cookie", f"covey-8123={keys.session}".encode()),),
        (b"content-length", length.encode("utf-8")),
    ]
    scope = {"type": "http", "method": "POST", "path": "/upload", "headers": headers}
    wait_for(gate(scope | {"query_string": b"name=a.csv"}, receive, send))
    assert sent[0]["status"] == 413
    assert not list(workshop.folder.glob("upload-*"))
