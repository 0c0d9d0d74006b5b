"""The fixture `service`, against a real simulator."""

from __future__ import annotations

import os
import sys
from datetime import timedelta
from http.client import RemoteDisconnected

import pytest
from ask import ask

from touchstone_pytest import ControlError, Service

# An installed plugin is loaded by itself, unless that is switched off.
PLUGIN = ["-p", "touchstone_pytest.plugin"] if os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD") else []


def test_the_environment_leads_to_the_tenant(service: Service) -> None:
    assert os.environ["SERVICE_BASE_URL"] == service.base_url
    assert ask()[0] == 200
    assert [one.path for one in service.journal.exchanges()] == [f"/api/v1/chat/{service.agents['plain']}"]


def test_each_test_has_a_tenant_of_its_own(service: Service) -> None:
    assert service.journal.exchanges() == []


def test_the_clock_stands_until_it_is_advanced(service: Service) -> None:
    before = service.clock.now()
    turn = service.situation("rate-limit")
    assert ask(turn.message, turn.idempotency_key, bearer=turn.api_key, agent=turn.agent)[0] == 429
    assert service.clock.now() == before
    assert service.clock.advance(minutes=1) == before + timedelta(minutes=1)
    assert ask(turn.message, turn.idempotency_key, bearer=turn.api_key, agent=turn.agent)[0] == 200


def test_a_situation_names_what_it_has(service: Service) -> None:
    with pytest.raises(AttributeError, match="'revoked-key' has no barrier; it has agent, apiKey"):
        assert service.situation("revoked-key").barrier
    with pytest.raises(ControlError, match="404") as refused:
        service.situation("no-such-situation")
    assert refused.value.status == 404


def test_faults_replace_those_before(service: Service) -> None:
    service.fault("replay-unmarked")
    service.variant("ascii-json")
    state = service.control.request("GET", "")
    assert (state["faults"], state["variants"]) == (["replay-unmarked"], ["ascii-json"])
    service.fault()
    assert service.control.request("GET", "")["faults"] == []


def test_a_network_fault_meets_the_requests_it_is_for(service: Service) -> None:
    service.network_fault({"is": "cut", "when": "before"}, after=1)
    assert ask(key="one")[0] == 200
    with pytest.raises(RemoteDisconnected):
        ask(key="two")
    assert ask(key="two")[0] == 200


def test_the_journal_is_waited_for(service: Service) -> None:
    ask("Where is my order?")
    [exchange] = service.journal.wait_for(
        path="/api/v1/chat",
        status=200,
        body={"message": "Where is my order?"},
        headers={"Idempotency-Key": "order-1001"},
    )
    assert exchange.response is not None
    assert exchange.response.json()["response"] == "You said: Where is my order?"
    assert exchange.response.header("content-type") == "application/json; charset=utf-8"
    with pytest.raises(TimeoutError, match="another status"):
        service.journal.wait_for(status=418, timeout=0.001)


@pytest.mark.touchstone(credits=1, vendor="acme", reply_rules=[{"match": {}, "reply": {"text": "Mine."}}])
def test_the_marker_has_options_of_the_tenant(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    assert os.environ["ACME_API_KEY"] == service.keys["main"]
    monkeypatch.setenv("SERVICE_BASE_URL", os.environ["ACME_BASE_URL"])
    monkeypatch.setenv("SERVICE_API_KEY", os.environ["ACME_API_KEY"])
    assert ask()[1]["response"] == "Mine."
    assert ask(key="another")[0] == 402


def test_the_report_of_a_failing_test_has_its_exchanges(pytester: pytest.Pytester) -> None:
    pytester.syspathinsert(os.path.dirname(__file__))
    pytester.makepyfile(
        """
        from ask import ask

        def test_fails(service):
            for number in range(22):
                ask("x" * 3000 if number == 21 else f"message {number}", f"key {number}")
            assert False

        def test_passes(service):
            ask()
        """
    )
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*exchanges with the service*",
            "(2 earlier exchanges are left out)",
            "POST /api/v1/chat/* → 200",
            "  [Ii]dempotency-[Kk]ey: key 2",
            '  {"message": "message 2"}',
            "*… (1015 more characters)",
        ]
    )
    assert 'message 1"' not in result.stdout.str()


def test_a_command_that_does_not_exist_is_named(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOUCHSTONE_CONTROL_URL", raising=False)
    pytester.makepyfile("def test_one(service): pass")
    result = pytester.runpytest_inprocess(*PLUGIN, "--touchstone-command", "no-such-command")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*there is no no-such-command. Install Node.js*"])


def test_a_command_that_fails_ends_the_run_once(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOUCHSTONE_CONTROL_URL", raising=False)
    pytester.makepyfile("def test_one(service): pass\ndef test_two(service): pass")
    command = f"{sys.executable} -c \"import sys; print('no such version', file=sys.stderr); sys.exit(3)\""
    result = pytester.runpytest_inprocess(*PLUGIN, "--touchstone-command", command)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*exited with 3 after * s: no such version", "Run the tests where*--touchstone-url*"])
    assert result.stdout.str().count("cannot start the simulator") == 1
