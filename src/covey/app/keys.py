"""Keys: an address that opens the app once, and the session that it opens."""

from __future__ import annotations

import hmac
import secrets
import threading


class Keys:
    """One session, and at any time at most one token that is exchanged for it.

    The token is in an address, where others may see it: in the list of processes, in the history
    of the browser. It is worth nothing once it was used.
    """

    def __init__(self) -> None:
        self.session = secrets.token_urlsafe(32)
        self._token: str | None = None
        self._lock = threading.Lock()

    def new_token(self) -> str:
        """A token that works once; one that was made before stops working."""
        with self._lock:
            self._token = secrets.token_urlsafe(32)
            return self._token

    def exchange(self, token: str) -> bool:
        """Whether the token is good; afterwards it is not."""
        with self._lock:
            good = self._token is not None and _equal(token, self._token)
            if good:
                self._token = None
            return good

    def opens(self, session: str | None) -> bool:
        return session is not None and _equal(session, self.session)


def _equal(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode(), known.encode())
