"""
Starts a program of this folder for each line on standard input, from a process that has everything loaded: a start
takes a few milliseconds then. `{"id", "words", "env", "stdin"}` is answered by `{"id", "out", "err", "code"}`, and
`{"end": id}` kills one.
"""

import json
import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from importlib import import_module

PROGRAM = import_module(sys.argv[1])
running = {}
talking = threading.Lock()


def become(given, pipes):
    """In the child: as if it had been started by a shell."""
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
    os.environ.clear()
    os.environ.update(given["env"])
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
    code = 1
    try:
        code = PROGRAM.main(given["words"]) or 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def start(given):
    typed, ours = os.pipe()
    reads, writes = zip(os.pipe(), os.pipe())
    os.write(ours, given.get("stdin", "").encode())
    os.close(ours)
    child = os.fork()
    if child == 0:
        become(given, (typed, *writes))
    running[given["id"]] = child
    for end in (typed, *writes):
        os.close(end)
    threading.Thread(target=follow, args=(given["id"], child, reads), daemon=True).start()


def follow(name, child, reads):
    heard = [b"", b""]

    def hear(at):
        with open(reads[at], "rb") as pipe:
            heard[at] = pipe.read()

    hearing = [threading.Thread(target=hear, args=(at,)) for at in (0, 1)]
    for one in hearing:
        one.start()
    for one in hearing:
        one.join()
    _, status = os.waitpid(child, 0)
    del running[name]
    out, err = (bytes_.decode("utf-8", "replace") for bytes_ in heard)
    line = json.dumps({"id": name, "out": out, "err": err, "code": os.waitstatus_to_exitcode(status)})
    with talking:
        print(line, flush=True)


for line in sys.stdin:
    told = json.loads(line)
    if "end" not in told:
        start(told)
    elif told["end"] in running:
        with suppress(ProcessLookupError):
            os.kill(running[told["end"]], signal.SIGKILL)
