"""The pytest plugin: options, the fixture `service`, the exchanges of a failing test, and what all tests met."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from .control import ControlError
from .service import Exchange, Message, Service
from .simulator import Simulator, SimulatorError, base_of, started

# Where it is not installed, npm would download whichever package has the name of the command.
DEFAULT_COMMAND = "npx --offline --no -- touchstone"
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
    group.addoption(
        "--touchstone-coverage", metavar="FILE", help="write what the requests of the tests met to this file as JSON"
    )
    group.addoption(
        "--touchstone-require",
        metavar="PATTERNS",
        help="fail unless the tests met these, such as 'error.*,stream.cut'",
    )
    parser.addini("touchstone_command", "the same as --touchstone-command", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", MARKER)
    if _coverage_options(config) and (_running(config) or config.getoption("numprocesses", None)):
        raise pytest.UsageError(
            "--touchstone-coverage and --touchstone-require are for one simulator that the plugin starts: "
            "run the tests with `touchstone exec --coverage FILE --require PATTERNS -- pytest` instead."
        )


def _running(config: pytest.Config) -> str | None:
    """Return the address of a simulator that runs already."""
    return config.getoption("touchstone_url") or os.environ.get("TOUCHSTONE_CONTROL_URL") or None


def _coverage_options(config: pytest.Config) -> list[str]:
    """Return the options of ``touchstone exec`` with these names."""
    given = [(name, config.getoption(f"touchstone_{name}")) for name in ("coverage", "require")]
    return [word for name, value in given if value for word in (f"--{name}", value)]


def _command(config: pytest.Config) -> str:
    given = config.getoption("touchstone_command"), os.environ.get("TOUCHSTONE_COMMAND")
    return next(filter(None, (*given, config.getini("touchstone_command"))), DEFAULT_COMMAND)


@pytest.fixture(scope="session")
def touchstone_simulator(pytestconfig: pytest.Config) -> Iterator[Simulator]:
    """Give the simulator of the whole run."""
    url = _running(pytestconfig)
    if url:
        yield Simulator(base_of(url), os.environ.get("TOUCHSTONE_CONTROL_TOKEN"))
        return
    with _started(pytestconfig) as simulator:
        yield simulator


@contextmanager
def _started(config: pytest.Config) -> Iterator[Simulator]:
    def ended(code: int, text: str) -> None:
        config.stash[_ended] = code, text

    try:
        with started(_command(config), _coverage_options(config), ended) as simulator:
            yield simulator
    except SimulatorError as error:
        # Every other test would fail with the same reason.
        ended(1, "")
        pytest.exit(str(error), pytest.ExitCode.USAGE_ERROR)


_ended = pytest.StashKey[tuple[int, str]]()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that passed without meeting what is required."""
    config = session.config
    if config.getoption("touchstone_require") and _ended not in config.stash and not config.option.collectonly:
        # No test used it: it says what was not met.
        with _started(config):
            pass
    code, _ = config.stash.get(_ended, (0, ""))
    if code != 0 and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what the requests of the tests met."""
    _, text = config.stash.get(_ended, (0, ""))
    if text:
        terminalreporter.section("touchstone")
        terminalreporter.write(text)


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
