"""Defects of the chat endpoint."""

import json
import time
import uuid
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import chat
import server
from body import UUID, Refusal
from patches import (
    acts,
    as_event,
    as_fault,
    asking,
    burn,
    carrying,
    charge,
    checked,
    conversing,
    HERE,
    in_bytes,
    keyless,
    measured,
    named,
    refused,
    refusing,
    replying,
    scripted,
    streamed,
    telling,
    watch,
    watched,
    within,
    without,
    written,
)
from planting import around, defect, wrap
from world import AGENTS, KEYS, LIMIT, World

# What a body has to look like


@defect("numeric-message-coerced-to-text")
def _():
    asking(lambda asked: {**asked, "message": str(asked["message"])} if type(asked.get("message")) in (int, float) else asked)


@defect("interaction-without-message-accepted", "interaction-without-message-runs", by=asking)
def _(asked):
    return {"message": "A table for two", **asked} if "interaction" in asked else asked


@defect("missing-message-refusal-consumes-button", by=watched(server.Door, "chat"))
def _(original, door, agent, raw):
    original(door, agent, raw)
    key, world = chat.key_of(door.headers.get("Authorization")), door.server.world
    if key and "interaction" in HERE.asked and "message" not in HERE.asked and named(world, key.account, agent):
        burn(world.conversation((key.account, agent), HERE.asked["conversation_id"]))


@defect("message-limit-counts-bytes")
def _():
    measured(lambda asked, message: message if in_bytes(message) <= 10_000 else "x" * 10_001)


@defect("stream-skips-message-length-check")
def _():
    measured(lambda asked, message: message[:1000] if asked.get("stream") in (True, "true") else message)


defect("message-trimmed-before-counting", by=measured)(lambda asked, message: message.strip())


@defect("non-uuid-id-starts-new-silently", by=asking)
def _(asked):
    name = asked.get("conversation_id")
    return without(asked, "conversation_id") if isinstance(name, str) and not UUID.fullmatch(name) else asked


@defect("uuid-pattern-not-anchored", by=asking)
def _(asked):
    name = asked.get("conversation_id")
    found = isinstance(name, str) and UUID.match(name)
    return {**asked, "conversation_id": found[0]} if found else asked


@defect("stream-needs-accept-header", by=checked)
def _(asked, found, carried):
    return {"stream": found["stream"] and "text/event-stream" in (HERE.door.headers.get("Accept") or "")}


@defect("header-key-disables-stream", by=checked)
def _(asked, found, carried):
    by_x = "X-Idempotency-Key" in HERE.door.headers and "idempotency_key" not in asked
    return {"stream": found["stream"] and not by_x}


@defect("stream-text-false-taken-true")
def _():
    checked(lambda asked, found, carried: {"stream": found["stream"] or asked.get("stream") == "false"})


@defect("stream-choice-sticks-to-conversation")
def _():
    begun = set()

    def keep(call, fields):
        if call.body["stream"] and not call.body["conversation_id"]:
            begun.add(fields["conversation_id"])

    replying(keep)
    checked(
        lambda asked, found, carried: {
            "stream": found["stream"] or ("stream" not in asked and found["conversation_id"].upper() in begun)
        }
    )


@defect("refused-body-charges-credits", by=refused)
def _(asked, refusal):
    message = asked.get("message")
    key = chat.key_of(HERE.door.headers.get("Authorization"))
    if key and isinstance(message, str) and len(message) > 10_000:
        charge(HERE.door.server.world, key.account)


@defect("interaction-string-silently-dropped")
def _():
    asking(lambda asked: without(asked, "interaction") if isinstance(asked.get("interaction"), str) else asked)


# The key of a request


@defect("keyless-later-turn-runs", "keyless-second-turn-runs", by=carrying)
def _(asked, carried):
    return str(uuid.uuid4()) if keyless(asked, carried) and "conversation_id" in asked else carried


@defect("empty-header-counts-as-key")
def _():
    def empty(asked):
        return HERE.door.headers.get("Idempotency-Key") == "" and "idempotency_key" not in asked

    checked(lambda asked, found, carried: {"key": ""} if empty(asked) else {})
    carrying(lambda asked, carried: "empty" if empty(asked) else carried)


@defect("keyless-stream-refusal-lacks-code", by=refused)
def _(asked, refusal):
    if streamed() and "IDEMPOTENCY_KEY_REQUIRED" in refusal.body["error"]:
        raise Refusal(400, "invalid request")


@defect("long-keys-equal-prefix-collide", "keys-compared-to-191-characters", by=checked)
def _(asked, found, carried):
    return {"key": found["key"][:191]}


@defect("header-key-length-unchecked")
def _():
    checked(lambda asked, found, carried: {"key": HERE.long or found["key"]})

    def change(asked, carried):
        HERE.long = carried
        return carried and carried[:255]

    carrying(change)


@defect("key-limit-counts-bytes", "key-length-counted-in-bytes", by=asking)
def _(asked):
    key = asked.get("idempotency_key")
    return {**asked, "idempotency_key": "x" * 256} if isinstance(key, str) and in_bytes(key) > 255 else asked


@defect("body-and-header-keys-separate", "body-and-header-keys-apart", by=checked)
def _(asked, found, carried):
    return {"key": found["key"] if carried is None else ("header", found["key"])}


@defect("stream-ignores-x-header-key", "x-header-ignored-on-streams", by=carrying)
def _(asked, carried):
    return HERE.door.headers.get("Idempotency-Key") if streamed() else carried


@defect("x-header-key-not-remembered", by=checked)
def _(asked, found, carried):
    return {"key": str(uuid.uuid4())} if "X-Idempotency-Key" in HERE.door.headers else {}


# Conversations


@defect("streamed-turn-forks-conversation")
def _():
    plain = set()

    def keep(call, fields):
        if not call.body["stream"]:
            plain.add(fields["conversation_id"])

    def change(call):
        name = call.body["conversation_id"]
        return "" if call.body["stream"] and name.upper() in plain else name

    conversing(change)
    replying(keep)


@defect("concurrent-turns-fork-conversation")
def _():
    busy = set()

    def perform(original, call, *rest):
        name = call.body["conversation_id"].upper()
        with call.world.lock:
            locked = name in busy
            busy.add(name)
        if not name:
            return original(call, *rest)
        if locked:
            return original(within(call, ""), *rest)
        try:
            time.sleep(0.03)  # a turn takes its time
            return original(call, *rest)
        finally:
            busy.discard(name)

    wrap(chat, "perform", perform)


@defect("refused-turn-drops-conversation")
def _():
    dropped = set()

    def keep(asked, refusal):
        if isinstance(asked.get("conversation_id"), str):
            dropped.add(asked["conversation_id"].upper())

    def change(call):
        name = call.body["conversation_id"].upper()
        if name not in dropped:
            return name
        dropped.discard(name)
        return ""

    refused(keep)
    conversing(change)


FIVE_MINUTES = 300


@defect("omitted-id-reuses-recent-conversation")
def _():
    recent = {}

    def keep(call, fields):
        recent[call.key, call.agent] = call.world.now(), fields["conversation_id"]

    def change(call):
        when, name = recent.get((call.key, call.agent), (0, ""))
        new = not call.body["conversation_id"]
        return name if new and name and call.world.now() - when < FIVE_MINUTES else call.body["conversation_id"]

    conversing(change)
    replying(keep)


@defect("equal-first-message-shares-conversation", by=conversing)
def _(call):
    first = uuid.uuid5(uuid.NAMESPACE_URL, call.agent + call.body["message"])
    return call.body["conversation_id"] or str(first)


@defect("simultaneous-new-conversations-merged")
def _():
    coming = {}

    def perform(original, call, *rest):
        if call.body["conversation_id"]:
            return original(call, *rest)
        who = call.key, call.agent
        with call.world.lock:
            name = coming.setdefault(who, str(uuid.uuid4()))
        try:
            time.sleep(0.03)  # a turn takes its time
            return original(within(call, name), *rest)
        finally:
            coming.pop(who, None)

    wrap(chat, "perform", perform)


# What a reply tells


@defect("streamed-conversation-id-not-reusable", by=replying)
def _(call, fields):
    if call.body["stream"] and not call.body["conversation_id"]:
        fields["conversation_id"] = "conv_" + fields["conversation_id"].replace("-", "").lower()


@defect("concurrent-replies-swapped")
def _():
    waiting = {}

    def perform(original, call, *rest):
        mine = original(call, *rest)
        with call.world.lock:
            other = waiting.pop(call.agent, None)
            if other and other["conversation_id"] != mine["conversation_id"]:
                mine["response"], other["response"] = other["response"], mine["response"]
            elif not call.body["stream"]:
                waiting[call.agent] = mine
        time.sleep(0.03)
        with call.world.lock:
            if waiting.get(call.agent) is mine:
                del waiting[call.agent]
        return mine

    wrap(chat, "perform", perform)


@defect("emoji-in-reply-become-question-marks", by=replying)
def _(call, fields):
    if not call.body["stream"]:
        fields["response"] = "".join("?" if ord(sign) > 0xFFFF else sign for sign in fields["response"])


@defect("credits-used-sums-conversation")
def _():
    sums = {}

    def change(call, fields):
        name = fields["conversation_id"]
        fields["credits_used"] = sums[name] = round(sums.get(name, 0) + fields["credits_used"], 4)

    replying(change)


@defect("streamed-credits-used-always-zero")
def _():
    replying(lambda call, fields: fields.update(credits_used=0) if call.body["stream"] else None)


@defect("credits-used-omits-tool-cost", by=replying)
def _(call, fields):
    if AGENTS[call.agent].does == "acts":
        fields["credits_used"] = round(fields["credits_used"] / 2, 4)


@defect("credits-remaining-before-deduction", by=replying)
def _(call, fields):
    fields["credits_remaining"] = round(fields["credits_remaining"] + fields["credits_used"], 6)


@defect("credits-remaining-cached-per-key")
def _():
    cache = {}

    def change(call, fields):
        now = call.world.now()
        when, left = cache.get(call.key, (-60, 0))
        fresh = now - when < 60
        left = round(left - fields["credits_used"], 6) if fresh else fields["credits_remaining"]
        cache[call.key] = when if fresh else now, left
        fields["credits_remaining"] = left

    replying(change)


@defect("concurrent-turns-deduct-once")
def _():
    def perform(original, call, *rest):
        HERE.read = call.world.accounts[call.key.account].credits
        time.sleep(0.02)  # a turn takes its time
        return original(call, *rest)

    def settle(original, world, account, cost, paid):
        if paid:
            world.accounts[account].credits = HERE.read
        return original(world, account, cost, paid)

    wrap(chat, "perform", perform)
    wrap(World, "settle", settle)


@defect("stream-hides-credits-without-billing", "streamed-done-lacks-credits-remaining", by=telling)
def _(call, fields):
    if call.body["stream"] and "billing_read" not in call.key.scopes:
        fields.pop("credits_remaining")


@defect("restricted-key-gets-null-credits", by=telling)
def _(call, fields):
    if call.key.agent and "billing_read" not in call.key.scopes and not call.body["stream"]:
        fields["credits_remaining"] = None


@defect("failed-stream-still-charged", by=around(chat, "perform"))
def _(original, call, *rest):
    try:
        return original(call, *rest)
    except chat.Broken:
        if call.body["stream"] and AGENTS[call.agent].does == "breaks":
            charge(call.world, call.key.account)
        raise


@defect("streamed-turns-missing-from-usage", by=replying)
def _(call, fields):
    if call.body["stream"]:
        charge(call.world, call.key.account, -fields["credits_used"])


@defect("done-omits-presentation", "streamed-done-lacks-presentation", by=telling)
def _(call, fields):
    return fields.pop("presentation", None) if call.body["stream"] else None


@defect("replayed-done-carries-latest-reply")
def _():
    latest = {}
    replying(lambda call, fields: latest.update({fields["conversation_id"]: fields["response"]}))

    def again(original, call, turn):
        fields = original(call, turn)
        return {**fields, "response": latest[fields["conversation_id"]]} if call.body["stream"] else fields

    wrap(chat, "again", again)


@defect("replayed-long-reply-truncated", by=around(chat, "again"))
def _(original, call, turn):
    fields = original(call, turn)
    return {**fields, "response": fields["response"][:2000]} if call.body["stream"] else fields


# Events of a stream


@defect("streamed-response-only-after-action", by=scripted)
def _(call, events, text):
    if not (acts(call) and call.body["stream"]):
        return events, text
    last = max(at for at, event in enumerate(events) if event["type"] == "action_complete")
    return events, "".join(event.get("token", "") for event in events[last:])


@defect("trailing-done-sentinel-line")
def _():
    written(lambda event, text: text + "data: [DONE]\r\n\r\n" if event["type"] == "done" else text)


@defect("ping-data-line-during-tool", by=written)
def _(event, text):
    # Fifteen seconds of a tool are none here.
    return text + "data: ping\r\n\r\n" if event["type"] == "action_start" else text


@defect("newline-in-token-unescaped")
def _():
    written(lambda event, text: text.replace("\\n", "\n") if event["type"] == "token" else text)


@defect("multibyte-token-boundary-garbled", by=scripted)
def _(call, events, text):
    if any(event["type"] != "token" for event in events):
        return events, text
    data = text.encode("utf-8", "surrogatepass")
    pieces = [data[at : at + 7] for at in range(0, len(data), 7)]
    return [{"type": "token", "token": piece.decode("utf-8", "replace")} for piece in pieces], text


@defect("tokens-leak-between-streams")
def _():
    open_streams = {}

    def perform(original, call, turn, send, gone):
        if not call.body["stream"]:
            return original(call, turn, send, gone)
        beside = open_streams.setdefault((call.key, call.agent), [])

        def to_all(event):
            time.sleep(0.002)
            with call.world.lock:
                for one in beside if event["type"] == "token" else [send]:
                    one(event)

        with call.world.lock:
            beside.append(send)
        time.sleep(0.02)
        try:
            return original(call, turn, to_all, gone)
        finally:
            with call.world.lock:
                beside.remove(send)

    wrap(chat, "perform", perform)


@defect("tool-arguments-sent-as-tokens", by=scripted)
def _(call, events, text):
    at = next((at for at, event in enumerate(events) if event["type"] == "action_start"), None)
    arguments = {"type": "token", "token": json.dumps({"query": "opening hours", "limit": 3})}
    return (events if at is None else [*events[:at], arguments, *events[at:]]), text


@defect("failed-tool-reported-success")
def _():
    scripted(lambda call, events, text: ([{**event, "success": True} if "success" in event else event for event in events], text))


@defect("second-tool-has-no-start", by=scripted)
def _(call, events, text):
    starts = [event for event in events if event["type"] == "action_start"]
    return [event for event in events if event not in starts[1:]], text


@defect("success-member-omitted-when-false", by=scripted)
def _(call, events, text):
    return [without(event, "success") if event.get("success") is False else event for event in events], text


@defect("later-turn-gate-event-missing", by=scripted)
def _(call, events, text):
    later = call.body["conversation_id"] != ""
    return [event for event in events if not (later and event["type"] == "gate_triggered")], text


@defect("gate-reason-missing-on-block", by=scripted)
def _(call, events, text):
    return [without(event, "reason") if event["type"] == "gate_triggered" else event for event in events], text


@defect("gate-event-on-every-turn")
def _():
    allowed = {"type": "gate_triggered", "decision": "allow", "reason": "nothing found"}
    scripted(lambda call, events, text: ([allowed, *events] if call.body["stream"] else events, text))


@defect("tokenless-stream-lacks-done")
def _():
    def change(call, events, text):
        gated = [event for event in events if event["type"] == "gate_triggered"]
        HERE.late = "gated" if gated else ""
        return gated or events, text

    scripted(change)
    written(lambda event, text: "" if event["type"] == "done" and HERE.late == "gated" else text)


@defect("action-event-after-done")
def _():
    def change(call, events, text):
        if not (acts(call) and call.body["stream"]):
            return events, text
        last = [event for event in events if event["type"] == "action_complete"][-1]
        HERE.late = f"data: {json.dumps(last)}\r\n\r\n"
        return [event for event in events if event is not last], text

    scripted(change)
    written(lambda event, text: text + HERE.late if event["type"] == "done" else text)


@defect("failed-stream-ends-with-done", by=scripted)
def _(call, events, text):
    if text is None and call.body["stream"]:
        text = "".join(event.get("token", "") for event in events)
    return events, text


@defect("error-event-uses-message-member", by=around(server.Door, "block"))
def _(original, door, event, numbers):
    if event["type"] == "error":
        event = {"type": "error", "message": event["error"]}
    return original(door, event, numbers)


@defect("failure-after-action-closes-silently", by=written)
def _(event, text):
    if event["type"] == "action_complete":
        HERE.late = "acted"
    return "" if event["type"] == "error" and HERE.late == "acted" else text


@defect("replayed-stream-sends-two-dones")
def _():
    as_fault("replay-done-twice")


# Who may


def admitted(change):
    """Who may not is asked of the key and the agent as `change` has them."""
    watch()
    wrap(chat, "admit", lambda admit, world, key, agent: admit(world, key and change(world, key, agent), agent))


def for_chat(key):
    return replace(key, scopes=(*key.scopes, "chat"))


def for_any(key):
    return replace(key, agent="")


def bearers(same):
    def key_of(original, authorization):
        scheme, _, sent = (authorization or "").strip().partition(" ")
        found = [key for bearer, key in KEYS.items() if same(sent.strip(), bearer)]
        return found[0] if scheme.lower() == "bearer" and found else None

    wrap(chat, "key_of", key_of)


defect("key-with-trailing-text-accepted", by=bearers)(lambda sent, bearer: sent.startswith(bearer))
defect("key-compared-ignoring-case", by=bearers)(lambda sent, bearer: sent.lower() == bearer.lower())


defect("stream-skips-chat-scope", by=admitted)(lambda world, key, agent: for_chat(key) if streamed() else key)


@defect("chat-alone-needs-read-agents", by=around(chat, "admit"))
def _(original, world, key, agent):
    original(world, key, agent)
    if key.scopes == ("chat",):
        raise Refusal(403, "The agents are not for this key to see.")


@defect("continued-turn-skips-chat-scope")
def _():
    admitted(lambda world, key, agent: for_chat(key) if named(world, key.account, agent) else key)


@defect("own-conversation-opens-other-agent")
def _():
    admitted(lambda world, key, agent: for_any(key) if named(world, key.account, key.agent) else key)


@defect("agent-permission-cached-per-key")
def _():
    cache = {}

    def admit(original, world, key, agent):
        fresh = world.now() - cache.get(key, -60) < 60
        original(world, for_any(key) if key and key.agent and fresh else key, agent)
        if key.agent == agent:
            cache[key] = world.now()

    wrap(chat, "admit", admit)


@defect("interaction-bypasses-agent-scope")
def _():
    admitted(lambda world, key, agent: for_any(key) if "interaction" in HERE.asked else key)


@defect("conversation-overrides-unknown-agent", by=watched(server.Door, "chat"))
def _(original, door, agent, raw):
    key = chat.key_of(door.headers.get("Authorization"))
    if key and agent not in AGENTS:
        asked = {}
        with suppress(ValueError):
            asked = json.loads(raw)
        name = asked.get("conversation_id") if isinstance(asked, dict) else None
        for scope, known in list(door.server.world.conversations):
            if scope[0] == key.account and known == str(name).upper():
                agent = scope[1]
    original(door, agent, raw)


@defect("non-ascii-agent-id-500", by=around(chat, "admit"))
def _(original, world, key, agent):
    if key and not agent.isascii():
        raise Refusal(500, "That went wrong.")
    original(world, key, agent)


@defect("forbidden-agent-turn-charged", by=around(chat, "admit"))
def _(original, world, key, agent):
    try:
        original(world, key, agent)
    except Refusal as refusal:
        if key and agent in AGENTS and key.agent not in ("", agent) and refusal.status == 403:
            charge(world, key.account)
        raise


# Credits and rate


@defect("continued-turn-skips-credit-check")
def _():
    watch()

    def hold(original, world, account, cost):
        return original(world, account, 0 if HERE.call.body["conversation_id"] else cost)

    # What was not held back is not given back either.
    def settle(original, world, account, cost, paid):
        world.accounts[account].held += cost if HERE.call.body["conversation_id"] else 0
        return original(world, account, cost, paid)

    wrap(World, "hold", hold)
    wrap(World, "settle", settle)


@defect("credit-refusal-sticks-after-topup")
def _():
    refused_at = {}

    def hold(original, world, account, cost):
        stuck = world.now() - refused_at.get(account, -FIVE_MINUTES) < FIVE_MINUTES
        if stuck:
            return False
        enough = original(world, account, cost)
        if not enough:
            refused_at[account] = world.now()
        return enough

    wrap(World, "hold", hold)


def limited(who):
    """The rate is counted for those whom `who` has as one."""
    watch()
    wrap(World, "spend", lambda spend, world, key: spend(world, SimpleNamespace(bearer=who(key))))


defect("rate-shared-by-project-keys", by=limited)(lambda key: key.account)
defect("rate-counted-per-agent", by=limited)(lambda key: (key.bearer, HERE.agent))


@defect("streamed-turns-not-rate-limited", by=watched(chat, "limit"))
def _(limit, world, key):
    return LIMIT - 1 if streamed() else limit(world, key)


def limiting(change):
    """The body of a 429, as `change` leaves it."""
    watch()

    def limit(original, world, key):
        try:
            return original(world, key)
        except Refusal as refusal:
            change(refusal.body)
            raise

    wrap(chat, "limit", limit)


@defect("retry-after-given-in-milliseconds")
def _():
    limiting(lambda told: told.update(retry_after_seconds=round(told["retry_after_seconds"] * 1000)))


@defect("streamed-429-lacks-limit-members", by=limiting)
def _(told):
    if streamed():
        for name in ("retry_after_seconds", "limit", "remaining"):
            del told[name]


defect("remaining-positive-when-limited", by=limiting)(lambda told: told.update(remaining=LIMIT))


# The form of a refusal


def written_as(kind, text):
    def instead(door, status, told):
        data = text(told).encode()
        door.head(status, {"Content-Type": kind, "Content-Length": len(data)})
        door.wfile.write(data)

    return instead


@defect("missing-key-stream-answers-200")
def _():
    refusing(lambda status, _: status == 401 and streamed() and "Authorization" not in HERE.door.headers, as_event)


@defect("creditless-stream-answers-200")
def _():
    refusing(lambda status, _: status == 402 and streamed(), as_event)


@defect("stream-refusal-sent-as-event")
def _():
    event = written_as("text/event-stream", lambda told: f"data: {json.dumps({**told, 'type': 'error'})}\n\n")
    refusing(lambda status, _: status == 404 and streamed(), event)


@defect("unparsable-json-answers-html")
def _():
    page = written_as("text/html", lambda told: "<!doctype html><title>400</title><h1>Bad Request</h1>")
    refusing(lambda status, _: status == 400 and not parses(HERE.raw), page)


def parses(raw):
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


@defect("agent-scope-error-nested", by=around(chat, "admit"))
def _(original, world, key, agent):
    try:
        original(world, key, agent)
    except Refusal as refusal:
        if refusal.status == 403 and key.agent not in ("", agent):
            refusal.body["error"] = {"code": "AGENT_SCOPE", "message": refusal.body["error"]}
        raise
