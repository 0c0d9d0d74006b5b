"""A simulator: one that runs already, or a process that is started for the tests."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer
from typing import Any, TextIO

from .control import Control
from .service import Service, camel

# The first start may have to download the package.
START_SECONDS = 180
STOP_SECONDS = 15


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
def started(command: str) -> Iterator[Simulator]:
    """Run ``COMMAND simulate`` on a free port, and stop it at the end. Raises a SimulatorError."""
    words = [*shlex.split(command), "simulate", "--port", "0", "--no-console", "--json"]
    program = shutil.which(words[0])
    if program is None:
        raise SimulatorError(
            f"cannot start the simulator: there is no {words[0]}. Install Node.js 22.19 or newer, give another "
            "--touchstone-command, or the address of a running simulator as --touchstone-url."
        )
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        child = subprocess.Popen(
            [program, *words[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            encoding="utf-8",
            # npx starts further processes, which get the signal as well.
            start_new_session=True,
        )
        try:
            yield Simulator(_address(child, shlex.join(words), log))
        finally:
            _stop(child)


def _address(child: subprocess.Popen[str], command: str, log: TextIO) -> str:
    """Return the base URL that the process prints when it listens."""
    assert child.stdout is not None
    overdue = Timer(START_SECONDS, _signal, (child, signal.SIGTERM))
    overdue.start()
    line = child.stdout.readline()
    overdue.cancel()
    try:
        return str(json.loads(line)["url"])
    except (ValueError, KeyError, TypeError):
        _stop(child)
        log.seek(0)
        text = (line + log.read()).strip()[-2000:]
        raise SimulatorError(f"`{command}` did not start within {START_SECONDS} s:\n{text}") from None


def _signal(child: subprocess.Popen[str], number: int) -> None:
    try:
        if os.name == "posix":
            os.killpg(child.pid, number)
        else:
            child.send_signal(number)
    except ProcessLookupError:
        pass


def _stop(child: subprocess.Popen[str]) -> None:
    _signal(child, signal.SIGTERM)
    try:
        child.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    if child.stdout is not None:
        child.stdout.close()
