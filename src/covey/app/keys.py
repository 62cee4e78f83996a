"""Keys: an address that opens the app once, and the session that it starts."""

from __future__ import annotations

import hmac
import secrets
import threading


class Keys:
    """At any time one session, and at most one token that is exchanged for a new one.

    The token is in an address, where others may see it: on the screen, in the history of the
    browser. It is worth nothing once it was used, and whoever uses it ends the session that was
    there, so that nobody looks on unseen.
    """

    def __init__(self) -> None:
        self.session = secrets.token_urlsafe(32)  # nobody has it before a token was exchanged
        self._token: str | None = None
        self._lock = threading.Lock()

    def new_token(self) -> str:
        """A token that works once; one that was made before stops working."""
        with self._lock:
            self._token = secrets.token_urlsafe(32)
            return self._token

    def exchange(self, token: str) -> str | None:
        """A new session for a good token, which then is no longer good; None for any other."""
        with self._lock:
            if self._token is None or not _equal(token, self._token):
                return None
            self._token = None
            self.session = secrets.token_urlsafe(32)
            return self.session

    def opens(self, session: str | None) -> bool:
        return session is not None and _equal(session, self.session)


def _equal(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode(), known.encode())
