"""A server that speaks S3, and files in memory, for the tests."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from covey.sources.file_systems import Location

NEEDS_SERVER = "needs a server that speaks S3: install the package moto[server]"
KEY, SECRET = "key-not-for-any-message", "secret-not-for-any-message"
BUCKET = "surveys"
SURROUNDINGS = {
    "AWS_ACCESS_KEY_ID": KEY,
    "AWS_SECRET_ACCESS_KEY": SECRET,
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_MAX_ATTEMPTS": "1",
}


class Store(NamedTuple):
    """A place for files: what addresses begin with, and the options that they end in."""

    start: str
    options: str = ""
    port: int = 0

    def address(self, name: str) -> str:
        """The address of a file, a folder (name/) or a pattern."""
        return f"{self.start}/{name}{self.options}"

    def names(self) -> list[str]:
        """All that is there."""
        folder = Location.read(self.address("x"))
        found = folder.at(folder.path.removesuffix("x")).inside(deep=True)
        return [one.path.removeprefix(folder.path[:-1]) for one in found if not one.is_folder]

    def clear(self) -> None:
        folder = Location.read(self.address("x"))
        for one in folder.at(folder.path.removesuffix("x")).inside(deep=True):
            if not one.is_folder:
                one.system.delete_file(one.path)

    def through(self, port: int) -> Store:
        """The same store, reached by another port."""
        return self._replace(options=options_of(port), port=port)


def options_of(port: int) -> str:
    return f"?endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1"


def is_there() -> bool:
    return importlib.util.find_spec("moto") is not None


@contextmanager
def running() -> Iterator[Store]:
    """Start a server that only this machine reaches, with a bucket, and stop it."""
    from pyarrow import fs

    port = _free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env={**os.environ, **SURROUNDINGS}, **quiet) as server:
        try:
            _wait_for(port)
            system = fs.S3FileSystem(
                access_key=KEY,
                secret_key=SECRET,
                endpoint_override=f"127.0.0.1:{port}",
                scheme="http",
                region="us-east-1",
                allow_bucket_creation=True,
            )
            system.create_dir(BUCKET)
            yield Store(f"s3://{BUCKET}", options_of(port), port)
        finally:
            server.kill()


def _wait_for(port: int, tries: int = 300) -> None:
    while tries:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
            tries -= 1
    raise TimeoutError("The server did not start.")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
