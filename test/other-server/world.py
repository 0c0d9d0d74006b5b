"""What there is: API keys, agents and what they say, accounts, conversations, used keys, a clock that can be moved."""

import json
import threading
import time
import uuid
from dataclasses import dataclass, field
from itertools import count

from deliveries import Post
from house import Desk
from timetable import Timetable

LIMIT, MINUTE = 60, 60.0

@dataclass(frozen=True)
class Key:
    name: str
    account: str = "acme"
    scopes: tuple = ("chat",)
    agent: str = ""  # empty: any of the account

    @property
    def bearer(self):
        return f"sk-Other-{self.name}-{len(self.name) * 7919:06d}"


KEYS = {
    key.bearer: key
    for key in (
        Key("main", scopes=("chat", "billing_read", "read_agents", "agent_design_read", "knowledge.write")),
        Key("second"),
        Key("mute", scopes=("billing_read",)),
        Key("single", scopes=("chat", "agent_design_read"), agent="luigi"),
        Key("broke", scopes=("chat", "billing_read"), account="broke"),
        Key("stranger", scopes=("chat", "billing_read"), account="elsewhere"),
        Key("usher", scopes=("chat", "read_agents")),
        Key("porter", scopes=("chat", "knowledge.write")),
        Key("spare"),
    )
}

# Was good once.
FORMER = Key("former")


@dataclass(frozen=True)
class Agent:
    does: str
    account: str = "acme"


AGENTS = {
    "mario": Agent("talks"),
    "luigi": Agent("talks"),
    "wario": Agent("talks", account="elsewhere"),
    "boo": Agent("talks", account="broke"),
    "toad": Agent("offers"),  # buttons, to whoever asks for a table
    "yoshi": Agent("acts"),  # runs a tool
    "peach": Agent("softens"),  # has a gate
    "bowser": Agent("breaks"),  # in the middle of a stream
    "koopa": Agent("dawdles"),
    "daisy": Agent("costs"),  # more than the plan allows
}


def canonical(value):
    return json.dumps(value, sort_keys=True)


def presentation(number, run):
    """Three buttons whose payloads are of three types, and an image that looks a little like a button."""
    seats = {"seats": 2, "when": ["today", 19.5], "für": "Zoë 👋"}
    payloads = {"A table for two": seats, "Only a drink": 0, "Never mind": None}
    choices = [{"type": "workflow_button", "caption": text, "payload": load} for text, load in payloads.items()]
    parts = [
        {"kind": "say", "markdown": "Where do you want to *sit*?"},
        {"kind": "picture", "imageUrl": "https://pictures.example/room.webp", "nodeId": 0, "payload": "webp"},
        {"kind": "choose", "nodeId": f"n/{number}", "choices": choices},
    ]
    return {"schema_version": 1, "runId": run, "parts": parts}


def buttons_of(offer):
    node = offer["parts"][2]
    return tuple(canonical([offer["runId"], node["nodeId"], choice["payload"]]) for choice in node["choices"])


def script(agent, number, message):
    """What the agent does with a message: events on the way, and the text in the end."""
    kind = AGENTS[agent].does
    text = f"{agent} ({number}) heard “{message[:3000]}” and nods 👍🏽.\nNext?"
    events = []
    at, size = 0, 1
    while at < len(text):
        events.append({"token": text[at : at + size], "type": "token"})
        at, size = at + size, size * 3 % 101
    if kind in ("acts", "breaks"):
        # What is looked for in vain is not written down.
        tools = {"look_up": False} if "in vain" in message else TOOLS
        events[2:2] = [event for tool, went in tools.items() for event in used(tool, went)]
    if kind == "softens":
        events.append({"reason": ["too frank"], "decision": "rewrite", "type": "gate_triggered"})
        text = "Let us talk about something else."
    if kind == "breaks":
        return events[:-2], None
    return events, text


# Whether they succeed.
TOOLS = {"look_up": False, "write_down": True, "lay_the_table": True}


def used(tool, went):
    return {"actionName": tool, "type": "action_start"}, {"success": went, "actionName": tool, "type": "action_complete"}


@dataclass
class Account:
    credits: float
    held: float = 0.0


@dataclass
class Conversation:
    id: str
    current: tuple = ()  # the buttons that may be pressed now
    past: set = field(default_factory=set)
    latest: str = ""  # the button that was pressed last
    run: int = 0  # of the Workflow that it is in
    heard: list = field(default_factory=list)  # the messages of its turns


@dataclass
class Turn:
    """What became of an idempotency key. `state`: running, done, refused or uncertain."""

    request: object
    state: str = "running"
    events: list = field(default_factory=list)
    reply: dict = field(default_factory=dict)
    refusal: Exception = None


class World:
    def __init__(self, fault=None, ways=(), vendor="grand-hotel"):
        self.fault, self.ways, self.vendor = fault, frozenset(ways), vendor
        self.lock = threading.RLock()
        self.clock = Timetable()
        self.turns, self.conversations, self.windows = {}, {}, {}
        self.spent = {}
        self.accounts = {"acme": Account(50_000.0), "elsewhere": Account(9_000.0), "broke": Account(0.0)}
        self.first = {name: purse.credits for name, purse in self.accounts.items()}
        self.paused, self.failing, self.down = set(), set(), set()
        self.numbers = count(1)
        self.hooks, self.hook_numbers, self.post = {}, count(40), Post(self)
        self.houses, self.desk, self.plan_has_webhooks = {}, Desk(self), True

    def now(self):
        return self.clock.now()

    def spend(self, key):
        """Counts one request: (whether it is within the rate, what is left, seconds until the minute ends)."""
        with self.lock:
            who = "all" if self.fault == "rate-shared" else key.bearer
            began, used = self.windows.get(who, (self.now(), 0))
            if self.now() >= began + MINUTE:
                began, used = self.now(), 0
            self.windows[who] = (began, min(used + 1, LIMIT))
            return used < LIMIT, max(0, LIMIT - used - 1), round(began + MINUTE - self.now(), 2)

    def claim(self, name, request):
        """The turn of a key, and whether it is for the caller to run."""
        if self.fault == "claim-unlocked":
            found = self.turns.get(name)
            time.sleep(0.02)
            if not found:
                self.turns[name] = Turn(request)
            return found or self.turns[name], not found
        with self.lock:
            found = self.turns.get(name)
            mine = found is None or (self.fault == "replay-runs-again" and found.state == "done")
            if mine:
                self.turns[name] = Turn(request)
            return self.turns[name], mine

    def stored(self):
        """Events and text of a turn that is kept for a person to answer."""
        return [], "A person will answer." if self.fault == "paused-turn-answered" else ""

    def conversation(self, account, wanted):
        """Ids are in capitals. One that is not known begins a conversation under that id."""
        name = (wanted or str(uuid.uuid4())).upper()
        with self.lock:
            return self.conversations.setdefault((account, name), Conversation(name))

    def hold(self, account, cost):
        """Keeps credits back for a turn that is about to run; false when they do not suffice."""
        with self.lock:
            purse = self.accounts[account]
            enough = purse.credits - purse.held >= cost
            purse.held += cost if enough else 0
            return enough

    def settle(self, account, cost, charge):
        """Ends what `hold` began; returns what is left."""
        with self.lock:
            purse = self.accounts[account]
            purse.held -= cost
            purse.credits -= cost if charge else 0
            self.spent.setdefault(account, []).append((self.now(), self.left(account)))
            return self.left(account)

    def left_lately(self, account):
        """What was left five seconds ago."""
        before = [left for when, left in self.spent.get(account, []) if when <= self.now() - 5]
        return before[-1] if before else self.first[account]

    def left(self, account):
        return round(self.accounts[account].credits, 6)
