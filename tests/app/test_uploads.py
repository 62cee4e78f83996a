"""Files that come in: streamed, counted, refused, and never known by the name they bring."""

from __future__ import annotations

import errno
import shutil
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest

from covey.app import uploads
from covey.app.uploads import Refused, ending_of, shown_name, take_in, too_large
from covey.app.workshop import Workshop
from tests.app.waiting import wait_for

LIMIT = 3_000_000


@pytest.fixture
def workshop(tmp_path) -> Workshop:
    return Workshop(tmp_path, limit=LIMIT)


async def pieces(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def take(
    workshop: Workshop, name: str, parts: Iterable[bytes], announced: int | None = None
) -> Any:
    return wait_for(take_in(workshop, name, announced, pieces(parts)))


def test_a_file_is_taken_as_it_is(workshop):
    parts = [b"a" * 700_000, b"b" * 700_000, b"c" * 700_001]
    upload = take(workshop, "people.CSV", parts, 2_100_001)
    assert upload.path.read_bytes() == b"".join(parts)
    assert (upload.name, upload.size) == ("people.CSV", 2_100_001)
    assert upload.path == workshop.folder / "upload-0001.csv"


def test_announced_too_large_nothing_is_read(workshop):
    def never() -> Iterable[bytes]:
        raise AssertionError("it was read")
        yield b""

    with pytest.raises(Refused, match="larger than 3 MB") as refused:
        take(workshop, "a.csv", never(), LIMIT + 1)
    assert refused.value.status == 413
    assert "covey protect" in str(refused.value)
    assert not list(workshop.folder.iterdir())


@pytest.mark.parametrize("announced", [None, 10])
def test_what_grows_too_large_ends_at_the_limit(workshop, announced):
    """Without a length, or with a false one: 2 GB would come, and hardly more than 3 MB do."""
    came = 0

    def endless() -> Iterable[bytes]:
        nonlocal came
        for _ in range(2000):
            came += 1_000_000
            yield b"x" * 1_000_000

    with pytest.raises(Refused) as refused:
        take(workshop, "a.csv", endless(), announced)
    assert refused.value.status == 413
    assert came <= LIMIT + 1_000_000
    assert not list(workshop.folder.iterdir())
    assert len(workshop.uploads) == 0


@pytest.mark.parametrize(("parts", "announced"), [([], None), ([b""], 0)])
def test_an_empty_file_is_refused(workshop, parts, announced):
    with pytest.raises(Refused, match=r"a\.csv is empty"):
        take(workshop, "a.csv", parts, announced)
    assert not list(workshop.folder.iterdir())


def test_half_a_file_is_refused(workshop):
    with pytest.raises(Refused, match="did not arrive whole"):
        take(workshop, "a.csv", [b"abc"], 10)
    assert not list(workshop.folder.iterdir())


def test_a_broken_line_leaves_nothing(workshop):
    def broken() -> Iterable[bytes]:
        yield b"x" * 2_000_000
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        take(workshop, "a.csv", broken(), 2_500_000)
    assert not list(workshop.folder.iterdir())


def test_a_full_disk_is_said_before_it_is_full(workshop, monkeypatch):
    free = shutil.disk_usage(workshop.folder)._replace(free=uploads.ROOM + 1000)
    monkeypatch.setattr(uploads.shutil, "disk_usage", lambda _: free)
    with pytest.raises(Refused, match="no room left on the disk") as refused:
        take(workshop, "a.csv", [b"x" * 2000], 2000)
    assert refused.value.status == 507
    with pytest.raises(Refused, match="no room left on the disk"):
        take(workshop, "a.csv", [b"x" * 2000])
    assert not list(workshop.folder.iterdir())


def test_a_disk_that_fills_up_is_said(workshop, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(uploads, "_write", full)
    with pytest.raises(Refused, match="no room left on the disk"):
        take(workshop, "a.csv", [b"x"])
    assert not list(workshop.folder.iterdir())


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("people.csv", "people.csv"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\windows\\system.csv", "system.csv"),
        ("C:\\data\\wages.csv", "wages.csv"),
        ("/etc/shadow.csv", "shadow.csv"),
        ("..", "file"),
        ("", "file"),
        ("a\x00b\r\nSet-Cookie: x.csv", "abSet-Cookie: x.csv"),
        ("\u202egpj.csv", "gpj.csv"),
        ("x" * 500 + ".csv", "x" * 116 + ".csv"),
        ("x" * 500, "x" * 120),
        ("a." + "x" * 500, "a." + "x" * 118),
        ("naïve – data.csv", "naïve – data.csv"),
        ("<img src=x onerror=alert(1)>.csv", "<img src=x onerror=alert(1)>.csv"),
    ],
)
def test_a_name_is_only_shown(given, shown):
    assert shown_name(given) == shown


def test_a_name_leads_nowhere(workshop):
    for name in ("../../outside.csv", "/tmp/outside.csv", "upload-0001.csv", "a/b.csv", "..csv"):
        upload = take(workshop, name, [b"x"])
        assert upload.path.parent == workshop.folder
        assert upload.path.name.startswith("upload-")
    assert len(list(workshop.folder.iterdir())) == 5


def test_endings():
    assert ending_of("a.CSV") == ".csv"
    assert ending_of("a") == ""
    assert ending_of(shown_name("long " * 60 + ".parquet")) == ".parquet"
    for name in ("a.exe", "a.csv.zip", "a.xls", "a.html"):
        with pytest.raises(Refused, match=r"Covey cannot read files that end in .*\.parquet"):
            ending_of(name)


def test_the_limit_in_words():
    assert "500 MB" in str(too_large(500_000_000))
    assert "2.5 GB" in str(too_large(2_500_000_000))
