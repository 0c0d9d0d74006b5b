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
from patches import acts, as_event, as_fault, asking, burn, carrying, charge, checked, conversing, HERE, in_bytes
from patches import keyless, measured, named, refused, refusing, replying, scripted, streamed, telling, watch, watched
from patches import within, without, written
from planting import alone, around, Defects, wrap
from world import AGENTS, KEYS, LIMIT, World

FIVE_MINUTES = 300


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


def limited(who):
    """The rate is counted for those whom `who` has as one."""
    watch()
    wrap(World, "spend", lambda spend, world, key: spend(world, SimpleNamespace(bearer=who(key))))


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


# The form of a refusal


def written_as(kind, text):
    def instead(door, status, told):
        data = text(told).encode()
        door.head(status, {"Content-Type": kind, "Content-Length": len(data)})
        door.wfile.write(data)

    return instead


def parses(raw):
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


class Ways(Defects):
    # What a body has to look like
    def numeric_message_coerced_to_text() -> alone:
        asking(lambda asked: {**asked, "message": str(asked["message"])} if type(asked.get("message")) in (int, float) else asked)

    def interaction_without_message_accepted(asked) -> asking:
        return {"message": "A table for two", **asked} if "interaction" in asked else asked
    interaction_without_message_runs = interaction_without_message_accepted

    def missing_message_refusal_consumes_button(original, door, agent, raw) -> watched(server.Door, "chat"):
        original(door, agent, raw)
        key, world = chat.key_of(door.headers.get("Authorization")), door.server.world
        if key and "interaction" in HERE.asked and "message" not in HERE.asked and named(world, key.account, agent):
            burn(world.conversation((key.account, agent), HERE.asked["conversation_id"]))

    def message_limit_counts_bytes() -> alone:
        measured(lambda asked, message: message if in_bytes(message) <= 10_000 else "x" * 10_001)

    def stream_skips_message_length_check() -> alone:
        measured(lambda asked, message: message[:1000] if asked.get("stream") in (True, "true") else message)

    message_trimmed_before_counting = measured, lambda asked, message: message.strip()

    def non_uuid_id_starts_new_silently(asked) -> asking:
        name = asked.get("conversation_id")
        return without(asked, "conversation_id") if isinstance(name, str) and not UUID.fullmatch(name) else asked

    def uuid_pattern_not_anchored(asked) -> asking:
        name = asked.get("conversation_id")
        found = isinstance(name, str) and UUID.match(name)
        return {**asked, "conversation_id": found[0]} if found else asked

    def stream_needs_accept_header(asked, found, carried) -> checked:
        return {"stream": found["stream"] and "text/event-stream" in (HERE.door.headers.get("Accept") or "")}

    def header_key_disables_stream(asked, found, carried) -> checked:
        by_x = "X-Idempotency-Key" in HERE.door.headers and "idempotency_key" not in asked
        return {"stream": found["stream"] and not by_x}

    def stream_text_false_taken_true() -> alone:
        checked(lambda asked, found, carried: {"stream": found["stream"] or asked.get("stream") == "false"})

    def stream_choice_sticks_to_conversation() -> alone:
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

    def refused_body_charges_credits(asked, refusal) -> refused:
        message = asked.get("message")
        key = chat.key_of(HERE.door.headers.get("Authorization"))
        if key and isinstance(message, str) and len(message) > 10_000:
            charge(HERE.door.server.world, key.account)

    def interaction_string_silently_dropped() -> alone:
        asking(lambda asked: without(asked, "interaction") if isinstance(asked.get("interaction"), str) else asked)

    # The key of a request
    def keyless_later_turn_runs(asked, carried) -> carrying:
        return str(uuid.uuid4()) if keyless(asked, carried) and "conversation_id" in asked else carried
    keyless_second_turn_runs = keyless_later_turn_runs

    def empty_header_counts_as_key() -> alone:
        def empty(asked):
            return HERE.door.headers.get("Idempotency-Key") == "" and "idempotency_key" not in asked

        checked(lambda asked, found, carried: {"key": ""} if empty(asked) else {})
        carrying(lambda asked, carried: "empty" if empty(asked) else carried)

    def keyless_stream_refusal_lacks_code(asked, refusal) -> refused:
        if streamed() and "IDEMPOTENCY_KEY_REQUIRED" in refusal.body["error"]:
            raise Refusal(400, "invalid request")

    long_keys_equal_prefix_collide = checked, lambda asked, found, carried: {"key": found["key"][:191]}
    keys_compared_to_191_characters = long_keys_equal_prefix_collide

    def header_key_length_unchecked() -> alone:
        checked(lambda asked, found, carried: {"key": HERE.long or found["key"]})

        def change(asked, carried):
            HERE.long = carried
            return carried and carried[:255]

        carrying(change)

    def key_limit_counts_bytes(asked) -> asking:
        key = asked.get("idempotency_key")
        return {**asked, "idempotency_key": "x" * 256} if isinstance(key, str) and in_bytes(key) > 255 else asked
    key_length_counted_in_bytes = key_limit_counts_bytes

    def body_and_header_keys_separate(asked, found, carried) -> checked:
        return {"key": found["key"] if carried is None else ("header", found["key"])}
    body_and_header_keys_apart = body_and_header_keys_separate

    def stream_ignores_x_header_key(asked, carried) -> carrying:
        return HERE.door.headers.get("Idempotency-Key") if streamed() else carried
    x_header_ignored_on_streams = stream_ignores_x_header_key

    def x_header_key_not_remembered(asked, found, carried) -> checked:
        return {"key": str(uuid.uuid4())} if "X-Idempotency-Key" in HERE.door.headers else {}

    # Conversations
    def streamed_turn_forks_conversation() -> alone:
        plain = set()

        def keep(call, fields):
            if not call.body["stream"]:
                plain.add(fields["conversation_id"])

        def change(call):
            name = call.body["conversation_id"]
            return "" if call.body["stream"] and name.upper() in plain else name

        conversing(change)
        replying(keep)

    def concurrent_turns_fork_conversation() -> alone:
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

    def refused_turn_drops_conversation() -> alone:
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

    def omitted_id_reuses_recent_conversation() -> alone:
        recent = {}

        def keep(call, fields):
            recent[call.key, call.agent] = call.world.now(), fields["conversation_id"]

        def change(call):
            when, name = recent.get((call.key, call.agent), (0, ""))
            new = not call.body["conversation_id"]
            return name if new and name and call.world.now() - when < FIVE_MINUTES else call.body["conversation_id"]

        conversing(change)
        replying(keep)

    def equal_first_message_shares_conversation(call) -> conversing:
        first = uuid.uuid5(uuid.NAMESPACE_URL, call.agent + call.body["message"])
        return call.body["conversation_id"] or str(first)

    def simultaneous_new_conversations_merged() -> alone:
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
    def streamed_conversation_id_not_reusable(call, fields) -> replying:
        if call.body["stream"] and not call.body["conversation_id"]:
            fields["conversation_id"] = "conv_" + fields["conversation_id"].replace("-", "").lower()

    def concurrent_replies_swapped() -> alone:
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

    def emoji_in_reply_become_question_marks(call, fields) -> replying:
        if not call.body["stream"]:
            fields["response"] = "".join("?" if ord(sign) > 0xFFFF else sign for sign in fields["response"])

    def credits_used_sums_conversation() -> alone:
        sums = {}

        def change(call, fields):
            name = fields["conversation_id"]
            fields["credits_used"] = sums[name] = round(sums.get(name, 0) + fields["credits_used"], 4)

        replying(change)

    def streamed_credits_used_always_zero() -> alone:
        replying(lambda call, fields: fields.update(credits_used=0) if call.body["stream"] else None)

    def credits_used_omits_tool_cost(call, fields) -> replying:
        if AGENTS[call.agent].does == "acts":
            fields["credits_used"] = round(fields["credits_used"] / 2, 4)

    def credits_remaining_before_deduction(call, fields) -> replying:
        fields["credits_remaining"] = round(fields["credits_remaining"] + fields["credits_used"], 6)

    def credits_remaining_cached_per_key() -> alone:
        cache = {}

        def change(call, fields):
            now = call.world.now()
            when, left = cache.get(call.key, (-60, 0))
            fresh = now - when < 60
            left = round(left - fields["credits_used"], 6) if fresh else fields["credits_remaining"]
            cache[call.key] = when if fresh else now, left
            fields["credits_remaining"] = left

        replying(change)

    def concurrent_turns_deduct_once() -> alone:
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

    def stream_hides_credits_without_billing(call, fields) -> telling:
        if call.body["stream"] and "billing_read" not in call.key.scopes:
            fields.pop("credits_remaining")
    streamed_done_lacks_credits_remaining = stream_hides_credits_without_billing

    def restricted_key_gets_null_credits(call, fields) -> telling:
        if call.key.agent and "billing_read" not in call.key.scopes and not call.body["stream"]:
            fields["credits_remaining"] = None

    def failed_stream_still_charged(original, call, *rest) -> around(chat, "perform"):
        try:
            return original(call, *rest)
        except chat.Broken:
            if call.body["stream"] and AGENTS[call.agent].does == "breaks":
                charge(call.world, call.key.account)
            raise

    def streamed_turns_missing_from_usage(call, fields) -> replying:
        if call.body["stream"]:
            charge(call.world, call.key.account, -fields["credits_used"])

    def done_omits_presentation(call, fields) -> telling:
        return fields.pop("presentation", None) if call.body["stream"] else None
    streamed_done_lacks_presentation = done_omits_presentation

    def replayed_done_carries_latest_reply() -> alone:
        latest = {}
        replying(lambda call, fields: latest.update({fields["conversation_id"]: fields["response"]}))

        def again(original, call, turn):
            fields = original(call, turn)
            return {**fields, "response": latest[fields["conversation_id"]]} if call.body["stream"] else fields

        wrap(chat, "again", again)

    def replayed_long_reply_truncated(original, call, turn) -> around(chat, "again"):
        fields = original(call, turn)
        return {**fields, "response": fields["response"][:2000]} if call.body["stream"] else fields

    # Events of a stream
    def streamed_response_only_after_action(call, events, text) -> scripted:
        if not (acts(call) and call.body["stream"]):
            return events, text
        last = max(at for at, event in enumerate(events) if event["type"] == "action_complete")
        return events, "".join(event.get("token", "") for event in events[last:])

    def trailing_done_sentinel_line() -> alone:
        written(lambda event, text: text + "data: [DONE]\r\n\r\n" if event["type"] == "done" else text)

    def ping_data_line_during_tool(event, text) -> written:
        # Fifteen seconds of a tool are none here.
        return text + "data: ping\r\n\r\n" if event["type"] == "action_start" else text

    def newline_in_token_unescaped() -> alone:
        written(lambda event, text: text.replace("\\n", "\n") if event["type"] == "token" else text)

    def multibyte_token_boundary_garbled(call, events, text) -> scripted:
        if any(event["type"] != "token" for event in events):
            return events, text
        data = text.encode("utf-8", "surrogatepass")
        pieces = [data[at : at + 7] for at in range(0, len(data), 7)]
        return [{"type": "token", "token": piece.decode("utf-8", "replace")} for piece in pieces], text

    def tokens_leak_between_streams() -> alone:
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

    def tool_arguments_sent_as_tokens(call, events, text) -> scripted:
        at = next((at for at, event in enumerate(events) if event["type"] == "action_start"), None)
        arguments = {"type": "token", "token": json.dumps({"query": "opening hours", "limit": 3})}
        return (events if at is None else [*events[:at], arguments, *events[at:]]), text

    def failed_tool_reported_success() -> alone:
        scripted(lambda call, events, text: ([{**event, "success": True} if "success" in event else event for event in events], text))

    def second_tool_has_no_start(call, events, text) -> scripted:
        starts = [event for event in events if event["type"] == "action_start"]
        return [event for event in events if event not in starts[1:]], text

    def success_member_omitted_when_false(call, events, text) -> scripted:
        return [without(event, "success") if event.get("success") is False else event for event in events], text

    def later_turn_gate_event_missing(call, events, text) -> scripted:
        later = call.body["conversation_id"] != ""
        return [event for event in events if not (later and event["type"] == "gate_triggered")], text

    def gate_reason_missing_on_block(call, events, text) -> scripted:
        return [without(event, "reason") if event["type"] == "gate_triggered" else event for event in events], text

    def gate_event_on_every_turn() -> alone:
        allowed = {"type": "gate_triggered", "decision": "allow", "reason": "nothing found"}
        scripted(lambda call, events, text: ([allowed, *events] if call.body["stream"] else events, text))

    def tokenless_stream_lacks_done() -> alone:
        def change(call, events, text):
            gated = [event for event in events if event["type"] == "gate_triggered"]
            HERE.late = "gated" if gated else ""
            return gated or events, text

        scripted(change)
        written(lambda event, text: "" if event["type"] == "done" and HERE.late == "gated" else text)

    def action_event_after_done() -> alone:
        def change(call, events, text):
            if not (acts(call) and call.body["stream"]):
                return events, text
            last = [event for event in events if event["type"] == "action_complete"][-1]
            HERE.late = f"data: {json.dumps(last)}\r\n\r\n"
            return [event for event in events if event is not last], text

        scripted(change)
        written(lambda event, text: text + HERE.late if event["type"] == "done" else text)

    def failed_stream_ends_with_done(call, events, text) -> scripted:
        if text is None and call.body["stream"]:
            text = "".join(event.get("token", "") for event in events)
        return events, text

    def error_event_uses_message_member(original, door, event, numbers) -> around(server.Door, "block"):
        if event["type"] == "error":
            event = {"type": "error", "message": event["error"]}
        return original(door, event, numbers)

    def failure_after_action_closes_silently(event, text) -> written:
        if event["type"] == "action_complete":
            HERE.late = "acted"
        return "" if event["type"] == "error" and HERE.late == "acted" else text

    replayed_stream_sends_two_dones = alone, lambda: as_fault("replay-done-twice")
    key_with_trailing_text_accepted = bearers, lambda sent, bearer: sent.startswith(bearer)
    key_compared_ignoring_case = bearers, lambda sent, bearer: sent.lower() == bearer.lower()
    stream_skips_chat_scope = admitted, lambda world, key, agent: for_chat(key) if streamed() else key

    def chat_alone_needs_read_agents(original, world, key, agent) -> around(chat, "admit"):
        original(world, key, agent)
        if key.scopes == ("chat",):
            raise Refusal(403, "The agents are not for this key to see.")

    def continued_turn_skips_chat_scope() -> alone:
        admitted(lambda world, key, agent: for_chat(key) if named(world, key.account, agent) else key)

    def own_conversation_opens_other_agent() -> alone:
        admitted(lambda world, key, agent: for_any(key) if named(world, key.account, key.agent) else key)

    def agent_permission_cached_per_key() -> alone:
        cache = {}

        def admit(original, world, key, agent):
            fresh = world.now() - cache.get(key, -60) < 60
            original(world, for_any(key) if key and key.agent and fresh else key, agent)
            if key.agent == agent:
                cache[key] = world.now()

        wrap(chat, "admit", admit)

    def interaction_bypasses_agent_scope() -> alone:
        admitted(lambda world, key, agent: for_any(key) if "interaction" in HERE.asked else key)

    def conversation_overrides_unknown_agent(original, door, agent, raw) -> watched(server.Door, "chat"):
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

    def non_ascii_agent_id_500(original, world, key, agent) -> around(chat, "admit"):
        if key and not agent.isascii():
            raise Refusal(500, "That went wrong.")
        original(world, key, agent)

    def forbidden_agent_turn_charged(original, world, key, agent) -> around(chat, "admit"):
        try:
            original(world, key, agent)
        except Refusal as refusal:
            if key and agent in AGENTS and key.agent not in ("", agent) and refusal.status == 403:
                charge(world, key.account)
            raise

    # Credits and rate
    def continued_turn_skips_credit_check() -> alone:
        watch()

        def hold(original, world, account, cost):
            return original(world, account, 0 if HERE.call.body["conversation_id"] else cost)

        # What was not held back is not given back either.
        def settle(original, world, account, cost, paid):
            world.accounts[account].held += cost if HERE.call.body["conversation_id"] else 0
            return original(world, account, cost, paid)

        wrap(World, "hold", hold)
        wrap(World, "settle", settle)

    def credit_refusal_sticks_after_topup() -> alone:
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

    rate_shared_by_project_keys = limited, lambda key: key.account
    rate_counted_per_agent = limited, lambda key: (key.bearer, HERE.agent)

    def streamed_turns_not_rate_limited(limit, world, key) -> watched(chat, "limit"):
        return LIMIT - 1 if streamed() else limit(world, key)

    def retry_after_given_in_milliseconds() -> alone:
        limiting(lambda told: told.update(retry_after_seconds=round(told["retry_after_seconds"] * 1000)))

    def streamed_429_lacks_limit_members(told) -> limiting:
        if streamed():
            for name in ("retry_after_seconds", "limit", "remaining"):
                del told[name]

    remaining_positive_when_limited = limiting, lambda told: told.update(remaining=LIMIT)

    def missing_key_stream_answers_200() -> alone:
        refusing(lambda status, _: status == 401 and streamed() and "Authorization" not in HERE.door.headers, as_event)

    creditless_stream_answers_200 = alone, lambda: refusing(lambda status, _: status == 402 and streamed(), as_event)

    def stream_refusal_sent_as_event() -> alone:
        event = written_as("text/event-stream", lambda told: f"data: {json.dumps({**told, 'type': 'error'})}\n\n")
        refusing(lambda status, _: status == 404 and streamed(), event)

    def unparsable_json_answers_html() -> alone:
        page = written_as("text/html", lambda told: "<!doctype html><title>400</title><h1>Bad Request</h1>")
        refusing(lambda status, _: status == 400 and not parses(HERE.raw), page)

    def agent_scope_error_nested(original, world, key, agent) -> around(chat, "admit"):
        try:
            original(world, key, agent)
        except Refusal as refusal:
            if refusal.status == 403 and key.agent not in ("", agent):
                refusal.body["error"] = {"code": "AGENT_SCOPE", "message": refusal.body["error"]}
            raise
