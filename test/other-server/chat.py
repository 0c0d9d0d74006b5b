"""What becomes of a chat request once its body is in order: credentials, rate, key, turn."""

import hashlib
import json
import time
import uuid
from dataclasses import dataclass

from body import Refusal
from world import AGENTS, KEYS, LIMIT, Key, World, buttons_of, canonical, presentation, script


class Gone(Exception):
    """The client is not there any more."""


class Broken(Exception):
    """The agent failed."""


@dataclass(frozen=True)
class Call:
    world: World
    key: Key
    agent: str
    body: dict


def admit(world, key, agent):
    """Refuses who may not speak with this agent."""
    if key is None:
        raise Refusal(403 if world.fault == "unknown-key-forbidden" else 401, "Who are you?")
    if "chat" not in key.scopes:
        raise Refusal(403, "This key is not for chat.")
    if agent not in AGENTS:
        raise Refusal(404, "Nobody of that name.")
    if AGENTS[agent].account != key.account or key.agent not in ("", agent):
        raise Refusal(403, "Not yours to talk to.")
    if AGENTS[agent].does == "costs":
        raise Refusal(403, "Your plan does not reach that far.")


def key_of(authorization):
    scheme, _, bearer = (authorization or "").strip().partition(" ")
    return KEYS.get(bearer.strip()) if scheme.lower() == "bearer" else None


def limit(world, key):
    within, left, seconds = world.spend(key)
    if not within:
        sentence = "Too fast: sixty a minute."
        if "rate-in-words" in world.ways:
            raise Refusal(429, sentence, remaining=str(left), limit=str(60 * LIMIT), retry_after_seconds=str(seconds))
        raise Refusal(429, sentence, remaining=left, limit=LIMIT, retry_after_seconds=seconds)
    return left


def begin(call, raw):
    """The turn of the key, and whether it is to be run; refuses what cannot be answered from the record."""
    if call.world.down:
        raise Refusal(503, "Closed for a moment.")
    request = hashlib.sha256(raw + call.agent.encode()).digest()
    if call.world.fault == "conflict-by-length":
        request = len(call.body["message"])
    turn, mine = call.world.claim((call.key.bearer, call.body["key"]), request)
    if mine:
        return turn, True
    if turn.state == "uncertain":
        raise Refusal(409, "What became of it? OUTCOME_UNCERTAIN, says the ledger: reconcile before anything else.")
    if turn.request != request:
        raise Refusal(409, "That key is taken by other bytes, hence IDEMPOTENCY_CONFLICT here.")
    if turn.state == "running":
        raise Refusal(409, "Patience, it is a REQUEST_IN_PROGRESS still.")
    if turn.refusal:
        raise turn.refusal
    refuse_again(call)
    return turn, False


def refuse_again(call):
    """Where a pause, or another turn, matters more than that the key was answered before."""
    if "interaction" not in call.body:
        return
    if "pause-first" in call.world.ways and call.agent in call.world.paused:
        raise Refusal(409, "A person has taken over; the state is AI_REPLY_PAUSED for now.")
    conversation = call.world.conversation((call.key.account, call.agent), call.body["conversation_id"])
    if "press-stale-first" in call.world.ways and pressed_in(call) in conversation.past - {conversation.latest}:
        raise Refusal(409, "That button is from yesterday (WORKFLOW_INTERACTION_STALE); look again.")


def run(call, turn, send, gone):
    """Runs a turn. `send` gets each event on its way; `gone` says whether the client has left."""
    try:
        return perform(call, turn, send, gone)
    except Refusal as refusal:  # whoever sends the key again is refused again
        turn.refusal, turn.state = refusal, "refused"
        raise
    except Exception:
        turn.state = "uncertain"
        if call.world.fault == "abandoned-turn-charged":
            call.world.turns.pop((call.key.bearer, call.body["key"]))
        raise


def perform(call, turn, send, gone):
    world, account = call.world, call.key.account
    conversation = world.conversation((account, call.agent), call.body["conversation_id"])
    press(call, conversation)
    number = next(world.numbers)
    paused = call.agent in world.paused
    message = call.body["message"]
    asked = " / ".join(conversation.heard) if message == "What have I told you?" else message
    events, text = world.stored() if paused else script(call.agent, number, asked)
    price = round(0.2 + 0.0025 * len(text or ""), 4)
    if not world.hold(account, price):
        amounts = {"credits_required": 0.125, "credits_remaining": 0.125} if "amounts-equal" in world.ways else {}
        raise Refusal(402, "The purse is empty, in other words INSUFFICIENT_CREDITS.", **amounts)
    try:
        act(call, events, text, send, gone)
    except Exception as failure:
        world.settle(account, price, isinstance(failure, Gone) and world.fault == "abandoned-turn-charged")
        raise
    with world.lock:  # reply, credits, buttons and key become what they are at once
        if not (call.body["stream"] and world.fault == "streams-forgotten"):
            conversation.heard.append(message)
        turn.reply, turn.events = reply(call, conversation, number, text, price, paused), events
        turn.state = "done"
    if (text or world.fault == "stored-told") and not (call.body["stream"] and world.fault == "streamed-untold"):
        world.post.happen("message.sent", call.agent, conversation.id)
    return turn.reply


def act(call, events, text, send, gone):
    if call.world.failing:
        call.world.failing.pop()
        raise Broken
    for event in events:
        send(event)
        announce(call, event)
    time.sleep(0.3 if AGENTS[call.agent].does == "dawdles" else 0)
    if text is None:
        raise Broken
    if gone():
        raise Gone


def announce(call, event):
    if event["type"] == "action_complete" and event["success"]:
        call.world.post.happen("tool.executed", call.agent)


def press(call, conversation):
    """The buttons of the latest turn of a conversation may be pressed, and no others."""
    if "interaction" not in call.body:
        return
    pressed = pressed_in(call)
    if pressed in conversation.past and call.world.fault != "stale-button-accepted":
        raise Refusal(409, "That button is from yesterday (WORKFLOW_INTERACTION_STALE); look again.")
    if pressed not in conversation.current and pressed not in conversation.past:
        if "forged-as-text" in call.world.ways and call.agent not in call.world.paused:
            return
        raise Refusal(400, "There is no such button.")
    if call.agent in call.world.paused:
        raise Refusal(409, "A person has taken over; the state is AI_REPLY_PAUSED for now.")
    conversation.latest = pressed


def pressed_in(call):
    return canonical([call.body["interaction"][member] for member in ("runId", "nodeId", "payload")])


def reply(call, conversation, number, text, price, paused):
    """The reply of a turn that is over, which is charged now. Whatever was offered before is not any more."""
    fields = {
        "timing": {"total": number / 8},
        "credits_remaining": call.world.settle(call.key.account, price, True),
        "credits_used": price,
        "conversation_id": conversation.id,
        "response": text,
    }
    conversation.past.update(conversation.current)
    conversation.current = ()
    goes_on = "interaction" in call.body and conversation.latest == pressed_in(call)
    if paused:
        fields["customer_message"] = {"text": call.body["message"], "ai_reply": {"on": False, "isPaused": True}}
    elif AGENTS[call.agent].does == "offers" and (goes_on or "table" in call.body["message"].lower()):
        conversation.run = conversation.run if goes_on else 7_000 + number
        fields["presentation"] = presentation(number, conversation.run)
        conversation.current = buttons_of(fields["presentation"])
    elif "presentation-null" in call.world.ways:
        fields["presentation"] = None
    if "customer-message-always" in call.world.ways and not paused:
        fields["customer_message"] = {"text": call.body["message"]}
    return fields


def again(call, turn):
    """A replay is free: nothing used, and what is left now."""
    known = json.loads(json.dumps(turn.reply))
    if call.world.fault == "replay-told":
        call.world.post.happen("message.sent", call.agent)
    if "media-signed-anew" in call.world.ways and known.get("presentation"):
        known["presentation"]["parts"][1]["imageUrl"] += f"?signed={uuid.uuid4().hex}"
    return {**known, "credits_used": 0, "credits_remaining": call.world.left(call.key.account)}
