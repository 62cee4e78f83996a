"""The terminal: what it prints, and what others on the computer can see of it."""

from __future__ import annotations

import sys

import pytest

from covey.app import terminal
from covey.app.keys import Keys
from covey.app.terminal import Terminal, forwarding_file

ADDRESS = "http://127.0.0.1:8123/?token=abc"


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are of Unix")
def test_the_file_is_for_its_owner_only(tmp_path):
    for _ in range(2):
        path = forwarding_file(tmp_path, ADDRESS)
        assert path.stat().st_mode & 0o077 == 0
    assert f'content="0;url={ADDRESS}"' in path.read_text()
    assert "<script" not in path.read_text()


def test_the_browser_is_started_without_the_token(tmp_path, monkeypatch, capsys):
    """Everybody sees the commands that run on a computer."""
    opened: list[str] = []
    monkeypatch.setattr(terminal.webbrowser, "open", opened.append)
    monkeypatch.setenv("BROWSER", "a browser")
    keys = Keys()
    Terminal(keys, "http://127.0.0.1:8123/", tmp_path, opens_browser=True)._begin()
    assert opened == [(tmp_path / "open.html").as_uri()]
    address = capsys.readouterr().out.split()[10]
    assert address.startswith("http://127.0.0.1:8123/?token=")
    assert address in (tmp_path / "open.html").read_text()


def test_no_browser_no_file(tmp_path, capsys):
    Terminal(Keys(), "http://127.0.0.1:8123/", tmp_path, opens_browser=False)._begin()
    assert "token=" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
