"""
What one reader of the contract listed about the chat endpoint: defects, and oddities that conform.
A defect is called what its function is called, with -r1 behind; what plants it is behind the arrow.
"""

import hashlib
import json
import re
import threading
import time
import uuid
from collections import deque
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from decimal import Decimal
from email.utils import formatdate
from itertools import repeat
from types import SimpleNamespace

import body
import chat
import server
from body import UUID, Refusal
from patches import HERE, as_event, asking, carrying, charge, checked, conversing, in_bytes, keyless, measured
from patches import refusing, replying, scripted, streamed, telling, watch, watched, within, without, written
from planting import around, defect, wrap
from world import AGENTS, KEYS, LIMIT, Key, World

LONG = "x" * 10_001
KEPT, MARKED = {}, set()  # of the one that is planted


def keyed(change):
    """The API key of a chat request, as `change(found, bearer)` has it."""
    watch()

    def key_of(original, authorization):
        found, door = original(authorization), getattr(HERE, "door", None)
        in_chat = door and server.ROUTE.fullmatch(door.path)
        return change(found, (authorization or "").partition(" ")[2].strip()) if in_chat else found

    wrap(chat, "key_of", key_of)


def admitting(change):
    watch()
    wrap(chat, "admit", lambda admit, world, key, agent: admit(world, *change(world, key, agent)))


def unadmitted(change):
    """Who is not admitted gets the error that `change(refusal, world, key, agent)` gives, or is admitted."""
    watch()

    def admit(original, *given):
        try:
            original(*given)
        except Refusal as refusal:
            if error := change(refusal, *given):
                raise error from None

    wrap(chat, "admit", admit)


def failing(change):
    """The body of an error, as `change(status, told, door)` has it."""
    watch()

    def say(original, door, status, told, *rest):
        if status >= 400 and server.ROUTE.fullmatch(door.path):
            told = change(status, told, door) or told
        original(door, status, told, *rest)

    wrap(server.Door, "say", say)


def dumping(change):
    """JSON goes out as `change(value, how)` writes it."""
    server.json = SimpleNamespace(dumps=lambda value, **how: change(value, how) if how else json.dumps(value))


def stop(error):
    raise error


def caller(door):
    return chat.key_of(door.headers.get("Authorization"))


def paused(fields):
    return "ai_reply" in fields.get("customer_message", {})


def as_paused(call, is_paused):
    world = copy(call.world)
    world.paused = {call.agent} if is_paused else set()
    return replace(call, world=world)


def among(call, agent):
    """The agent of the conversation, where there is none of that name."""
    name = str(HERE.asked.get("conversation_id")).upper()
    account = call.key and call.key.account
    known = (who[1] for who, id in list(call.world.conversations) if id == name and who[0] == account)
    return agent if agent in AGENTS else next(known, agent)


def split(events):
    """The tokens as one text, and the other events."""
    said = "".join(event.get("token", "") for event in events)
    return said, [event for event in events if event["type"] != "token"]


def alone(plant):
    plant()


again = watched(chat, "again")
holding = watched(World, "hold")
performing = watched(chat, "perform")
spending = watched(World, "spend")
opening = around(server.Door, "open")
heading = around(server.Door, "head")


class Ways:
    def bad_key_by_prefix_cache(found, bearer) -> keyed:
        if found:
            KEPT[bearer[:12]] = found
        return found or KEPT.get(bearer[:12])

    def bad_key_on_warm_connection(found, bearer) -> keyed:
        HERE.door.warm = getattr(HERE.door, "warm", found)
        return HERE.door.warm or found

    def key_with_tail_accepted(found, bearer) -> keyed:
        return found or next((key for known, key in KEYS.items() if bearer.startswith(known)), None)

    def bad_key_streams(found, bearer) -> keyed:
        agent = AGENTS.get(server.ROUTE.fullmatch(HERE.door.path)[1])
        return Key("nobody", agent.account) if bearer and not found and agent and streamed() else found

    def lockout_after_bad_keys(found, bearer) -> keyed:
        now = HERE.door.server.world.now()
        bad = KEPT.setdefault("bad", deque(maxlen=5))
        if len(bad) == 5 and now < bad[-1] + 30:
            return None
        bad.extend([] if found else [now])
        return found

    def scope_unchecked_in_conversation(world, key, agent) -> admitting:
        return key and (replace(key, agent="") if "conversation_id" in HERE.asked else key), agent

    def chat_scope_unchecked_streaming(world, key, agent) -> admitting:
        return key and (replace(key, scopes=("chat",)) if streamed() else key), agent

    def long_bad_key_500(refusal, world, key, agent) -> unadmitted:
        return chat.Broken if len(HERE.door.headers.get("Authorization") or "") > 107 and not key else refusal

    def lacks_chat_401(refusal, world, key, agent) -> unadmitted:
        return Refusal(401, "Who are you?") if key and "chat" not in key.scopes else refusal

    def outside_scope_404(refusal, world, key, agent) -> unadmitted:
        return Refusal(404, "Nobody.") if "Not yours" in refusal.body["error"] else refusal

    def plan_refused_only_once(refusal, world, key, agent) -> unadmitted:
        again = "plan" in refusal.body["error"] and key in MARKED
        MARKED.update([key] if "plan" in refusal.body["error"] else [])
        return None if again else refusal

    def odd_agent_id_500(refusal, world, key, agent) -> unadmitted:
        return refusal if refusal.status != 404 or re.fullmatch(r"[\w.~-]{1,64}", agent) else chat.Broken

    def replay_charged(original, call, turn) -> again:
        charge(call.world, call.key.account, turn.reply["credits_used"])
        return turn.reply

    def broke_after_top_up(original, *given) -> holding:
        enough = HERE.call.key not in MARKED and original(*given)
        MARKED.update([] if enough else [HERE.call.key])
        return enough

    def message_optional_with_interaction(asked) -> asking:
        return {"message": "A table for two", **asked} if "interaction" in asked else asked

    def bad_conversation_id_ignored(asked) -> asking:
        is_good = UUID.fullmatch(str(asked.get("conversation_id", "")))
        return asked if is_good else without(asked, "conversation_id")

    def accept_json_beats_stream(asked, found, carried) -> checked:
        return {"stream": found["stream"] and "application/json" not in HERE.door.headers.get("Accept", "")}

    def x_header_unread_streaming(asked, carried) -> carrying:
        return HERE.door.headers.get("Idempotency-Key") if streamed() else carried

    def keyless_continuation_runs(asked, carried) -> carrying:
        return str(uuid.uuid4()) if keyless(asked, carried) and "conversation_id" in asked else carried

    def conversation_forks_on_stream(call) -> conversing:
        return "" if call.body["stream"] else call.body["conversation_id"]

    def conversation_forks_at_sixth(call) -> conversing:
        name = call.body["conversation_id"]
        known = call.world.conversations.get(((call.key.account, call.agent), name.upper()))
        return "" if known and len(known.heard) == 5 else name

    def same_words_same_conversation(call) -> conversing:
        made = uuid.uuid5(uuid.NAMESPACE_URL, call.agent + call.body["message"])
        return call.body["conversation_id"] or str(made)

    def parallel_starts_share_conversation(original, call, *rest) -> performing:
        if call.body["conversation_id"]:
            return original(call, *rest)
        with call.world.lock:
            name = KEPT.setdefault(call.key, str(uuid.uuid4()))
        time.sleep(0.03)  # a turn takes its time
        try:
            return original(within(call, name), *rest)
        finally:
            KEPT.pop(call.key, None)

    def parallel_streams_mixed(original, call, *rest) -> performing:
        if not call.body["stream"]:
            return original(call, *rest)
        name = KEPT[call.key] = call.body["conversation_id"].upper() or str(uuid.uuid4()).upper()
        time.sleep(0.03)  # a turn takes its time
        reply = original(within(call, name), *rest)
        reply["conversation_id"] = KEPT[call.key]
        return reply

    def pause_unseen_by_open_conversation(original, call, *rest) -> performing:
        is_paused = KEPT.get(call.body["conversation_id"].upper(), call.agent in call.world.paused)
        reply = original(as_paused(call, is_paused), *rest)
        KEPT[reply["conversation_id"]] = is_paused
        return reply

    def used_accumulates(call, fields) -> replying:
        name = fields["conversation_id"]
        fields["credits_used"] = KEPT[name] = round(KEPT.get(name, 0) + fields["credits_used"], 4)

    def customer_message_after_resume(call, fields) -> replying:
        if paused(fields):
            KEPT[fields["conversation_id"]] = fields["customer_message"]
        elif fields["conversation_id"] in KEPT:
            fields["customer_message"] = KEPT.pop(fields["conversation_id"])

    def second_paused_lacks_ai_reply(call, fields) -> replying:
        if paused(fields):
            fields["conversation_id"] in MARKED and fields["customer_message"].pop("ai_reply")
            MARKED.add(fields["conversation_id"])

    def presentation_lingers(call, fields) -> replying:
        before = KEPT.get(fields["conversation_id"])
        if not paused(fields) and fields.get("presentation", before):
            KEPT[fields["conversation_id"]] = fields.setdefault("presentation", before)

    def paused_done_lacks_customer_message(call, fields) -> replying:
        call.body["stream"] and fields.pop("customer_message", None)

    def remaining_before_charge(call, fields) -> replying:
        fields["credits_remaining"] = round(fields["credits_remaining"] + fields["credits_used"], 6)

    def odd_diagnostics(call, fields) -> replying:
        fields.update(model="m-7b", latency_ms=312, trace={"spans": [1, 2.5]})

    def continued_reply_omits_id(call, fields) -> telling:
        call.body["conversation_id"] and fields.pop("conversation_id", None)

    def credits_hidden_without_billing_read(call, fields) -> telling:
        "billing_read" in call.key.scopes or fields.pop("credits_remaining", None)

    def refused_body_charged(status, told, door) -> failing:
        status == 400 and caller(door) and charge(door.server.world, caller(door).account)

    def broke_amounts_swapped(status, told, door) -> failing:
        left = status == 402 and door.server.world.left(caller(door).account)
        return {**told, "credits_required": left, "credits_remaining": 0.25} if status == 402 else None

    def two_faults_error_list(status, told, door) -> failing:
        asked = HERE.asked
        if status != 400 or HERE.raw.lstrip()[:1] != b"{" or "JSON" in told["error"].upper():
            return None
        message, key = asked.get("message"), door.carried() or asked.get("idempotency_key")
        wrong = {
            "message": not isinstance(message, str) or not 1 <= len(message) <= 10_000,
            "conversation_id": not UUID.fullmatch(str(asked.get("conversation_id", uuid.uuid4()))),
            "stream": not isinstance(asked.get("stream", False), bool),
            "interaction": not isinstance(asked.get("interaction", {}), dict),
            "IDEMPOTENCY_KEY_REQUIRED": not isinstance(key, str) or not 1 <= len(key) <= 255,
        }
        found = [f"invalid: {name}" for name, bad in wrong.items() if bad]
        return {**told, "error": found} if len(found) > 1 else None

    def not_found_error_object(status, told, door) -> failing:
        return {"error": {"code": "not_found", "message": told["error"]}} if status == 404 else None

    def conflict_as_receipt(status, told, door) -> failing:
        if status == 409:
            code = re.search("[A-Z]+_[A-Z_]+", told["error"])[0]
            return {"status": "failed", "error": {"code": code, "resolution": told["error"]}}

    def second_429_lacks_wait(status, told, door) -> failing:
        known, _ = caller(door) in MARKED, status == 429 and MARKED.add(caller(door))
        return without(told, "retry_after_seconds") if known else None

    def wait_in_milliseconds(status, told, door) -> failing:
        wait = round(1000 * float(told.get("retry_after_seconds", 0)))
        return {**told, "retry_after_seconds": wait} if status == 429 else None

    def odd_error_extras(status, told, door) -> failing:
        more = {"request_id": uuid.uuid4().hex, "status_code": status, "docs": "https://docs.example"}
        return {**told, **more}

    def sixtieth_refused(original, world, key) -> spending:
        fits, left, wait = original(world, key)
        return fits and left > 0, left, wait

    def streams_not_counted(original, world, key) -> spending:
        left = LIMIT - world.windows.get(key.bearer, (0, 0))[1]
        return (True, left, 0) if streamed() else original(world, key)

    def burst_refused(original, world, key) -> spending:
        with world.lock:
            found, times = original(world, key), KEPT.setdefault(key, deque(maxlen=11))
            times.append(time.monotonic())
            many = len(times) == 11 and times[-1] - times[0] < 1
            return (False, found[1], 1.0) if many else found

    def odd_one_packet(original, door, *rest) -> opening:
        send, end = original(door, *rest)
        kept = []
        return kept.append, lambda: ([send(event) for event in kept], end())

    def odd_late_close(original, door, *rest) -> opening:
        send, end = original(door, *rest)
        return send, lambda: (time.sleep(1.5), end())

    def odd_rate_header_names(original, door, status, headers) -> heading:
        left = door.quota.pop("Chat-Quota-Left", None)
        named = {} if left is None else {"RateLimit-Policy": '"k";q=60;w=60', "RateLimit": f'"k";r={left}'}
        original(door, status, {**headers, **named})

    def odd_loud_content_type(original, door, status, headers) -> heading:
        kind = headers.get("Content-Type", "").replace("; charset=utf-8", ";charset=UTF-8").replace("; ", ";")
        loud = kind.replace("application/json", "Application/JSON").replace("text/event-s", "Text/Event-S")
        original(door, status, {**headers, "Content-Type": loud} if loud else headers)

    def odd_fractional_wait(original, door, status, headers) -> heading:
        late = {"Retry-After": formatdate(time.time() + 60, usegmt=True)} if status == 429 else {}
        original(door, status, {**headers, **late})

    def token_of_digits_number(call, events, text) -> scripted:
        said, others = split(events)
        parts = [int(part) if part.isdecimal() else part for part in re.findall(r"\s+|\S{1,15}", said)]
        return [*others, *({"token": part, "type": "token"} for part in parts)], text

    def odd_no_tokens(call, events, text) -> scripted:
        said, others = split(events)
        return [{"token": said, "type": "token"}, *others], text

    def action_complete_snake_name(call, events, text) -> scripted:
        done = lambda event: {**without(event, "actionName"), "action_name": event["actionName"]}
        return [done(event) if event["type"] == "action_complete" else event for event in events], text

    def odd_unknown_event(call, events, text) -> scripted:
        usage = {"type": "usage", "tokens": {"in": 9, "out": 31}}
        return [{"type": "thinking", "depth": 2}, *events, usage], text

    def odd_escaped_json(value, how) -> dumping:
        def spell(literal):
            if literal[2]:
                return literal[0]
            units = json.loads(literal[1]).encode("utf-16-be", "surrogatepass")
            signs = [chr(int.from_bytes(units[at : at + 2], "big")) for at in range(0, len(units), 2)]
            plain = (sign if sign.isascii() and sign.isalnum() else f"\\u{ord(sign):04x}" for sign in signs)
            return f'"{"".join(plain)}"'

        return re.sub(r'("(?:[^"\\]|\\.)*")(\s*:)?', spell, json.dumps(value, **how))

    def odd_pretty_json(value, how) -> dumping:
        text = json.dumps(value, **{name: 4 if name == "indent" else set for name, set in how.items()})
        return f"\r\n\r\n{text}\r\n\r\n" if "indent" in how else text

    def odd_decimal_credits(value, how) -> dumping:
        number = re.compile(r'("credits_(?:used|remaining|required)": )([-\d][-+.\de]*)')
        return number.sub(lambda found: f"{found[1]}{Decimal(found[2]):e}", json.dumps(value, **how))

    def scope_cached_per_agent() -> alone:
        known = lambda error, key, agent: "Not yours" in error and (key.account, agent) in MARKED
        unadmitted(lambda no, world, key, agent: None if known(no.body["error"], key, agent) else no)
        replying(lambda call, fields: MARKED.add((call.key.account, call.agent)))

    def stream_charged_twice() -> alone:
        again = lambda call, price: charge(call.world, call.key.account, price if call.body["stream"] else 0)
        wrap(chat, "reply", lambda do, call, *rest: again(call, rest[3]) or do(call, *rest))

    def parallel_turns_lose_charge() -> alone:
        def settle(original, world, account, cost, charged):
            world.accounts[account].credits = HERE.before if charged else world.accounts[account].credits
            return original(world, account, cost, charged)

        before = lambda world, account: setattr(HERE, "before", world.accounts[account].credits)
        late = lambda world, account: before(world, account) or time.sleep(0.03)  # a turn takes its time
        wrap(World, "hold", lambda do, world, account, cost: late(world, account) or do(world, account, cost))
        wrap(World, "settle", settle)

    def overlong_key_cut() -> alone:
        cut = lambda key: {"idempotency_key": key[:255]} if isinstance(key, str) else {}
        asking(lambda asked: {**asked, **cut(asked.get("idempotency_key"))})
        carrying(lambda asked, carried: carried and carried[:255])

    def array_body_500() -> alone:
        crash = lambda raw: stop(chat.Broken) if raw.lstrip()[:1] == b"[" else raw
        wrap(body, "parse", lambda do, raw, kind: do(crash(raw), kind))

    def stream_sticks_to_conversation() -> alone:
        stuck = lambda asked, found: "stream" not in asked and found["conversation_id"].upper() in MARKED
        replying(lambda call, fields: call.body["stream"] and MARKED.add(fields["conversation_id"]))
        checked(lambda asked, found, carried: {"stream": found["stream"] or stuck(asked, found)})

    def conversation_lost_after_error() -> alone:
        name = lambda: str(HERE.asked.get("conversation_id", "")).upper()
        lost = lambda: name() in MARKED and (MARKED.discard(name()) or True)
        failing(lambda status, told, door: status == 400 and MARKED.add(name()))
        conversing(lambda call: "" if lost() else name())

    def new_turn_joins_last_conversation() -> alone:
        conversing(lambda call: call.body["conversation_id"] or KEPT.get((call.key, call.agent), ""))
        replying(lambda call, fields: KEPT.update({(call.key, call.agent): fields["conversation_id"]}))

    def unavailable_as_html() -> alone:
        page = b"<!doctype html><title>503</title><h1>Service unavailable</h1>\n"
        kind = {"Content-Type": "text/html", "Content-Length": len(page)}
        refusing(lambda s, told: s == 503, lambda door, s, told: (door.head(s, kind), door.wfile.write(page)))

    def unknown_agent_in_known_conversation() -> alone:
        make = chat.Call
        chat.Call = lambda *given: replace(make(*given), agent=among(make(*given), given[2]))
        admitting(lambda world, key, agent: (key, among(make(world, key, agent, {}), agent)))

    def stream_refusal_in_event() -> alone:
        refusing(lambda status, told: status == 400 and streamed(), as_event)

    def limited_turn_in_flight() -> alone:
        def limit(original, world, key):
            try:
                return original(world, key)
            except Refusal:
                name = HERE.door.carried() or HERE.asked.get("idempotency_key")
                world.claim((key.bearer, name), hashlib.sha256(HERE.raw + HERE.agent.encode()).digest())
                raise

        watched(chat, "limit")(limit)

    def heartbeat_not_json() -> alone:
        def act(original, call, events, text, send, gone):
            timer = threading.Timer(0.2, send, [{"type": "ping"}])
            timer.start()
            with ExitStack() as over:
                over.callback(timer.cancel)
                original(call, events, text, send, gone)

        wrap(chat, "act", act)
        written(lambda event, text: "data: ping\r\n\r\n" if event["type"] == "ping" else text)

    def paused_null_token() -> alone:
        token = {"type": "token", "token": None}
        wrap(World, "stored", lambda original, world: ([token], original(world)[1]))

    def odd_crumbs() -> alone:
        server.Door.answers = repeat(2)
        server.cycle = lambda sizes: repeat(7)

    def odd_uuid_seven() -> alone:
        hex = lambda: f"{int(time.time() * 1000):012x}7{uuid.uuid4().hex[:3]}8{uuid.uuid4().hex[:15]}"
        wrap(World, "conversation", lambda do, world, who, id: do(world, who, id or str(uuid.UUID(hex()))))

    def odd_cost_by_length() -> alone:
        watch()
        chat.round = lambda value, digits: 0.25 * (1 + len(HERE.call.body["message"]) // 40)


DONE = 'data: {"type": "done", "response": ""}\r\n\r\n'
ROWS = dict(
    forbidden_turn_charged=(unadmitted, lambda r, w, k, a: r.status == 403 and charge(w, k.account) or r),
    replayed_done_response_empty=(again, lambda o, *r: o(*r) | {"response": ""} if streamed() else o(*r)),
    pause_ignored_in_stream=(performing, lambda o, c, *r: o(as_paused(c, False) if streamed() else c, *r)),
    odd_slow_turns=(performing, lambda original, *rest: time.sleep(1.5) or original(*rest)),
    rate_headers_absent_on_stream=(opening, lambda o, door, *r: setattr(door, "quota", {}) or o(door, *r)),
    mid_failure_then_done=(written, lambda event, text: text + DONE * (event["type"] == "error")),
    broke_stream_runs=(holding, lambda original, *given: original(*given) or streamed()),
    nul_in_message_500=(measured, lambda a, message: message if "\0" not in message else stop(chat.Broken)),
    message_limit_in_bytes=(measured, lambda a, message: message if in_bytes(message) <= 10_000 else LONG),
    message_10000_refused=(measured, lambda asked, message: message if len(message) != 10_000 else LONG),
    overlong_in_conversation=(measured, lambda a, text: text[:1000] if "conversation_id" in a else text),
    message_trimmed_then_measured=(measured, lambda asked, message: message.strip() or message),
    blank_message_refused=(measured, lambda asked, message: message if message.strip() else ""),
    word_null_refused=(measured, lambda asked, message: "" if message == "null" else message),
    stream_text_accepted=(checked, lambda a, f, c: {"stream": f["stream"] or a.get("stream") == "false"}),
    header_key_255_refused=(carrying, lambda a, c: LONG if c and len(c) == 255 else c),
    paused_response_null=(replying, lambda c, f: f.update({"response": None} if paused(f) else {})),
    presentation_null_when_none=(replying, lambda call, fields: fields.setdefault("presentation")),
    done_lacks_presentation=(replying, lambda c, f: c.body["stream"] and f.pop("presentation", None)),
    paused_omits_credits=(telling, lambda c, f: paused(f) and f.pop("credits_remaining", None)),
    rate_per_agent=(spending, lambda o, world, key: o(world, replace(key, name=key.name + HERE.agent))),
    rate_shared_by_keys=(spending, lambda o, world, key: o(world, replace(key, name=key.account))),
    gate_lacks_reason=(scripted, lambda c, e, text: ([without(event, "reason") for event in e], text)),
    done_marker=(written, lambda event, text: text + "data: [DONE]\r\n\r\n" * (event["type"] == "done")),
    mid_failure_silent=(written, lambda event, text: "" if event["type"] == "error" else text),
    odd_sse_padding=(written, lambda event, text: f":{2000 * ' '}\r\n\r\n{text}"),
    odd_sse_cr=(written, lambda event, text: text.replace("\r\n", "\r")),
    odd_sse_bare=(written, lambda event, text: re.search("data: [^\r]*", text)[0] + "\n\n"),
    odd_members_sorted=(dumping, lambda value, how: json.dumps(value, sort_keys=True, **how)),
)
for name, change in vars(Ways).items():
    if not name.startswith("__"):
        ROWS[name] = change.__annotations__["return"], change
for name, (by, change) in ROWS.items():
    defect(name.replace("_", "-") + "-r1", by=by)(change)
