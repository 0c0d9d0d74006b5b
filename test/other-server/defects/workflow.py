"""Defects of Workflows, and of paused replies."""

import json
import uuid
from dataclasses import replace

import body
import chat
from body import Refusal
from patches import acts, burn, conversing, HERE, measured, named, replying, telling, watch, watched, without
from planting import alone, around, Defects, wrap
from world import World

STALE = "That button is from yesterday (WORKFLOW_INTERACTION_STALE); look again."


def pressing(instead):
    """`instead(press, call, conversation)` says whether a button may be pressed."""
    watch()

    def press(original, call, conversation):
        if "interaction" in call.body:
            return instead(original, call, conversation)

    wrap(chat, "press", press)


def accept(call, conversation):
    conversation.latest = chat.pressed_in(call)


def is_paused(call):
    return call.agent in call.world.paused


def pressed_of(buttons):
    return [json.loads(button) for button in buttons]


def wrap_check(when):
    """The interaction is passed over."""
    watch()

    def check(original, asked, *rest):
        found = original(asked, *rest)
        return without(found, "interaction") if when(asked, found) else found

    wrap(body, "check", check)


# While replies are paused


class Paused(set):
    """The agents whose replies are paused; of the request of this thread `also` and `never` know better."""

    also = never = staticmethod(lambda: False)

    def __contains__(self, agent):
        return (super().__contains__(agent) and not self.never()) or self.also()


def pausing(also=None, never=None):
    """Replies are paused where `also`, and not where `never` says so."""
    watch()

    def begin(original, world, *rest):
        original(world, *rest)
        world.paused = Paused()
        if also:
            world.paused.also = also
        if never:
            world.paused.never = never

    wrap(World, "__init__", begin)


def in_turn():
    return getattr(HERE, "call", None) is not None


def on_paused_press(change):
    """`change(call, conversation)` comes of a press that is refused."""

    def press(original, call, conversation):
        try:
            original(call, conversation)
        except Refusal as refusal:
            if "AI_REPLY_PAUSED" in refusal.body["error"]:
                change(call, conversation)
            raise

    pressing(press)


class Ways(Defects):
    # Which button it is
    def interaction_skips_message_limit() -> alone:
        measured(lambda asked, message: message[:1000] if "interaction" in asked else message)

    def interaction_jumps_to_any_node(original, call, conversation) -> pressing:
        known = pressed_of(conversation.current) + pressed_of(conversation.past)
        run, node, _ = pressed_of([chat.pressed_in(call)])[0]
        if run == conversation.run and all(node != other for _, other, _ in known) and not is_paused(call):
            return accept(call, conversation)
        original(call, conversation)

    def interaction_from_other_agent_runs(original, call, *rest) -> around(chat, "perform"):
        if "interaction" in call.body:
            for (account, agent), name in list(call.world.conversations):
                known = call.world.conversations[(account, agent), name]
                if account == call.key.account and chat.pressed_in(call) in known.current:
                    call = replace(call, agent=agent, body={**call.body, "conversation_id": name})
        return original(call, *rest)

    def interaction_in_new_conversation_starts(original, call, conversation) -> pressing:
        new = not call.body["conversation_id"] and not is_paused(call)
        return accept(call, conversation) if new else original(call, conversation)

    def old_node_of_run_accepted(original, call, conversation) -> pressing:
        same = call.body["interaction"]["runId"] == conversation.run and conversation.current
        return accept(call, conversation) if same and not is_paused(call) else original(call, conversation)

    def second_step_button_called_stale() -> alone:
        first = {}

        def press(original, call, conversation):
            known = first.setdefault((conversation.id, conversation.run), conversation.current)
            if chat.pressed_in(call) in conversation.current and chat.pressed_in(call) not in known:
                raise Refusal(409, STALE)
            original(call, conversation)

        pressing(press)

    def non_ascii_payload_called_stale(original, call, conversation) -> pressing:
        text = str(call.body["interaction"]["payload"])
        if chat.pressed_in(call) in conversation.current and not text.isascii():
            raise Refusal(409, STALE)
        original(call, conversation)

    def stale_press_ends_run(original, call, conversation) -> pressing:
        try:
            original(call, conversation)
        except Refusal as refusal:
            if "WORKFLOW_INTERACTION_STALE" in refusal.body["error"]:
                burn(conversation)
            raise

    def stale_repeat_answered_as_replay(original, call, turn, *rest) -> watched(chat, "run"):
        try:
            return original(call, turn, *rest)
        except Refusal as refusal:
            if "WORKFLOW_INTERACTION_STALE" in refusal.body["error"]:
                name = call.body["conversation_id"].upper()
                turn.reply, turn.state, turn.refusal = {"response": "", "conversation_id": name}, "done", None
            raise

    streamed_interaction_read_as_text = wrap_check, lambda asked, found: found["stream"]

    def paused_streamed_interaction_stored() -> alone:
        wrap_check(lambda asked, found: found["stream"] and HERE.agent in HERE.door.server.world.paused)

    # What a turn presents
    def presentation_sticks_to_next_turn() -> alone:
        shown = {}

        def change(call, fields):
            name = fields["conversation_id"]
            if fields.get("presentation"):
                shown[name] = fields["presentation"]
            elif name in shown and "customer_message" not in fields:
                fields["presentation"] = shown[name]

        replying(change)

    def presentation_version_counts_up() -> alone:
        shown = {}

        def change(call, fields):
            if fields.get("presentation"):
                shown[fields["conversation_id"]] = number = shown.get(fields["conversation_id"], 0) + 1
                fields["presentation"]["schema_version"] = number

        replying(change)

    def tool_turn_response_empty() -> alone:
        replying(lambda call, fields: fields.update(response="") if acts(call) and not call.body["stream"] else None)

    def streamed_done_foreign_conversation_id(call, fields) -> replying:
        if call.body["stream"] and not call.body["conversation_id"]:
            fields["conversation_id"] = str(uuid.uuid4()).upper()

    def pause_ignored_in_open_conversation() -> alone:
        def perform(original, call, *rest):
            HERE.open = named(call.world, call.key.account, call.agent)
            try:
                return original(call, *rest)
            finally:
                HERE.open = False

        pausing(never=lambda: getattr(HERE, "open", False))
        wrap(chat, "perform", perform)

    def resumed_conversation_stays_paused() -> alone:
        held = set()

        def change(call, fields):
            if "customer_message" in fields:
                held.add(fields["conversation_id"])

        pausing(also=lambda: in_turn() and HERE.call.body["conversation_id"].upper() in held)
        replying(change)

    def paused_stream_sends_canned_text() -> alone:
        watch()
        words = "We will be back with you soon."

        def stored(original, world):
            streams = HERE.call.body["stream"]
            return ([{"type": "token", "token": words}], words) if streams else original(world)

        wrap(World, "stored", stored)

    def paused_turn_leaves_conversation() -> alone:
        conversing(lambda call: "" if is_paused(call) and "interaction" not in call.body else call.body["conversation_id"])

    def paused_long_message_refused(original, call, *rest) -> around(chat, "perform"):
        if is_paused(call) and len(call.body["message"]) > 4000:
            raise Refusal(400, "That is more than can be kept.")
        return original(call, *rest)

    def paused_reply_runs_hidden(call, fields) -> replying:
        if "customer_message" in fields:
            call.world.post.happen("message.sent", call.agent)

    def paused_retry_after_resume_replies(original, call, turn, *rest) -> around(chat, "run"):
        fields = original(call, turn, *rest)
        if "customer_message" in fields:
            call.world.turns.pop((call.key.bearer, call.body["key"]))
        return fields

    def paused_done_lacks_customer_message() -> alone:
        telling(lambda call, fields: fields.pop("customer_message", None) if call.body["stream"] else None)

    def second_paused_turn_lacks_customer_message() -> alone:
        seen = set()

        def change(call, fields):
            if "customer_message" in fields and fields["conversation_id"] in seen:
                del fields["customer_message"]
            elif "customer_message" in fields:
                seen.add(fields["conversation_id"])

        replying(change)

    def customer_message_ai_reply_not_paused() -> alone:
        answered = set()

        def change(call, fields):
            if "customer_message" not in fields:
                answered.add(fields["conversation_id"])
            elif fields["conversation_id"] in answered:
                fields["customer_message"]["ai_reply"] = {"on": True, "state": "sent"}

        replying(change)

    def customer_message_sticks_after_resume() -> alone:
        held = {}

        def change(call, fields):
            if "customer_message" in fields:
                held[call.agent] = fields["customer_message"]
            elif call.agent in held:
                fields["customer_message"] = held.pop(call.agent)

        replying(change)

    def paused_press_burns_button(call, conversation) -> on_paused_press:
        used = chat.pressed_in(call)
        conversation.current = tuple(button for button in conversation.current if button != used)
        conversation.past.add(used)

    def paused_press_leaves_key_in_flight(original, call, turn, *rest) -> watched(chat, "run"):
        try:
            return original(call, turn, *rest)
        except Refusal as refusal:
            if "AI_REPLY_PAUSED" in refusal.body["error"]:
                turn.state = "running"
            raise
