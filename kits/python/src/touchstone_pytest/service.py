"""The service as one test sees it: a tenant of a simulator, with its own keys, agents, credits and clock."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from .control import Control


def camel(name: str) -> str:
    """``reply_rules`` is ``replyRules`` on the wire."""
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


class Situation:
    """What a client needs in a prepared situation; ``api_key`` is the member ``apiKey``, and so on."""

    def __init__(self, name: str, members: Mapping[str, Any]) -> None:
        """Keep the members as they were received."""
        self.name = name
        self.members = members

    def __getattr__(self, name: str) -> Any:
        """Return a member. Raises an AttributeError that names those there are."""
        if name.startswith("__") or camel(name) not in self.members:
            known = ", ".join(sorted(self.members))
            raise AttributeError(f"the situation {self.name!r} has no {name}; it has {known}")
        return self.members[camel(name)]


@dataclass(frozen=True, slots=True)
class Message:
    """Headers and body of a request or a response; credentials are redacted."""

    headers: tuple[tuple[str, str], ...]
    body: str

    def json(self) -> Any:
        """Return the body as JSON. Raises a ValueError if it is none."""
        return json.loads(self.body)

    def header(self, name: str) -> str | None:
        """Return the first header of this name, in any casing."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request to the service, and its response."""

    id: int
    method: str
    path: str
    status: int | None
    request: Message
    response: Message | None

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Exchange:
        """Return the exchange of a journal entry."""
        request, response = _message(entry.get("request") or {}), entry.get("response")
        return cls(
            entry["id"],
            entry["method"],
            entry["path"],
            entry["status"],
            request,
            response and _message(response),
        )


def _message(raw: Mapping[str, Any]) -> Message:
    return Message(tuple((name, value) for name, value in raw.get("headers", [])), raw.get("body", ""))


class Clock:
    """The clock of the service. It stands still unless the test has another; no test waits for real time."""

    def __init__(self, control: Control) -> None:
        """Take the control routes of the tenant."""
        self._control = control

    def now(self) -> datetime:
        """Return the time of the service."""
        return datetime.fromisoformat(self._control.request("GET", "/clock")["now"])

    def advance(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0) -> datetime:
        """Let this much time pass, do all work that falls due in it, and return the time then."""
        passed = timedelta(seconds=seconds, minutes=minutes, hours=hours) / timedelta(milliseconds=1)
        return datetime.fromisoformat(self._control.request("POST", "/clock/advance", {"ms": passed})["now"])


class Journal:
    """What the service received and returned."""

    def __init__(self, control: Control) -> None:
        """Take the control routes of the tenant."""
        self._control = control

    def exchanges(self, limit: int | None = None, **filters: Any) -> list[Exchange]:
        """Return those that match, oldest first; with a limit, the newest. Filters are those of `wait_for`."""
        query = {**_query(filters), **({} if limit is None else {"limit": limit})}
        return [Exchange.of(entry) for entry in self._control.request("GET", "/journal", query=query)["entries"]]

    def wait_for(self, count: int = 1, timeout: float = 5, **filters: Any) -> list[Exchange]:
        """Return the exchanges that match, as soon as `count` of them have ended.

        Filters: ``method``, ``path`` (its beginning), ``status``, ``code``, ``body`` (members of the JSON),
        ``headers`` and ``since`` (an id). `timeout`: seconds of real time. Raises a TimeoutError that says which
        exchanges there were.
        """
        query = {**_query(filters), "count": count, "timeoutMs": round(timeout * 1000)}
        found = self._control.request("GET", "/journal/wait", query=query, timeout=timeout + 10)
        if found["timedOut"]:
            raise TimeoutError(found.get("why") or f"waited {timeout} s for {count} exchanges")
        return [Exchange.of(entry) for entry in found["entries"]]


def _query(filters: Mapping[str, Any]) -> dict[str, Any]:
    query = dict(filters)
    if "body" in query:
        query["body"] = json.dumps(query["body"])
    if "headers" in query:
        query["header"] = [f"{name}: {value}" for name, value in query.pop("headers").items()]
    return query


class Service:
    """A tenant of the simulator. `control` reaches every other route of spec/control.yaml."""

    def __init__(self, base_url: str, token: str | None, created: Mapping[str, Any]) -> None:
        """Take the answer to the request that created the tenant."""
        self.base_url = base_url
        self.created = created
        self.keys: dict[str, str] = created["keys"]
        self.agents: dict[str, str] = created["agents"]
        self.sessions: dict[str, str] = created["sessions"]
        self.control = Control(base_url + created["control"], token)
        self.clock = Clock(self.control)
        self.journal = Journal(self.control)

    @property
    def environment(self) -> dict[str, str]:
        """The variables that are set during the test; the first two have the vendor's word."""
        names = self.created["identifiers"]
        token = {} if self.control.token is None else {"TOUCHSTONE_CONTROL_TOKEN": self.control.token}
        return {
            names["baseUrlVariable"]: self.base_url,
            names["apiKeyVariable"]: self.keys["main"],
            "TOUCHSTONE_AGENT": self.agents["plain"],
            "TOUCHSTONE_SESSION": self.sessions["main"],
            "TOUCHSTONE_SEED": self.created["seed"],
            "TOUCHSTONE_CONTROL_URL": self.control.url,
            **token,
        }

    def situation(self, name: str, **options: Any) -> Situation:
        """Put the service into a situation, such as ``"rate-limit"``, and return what a client needs in it."""
        return Situation(name, self.control.request("POST", f"/situations/{name}", options))

    def fault(self, *names: str) -> None:
        """Inject these deliberate defects in place of those before; without a name, none."""
        self.control.request("PATCH", "", {"faults": names})

    def variant(self, *names: str) -> None:
        """Switch on these unusual, conforming behaviours in place of those before; without a name, none."""
        self.control.request("PATCH", "", {"variants": names})

    def network_fault(
        self, do: Mapping[str, Any], *, on: Mapping[str, str] | None = None, after: int = 0, times: int = 1
    ) -> None:
        """Break the connection, delay or refuse: skip `after` requests that match, then apply `do` to `times`."""
        fault = {"do": do, "after": after, "times": times, **({} if on is None else {"on": on})}
        self.control.request("POST", "/network-faults", {"networkFaults": [fault]})
