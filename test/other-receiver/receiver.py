"""
Another receiver of deliveries: http.server, ids in a table of SQLite, work handed to one thread. For tests it tells at
/done/<id> how often a delivery was processed. `--fault NAME` plants a defect of defects.py.
"""

import argparse
import hmac
import json
import queue
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

sys.path.append(str(Path(__file__).parent.parent / "other-server"))
import planting  # noqa: E402

DAY = 24 * 60 * 60
SIGNATURE, DELIVERY_ID = "x-service-signature", "x-service-delivery-id"


class Ids:
    """Delivery ids of the last day. That an id is new is for the table to say, in one statement."""

    def __init__(self):
        self.lock = threading.Lock()
        self.table = sqlite3.connect(":memory:", check_same_thread=False)
        self.table.execute("CREATE TABLE ids (id TEXT PRIMARY KEY, at REAL)")

    def take(self, name):
        with self.lock:
            self.table.execute("DELETE FROM ids WHERE at < ?", (time.time() - DAY,))
            added = self.table.execute("INSERT OR IGNORE INTO ids VALUES (?, ?)", (name, time.time()))
            return added.rowcount == 1

    def has(self, name):
        with self.lock:
            return self.table.execute("SELECT 1 FROM ids WHERE id = ?", (name,)).fetchone() is not None


class Desk:
    """Where deliveries are taken in, and worked on after the answer."""

    def __init__(self, secret):
        self.secret = secret
        self.ids = Ids()
        self.done = {}
        self.tray = queue.SimpleQueue()
        threading.Thread(target=self.work, daemon=True).start()

    def is_genuine(self, body, given):
        return len(given) == 1 and self.matches(given[0].encode("latin-1"), self.signature(body))

    def signature(self, body):
        return b"sha256=" + hmac.new(self.secret, body, "sha256").hexdigest().encode()

    def matches(self, given, wanted):
        return hmac.compare_digest(given, wanted)

    def take_in(self, headers, body):
        """The status of the answer."""
        if not self.is_genuine(body, headers.get_all(SIGNATURE, [])):
            return 401
        name = headers.get(DELIVERY_ID)
        if not name:
            return 400
        if self.is_new(name, body):
            self.tray.put((name, body))
        return 202

    def is_new(self, name, body):
        return self.ids.take(name)

    def work(self):
        while True:
            self.process(*self.tray.get())

    def process(self, name, body):
        json.loads(body)
        self.done[name] = self.done.get(name, 0) + 1


class Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    desk: Desk

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            self.answer(self.desk.take_in(self.headers, body))
        except Exception as error:
            print(repr(error), file=sys.stderr)
            self.answer(500)

    def do_GET(self):
        name = unquote(self.path.removeprefix("/done/"))
        self.answer(200, str(self.desk.done.get(name, 0)))

    def answer(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--secret", required=True)
    options.add_argument("--fault")
    chosen = options.parse_args()
    planting.plant(chosen.fault)
    Door.desk = Desk(chosen.secret.encode())
    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.modules["receiver"] = sys.modules["__main__"]
    main()
