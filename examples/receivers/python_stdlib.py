"""A webhook receiver with Python's standard library alone.

Run: WEBHOOK_SECRET=... PORT=3000 python3 python_stdlib.py
"""

import hashlib
import hmac
import json
import os
import queue
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

# The service's own word in the names of its headers: acme where a delivery carries x-acme-signature.
VENDOR = "service"

SECRET = (os.environ.get("WEBHOOK_SECRET") or sys.exit("environment variable WEBHOOK_SECRET is not set")).encode()
MOST_BYTES = 2 * 1024 * 1024
REMEMBER_SECONDS = 24 * 60 * 60


def is_genuine(body: bytes, given: list[str]) -> bool:
    """One header value, compared as bytes: compare_digest raises for text that is not ASCII."""
    expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return len(given) == 1 and hmac.compare_digest(given[0].encode("utf-8", "surrogateescape"), expected.encode())


class Seen:
    """Delivery ids by the time they were first seen. Several processes need a shared store with an atomic insert."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at: dict[str, float] = {}

    def is_new(self, delivery_id: str) -> bool:
        """Looks and remembers under one lock: of two copies at once only one is new."""
        now = time.monotonic()
        with self._lock:
            while self._at and now - next(iter(self._at.values())) >= REMEMBER_SECONDS:
                del self._at[next(iter(self._at))]
            if delivery_id in self._at:
                return False
            self._at[delivery_id] = now
            return True


seen = Seen()
todo: queue.Queue[tuple[str, bytes]] = queue.Queue()
# How often each delivery was processed: for `touchstone receiver --effects`.
effects: dict[str, int] = {}


def work() -> None:
    """Your own work comes here. An unknown event is no error."""
    while True:
        delivery_id, body = todo.get()
        try:
            json.loads(body)
            effects[delivery_id] = effects.get(delivery_id, 0) + 1
        except ValueError as error:
            print(f"{delivery_id} failed: {error}", file=sys.stderr)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Seconds without a byte: a sender that stops halfway keeps no thread for ever.
    timeout = 30

    def do_POST(self) -> None:
        given = self.headers.get("content-length", "")
        length = int(given) if given.isascii() and given.isdigit() and len(given) <= 12 else -1
        if not 0 <= length <= MOST_BYTES:
            self.close_connection = True
            return self.answer(411 if length < 0 else 413)
        # Raw bytes, never decoded: the signature is over them.
        body = self.rfile.read(length)
        if urlsplit(self.path).path != "/webhooks":
            return self.answer(404)
        if not is_genuine(body, self.headers.get_all(f"x-{VENDOR}-signature", [])):
            return self.answer(401)
        delivery_id = self.headers.get(f"x-{VENDOR}-delivery-id")
        if not delivery_id:
            return self.answer(400)
        if seen.is_new(delivery_id):
            todo.put((delivery_id, body))
        # The work is done by another thread: the sender waits about ten seconds.
        self.answer(204)

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        # Only in a test: it tells anybody which deliveries came.
        if os.environ.get("EFFECTS") and path.startswith("/effects/"):
            return self.answer(200, str(effects.get(unquote(path[9:]), 0)).encode())
        self.answer(404)

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    threading.Thread(target=work, daemon=True).start()
    server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "3000"))), Handler)
    print(f"listening on {server.server_address[1]}", flush=True)
    server.serve_forever()
