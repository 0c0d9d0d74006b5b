"""A simulator: one that runs already, or a process that is started for the tests."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer
from time import monotonic
from typing import Any, TextIO

from .control import Control
from .service import Service, camel

# On a machine that is busy with other tests.
START_SECONDS = 60
STOP_SECONDS = 15
# The last line of npm, which does not say what is wrong.
NPM_LOG = "A complete log of this run"

# Prints where the simulator is, and ends with its standard input: the simulator runs as long as this does.
WAIT = "import os, sys; print(os.environ['TOUCHSTONE_TENANT'], flush=True); sys.stdin.read()"


OTHERWISE = "give another --touchstone-command, or the address of a running simulator as --touchstone-url."


class SimulatorError(Exception):
    """No simulator could be started."""


@dataclass(frozen=True, slots=True)
class Simulator:
    """Address and token of a simulator."""

    base_url: str
    token: str | None = None

    @contextmanager
    def tenant(self, options: Mapping[str, Any]) -> Iterator[Service]:
        """Create a tenant, and delete it at the end. Its clock stands still unless the options say otherwise."""
        request = {camel(name): value for name, value in options.items()}
        if "snapshot" not in request:  # it has a clock of its own
            request.setdefault("clock", {"mode": "frozen"})
        created = Control(self.base_url, self.token).request("POST", "/_sim/v1/tenants", request)
        service = Service(self.base_url, self.token, created)
        try:
            yield service
        finally:
            service.control.request("DELETE", "")


def base_of(url: str) -> str:
    """Return the base URL of a simulator, also of the control URL of one of its tenants."""
    return url.partition("/_sim/")[0].rstrip("/")


@contextmanager
def started(command: str, options: Sequence[str], ended: Callable[[int, str], object]) -> Iterator[Simulator]:
    """Run ``COMMAND exec`` for as long as the tests run.

    At the end `ended` gets its exit code, and what it prints about the requests. Raises a SimulatorError.
    """
    words = [*shlex.split(command), "exec", *options, "--", sys.executable, "-c", WAIT]
    program = shutil.which(words[0])
    if program is None:
        raise SimulatorError(
            f"cannot start the simulator: there is no {words[0]}. Install Node.js 22.19 or newer, {OTHERWISE}"
        )
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        child = subprocess.Popen(
            [program, *words[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            encoding="utf-8",
            # npx starts further processes, which get a signal as well; an interrupt of the tests is not for them.
            start_new_session=True,
        )
        try:
            address = _address(child, shlex.join(words[:-4]), log)
            begin = os.fstat(log.fileno()).st_size
            yield Simulator(address)
        finally:
            _stop(child)
        log.seek(begin)
        ended(child.returncode, log.read())


def _address(child: subprocess.Popen[str], command: str, log: TextIO) -> str:
    """Return the base URL that the process prints when the simulator listens."""
    assert child.stdout is not None
    began = monotonic()
    overdue = Timer(START_SECONDS, _signal, (child, signal.SIGTERM))
    overdue.start()
    line = child.stdout.readline()
    overdue.cancel()
    seconds = round(monotonic() - began)
    try:
        return str(json.loads(line)["url"])
    except (ValueError, KeyError, TypeError):
        _stop(child)
        log.seek(0)
        printed = [text for text in (line + log.read()).splitlines() if text.strip() and NPM_LOG not in text]
        ended = f"exited with {child.returncode}" if seconds < START_SECONDS else "did not start, and was ended"
        last = printed[-1][:2000] if printed else "it printed nothing"
        raise SimulatorError(
            f"cannot start the simulator: `{command}` {ended} after {seconds} s: {last}\n"
            f"Run the tests where `npx touchstone` is installed, {OTHERWISE}"
        ) from None


def _signal(child: subprocess.Popen[str], number: int) -> None:
    try:
        if os.name == "posix":
            os.killpg(child.pid, number)
        else:
            child.send_signal(number)
    except ProcessLookupError:
        pass


def _stop(child: subprocess.Popen[str]) -> None:
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            stream.close()
    try:
        child.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        _signal(child, signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        child.wait()
