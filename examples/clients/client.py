"""A client of the service with Python's standard library alone: chat, streams, reads, operations.

`touchstone client --can chat,stream,billing,discover,execute -- python3 examples/clients/client.py`
starts it anew for each task and hands the task over in the environment.
"""

import codecs
import http.client
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, urlsplit

# The service's own word, as the names of its variables begin: ACME for ACME_BASE_URL.
PREFIX = "SERVICE"


def variable(name: str) -> str:
    return os.environ.get(name) or sys.exit(f"environment variable {name} is not set")


BASE = urlsplit(variable(f"{PREFIX}_BASE_URL").rstrip("/"))
API_KEY = variable(f"{PREFIX}_API_KEY")

MOST_TRIES = 4
PAUSE = 0.5
# Who is told to wait for longer is better told so than kept waiting.
PATIENCE = 4
MOST_READS = 40
# Seconds without a byte.
SILENCE = 60
FINAL = ("completed", "failed", "cancelled")


class Failure(Exception):
    """What went wrong, with what the service said of it."""

    def __init__(self, **told: Any) -> None:
        super().__init__(str(told))
        self.told = told


def failure_of(status: int, body: Any) -> Failure:
    """A refusal of chat is flat and names its code in some text; a receipt that failed has an object `error`."""
    body = body if isinstance(body, dict) else {}
    receipt = body.get("error") if isinstance(body.get("error"), dict) else {}
    said = (value for value in body.values() if isinstance(value, str) and re.fullmatch("[A-Z]+(_[A-Z]+)+", value))
    told = {"status": status, "code": receipt.get("code") or next(said, None), "body": body}
    if "resolution" in receipt:
        told["resolution"] = receipt["resolution"]
    if isinstance(body.get("retry_after_seconds"), (int, float)):
        told["retryAfterSeconds"] = body["retry_after_seconds"]
    return Failure(**told)


def parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None


def pause_before(failure: Failure) -> float | None:
    """How long to wait before the same request goes out again; None where it must not."""
    status, code = failure.told["status"], failure.told["code"]
    if status == 503 or (status == 409 and code == "REQUEST_IN_PROGRESS"):
        return PAUSE
    if status != 429:
        return None
    wait = failure.told.get("retryAfterSeconds", 2 * PAUSE)
    return wait if wait <= PATIENCE else None


def connection() -> http.client.HTTPConnection:
    kind = http.client.HTTPSConnection if BASE.scheme == "https" else http.client.HTTPConnection
    return kind(BASE.hostname or "", BASE.port, timeout=SILENCE)


def send(
    method: str,
    path: str,
    body: Any = None,
    key: str | None = None,
    read: Callable[[http.client.HTTPResponse], Any] = lambda answer: json.loads(answer.read()),
) -> Any:
    """The same bytes and the same key each time. A key is minted once for each thing to be done."""
    headers = {"Authorization": f"Bearer {API_KEY}"}
    raw = None
    if body is not None:
        raw = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    if key is not None:
        headers["Idempotency-Key"] = key
    for tries in range(1, MOST_TRIES + 1):
        wait: float | None
        try:
            line = connection()
            line.request(method, BASE.path + path, raw, headers)
            answer = line.getresponse()
            if answer.status == 200 or answer.status == 202:
                return read(answer)
            raise failure_of(answer.status, parsed(answer.read()))
        except Failure as failure:
            wait = pause_before(failure)
            if wait is None or tries == MOST_TRIES:
                raise
        except (OSError, http.client.HTTPException):
            # The connection broke, so nobody knows what became of it: only what can do no harm twice is sent again.
            if tries == MOST_TRIES or (method != "GET" and key is None):
                raise
            wait = PAUSE
        time.sleep(wait)


def lines_of(answer: http.client.HTTPResponse) -> Iterator[str]:
    """Characters and line ends may be cut anywhere; a line counts once its end has come."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    rest = ""
    was_return = False
    # read1 gives what is there; read would wait until the buffer is full.
    while chunk := answer.read1(65536):
        text = decoder.decode(chunk)
        if not text:
            continue
        rest += text[1:] if was_return and text.startswith("\n") else text
        was_return = text.endswith("\r")
        # str.splitlines would cut at characters that are no line ends in a stream.
        *lines, rest = re.split("\r\n|\n|\r", rest)
        yield from lines


def events_of(answer: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    """Events up to `done`. Each data line is an event; comments and other fields are passed over."""
    try:
        for line in lines_of(answer):
            if not line.startswith("data:"):
                continue
            event = json.loads(line[5:])
            yield event
            if event.get("type") == "done":
                return
            if event.get("type") == "error":
                raise Failure(code=None, error=event.get("error"))
    except (OSError, http.client.HTTPException) as cut:
        raise Failure(code=None, error=f"the stream broke off: {cut!r}") from cut
    raise Failure(code=None, error="the stream ended before it was done")


def turn(task: dict[str, Any], more: dict[str, Any], **how: Any) -> Any:
    if "idempotencyKey" not in task:
        raise Failure(code="IDEMPOTENCY_KEY_REQUIRED")
    body = {"message": task["message"], **more}
    if "conversationId" in task:
        body["conversation_id"] = task["conversationId"]
    if "interaction" in task:
        # As it was copied from a presentation.
        body["interaction"] = task["interaction"]
    agent = quote(variable("TOUCHSTONE_AGENT"), safe="")
    return send("POST", f"/api/v1/chat/{agent}", body, task["idempotencyKey"], **how)


def chat(task: dict[str, Any]) -> dict[str, Any]:
    return turn(task, {})


def stream(task: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Events as they come, the last of them `done`. Broken off, it raises: ask again with the same key."""
    answer = turn(task, {"stream": True}, read=lambda answer: answer)
    if (answer.getheader("Content-Type") or "").startswith("text/event-stream"):
        yield from events_of(answer)
    else:
        yield {**json.loads(answer.read()), "type": "done"}


def execute(operation: str, given: Any, key: str | None) -> tuple[bool, dict[str, Any]]:
    """Whether it is finished, and the receipt, task and approval as they were last read."""

    def ask() -> Any:
        return send("POST", f"/api/v1/operation-executions/{quote(operation, safe='')}", {"input": given}, key)

    def read(kind: str, name: str) -> Any:
        return send("GET", f"/api/v1/{kind}/{quote(name, safe='')}")

    known: dict[str, Any] = {"receipt": ask()}
    # Held for the owner: the approval is read, and the same key asks what has become of it.
    for tries in range(1, MOST_TRIES + 1):
        if known["receipt"]["status"] != "pending_approval":
            break
        known["approval"] = read("approvals", known["receipt"]["approval_id"])
        if tries == MOST_TRIES:
            return False, known
        time.sleep(PAUSE / 5)
        known["receipt"] = ask()
    receipt = known["receipt"]
    if receipt["status"] == "failed":
        raise failure_of(200, receipt)
    if receipt["status"] != "accepted":
        return True, known
    for _ in range(MOST_READS):
        known["task"] = read("tasks", receipt["task_id"])
        if known["task"]["state"] in FINAL:
            return True, known
        time.sleep(PAUSE / 5)
    return False, known


def billing(read: str, limit: int | None) -> Any:
    query = "" if limit is None else f"?limit={limit}"
    return send("GET", f"/api/v1/billing/{quote(read)}{query}")


# From here on: the task that `touchstone client` gives, and a line for whatever the application saw.


def tell(**line: Any) -> None:
    print("touchstone", json.dumps(line), flush=True)


def perform(task: dict[str, Any]) -> None:
    if task["do"] == "chat":
        tell(saw="reply", reply=chat(task))
    elif task["do"] == "stream":
        for event in stream(task):
            tell(saw="event", event=event)
            if event.get("type") == "done":
                tell(saw="reply", reply=event)
    elif task["do"] == "billing":
        tell(saw="result", result=billing(task["read"], task.get("limit")))
    elif task["do"] == "discover":
        tell(saw="result", result=send("GET", "/api/v1/operations"))
    elif task["do"] == "execute":
        finished, known = execute(task["operation"], task["input"], task.get("idempotencyKey"))
        tell(saw="finished" if finished else "unfinished", **known)
    else:
        sys.exit(f"this client cannot {task['do']}: leave it out of --can")


if __name__ == "__main__":
    try:
        perform(json.loads(variable("TOUCHSTONE_TASK")))
    except Failure as failure:
        tell(saw="error", error=failure.told)
    except (OSError, http.client.HTTPException, ValueError) as error:
        tell(saw="error", error={"message": repr(error)})
