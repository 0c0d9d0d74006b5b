"""Reads requests as JSON, sends each to the WSGI and to the ASGI middleware, and prints the answers of both."""

import asyncio
import json
import sys
from io import BytesIO
from pathlib import Path
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

sys.path.insert(0, str(Path(__file__).parents[2] / "kits/control-protocol/python"))
from touchstone_control import CannotEnter, ControlProtocol, Entered  # noqa: E402

paused = set()


def pause(wish):
    agent = wish.get("agentId", "agent_1")
    if agent == "locked":
        raise CannotEnter("The agent is locked: unlock it first.")
    paused.add(agent)
    return Entered(lambda: paused.discard(agent), {"agentId": agent})


def advance(ms):
    return {"now": "2026-01-01T00:01:00.000Z", "fired": 0}


def protocol():
    return ControlProtocol(sys.argv[1], {"chat.paused": pause}, advance)


def other(environ, start_response):
    start_response("418 Teapot", [("Content-Type", "application/json")])
    return [b"{}"]


async def other_async(scope, receive, send):
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def by_wsgi(app, request):
    body = request["body"].encode()
    headers = request["headers"]
    environ = {
        "REQUEST_METHOD": request["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": request["path"],
        "QUERY_STRING": "",
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": headers["content-type"],
        "HTTP_AUTHORIZATION": headers["authorization"],
        "wsgi.input": BytesIO(body),
    }
    setup_testing_defaults(environ)
    started = []
    answer = app(environ, lambda status, headers, exc_info=None: started.append(status) or (lambda data: None))
    data = b"".join(answer)
    answer.close()
    return int(started[0].split()[0]), json.loads(data)


async def by_asgi(app, request):
    sent = []
    body = request["body"].encode()
    events = iter(
        [
            {"type": "http.request", "body": body[:3], "more_body": True},
            {"type": "http.request", "body": body[3:], "more_body": False},
        ]
    )

    async def receive():
        return next(events)

    async def send(event):
        sent.append(event)

    headers = [(name.encode(), value.encode()) for name, value in request["headers"].items()]
    scope = {"type": "http", "method": request["method"], "path": request["path"], "headers": headers}
    await app(scope, receive, send)
    return sent[0]["status"], json.loads(sent[1]["body"])


requests = json.load(sys.stdin)
wsgi = validator(protocol().wsgi(validator(other)))
asgi = protocol().asgi(other_async)
answers = {
    "wsgi": [by_wsgi(wsgi, request) for request in requests],
    "asgi": [asyncio.run(by_asgi(asgi, request)) for request in requests],
    "paused": sorted(paused),
}
print(json.dumps(answers))
