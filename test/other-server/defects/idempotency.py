"""Defects of idempotency keys, and of what is refused with 409."""

import json
import time
import uuid

import chat
import server
from body import Refusal
from patches import acts, as_event, as_fault, asking, burn, carrying, charge, checked, HERE, keyless, refused
from patches import refusing, streamed, watch, without, written
from planting import alone, Defects, wrap


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


def run_anew(original, call, raw):
    forget(call)
    return original(call, raw)


def repeats():
    """How often a turn was repeated by now."""
    seen = {}

    def count(call):
        name = call.key.bearer, call.body["key"]
        seen[name] = seen.get(name, 0) + 1
        return seen[name]

    return count


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


# The form of a 409


def coded(*codes):
    return lambda status, told: status == 409 and any(code in told["error"] for code in codes)


def nested(shape):
    def instead(door, status, told):
        data = json.dumps(shape(told["error"])).encode()
        door.head(status, {"Content-Type": "application/json", "Content-Length": len(data)})
        door.wfile.write(data)

    return instead

CODES = ("AI_REPLY_PAUSED", "WORKFLOW_INTERACTION_STALE")


class Ways(Defects):
    # Which key it is
    keys_compared_without_case = checked, lambda asked, found, carried: {"key": found["key"].lower()}

    def digit_keys_compared_as_numbers(asked, found, carried) -> checked:
        key = found["key"]
        return {"key": str(int(key))} if key.isascii() and key.isdigit() else {}

    header_key_cut_at_comma = carrying, lambda asked, carried: carried and carried.split(",")[0]
    overlong_header_key_cut = carrying, lambda asked, carried: carried and carried[:255]

    def body_key_ignored_with_interaction() -> alone:
        asking(lambda asked: without(asked, "idempotency_key") if "interaction" in asked else asked)

    def keyless_stream_runs() -> alone:
        carrying(lambda asked, carried: str(uuid.uuid4()) if keyless(asked, carried) and streamed() else carried)

    def keyless_refusal_still_runs_turn(asked, refusal) -> refused:
        key, world = chat.key_of(HERE.door.headers.get("Authorization")), HERE.door.server.world
        if key and "IDEMPOTENCY_KEY_REQUIRED" in refusal.body["error"]:
            world.clock.after(0.1, charge, world, key.account)

    # A key that is new
    def same_text_new_key_deduped() -> alone:
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

    simultaneous_pair_both_run = alone, lambda: as_fault("claim-unlocked")

    # A key in flight
    def duplicate_held_until_replay() -> alone:
        def instead(original, call, raw):
            while turn_of(call).state == "running":
                time.sleep(0.01)
            return original(call, raw)

        on_refusal("REQUEST_IN_PROGRESS", instead)

    def streaming_turn_not_marked_in_flight() -> alone:
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

    def in_flight_mark_expires_early() -> alone:
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

    def duplicate_aborts_first_stream() -> alone:
        def instead(original, call, raw):
            turn_of(call).aborted = call.body["stream"]

        def act(original, call, *rest):
            original(call, *rest)
            if getattr(turn_of(call), "aborted", False):
                raise chat.Broken

        on_refusal("REQUEST_IN_PROGRESS", instead)
        wrap(chat, "act", act)

    def duplicate_leaves_key_in_flight() -> alone:
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
    conflict_compares_message_prefix = compared, lambda message: message[:500]
    conflict_ignores_non_ascii = compared, lambda message: message.encode("ascii", "ignore").decode()

    def conflict_missed_in_given_conversation(asked, found, carried) -> checked:
        name = found["conversation_id"]
        return {"key": f"{found['key']} of {name}"} if name else {}

    def conflict_overwrites_stored_message() -> alone:
        def instead(original, call, raw):
            turn_of(call).request = None

        on_refusal("IDEMPOTENCY_CONFLICT", instead)

    def reordered_json_runs_again() -> alone:
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
    def uncertain_second_ask_runs() -> alone:
        on_refusal("OUTCOME_UNCERTAIN", lambda original, call, raw: forget(call))

    def uncertain_streamed_ask_runs() -> alone:
        def instead(original, call, raw):
            return run_anew(original, call, raw) if call.body["stream"] else None

        on_refusal("OUTCOME_UNCERTAIN", instead)

    def uncertain_body_key_unchecked() -> alone:
        def instead(original, call, raw):
            return run_anew(original, call, raw) if HERE.door.carried() is None else None

        on_refusal("OUTCOME_UNCERTAIN", instead)

    # A replay
    def replay_drops_presentation() -> alone:
        replaying(lambda call, turn, fields: None if call.body["stream"] else fields.pop("presentation", None))

    def replay_mints_conversation_id(call, turn, fields) -> replaying:
        if not call.body["conversation_id"]:
            fields["conversation_id"] = str(uuid.uuid4()).upper()

    def replay_returns_latest_turn() -> alone:
        latest = {}

        def reply(original, call, *rest):
            fields = original(call, *rest)
            latest[fields["conversation_id"]] = fields["response"]
            return fields

        wrap(chat, "reply", reply)
        replaying(lambda call, turn, fields: fields.update(response=latest[fields["conversation_id"]]))

    replay_header_missing_on_stream = unmarked, lambda call: call.body["stream"]
    replay_header_missing_for_body_key = unmarked, lambda call: HERE.door.carried() is None

    def replay_header_only_first_repeat() -> alone:
        count = repeats()
        unmarked(lambda call: count(call) > 1)

    def replayed_stream_done_twice() -> alone:
        count = repeats()

        def change(call, turn, fields):
            HERE.late = "twice" if count(call) > 1 else ""

        replaying(change)
        written(lambda event, text: text * 2 if event["type"] == "done" and HERE.late == "twice" else text)

    def replay_takes_credits_again() -> alone:
        replaying(lambda call, turn, fields: charge(call.world, call.key.account, turn.reply["credits_used"]))

    def replay_runs_tools_again(call, turn, fields) -> replaying:
        if acts(call):
            call.world.post.happen("tool.executed", call.agent)

    def replay_restarts_workflow_run(call, turn, fields) -> replaying:
        if "presentation" in fields:
            burn(call.world.conversation((call.key.account, call.agent), fields["conversation_id"]))

    replayed_done_cut_at_tool = alone, lambda: cut_at("action_start")
    replayed_done_shows_ungated_text = alone, lambda: cut_at("gate_triggered")

    def replayed_done_lacks_conversation_id() -> alone:
        replaying(lambda call, turn, fields: fields.pop("conversation_id") if call.body["stream"] else None)

    def streamed_409_sent_as_event() -> alone:
        meant = coded("IDEMPOTENCY_CONFLICT", "WORKFLOW_INTERACTION_STALE")
        refusing(lambda status, told: meant(status, told) and streamed(), as_event)

    def workflow_409_nested_error() -> alone:
        shape = nested(lambda text: {"error": {"code": next(word for word in CODES if word in text), "message": text}})
        refusing(coded(*CODES), shape)

    def uncertain_409_as_receipt() -> alone:
        shape = nested(lambda text: {"status": "failed", "error": {"code": "OUTCOME_UNCERTAIN", "resolution": text}})
        refusing(coded("OUTCOME_UNCERTAIN"), shape)
