"""The gate, asked without a network: who comes in, and what every answer carries."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from covey.app.gate import Gate
from covey.app.keys import Keys
from tests.app.waiting import wait_for

PORT = 8123
HERE = f"127.0.0.1:{PORT}"
PAGE = b'<html><head><script>let a = 1</script></head><body onload="x()">a</body></html>'


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Inside:
    """What stands behind the gate, and remembers who came."""

    def __init__(self, status: int = 200, kind: str = "text/html", raises: bool = False) -> None:
        self.paths: list[str] = []
        self.status, self.kind, self.raises = status, kind, raises

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.paths.append(scope["path"])
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            return
        if self.raises:
            raise RuntimeError("the value 4711 of Mrs Miller")
        headers = [(b"content-type", self.kind.encode()), (b"Cache-Control", b"public")]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": PAGE[:20], "more_body": True})
        await send({"type": "http.response.body", "body": PAGE[20:]})


@pytest.fixture
def keys() -> Keys:
    return Keys()


def headers(**given: Any) -> list[tuple[bytes, bytes]]:
    """Header lines; a list is a header that is there several times, None one that is not."""
    lines = []
    for name, value in {"host": HERE, **given}.items():
        for text in value if isinstance(value, list) else [value]:
            if text is not None:
                lines.append((name.replace("_", "-").encode(), text.encode()))
    return lines


def come(keys: Keys, **given: Any) -> list[tuple[bytes, bytes]]:
    """The headers of somebody who has the key."""
    return headers(cookie=f"covey-{PORT}={keys.session}", **given)


def ask(
    gate: Gate, given: list[tuple[bytes, bytes]], target: str = "/", method: str = "GET"
) -> Answer:
    sent: list[Any] = []
    path, _, query = target.partition("?")
    scope = {"type": "http", "method": method, "path": path, "headers": given}
    scope["query_string"] = query.encode()

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    wait_for(gate(scope, receive, send))
    found = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], found, b"".join(part.get("body", b"") for part in sent[1:]))


def connect(gate: Gate, given: list[tuple[bytes, bytes]]) -> str:
    """What becomes of a websocket: "websocket.accept" or "websocket.close"."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": "/_nicegui_ws/", "headers": given}
    wait_for(gate(scope, receive, send))
    return str(sent[0]["type"])


class TestTheToken:
    def test_is_exchanged_for_a_cookie_and_leaves_the_address(self, keys):
        gate = Gate(Inside(), PORT, keys)
        answer = ask(gate, headers(), f"/?token={keys.new_token()}")
        assert answer.status == 200
        assert b'<meta http-equiv="refresh" content="0;url=/">' in answer.body
        assert b"<script" not in answer.body
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert keys.session in cookie
        assert gate.app.paths == []

    def test_works_once(self, keys):
        gate, token = Gate(Inside(), PORT, keys), keys.new_token()
        assert ask(gate, headers(), f"/?token={token}").status == 200
        second = ask(gate, headers(), f"/?token={token}")
        assert second.status == 403
        assert "set-cookie" not in second.headers

    def test_a_new_one_ends_the_one_before(self, keys):
        gate, old = Gate(Inside(), PORT, keys), keys.new_token()
        new = keys.new_token()
        assert ask(gate, headers(), f"/?token={old}").status == 403
        assert ask(gate, headers(), f"/?token={new}").status == 200

    @pytest.mark.parametrize("query", ["token=", "token=wrong", "token=a&token=b", "token=%ff%00"])
    def test_a_wrong_one_is_refused(self, keys, query):
        keys.new_token()
        assert ask(Gate(Inside(), PORT, keys), headers(), f"/?{query}").status == 403

    def test_is_not_used_up_by_looking(self, keys):
        gate, token = Gate(Inside(), PORT, keys), keys.new_token()
        assert ask(gate, headers(), f"/?token={token}", "HEAD").status == 403
        assert ask(gate, headers(), f"/?token={token}").status == 200

    def test_with_a_session_an_old_address_leads_to_the_page(self, keys):
        gate = Gate(Inside(), PORT, keys)
        answer = ask(gate, come(keys), "/?token=used")
        assert answer.status == 200
        assert b'content="0;url=/"' in answer.body
        assert "set-cookie" not in answer.headers

    def test_starts_a_new_session_and_ends_the_old_one(self, keys):
        gate, old = Gate(Inside(), PORT, keys), come(keys)
        answer = ask(gate, headers(), f"/?token={keys.new_token()}")
        new = headers(cookie=answer.headers["set-cookie"].partition(";")[0])
        assert ask(gate, old).status == 403
        assert ask(gate, new).status == 200

    def test_may_come_from_a_file_on_the_disk(self, keys):
        """Which the browser calls foreign: only a good token makes up for that."""
        gate, foreign = Gate(Inside(), PORT, keys), headers(sec_fetch_site="cross-site")
        assert ask(gate, foreign, "/?token=wrong").status == 403
        assert ask(gate, come(keys, sec_fetch_site="cross-site"), "/?token=wrong").status == 403
        assert ask(gate, foreign, f"/?token={keys.new_token()}").status == 200
        assert ask(gate, foreign).status == 403

    @pytest.mark.parametrize(
        "given",
        [{"sec_fetch_site": "same-site"}, {"origin": "http://evil.example"}, {"origin": "null"}],
    )
    def test_does_not_make_up_for_another_page(self, keys, given):
        gate, token = Gate(Inside(), PORT, keys), keys.new_token()
        assert ask(gate, headers(**given), f"/?token={token}").status == 403
        assert ask(gate, headers(), f"/?token={token}").status == 200

    def test_only_opens_the_first_page(self, keys):
        gate = Gate(Inside(), PORT, keys)
        assert ask(gate, headers(), f"/download/1/data?token={keys.new_token()}").status == 403


class TestWhoComesIn:
    def test_with_the_cookie(self, keys):
        gate = Gate(Inside(), PORT, keys)
        assert ask(gate, come(keys)).status == 200
        assert gate.app.paths == ["/"]

    @pytest.mark.parametrize("path", ["/", "/upload", "/download/1/data", "/_nicegui/static/a.js"])
    def test_nobody_without_a_cookie(self, keys, path):
        gate = Gate(Inside(), PORT, keys)
        assert ask(gate, headers(), path).status == 403
        assert gate.app.paths == []

    @pytest.mark.parametrize(
        "cookie", ["covey-8123=", "covey-8123=wrong", "covey-9999={}", "\x01;;=", "a{}"]
    )
    def test_nobody_with_another_cookie(self, keys, cookie):
        given = headers(cookie=cookie.format(keys.session))
        assert ask(Gate(Inside(), PORT, keys), given).status == 403

    @pytest.mark.parametrize(
        "others", ['prefs={"a": 1}', "a", "=", "x=\x01", "  ", f"covey-{PORT + 1}=other"]
    )
    def test_cookies_of_others_do_not_matter(self, keys, others):
        gate = Gate(Inside(), PORT, keys)
        own = f"covey-{PORT}={keys.session}"
        assert ask(gate, headers(cookie=f"{others}; {own}")).status == 200
        assert ask(gate, headers(cookie=f"{own}; {others}")).status == 200
        assert ask(gate, headers(cookie=[others, own])).status == 200

    def test_nobody_with_the_cookie_twice(self, keys):
        gate, own = Gate(Inside(), PORT, keys), f"covey-{PORT}={keys.session}"
        assert ask(gate, headers(cookie=f"{own}; covey-{PORT}=other")).status == 403
        assert ask(gate, headers(cookie=[own, own])).status == 403

    def test_browsers_leave_out_the_port_of_the_web(self, keys):
        gate, own = Gate(Inside(), 80, keys), f"covey-80={keys.session}"
        for host in ("127.0.0.1", "localhost", "127.0.0.1:80"):
            assert ask(gate, headers(host=host, cookie=own)).status == 200
        given = headers(host="127.0.0.1", cookie=own, origin="http://127.0.0.1")
        assert ask(gate, given, "/upload", "POST").status == 200

    @pytest.mark.parametrize(
        "host",
        [
            None,
            "evil.example",
            "evil.example:8123",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost",
            "127.0.0.1:8123.evil.example",
            ["127.0.0.1:8123", "evil.example"],
            "",
        ],
    )
    def test_nobody_by_another_name(self, keys, host):
        gate = Gate(Inside(), PORT, keys)
        given = [line for line in come(keys) if line[0] != b"host"] + [
            line for line in headers(host=host) if line[0] == b"host"
        ]
        assert ask(gate, given).status == 403
        assert gate.app.paths == []

    def test_localhost_is_this_machine_too(self, keys):
        given = [(b"host", f"localhost:{PORT}".encode()), *come(keys)[1:]]
        assert ask(Gate(Inside(), PORT, keys), given).status == 200

    @pytest.mark.parametrize(
        "origin",
        [
            "http://evil.example",
            "null",
            "http://127.0.0.1:9999",
            "https://127.0.0.1:8123",
            "http://localhost:8123",
            "http://127.0.0.1:8123.evil.example",
            "",
        ],
    )
    def test_nobody_from_another_page(self, keys, origin):
        gate = Gate(Inside(), PORT, keys)
        assert ask(gate, come(keys, origin=origin)).status == 403
        assert ask(gate, come(keys, origin=origin), "/upload", "POST").status == 403
        assert gate.app.paths == []

    @pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
    def test_nobody_whom_the_browser_calls_foreign(self, keys, site):
        """A page on another port of this machine has the cookie; the browser tells it apart."""
        assert ask(Gate(Inside(), PORT, keys), come(keys, sec_fetch_site=site)).status == 403

    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
    def test_whoever_changes_something_says_where_from(self, keys, method):
        gate = Gate(Inside(), PORT, keys)
        assert ask(gate, come(keys), "/upload", method).status == 403
        origin = f"http://{HERE}"
        assert ask(gate, come(keys, origin=origin), "/upload", method).status == 200


class TestWebsockets:
    def test_with_cookie_and_origin(self, keys):
        given = come(keys, origin=f"http://{HERE}")
        assert connect(Gate(Inside(), PORT, keys), given) == "websocket.accept"

    def test_ends_with_its_session(self, keys):
        """Nothing more is said on a line of an old session, nor heard."""
        heard: list[str] = []
        sent: list[str] = []

        async def talk(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "websocket.accept"})
            heard.append((await receive())["type"])
            keys.exchange(keys.new_token())
            await send({"type": "websocket.send", "text": "secret"})
            heard.append((await receive())["type"])

        async def receive() -> Any:
            return {"type": "websocket.receive", "text": "hello"}

        async def send(message: Any) -> None:
            sent.append(message["type"])

        given = come(keys, origin=f"http://{HERE}")
        scope = {"type": "websocket", "path": "/_nicegui_ws/", "headers": given}
        wait_for(Gate(talk, PORT, keys)(scope, receive, send))
        assert sent == ["websocket.accept", "websocket.close"]
        assert heard == ["websocket.receive", "websocket.disconnect"]

    @pytest.mark.parametrize(
        ("change", "cookie"),
        [
            ({}, True),  # no origin
            ({"origin": "http://evil.example"}, True),
            ({"origin": "null"}, True),
            ({"origin": f"http://{HERE}"}, False),
            ({"origin": [f"http://{HERE}", "http://evil.example"]}, True),
        ],
    )
    def test_anything_else_is_closed(self, keys, change, cookie):
        gate = Gate(Inside(), PORT, keys)
        given = come(keys, **change) if cookie else headers(**change)
        assert connect(gate, given) == "websocket.close"
        assert gate.app.paths == []


class TestAnswers:
    def test_headers_keep_the_browser_at_home(self, keys):
        found = ask(Gate(Inside(), PORT, keys), come(keys)).headers
        assert found["x-content-type-options"] == "nosniff"
        assert found["referrer-policy"] == "no-referrer"
        assert found["cache-control"] == "no-store"
        policy = found["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "http" not in policy
        assert f"connect-src 'self' ws://{HERE};" in policy
        assert "script-src 'self' 'nonce-" in policy
        assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]

    def test_refusals_carry_them_too(self, keys):
        assert ask(Gate(Inside(), PORT, keys), headers()).headers["cache-control"] == "no-store"

    def test_a_foreign_name_is_not_let_into_the_policy(self, keys):
        given = [(b"host", b"evil.example; script-src *"), *come(keys)[1:]]
        policy = ask(Gate(Inside(), PORT, keys), given).headers["content-security-policy"]
        assert "evil" not in policy

    def test_scripts_of_the_page_are_marked(self, keys):
        gate = Gate(Inside(), PORT, keys)
        answers = [ask(gate, come(keys)) for _ in range(2)]
        marks = []
        for answer in answers:
            mark = answer.headers["content-security-policy"].split("'nonce-")[1].split("'")[0]
            assert f'<script nonce="{mark}">let a'.encode() in answer.body
            assert int(answer.headers["content-length"]) == len(answer.body)
            marks.append(mark)
        assert marks[0] != marks[1]

    def test_static_files_may_be_kept_by_the_browser(self, keys):
        gate = Gate(Inside(kind="text/javascript"), PORT, keys)
        answer = ask(gate, come(keys), "/_nicegui/3/static/a.js")
        assert answer.headers["cache-control"] == "public"
        assert answer.body == PAGE

    def test_a_report_runs_nothing(self, keys):
        answer = ask(Gate(Inside(), PORT, keys), come(keys), "/show/1/internal")
        assert "script-src" not in answer.headers["content-security-policy"]
        assert answer.body == PAGE

    @pytest.mark.parametrize("status", [404, 500])
    def test_failures_are_plain_pages(self, keys, status):
        answer = ask(Gate(Inside(status), PORT, keys), come(keys), "/nowhere")
        assert answer.status == status
        assert b"let a" not in answer.body
        assert b"Back to the start" in answer.body

    def test_an_error_says_nothing_of_the_inside(self, keys):
        answer = ask(Gate(Inside(raises=True), PORT, keys), come(keys))
        assert answer.status == 500
        assert b"4711" not in answer.body
        assert b"RuntimeError" not in answer.body
