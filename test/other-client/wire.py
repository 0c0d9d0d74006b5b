"""One request at a time: what goes out, what comes back, and how it fails."""

import json
from dataclasses import dataclass, field
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

SILENCE_SECONDS = 60
# No proxy of the machine stands between: the service is named by its address.
OPENER = build_opener(ProxyHandler({}))


@dataclass
class Call:
    method: str
    path: str
    body: dict | None = None
    key: str | None = None
    headers: dict = field(default_factory=dict)


class Trouble(Exception):
    """Whatever kept a call from its end. `members` is what the caller gets to know."""

    members = {}


class Lost(Trouble):
    """Nobody knows what became of it."""

    def __init__(self, reason):
        super().__init__(reason)
        self.members = {"message": f"connection lost: {reason}"}


class Refused(Trouble):
    def __init__(self, status, body):
        super().__init__(f"refused with {status}")
        self.status = status
        self.body = body if isinstance(body, dict) else {}
        self.code = code_in(self.body)
        self.members = {"status": status, "body": body, **told_of(self.body)}
        if self.code is not None:
            self.members["code"] = self.code


def code_in(body):
    """A receipt has it in `error`; chat is flat, and says it in one member or another."""
    error = body.get("error")
    if isinstance(error, dict):
        return error.get("code")
    texts = [value for value in body.values() if isinstance(value, str)]
    return next((text for text in texts if text.isupper() and text.replace("_", "").isalpha() and "_" in text), None)


def told_of(body):
    told = {}
    if seconds_in(body) is not None:
        told["retryAfterSeconds"] = seconds_in(body)
    error = body.get("error")
    if isinstance(error, dict) and "resolution" in error:
        told["resolution"] = error["resolution"]
    return told


def seconds_in(body):
    seconds = body.get("retry_after_seconds")
    return seconds if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) else None


def headers_of(call, api_key):
    headers = {"Authorization": "Bearer " + api_key, "Accept": "application/json, text/event-stream"}
    if call.body is not None:
        headers["Content-Type"] = "application/json"
    if call.key is not None:
        headers["Idempotency-Key"] = call.key
    return {**headers, **call.headers}


def read_json(response):
    try:
        return json.loads(response.read())
    except ValueError:
        raise Lost("the answer is no JSON") from None
    except (OSError, HTTPException) as error:
        raise Lost(error) from None


def refusal(error):
    try:
        return Refused(error.code, json.loads(error.read()))
    except ValueError:
        return Refused(error.code, None)


def send(address, api_key, call):
    """The response, still open. Raises Refused for a status other than 2xx, Lost where none came."""
    data = None if call.body is None else json.dumps(call.body, ensure_ascii=False).encode()
    request = Request(address + call.path, data, headers_of(call, api_key), method=call.method)
    try:
        return OPENER.open(request, timeout=SILENCE_SECONDS)
    except HTTPError as error:
        raise refusal(error) from None
    except (OSError, HTTPException) as error:
        raise Lost(error) from None
