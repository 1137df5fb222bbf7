"""The faults that people reported of programs like this one, and how a test plays them.

`reports/*.json` holds, by id, what was seen and the small input that shows it; `test_reports.py` says what
became of each. In an input `{"$rep": [text, n]}` repeats a text, `{"$concat": […]}` joins, and
`<<rep:text:n>>` repeats within a string.

    with staged(tmp_path, windows=(300,)) as stage:
        got = stage.send(reported("tp-10-open-round-at-tail")["request"]["body"], window=300)
        assert stage.sent.messages …
"""

from __future__ import annotations

import contextlib
import http.client
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import vendor
from answers import Answer, Recorded, json_answer, text_answer
from refusing import Got
from running import Running
from upstream import ScriptedUpstream

HERE = Path(__file__).parent / "reports"

Body = dict[str, Any]
Message = dict[str, Any]

_REPEATED = re.compile(r"<<rep:(.*?):(\d+)>>")
_KEYS = count()


@cache
def reports() -> dict[str, Any]:
    """Return every report by its id."""
    found: dict[str, Any] = {}
    for path in sorted(HERE.glob("*.json")):
        found |= json.loads(path.read_text())
    return found


def reported(id: str) -> Any:
    """Return the input of a report, written out."""
    return written_out(reports()[id]["input"])


def written_out(value: Any) -> Any:
    """Return a value without any notation.

    >>> written_out({"a": [{"$concat": [{"$rep": ["ab", 2]}, "!"]}], "b": "<<rep:x :2>>"})
    {'a': ['abab!'], 'b': 'x x '}
    """
    match value:
        case {"$rep": [str(text), int(times)]}:
            return text * times
        case {"$concat": list(parts)}:
            return "".join(map(written_out, parts))
        case dict():
            return {key: written_out(inner) for key, inner in value.items()}
        case list():
            return [written_out(inner) for inner in value]
        case str():
            return _REPEATED.sub(lambda found: found[1] * int(found[2]), value)
    return value


def body_of(id: str) -> Body:
    """Return the one request of a report."""
    found: Body = reported(id)["request"]["body"]
    return found


def call(id: str, name: str = "f", arguments: Any = "{}") -> dict[str, Any]:
    """Return a call as it stands in an assistant message."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def encoded(body: Any) -> bytes:
    """Return a body as most clients write it."""
    return body if isinstance(body, bytes) else json.dumps(body).encode()


@dataclass
class Stage:
    """A gateway whose policies name the window of every model, and an upstream that takes everything."""

    gateway: Running
    upstream: ScriptedUpstream

    def send(self, body: Body | bytes, *, window: int | str = "", key: str = "", **headers: str) -> Got:
        """Send a chat request under the policy of that window, and return what comes back.

        Without a *key* nothing is shared with other requests. Underscores in names of headers stand for
        dashes.
        """
        policy = {"x-haversack-policy": f"w{window}"} if window else {}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.call("POST", "/v1/chat/completions", encoded(body), key, {**policy, **given})

    def call(
        self, method: str, path: str, body: bytes = b"", key: str = "", headers: dict[str, str] | None = None
    ) -> Got:
        """Send any request, and return what comes back."""
        known = {"authorization": f"Bearer {key or f'key-{next(_KEYS)}'}", "content-type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.gateway.port, timeout=60)
        try:
            connection.request(method, path, body, {**known, **(headers or {})})
            response = connection.getresponse()
            return Got(response.status, response.getheaders(), response.read())
        finally:
            connection.close()

    def rewritten(
        self, body: Body | bytes, *, window: int | str, key: str = "", **headers: str
    ) -> list[Message]:
        """Send a request that is too long as it is; return the list that went out, which is valid."""
        got = self.send(body, window=window, key=key)
        assert (got.status, self.sent.problems) == (200, [])
        assert got.header("x-haversack-action") == "compacted"
        assert self.sent.tokens.prompt < vendor.count(json.loads(encoded(body))).prompt
        return self.sent.messages

    def plan(self, body: Body | bytes, target: int, policy: str = "default") -> list[Message]:
        """Return the list that would go out if no more than *target* tokens fitted; nothing is sent."""
        path = f"/haversack/compact?policy={policy}&target_tokens={target}"
        got = self.call("POST", path, encoded(body))
        assert got.status == 200, got.body
        found: list[Message] = json.loads(got.body)["request"]["messages"]
        return found

    @property
    def sent(self) -> Recorded:
        """The request that the upstream received last."""
        return next(r for r in reversed(self.upstream.requests) if not r.target.endswith("/models"))


def lenient(request: Recorded) -> Answer:
    """Answer whatever comes; there is no list of models."""
    is_chat = "/chat/completions" in request.target and isinstance(request.json, dict)
    return text_answer(request, "All right.") if is_chat else json_answer({}, status=404)


@contextlib.contextmanager
def staged(
    folder: Path, windows: Sequence[int] = (), policies: Mapping[str, str] | None = None
) -> Iterator[Stage]:
    """Run a gateway with a policy `w<window>` for each window, and those given as the text of a file."""
    (folder / "policies").mkdir(exist_ok=True)
    files = {f"w{window}": f"extends: mechanical\nwindow: {window}\n" for window in windows}
    for name, text in {**files, **(policies or {})}.items():
        (folder / "policies" / f"{name}.yaml").write_text(text)
    with ScriptedUpstream() as upstream:
        upstream.script = lenient
        with Running(upstream.url, folder / "data", "--policies", str(folder / "policies")) as gateway:
            yield Stage(gateway, upstream)
