"""The control protocol (spec/control-protocol.yaml) for a staging server in Python: WSGI and ASGI middleware.

One file of the standard library, for Python 3.11 or newer, so that it can be copied.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from threading import Lock
from typing import Any
from urllib.parse import unquote

BODY_MOST = 64 * 1024
TOKEN_LEAST = 16
TEXTS = ("agentId", "idempotencyKey", "principal", "webhookId", "approvalId", "taskId", "message")

Answer = tuple[int, dict[str, Any]]


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Entered:
    """A state that holds. `setting`: what to send to meet it, such as ``{"agentId": …}``. `leave` undoes it."""

    leave: Callable[[], object] = _nothing
    setting: Mapping[str, str] = field(default_factory=dict)


class CannotEnter(Exception):
    """The state is known and cannot be entered now; the message goes to the caller."""


class _Refusal(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class ControlProtocol:
    """The four routes below a path.

    `states` has a function for each state id of spec/states.ts that can be entered. It gets the members of the
    request that name for whom (such as ``agentId``), brings the state about and returns an `Entered`. A state without
    one is answered 404, and what needs it is not tested. `advance` moves the clock of the server by so many
    milliseconds and returns ``{"now": "2026-01-01T00:01:00Z", "fired": 2}``.
    """

    def __init__(
        self,
        token: str,
        states: Mapping[str, Callable[[dict[str, Any]], Entered]],
        advance: Callable[[float], dict[str, Any]] | None = None,
        path: str = "/control",
    ) -> None:
        """Raise a ValueError for a token that can be guessed."""
        if len(token) < TOKEN_LEAST:
            raise ValueError(f"The control token has {len(token)} characters: give at least {TOKEN_LEAST}.")
        self._token, self._states, self._advance, self._path = token, states, advance, path
        self._entered: dict[str, tuple[str, Entered]] = {}
        self._numbers = count(1)
        self._lock = Lock()

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer | None:
        """Return status and body for a request, or None if its path is another. Names of headers in small letters."""
        if path != self._path and not path.startswith(f"{self._path}/"):
            return None
        try:
            self._admit(headers.get("authorization", ""))
            words = [unquote(word) for word in path[len(self._path) :].strip("/").split("/")]
            return self._routed(method, words, headers.get("content-type", ""), body)
        except CannotEnter as reason:
            return 409, {"error": str(reason)}
        except _Refusal as refusal:
            return refusal.status, {"error": str(refusal)}

    def leave_all(self) -> None:
        """Leave every state that was entered and not left, the last one first."""
        for handle, (state, _) in reversed(list(self._entered.items())):
            self._leave(state, handle)

    def _admit(self, authorization: str) -> None:
        scheme, _, sent = authorization.partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(sent.encode(), self._token.encode()):
            raise _Refusal(401, "The control token is missing or wrong: send it as `Authorization: Bearer`.")

    def _routed(self, method: str, words: list[str], kind: str, body: bytes) -> Answer:
        match (method, *words):
            case ("GET", ""):
                states, clock = list(self._states), self._advance is not None
                return 200, {"protocol": "touchstone-control/1", "states": states, "clock": clock}
            case ("POST", "states", state) if state in self._states:
                return self._enter(state, _wish(_object(kind, body)))
            case ("POST", "states", state):
                raise _Refusal(404, f"State `{state}` cannot be entered here.")
            case ("DELETE", "states", state, handle):
                return self._leave(state, handle)
            case ("POST", "clock", "advance") if self._advance is not None:
                return 200, self._advance(_number(_object(kind, body), "ms"))
        raise _Refusal(404, f"{method} {'/'.join([self._path, *words])} is not offered here.")

    def _enter(self, state: str, wish: dict[str, Any]) -> Answer:
        entered = self._states[state](wish)
        handle = f"{state}-{next(self._numbers)}"
        self._entered[handle] = (state, entered)
        return 201, {"handle": handle, "setting": dict(entered.setting)}

    def _leave(self, state: str, handle: str) -> Answer:
        # Two requests for one handle leave it once; what fails can be tried again.
        with self._lock:
            found = self._entered.get(handle)
            if found is None or found[0] != state:
                raise _Refusal(404, f"State `{state}` has no handle `{handle}`.")
            del self._entered[handle]
        try:
            found[1].leave()
        except Exception:
            self._entered[handle] = found
            raise
        return 200, {"left": {"state": state, "handle": handle}}

    def wsgi(self, app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
        """Return a WSGI application that answers the protocol, and everything else by `app`."""

        def middleware(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
            if path != self._path and not path.startswith(f"{self._path}/"):
                return app(environ, start_response)
            length = int(environ.get("CONTENT_LENGTH") or 0)
            headers = {
                "authorization": environ.get("HTTP_AUTHORIZATION", ""),
                "content-type": environ.get("CONTENT_TYPE", ""),
            }
            body = environ["wsgi.input"].read(min(length, BODY_MOST + 1))
            status, data = _encoded(self.answer(environ["REQUEST_METHOD"], path, headers, body))
            start_response(f"{status} {_PHRASES[status]}", [*_HEADERS, ("Content-Length", str(len(data)))])
            return [data]

        return middleware

    def asgi(self, app: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """Return an ASGI application that answers the protocol, and everything else by `app`.

        States are entered and left in another thread, so that the server goes on meanwhile.
        """

        async def middleware(scope: dict[str, Any], receive: Any, send: Any) -> None:
            path = scope.get("path", "")
            if scope["type"] != "http" or (path != self._path and not path.startswith(f"{self._path}/")):
                return await app(scope, receive, send)
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
            body, more = b"", True
            while more:
                event = await receive()
                body = (body + event.get("body", b""))[: BODY_MOST + 1]
                more = event.get("more_body", False)
            answer = await asyncio.to_thread(self.answer, scope["method"], path, headers, body)
            status, data = _encoded(answer)
            length = (b"content-length", str(len(data)).encode())
            lines = [*((name.lower().encode(), value.encode()) for name, value in _HEADERS), length]
            await send({"type": "http.response.start", "status": status, "headers": lines})
            await send({"type": "http.response.body", "body": data})
            return None

        return middleware


_HEADERS = (("Content-Type", "application/json"), ("Cache-Control", "no-store"))
_PHRASES = {
    200: "OK",
    201: "Created",
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    409: "Conflict",
    415: "Unsupported Media Type",
}


def _encoded(answer: Answer | None) -> tuple[int, bytes]:
    status, body = answer or (404, {"error": "There is nothing at this path."})
    return status, json.dumps(body).encode()


def _object(kind: str, body: bytes) -> dict[str, Any]:
    if re.match(r"application/json *(;|$)", kind, re.IGNORECASE) is None:
        raise _Refusal(415, "The body is not said to be JSON: send `Content-Type: application/json`.")
    if len(body) > BODY_MOST:
        raise _Refusal(400, f"The body is longer than {BODY_MOST} bytes.")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _Refusal(400, "The body is to be a JSON object.")
    return value


def _number(body: dict[str, Any], name: str) -> float:
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise _Refusal(400, f"`{name}` is to be a number, and not negative.")
    return value


def _wish(body: dict[str, Any]) -> dict[str, Any]:
    """Members that it does not know stay: a later suite may send more."""
    for name in TEXTS:
        if not isinstance(body.get(name, ""), str):
            raise _Refusal(400, f"`{name}` is to be a text.")
    if "milliseconds" in body:
        _number(body, "milliseconds")
    return body
