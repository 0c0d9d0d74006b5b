"""The routes of operations: the menu, deeds, tickets, questions, money, staff and the drop for files."""

import json
import re
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

import chat
import drop
import money
from deeds import once
from house import House, failed, receipt
from menu import MENU, reach
from schema import fits
from world import AGENTS, Key, World

KEY = "X-Deed"


@dataclass(frozen=True)
class Call:
    world: World
    key: Key
    house: House
    headers: object
    raw: bytes
    query: dict


def answer(world, door, raw):
    """Status and body of one request, or None where it is for none of these routes."""
    parts = urlsplit(door.path)
    for method, pattern, act in ROUTES:
        found = re.fullmatch(pattern, parts.path)
        if found and method == door.command:
            key = chat.key_of(door.headers.get("Authorization"))
            if key is None:
                return failed("WHO_ARE_YOU", "Send a key that is good.", 401)
            house = world.houses.setdefault(key.account, House())
            call = Call(world, key, house, door.headers, raw, parse_qs(parts.query))
            return flattened(world, *act(call, *map(unquote, found.groups())))
    return None


def flattened(world, http, body):
    error = body.get("error")
    if "refused-flatly" in world.ways and isinstance(error, dict) and error["code"] in REFUSALS:
        return REFUSALS[error["code"]], {"error": error["resolution"]}
    return http, body


REFUSALS = {"NOT_FOR_YOU": 403, "UNREADABLE": 400, "UNFIT": 422, "KEYLESS": 400, "OUT_OF_REACH": 404}


def may(call, dish):
    return dish.scope == "" or dish.scope in call.key.scopes


def menu(call):
    """What the key may order, by name."""
    shown = {
        name: {"takes": dish.takes, "says": "no key needed" if dish.writes else "as often as you like"}
        for name, dish in MENU.items()
        if may(call, dish) or call.world.fault == "menu-for-all"
    }
    return 200, {"today": {"dishes": shown, "soups": []}}


def execute(call, name):
    dish = MENU.get(name)
    if dish is None and call.world.fault == "unknown-deed-done":
        return receipt("completed", data={})
    if dish is None:
        return 403, {"error": "That is not for you, if it is there at all."}
    if not may(call, dish) and not (call.world.fault == "scope-unchecked"):
        return failed("NOT_FOR_YOU", "Ask for a key with more scopes.")
    try:
        given = json.loads(call.raw)["arguments"]
    except (ValueError, KeyError, TypeError):
        return failed("UNREADABLE", "Send an object with `arguments`.")
    if not fits(dish.takes, given) and call.world.fault != "input-unchecked":
        return failed("UNFIT", "Compare it with what the menu says.")
    refused = out_of_reach(call, given)
    if refused:
        return refused
    key = call.headers.get(KEY) if dish.writes else None
    if dish.writes and not key and "key-required" in call.world.ways:
        return failed("KEYLESS", f"Send the same {KEY} each time.", 400)
    try:
        http, body = once(call, key and (name, key), lambda: dish.does(call, given))
    except (KeyError, TypeError, AttributeError):
        http, body = receipt("completed", data={})
    if call.world.fault == "done-in-own-words" and body["status"] == "completed":
        body = {**body, "status": "done"}
    return http, body


def out_of_reach(call, given):
    named = isinstance(given, dict) and "agentId" in given and call.world.fault != "input-unchecked"
    return reach(call, given["agentId"]) if named else None


def is_away(call, agent):
    """Whether a key for one agent has to do with another here."""
    return agent != "" and call.key.agent not in ("", agent)


def seen(kind, read):
    """A ticket or a question of the account; one of another account is as unknown as one that there is not."""

    def look(call, number):
        found = getattr(call.world.desk, kind).get(number)
        strangers = call.world.fault == "strangers-look"
        if found is None or (found.account != call.key.account and not strangers):
            return 403, {"error": "There is nothing of yours under that number."}
        if is_away(call, found.agent):
            return 403, {"error": "That is about somebody whom this key is not for."}
        return getattr(call.world.desk, read)(found)

    return look


def staff(call):
    if "read_agents" not in call.key.scopes:
        return 403, {"error": "Who works here is nobody's business."}
    here = [name for name, agent in AGENTS.items() if agent.account == call.key.account and not is_away(call, name)]
    return 200, {"house": {"staff": [{"called": name, "does": AGENTS[name].does} for name in here]}}


def scoped(scope, act, fault=None):
    def asked(call, *rest):
        if scope not in call.key.scopes and (fault is None or call.world.fault != fault):
            return failed("NOT_FOR_YOU", f"It takes {scope}.", 403)
        return act(call, *rest)

    return asked


V1 = "/api/v1"
ROUTES = (
    ("GET", f"{V1}/operations", menu),
    ("POST", f"{V1}/operation-executions/([^/]+)", execute),
    ("GET", f"{V1}/tasks/([^/]+)", seen("tickets", "read_ticket")),
    ("GET", f"{V1}/approvals/([^/]+)", seen("questions", "read_question")),
    ("GET", f"{V1}/billing/usage", scoped("billing_read", money.usage, "usage-for-all")),
    ("GET", f"{V1}/till/contract", scoped("billing_read", money.contract)),
    ("GET", f"{V1}/till/tariffs", scoped("billing_read", money.tariffs)),
    ("GET", f"{V1}/till/bills", scoped("billing_read", money.bills)),
    ("GET", f"{V1}/house/staff", staff),
    ("PUT", f"{V1}/drop/papers", scoped("knowledge.write", drop.announce, "drop-for-all")),
    ("PUT", f"{V1}/drop/papers/([^/]+)/page", scoped("knowledge.write", drop.write, "drop-for-all")),
    ("GET", f"{V1}/drop/room", drop.room),
    ("POST", f"{V1}/drop/whole-sheets", scoped("knowledge.write", drop.hand_over, "drop-for-all")),
    ("POST", f"{V1}/drop/sheets", scoped("knowledge.write", drop.bring, "drop-for-all")),
    ("POST", f"{V1}/drop/sheets/([^/]+)/seal", scoped("knowledge.write", drop.seal, "drop-for-all")),
)
