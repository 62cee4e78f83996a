"""File systems that an address names: an object store, or files that are in memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from covey.errors import CoveyError, InvalidParameter
from covey.sources.problems import FileProblem

SIGNS = "*["  # of a pattern; a question mark begins the options of an address
STORES = ("s3",)  # what has buckets, which must be there
CODE = re.compile(r"AWS Error (\w+)")
REASONS = (
    ("ACCESS|SIGNATURE|TOKEN|CLIENT_ID", "access is refused."),
    ("NO_SUCH|NOT_FOUND", "there is no such bucket, or nothing of this name."),
    ("NETWORK|TIMEOUT", "the server cannot be reached."),
)
HINT = "Set the credentials and the region as for other programs that use this storage."


class Location(NamedTuple):
    """A place on a file system; its options, after a question mark, are in no message."""

    scheme: str
    path: str
    options: str = ""

    @classmethod
    def read(cls, address: str) -> Location:
        """The place that an address names."""
        scheme, _, rest = address.strip().partition("://")
        path, _, options = rest.partition("?")
        parts = PurePosixPath(path.strip("/"))
        if not path.strip("/") or ".." in parts.parts or "#" in path:
            raise InvalidParameter(
                "The address could not be read. Write SCHEME://BUCKET/FOLDER/FILE, such as "
                "s3://surveys/2024/persons.parquet."
            )
        return cls(scheme.lower(), path.strip("/") + "/" * path.endswith("/"), options)

    @property
    def name(self) -> str:
        """The last part."""
        return PurePosixPath(self.path).name

    @property
    def is_folder(self) -> bool:
        return self.path.endswith("/")

    @property
    def is_pattern(self) -> bool:
        return any(sign in self.path for sign in SIGNS)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.path}"

    @property
    def address(self) -> str:
        """What names it to Covey, with its options."""
        return f"{self}?{self.options}" if self.options else str(self)

    def at(self, path: str) -> Location:
        """Another place on the same file system."""
        return self._replace(path=path.lstrip("/"))

    # -- what is there -----------------------------------------------------------------------

    @property
    def system(self) -> Any:
        """The file system, as pyarrow knows it."""
        with self.explained():
            return _system(self.scheme, self.path.split("/")[0], self.options)

    def info(self) -> Any:
        """What is known of the place without reading it."""
        with self.explained():
            return self.system.get_file_info(self.path.rstrip("/"))

    def exists(self) -> bool:
        return bool(self.info().type.name != "NotFound")

    def is_file(self) -> bool:
        return bool(self.info().type.name == "File")

    def inside(self, *, deep: bool = False) -> list[Location]:
        """What a folder holds, by name; with `deep`, also in its folders."""
        from pyarrow import fs

        wanted = fs.FileSelector(self.path.rstrip("/"), allow_not_found=True, recursive=deep)
        with self.explained():
            found = self.system.get_file_info(wanted)
        return sorted(self.at(info.path + "/" * (info.type.name == "Directory")) for info in found)

    def matching(self) -> list[Location]:
        """The files that a pattern means; each of its signs stays within one name."""
        asked = self.path.split("/")
        fixed = next(i for i, part in enumerate(asked) if any(sign in part for sign in SIGNS))
        if fixed == 0:
            raise InvalidParameter(f"{self}: name the bucket; a pattern may follow it.")
        folder = self.at("/".join(asked[:fixed]))
        return [
            one
            for one in folder.inside(deep=len(asked) > fixed + 1)
            if not one.is_folder and _matches(one.path.split("/"), asked)
        ]

    def require_bucket(self) -> None:
        """Raise unless the bucket is there; folders in it come into being with their files."""
        bucket = self.at(self.path.split("/")[0])
        if self.scheme in STORES and not bucket.exists():
            raise FileProblem(f"There is no bucket {bucket}.")

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Errors of the storage as messages that show neither keys nor data."""
        import pyarrow as pa

        try:
            yield
        except CoveyError:
            raise
        except (OSError, pa.ArrowException) as error:
            raise storage_problem(self, error) from None


def is_of_storage(error: BaseException) -> bool:
    """Whether an error came from the storage, not from what a file holds."""
    return CODE.search(str(error)) is not None


def storage_problem(place: object, error: BaseException) -> FileProblem:
    """What the storage refused, in words of our own: its own might show a key."""
    found = CODE.search(str(error))
    code = "" if found is None else found[1]
    reasons = (said for sign, said in REASONS if re.search(sign, code))
    return FileProblem(f"{place}: {next(reasons, 'the storage refused.')} {HINT}")


def plain_place(place: str) -> str:
    """A place on this computer without ``file://``; any other as it is."""
    address = place.strip()
    is_here = address.lower().startswith("file:///")
    return url2pathname(urlsplit(address).path) if is_here else place


def _matches(parts: Sequence[str], asked: Sequence[str]) -> bool:
    return len(parts) == len(asked) and all(map(fnmatchcase, parts, asked))


@lru_cache(maxsize=32)
def _system(scheme: str, bucket: str, options: str) -> Any:
    """The file system of a bucket; keys come from the surroundings, never from the address."""
    from pyarrow import fs

    if scheme == "memory":
        return fs.PyFileSystem(fs.FSSpecHandler(_memory()))
    system, _ = fs.FileSystem.from_uri(f"{scheme}://{bucket}" + (f"?{options}" if options else ""))
    return system


def _memory() -> Any:
    try:
        import fsspec
    except ImportError:
        raise InvalidParameter("memory:// needs the package fsspec, which is not there.") from None
    return fsspec.filesystem("memory")
