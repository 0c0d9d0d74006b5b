"""
A small server of chat, operations and webhooks that keeps the contract in its own way. Python 3, standard library only.

    python3 server.py [--port 4020] [--fault NAME] [--ways NAME,NAME] [--vendor WORD]
                      [--name-server ZONE=HOST:PORT] [--trust FILE]

prints one line of JSON with its address and with the environment variables that target.yaml refers to.

    python3 server.py --each

reads a line of such options for each server that it is to be, until its input ends.
"""

import argparse
import gzip
import json
import os
import re
import select
import signal
import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from contextlib import suppress
from itertools import count, cycle
from urllib.parse import unquote

import body
import chat
import control
import guard
import operations
import planting
import webhooks
from control import FAULTS, TOKEN
from ways import WAYS
from world import FORMER, KEYS, World

ROUTE = re.compile(r"/api/v1/chat/([^/?]+)(?:\?.*)?")
CARRIERS = ("Idempotency-Key", "X-Idempotency-Key")


class Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    answers = count(1)
    timeout = 60

    def do_POST(self):
        self.quota = {}
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        route = ROUTE.fullmatch(self.path)
        if self.path.startswith("/control"):
            self.say(*control.answer(self.server.world, self, raw))
        elif route is None:
            self.say(*self.elsewhere(raw))
        else:
            self.chat(unquote(route[1]), raw)

    do_GET = do_DELETE = do_PATCH = do_PUT = do_POST

    def elsewhere(self, raw):
        world = self.server.world
        found = webhooks.answer(world, self, raw) or operations.answer(world, self, raw)
        return found or (404, {"error": "Nothing here."})

    def chat(self, agent, raw):
        world, key = self.server.world, chat.key_of(self.headers.get("Authorization"))
        try:
            asked = body.parse(raw, self.headers.get("Content-Type") or "")
            asked = body.check(asked, self.carried(), world.fault, world.ways)
            chat.admit(world, key, agent)
            self.quota = {"Chat-Quota-Left": chat.limit(world, key)}
            call = chat.Call(world, key, agent, asked)
            turn, mine = chat.begin(call, raw)
            if not mine:
                self.replay(call, turn)
            elif asked["stream"]:
                self.stream(call, turn)
            else:
                self.say(200, chat.run(call, turn, lambda event: None, self.gone), self.unmarked())
        except body.Refusal as refusal:
            self.say(refusal.status, refusal.body)
        except chat.Broken:
            self.say(500, {"error": "That went wrong, and nobody knows how far it went."})
        except (chat.Gone, OSError):
            self.close_connection = True

    def carried(self):
        """The key of a header, or None; two headers that differ have no valid key between them."""
        found = {self.headers[name].strip() for name in CARRIERS if name in self.headers}
        return None if not found else found.pop() if len(found) == 1 else ""

    def mark(self, value):
        return {f"x-{self.server.world.vendor}-idempotent-replay": value}

    def unmarked(self):
        return self.mark("no") if "first-marked-no" in self.server.world.ways else {}

    def replay(self, call, turn):
        reply = chat.again(call, turn)
        marked = {} if call.world.fault == "replay-unmarked" else self.mark("true")
        if not call.body["stream"]:
            return self.say(200, reply, marked)
        times = 2 if call.world.fault == "replay-done-twice" else 1
        send, end = self.open(marked)
        for event in [*turn.events, *times * [{**reply, "type": "done"}]]:
            send(event)
        end()

    def stream(self, call, turn):
        """Begins with the first event, because a refusal may come before it, and ends even if nobody listens."""
        opened = []

        def send(event):
            opened.extend(() if opened else self.open(self.unmarked()))
            with suppress(OSError):
                opened[0](event)

        try:
            send({**chat.run(call, turn, send, lambda: False), "type": "done"})
        except chat.Broken:
            if not opened:
                raise
            send({"error": "The agent broke down.", "type": "error"})
            if "done-after-error" in call.world.ways:
                send({"type": "done"})
        opened[1]()

    def open(self, headers=None):
        """Begins a stream: every second one in chunks that respect no line, the others until the connection closes."""
        chunked = next(self.answers) % 2 == 0
        how = {"Transfer-Encoding": "chunked"} if chunked else {"Connection": "close"}
        self.head(200, {"Content-Type": "text/event-stream; charset=UTF-8", **how, **(headers or {})})
        sizes, numbers = cycle((3, 40, 1, 200)), count(1)

        def write(data):
            while data:
                size = next(sizes) if chunked else len(data)
                piece, data = data[:size], data[size:]
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)

        def send(event):
            write(self.block(event, numbers).encode("utf-8", "replace"))

        def end():
            if chunked:
                self.wfile.write(b"0\r\n\r\n")

        write(b"retry: 2500\r\n\r\n")
        return send, end

    def block(self, event, numbers):
        data = json.dumps(event, ensure_ascii=False)
        if self.server.world.fault == "stream-breaks-lines":
            data = data.replace("\\n", "\n")
        return f": {next(numbers)}\r\nevent: {event['type']}\r\ndata: {data}\r\nid: {next(numbers)}\r\n\r\n"

    def say(self, status, body, headers=None):
        """One JSON answer. Every ninth closes its connection, which a client has to live with."""
        data = b"" if body is None else json.dumps(body, indent=1).encode() + b"\n"
        close = {"Connection": "close"} if next(self.answers) % 9 == 0 else {}
        kind = {"Content-Type": "application/json; charset=utf-8"} if data else {}
        if data and "zipped" in self.server.world.ways and self.path.startswith("/api/"):
            data, kind = gzip.compress(data), {**kind, "Content-Encoding": "gzip"}
        self.head(status, {**kind, "Content-Length": len(data), **close, **(headers or {})})
        self.wfile.write(data)
        self.close_connection |= "closes-unsaid" in self.server.world.ways

    def head(self, status, headers):
        self.send_response(status)
        for name, value in {**headers, **self.quota}.items():
            self.send_header(name, str(value))
        self.end_headers()

    def gone(self):
        """Whether the client has closed its side; what it may have sent meanwhile is left where it is."""
        try:
            ready, _, _ = select.select([self.connection], [], [], 0)
            return bool(ready) and self.connection.recv(1, socket.MSG_PEEK) == b""
        except OSError:
            return True

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, *choices):
        super().__init__(("127.0.0.1", port), Door)
        self.world = World(*choices)

    def handle_error(self, request, client_address):
        """Clients come and go; what is wrong with a turn was said in its answer."""


def main():
    options = argparse.ArgumentParser(description="A small server of chat, operations and webhooks.")
    options.add_argument("--port", type=int, default=4020)
    sys.modules.setdefault("server", sys.modules[__name__])  # what defects import is what runs
    planting.load()
    options.add_argument("--fault", choices=sorted({**FAULTS, **planting.DEFECTS}))
    options.add_argument("--ways", type=ways, default=[], help=f"some of {', '.join(WAYS)}")
    options.add_argument("--vendor", default="grand-hotel", help="the word in the names of its headers")
    options.add_argument("--name-server", type=zone, help="ZONE=HOST:PORT: who knows the names of a zone")
    options.add_argument("--trust", help="a file of certificates that endpoints may have, in place of the usual ones")
    options.add_argument("--each", action="store_true", help="read options from standard input, a server a line")
    options.add_argument("--list-faults", action="store_true", help="print the names that --fault takes, a line each")
    given = options.parse_args()
    if given.list_faults:
        print("\n".join(sorted({**FAULTS, **planting.DEFECTS})))
    elif given.each:
        each(options)
    else:
        serve(given)


def ways(text):
    named = text.split(",")
    if set(named) - WAYS.keys():
        raise argparse.ArgumentTypeError(f"{text}: choose some of {', '.join(WAYS)}")
    return named


def zone(text):
    named, _, where = text.partition("=")
    host, _, port = where.rpartition(":")
    return named, (host, int(port))


def serve(given):
    guard.ZONES.update([given.name_server] if given.name_server else [])
    if given.trust:
        os.environ["SSL_CERT_FILE"] = given.trust
    if given.fault in planting.DEFECTS:
        planting.DEFECTS[given.fault]()
    server = Server(given.port, given.fault, given.ways, given.vendor)
    url = f"http://127.0.0.1:{server.server_port}"
    keys = {f"KEY_{key.name.upper()}": bearer for bearer, key in (*KEYS.items(), (FORMER.bearer, FORMER))}
    env = {"OTHER_URL": url, "OTHER_CONTROL_URL": f"{url}/control", "OTHER_CONTROL_TOKEN": TOKEN}
    sessions = {"OTHER_SESSION": webhooks.SESSION, "FORMER_SESSION": webhooks.FORMER_SESSION}
    told = {"url": url, "pid": os.getpid(), "env": {**env, **keys, **sessions}}
    print(json.dumps(told), flush=True)
    server.serve_forever()


def each(options):
    """A process for each: what is loaded once need not be loaded again. They end with the input, however it ends."""
    os.setpgrp()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        given = options.parse_args(line.split())
        if os.fork() == 0:
            return serve(given)
    os.killpg(0, signal.SIGTERM)


if __name__ == "__main__":
    main()
