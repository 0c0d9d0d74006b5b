"""Defects of idempotency keys, and of what is refused with 409."""

import json
import time
import uuid

import chat
import server
from body import Refusal
from patches import (
    acts,
    as_event,
    as_fault,
    asking,
    burn,
    carrying,
    charge,
    checked,
    HERE,
    keyless,
    refused,
    refusing,
    streamed,
    watch,
    without,
    written,
)
from planting import defect, wrap


def turn_of(call):
    return call.world.turns.get((call.key.bearer, call.body["key"]))


def forget(call):
    call.world.turns.pop((call.key.bearer, call.body["key"]), None)


def beginning(instead):
    """`instead(begin, call, raw)` looks the key up."""
    watch()
    wrap(chat, "begin", instead)


def on_refusal(code, instead):
    """What a turn that would be refused with a code begins with in place of that."""

    def begin(original, call, raw):
        try:
            return original(call, raw)
        except Refusal as refusal:
            if code not in str(refusal.body["error"]):
                raise
            found = instead(original, call, raw)
            if found is None:
                raise
            return found

    beginning(begin)


def compared(change):
    """Messages are compared as `change` leaves them."""

    def begin(original, call, raw):
        asked = {**HERE.asked, "message": change(HERE.asked["message"])}
        return original(call, json.dumps(asked).encode())

    beginning(begin)


def replaying(change):
    """What a replay tells, as `change(call, turn, fields)` leaves it."""
    watch()

    def again(original, call, turn):
        fields = original(call, turn)
        change(call, turn, fields)
        return fields

    wrap(chat, "again", again)


def unmarked(when):
    """A replay lacks its header."""
    watch()

    def mark(original, door, value):
        return {} if value == "true" and when(HERE.call) else original(door, value)

    wrap(server.Door, "mark", mark)


# Which key it is


defect("keys-compared-without-case", by=checked)(lambda asked, found, carried: {"key": found["key"].lower()})


@defect("digit-keys-compared-as-numbers", by=checked)
def _(asked, found, carried):
    key = found["key"]
    return {"key": str(int(key))} if key.isascii() and key.isdigit() else {}


defect("header-key-cut-at-comma", by=carrying)(lambda asked, carried: carried and carried.split(",")[0])
defect("overlong-header-key-cut", by=carrying)(lambda asked, carried: carried and carried[:255])


@defect("body-key-ignored-with-interaction")
def _():
    asking(lambda asked: without(asked, "idempotency_key") if "interaction" in asked else asked)


@defect("keyless-stream-runs")
def _():
    carrying(lambda asked, carried: str(uuid.uuid4()) if keyless(asked, carried) and streamed() else carried)


@defect("keyless-refusal-still-runs-turn", by=refused)
def _(asked, refusal):
    key, world = chat.key_of(HERE.door.headers.get("Authorization")), HERE.door.server.world
    if key and "IDEMPOTENCY_KEY_REQUIRED" in refusal.body["error"]:
        world.clock.after(0.1, charge, world, key.account)


# A key that is new


@defect("same-text-new-key-deduped")
def _():
    latest = {}

    def perform(original, call, turn, *rest):
        fields = original(call, turn, *rest)
        latest[fields["conversation_id"]] = call.world.now(), call.body["message"], turn
        return fields

    def begin(original, call, raw):
        turn, mine = original(call, raw)
        when, message, earlier = latest.get(call.body["conversation_id"].upper(), (0, None, None))
        if mine and message == call.body["message"] and call.world.now() - when < 60:
            turn.state, turn.reply, turn.events = "done", earlier.reply, earlier.events
            return turn, False
        return turn, mine

    beginning(begin)
    wrap(chat, "perform", perform)


@defect("simultaneous-pair-both-run")
def _():
    as_fault("claim-unlocked")


# A key in flight


@defect("duplicate-held-until-replay")
def _():
    def instead(original, call, raw):
        while turn_of(call).state == "running":
            time.sleep(0.01)
        return original(call, raw)

    on_refusal("REQUEST_IN_PROGRESS", instead)


@defect("streaming-turn-not-marked-in-flight")
def _():
    def begin(original, call, raw):
        turn, mine = original(call, raw)
        if mine and call.body["stream"]:
            forget(call)
        return turn, mine

    def run(original, call, turn, *rest):
        try:
            return original(call, turn, *rest)
        finally:
            call.world.turns[call.key.bearer, call.body["key"]] = turn

    beginning(begin)
    wrap(chat, "run", run)


@defect("in-flight-mark-expires-early")
def _():
    began = {}

    def instead(original, call, raw):
        if call.world.now() - began[turn_of(call).serial] < 5:
            return None
        forget(call)
        return begin(original, call, raw)

    def begin(original, call, raw):
        turn, mine = original(call, raw)
        if mine:
            turn.serial = len(began)
            began[turn.serial] = call.world.now()
        return turn, mine

    beginning(begin)
    on_refusal("REQUEST_IN_PROGRESS", instead)


@defect("duplicate-aborts-first-stream")
def _():
    def instead(original, call, raw):
        turn_of(call).aborted = call.body["stream"]

    def act(original, call, *rest):
        original(call, *rest)
        if getattr(turn_of(call), "aborted", False):
            raise chat.Broken

    on_refusal("REQUEST_IN_PROGRESS", instead)
    wrap(chat, "act", act)


@defect("duplicate-leaves-key-in-flight")
def _():
    def instead(original, call, raw):
        turn_of(call).stuck = True

    def begin(original, call, raw):
        turn, mine = original(call, raw)
        if getattr(turn, "stuck", False):
            raise Refusal(409, "Patience, it is a REQUEST_IN_PROGRESS still.")
        return turn, mine

    on_refusal("REQUEST_IN_PROGRESS", instead)
    beginning(begin)


# A key that was used


defect("conflict-compares-message-prefix", by=compared)(lambda message: message[:500])
defect("conflict-ignores-non-ascii", by=compared)(lambda message: message.encode("ascii", "ignore").decode())


@defect("conflict-missed-in-given-conversation", by=checked)
def _(asked, found, carried):
    name = found["conversation_id"]
    return {"key": f"{found['key']} of {name}"} if name else {}


@defect("conflict-overwrites-stored-message")
def _():
    def instead(original, call, raw):
        turn_of(call).request = None

    on_refusal("IDEMPOTENCY_CONFLICT", instead)


@defect("reordered-json-runs-again")
def _():
    def begin(original, call, raw):
        turn, mine = original(call, raw)
        turn.asked = HERE.asked
        return turn, mine

    def instead(original, call, raw):
        if getattr(turn_of(call), "asked", None) != HERE.asked or turn_of(call).state != "done":
            return None
        forget(call)
        return original(call, raw)

    beginning(begin)
    on_refusal("IDEMPOTENCY_CONFLICT", instead)


# An earlier turn that is uncertain


@defect("uncertain-second-ask-runs")
def _():
    on_refusal("OUTCOME_UNCERTAIN", lambda original, call, raw: forget(call))


def run_anew(original, call, raw):
    forget(call)
    return original(call, raw)


@defect("uncertain-streamed-ask-runs")
def _():
    def instead(original, call, raw):
        return run_anew(original, call, raw) if call.body["stream"] else None

    on_refusal("OUTCOME_UNCERTAIN", instead)


@defect("uncertain-body-key-unchecked")
def _():
    def instead(original, call, raw):
        return run_anew(original, call, raw) if HERE.door.carried() is None else None

    on_refusal("OUTCOME_UNCERTAIN", instead)


# A replay


@defect("replay-drops-presentation")
def _():
    replaying(lambda call, turn, fields: None if call.body["stream"] else fields.pop("presentation", None))


@defect("replay-mints-conversation-id", by=replaying)
def _(call, turn, fields):
    if not call.body["conversation_id"]:
        fields["conversation_id"] = str(uuid.uuid4()).upper()


@defect("replay-returns-latest-turn")
def _():
    latest = {}

    def reply(original, call, *rest):
        fields = original(call, *rest)
        latest[fields["conversation_id"]] = fields["response"]
        return fields

    wrap(chat, "reply", reply)
    replaying(lambda call, turn, fields: fields.update(response=latest[fields["conversation_id"]]))


defect("replay-header-missing-on-stream", by=unmarked)(lambda call: call.body["stream"])
defect("replay-header-missing-for-body-key", by=unmarked)(lambda call: HERE.door.carried() is None)


def repeats():
    """How often a turn was repeated by now."""
    seen = {}

    def count(call):
        name = call.key.bearer, call.body["key"]
        seen[name] = seen.get(name, 0) + 1
        return seen[name]

    return count


@defect("replay-header-only-first-repeat")
def _():
    count = repeats()
    unmarked(lambda call: count(call) > 1)


@defect("replayed-stream-done-twice")
def _():
    count = repeats()

    def change(call, turn, fields):
        HERE.late = "twice" if count(call) > 1 else ""

    replaying(change)
    written(lambda event, text: text * 2 if event["type"] == "done" and HERE.late == "twice" else text)


@defect("replay-takes-credits-again")
def _():
    replaying(lambda call, turn, fields: charge(call.world, call.key.account, turn.reply["credits_used"]))


@defect("replay-runs-tools-again", by=replaying)
def _(call, turn, fields):
    if acts(call):
        call.world.post.happen("tool.executed", call.agent)


@defect("replay-restarts-workflow-run", by=replaying)
def _(call, turn, fields):
    if "presentation" in fields:
        burn(call.world.conversation((call.key.account, call.agent), fields["conversation_id"]))


def text_until(events, kind):
    """The tokens before the first event of a kind, if there is one."""
    at = next((at for at, event in enumerate(events) if event["type"] == kind), None)
    return None if at is None else "".join(event.get("token", "") for event in events[:at])


def cut_at(kind):
    def change(call, turn, fields):
        text = text_until(turn.events, kind)
        if call.body["stream"] and text is not None:
            fields["response"] = text

    replaying(change)


@defect("replayed-done-cut-at-tool")
def _():
    cut_at("action_start")


@defect("replayed-done-shows-ungated-text")
def _():
    cut_at("gate_triggered")


@defect("replayed-done-lacks-conversation-id")
def _():
    replaying(lambda call, turn, fields: fields.pop("conversation_id") if call.body["stream"] else None)


# The form of a 409


def coded(*codes):
    return lambda status, told: status == 409 and any(code in told["error"] for code in codes)


@defect("streamed-409-sent-as-event")
def _():
    meant = coded("IDEMPOTENCY_CONFLICT", "WORKFLOW_INTERACTION_STALE")
    refusing(lambda status, told: meant(status, told) and streamed(), as_event)


def nested(shape):
    def instead(door, status, told):
        data = json.dumps(shape(told["error"])).encode()
        door.head(status, {"Content-Type": "application/json", "Content-Length": len(data)})
        door.wfile.write(data)

    return instead


@defect("workflow-409-nested-error")
def _():
    shape = nested(lambda text: {"error": {"code": next(word for word in CODES if word in text), "message": text}})
    refusing(coded(*CODES), shape)


CODES = ("AI_REPLY_PAUSED", "WORKFLOW_INTERACTION_STALE")


@defect("uncertain-409-as-receipt")
def _():
    shape = nested(lambda text: {"status": "failed", "error": {"code": "OUTCOME_UNCERTAIN", "resolution": text}})
    refusing(coded("OUTCOME_UNCERTAIN"), shape)
