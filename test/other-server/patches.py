"""What patches of the chat endpoint have in common: each helper changes one thing, as `change` has it."""

import json
import threading
from contextlib import suppress
from dataclasses import replace

import body
import chat
import server
from body import Refusal
from planting import wrap
from world import AGENTS, World

HERE = threading.local()  # of the request that a thread is about: door, agent, raw, asked (as it was sent), call


def watch():
    """From now on HERE tells of the request."""
    if server.Door.chat.__name__ == "instead":
        return

    def chats(original, door, agent, raw):
        HERE.door, HERE.agent, HERE.raw, HERE.asked, HERE.call, HERE.late = door, agent, raw, {}, None, ""
        with suppress(ValueError, RecursionError):
            sent = json.loads(raw)
            HERE.asked = sent if isinstance(sent, dict) else {}
        original(door, agent, raw)

    def begin(original, call, raw):
        HERE.call = call
        return original(call, raw)

    wrap(server.Door, "chat", chats)
    wrap(chat, "begin", begin)


def watched(owner, name):
    """Wraps with the function below it, which looks at HERE."""

    def put(instead):
        watch()
        wrap(owner, name, instead)

    return put


def streamed():
    return HERE.asked.get("stream") in (True, "true")


def named(world, account, agent):
    """Whether the request continues a conversation that there is with this agent."""
    name = HERE.asked.get("conversation_id")
    return isinstance(name, str) and ((account, agent), name.upper()) in world.conversations


def within(call, name):
    return replace(call, body={**call.body, "conversation_id": name})


def charge(world, account, price=0.3):
    with world.lock:
        world.accounts[account].credits -= price


def asking(change):
    """The body is checked as `change` has it."""
    watch()
    wrap(body, "check", lambda check, asked, carried, *rest: check(change(asked), carried, *rest))


def carrying(change):
    """The key is the one that `change` finds in the headers."""
    watch()
    wrap(body, "check", lambda check, asked, carried, *rest: check(asked, change(asked, carried), *rest))


def checked(change):
    """What is in order is taken as `change` has it."""
    watch()

    def check(original, asked, carried, *rest):
        found = original(asked, carried, *rest)
        return {**found, **change(asked, found, carried)}

    wrap(body, "check", check)


def measured(change):
    """The message is measured as `change` has it."""

    def check(original, asked, *rest):
        message = asked.get("message")
        if not isinstance(message, str):
            return original(asked, *rest)
        return {**original({**asked, "message": change(asked, message)}, *rest), "message": message}

    wrap(body, "check", check)


def refused(change):
    """`change` is told of each body that is refused."""
    watch()

    def check(original, asked, *rest):
        try:
            return original(asked, *rest)
        except Refusal as refusal:
            change(asked, refusal)
            raise

    wrap(body, "check", check)


def without(asked, name):
    return {member: value for member, value in asked.items() if member != name}


def burn(conversation):
    conversation.past.update(conversation.current)
    conversation.current = ()


def in_bytes(text):
    return len(text.encode("utf-8", "surrogatepass"))


def keyless(asked, carried):
    return carried is None and "idempotency_key" not in asked


def conversing(change):
    """A turn is in the conversation whose name `change` gives."""
    watch()
    wrap(chat, "perform", lambda perform, call, *rest: perform(within(call, change(call)), *rest))


def replying(change):
    """The reply of a turn, as `change` leaves it."""
    watch()

    def reply(original, call, *rest):
        fields = original(call, *rest)
        change(call, fields)
        return fields

    wrap(chat, "reply", reply)


def telling(change):
    """The same, and a replay of it."""
    replying(change)

    def again(original, call, turn):
        fields = original(call, turn)
        change(call, fields)
        return fields

    wrap(chat, "again", again)


def scripted(change):
    """What the agent does, as `change` has it: its events, and the text in the end."""
    watch()
    wrap(chat, "script", lambda script, *given: change(HERE.call, *script(*given)))


def written(change):
    """An event in the stream, as `change` has its text."""
    watch()

    def block(original, door, event, numbers):
        return change(event, original(door, event, numbers))

    wrap(server.Door, "block", block)


def acts(call):
    return AGENTS[call.agent].does == "acts"


def as_fault(name):
    """What the server has among its own."""
    wrap(World, "__init__", lambda init, world, fault, *rest: init(world, name, *rest))


def refusing(is_meant, instead):
    """What `is_meant(status, told)` is not refused as it should be, but as `instead(door, status, told)` does it."""
    watch()

    def say(original, door, status, told, headers=None):
        if getattr(HERE, "door", None) is door and status >= 400 and is_meant(status, told):
            return instead(door, status, told)
        return original(door, status, told, headers)

    def parked(original, door):
        HERE.door = None
        original(door)

    wrap(server.Door, "do_POST", parked)
    for name in ("do_GET", "do_DELETE", "do_PATCH", "do_PUT"):
        setattr(server.Door, name, server.Door.do_POST)
    wrap(server.Door, "say", say)


def as_event(door, status, told):
    send, end = door.open()
    send({**told, "type": "error"})
    end()
