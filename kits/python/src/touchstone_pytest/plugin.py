"""The pytest plugin: options, the fixture `service`, and the exchanges of a failing test in its report."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from .control import ControlError
from .service import Exchange, Message, Service
from .simulator import Simulator, base_of, started

DEFAULT_COMMAND = "npx @touchstone-suite/touchstone"
MARKER = "touchstone(**options): options of the tenant, such as credits=5, vendor='acme' or clock={'mode': 'real'}"

SHOWN_EXCHANGES = 20
SHOWN_CHARACTERS = 2000
# What makes an exchange another than the one before; the replay header has the word of the service in it.
SHOWN_HEADERS = ("idempotency-key", "idempotent-replay", "retry-after")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say where the simulator comes from."""
    group = parser.getgroup("touchstone", "simulated service")
    group.addoption(
        "--touchstone-url",
        metavar="URL",
        help="use the simulator at this address (default: that of TOUCHSTONE_CONTROL_URL, or start one)",
    )
    group.addoption(
        "--touchstone-command",
        metavar="COMMAND",
        help=f"start the simulator with this command (default: that of TOUCHSTONE_COMMAND, or `{DEFAULT_COMMAND}`)",
    )
    parser.addini("touchstone_command", "the same as --touchstone-command", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", MARKER)


def _command(config: pytest.Config) -> str:
    given = config.getoption("touchstone_command"), os.environ.get("TOUCHSTONE_COMMAND")
    return next(filter(None, (*given, config.getini("touchstone_command"))), DEFAULT_COMMAND)


@pytest.fixture(scope="session")
def touchstone_simulator(pytestconfig: pytest.Config) -> Iterator[Simulator]:
    """Give the simulator of the whole run."""
    url = pytestconfig.getoption("touchstone_url") or os.environ.get("TOUCHSTONE_CONTROL_URL")
    if url:
        yield Simulator(base_of(url), os.environ.get("TOUCHSTONE_CONTROL_TOKEN"))
        return
    with started(_command(pytestconfig)) as simulator:
        yield simulator


@pytest.fixture
def service(
    request: pytest.FixtureRequest, touchstone_simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Service]:
    """Give the test a service of its own, whose address and key are in the environment."""
    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("touchstone"))):
        options |= marker.kwargs
    with touchstone_simulator.tenant(options) as made:
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        request.node.stash[_service] = made
        yield made


_service = pytest.StashKey[Service]()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Add the exchanges of a failing test to its report."""
    report: pytest.TestReport = (yield).get_result()
    made = item.stash.get(_service, None)
    if made is None or not report.failed or report.when == "teardown":
        return
    try:
        exchanges = made.journal.exchanges()
    except (ControlError, OSError) as error:
        text = f"cannot be read: {error}"
    else:
        text = shown(exchanges)
    report.sections.append(("exchanges with the service", text))


def shown(exchanges: list[Exchange]) -> str:
    """Return the newest exchanges as text."""
    left_out = max(0, len(exchanges) - SHOWN_EXCHANGES)
    before = [f"({left_out} earlier exchanges are left out)"] if left_out else []
    return "\n".join([*before, *map(_shown, exchanges[left_out:])]) or "none"


def _shown(exchange: Exchange) -> str:
    line = f"{exchange.method} {exchange.path} → {exchange.status or 'no response'}"
    return "\n".join([line, *_message(exchange.request), *(_message(exchange.response) if exchange.response else [])])


def _message(message: Message) -> list[str]:
    headers = [f"  {name}: {value}" for name, value in message.headers if name.lower().endswith(SHOWN_HEADERS)]
    return [*headers, *_body(message)]


def _body(message: Message) -> list[str]:
    if message.body == "":
        return []
    left_out = len(message.body) - SHOWN_CHARACTERS
    end = f" … ({left_out} more characters)" if left_out > 0 else ""
    return [f"  {message.body[:SHOWN_CHARACTERS]}{end}"]
