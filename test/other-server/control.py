"""What can be done to the server from outside: planted faults, and a part of the control protocol."""

import sys
from functools import cache
from pathlib import Path

from deliveries import EVENTS, utc
from world import KEYS, Turn

sys.path.insert(0, str(Path(__file__).parents[2] / "kits/control-protocol/python"))
from touchstone_control import CannotEnter, ControlProtocol, Entered  # noqa: E402

# Deliberate defects, for --fault. Each is a small `if` where the rule stands.
FAULTS = {
    "replay-runs-again": "A completed key runs its turn again.",
    "replay-unmarked": "A replay lacks its header.",
    "claim-unlocked": "Looking a key up and taking it are two steps that others get between.",
    "conflict-by-length": "Messages of equal length count as the same message.",
    "replay-done-twice": "A replayed stream sends `done` twice.",
    "abandoned-turn-charged": "A turn whose client left is charged and its key is free again.",
    "stale-button-accepted": "A superseded button continues its Workflow.",
    "message-limit-in-bytes": "The limit of a message counts bytes.",
    "rate-shared": "All API keys share one rate.",
    "unknown-key-forbidden": "A key that is not valid is refused with 403.",
    "paused-turn-answered": "A message stored while paused is answered with words.",
    "stream-breaks-lines": "Line ends of a text go into the stream as they are.",
    "key-manages": "An API key manages webhooks.",
    "secret-listed": "A list shows the secrets.",
    "secret-shared": "All webhooks have one secret.",
    "retired-event-taken": "The retired name of an event can be selected.",
    "http-taken": "An endpoint need not be HTTPS.",
    "update-unchecked": "An update takes any endpoint.",
    "update-forgets": "An update loses the custom headers that it does not name.",
    "update-keeps-events": "An update does not change the events.",
    "selection-ignored": "A webhook gets every event.",
    "removed-still-sent": "A webhook that was removed gets events.",
    "inactive-still-sent": "A webhook that was turned off gets events.",
    "webhook-for-agent": "A delivery has the id of its webhook in place of that of the agent.",
    "replay-told": "A replay tells once more that a message was sent.",
    "stored-told": "A message that is stored while paused counts as one that was sent.",
    "streams-forgotten": "What was said in a streamed turn is not known to later ones.",
    "streamed-untold": "A reply that is streamed is told to nobody.",
    "near-told": "What only comes near an event is told as the event.",
    "flag-on-top": "A sample has its mark beside the payload.",
    "time-without-zone": "The time of a delivery does not say that it is UTC.",
    "signed-anew": "What is signed is another spelling of what is sent.",
    "signed-once": "Every attempt carries the signature of the first one, with another time in the body.",
    "sample-ids-repeat": "All samples have one id.",
    "id-per-attempt": "Every attempt has an id of its own.",
    "five-attempts": "A delivery that fails is tried five times.",
    "refusal-final": "After a 4xx there is no further attempt.",
    "impatient": "An answer is waited for three seconds.",
    "log-always-well": "The log says of every delivery that it went well.",
    "house-is-localhost": "A name that resolves to the loopback counts as localhost.",
    "redirect-unguarded": "A redirect may lead anywhere.",
    "menu-for-all": "Every key is shown every operation.",
    "scope-unchecked": "An operation is done for whoever asks.",
    "inspection-anywhere": "A key inspects agents that it is not for.",
    "input-unchecked": "An operation takes whatever it is given.",
    "line-shorter": "A line may not be as long as its schema says.",
    "unknown-deed-done": "An operation that there is not is completed.",
    "deed-repeats": "A write is done again with its key.",
    "deed-claimed-late": "Looking the key of a write up and taking it are two steps that others get between.",
    "done-in-own-words": "A completed receipt has a status of its own.",
    "failure-without-advice": "A failed receipt does not say what to do.",
    "doubt-forgotten": "What is in doubt is done again.",
    "sketch-goes-live": "A draft of a design is live at once.",
    "ticket-goes-by-looks": "A task goes on when it is looked at, and only then.",
    "ticket-reopens": "A task that has ended is found running again.",
    "ticket-in-own-words": "A task has a state of its own.",
    "strangers-look": "Tasks and approvals are shown to other accounts.",
    "held-and-done": "What waits for the owner is done all the same.",
    "rejected-and-done": "What the owner rejected is done.",
    "approved-and-done-twice": "What the owner approved is done twice.",
    "decision-hidden": "An approval does not show what was decided.",
    "usage-for-all": "Every key reads the usage.",
    "usage-rounded": "The usage rounds the credits that are left.",
    "card-on-contract": "The subscription shows a card.",
    "limit-ignored": "Invoices come all at once, whatever the limit.",
    "drop-for-all": "Every key uploads.",
    "drop-repeats": "An upload is stored each time that it is sent.",
    "paper-unasked": "A document waits for nobody.",
    "renewal-says-nothing": "What lapsed fails without advice.",
    "sheet-held": "A spreadsheet waits for the owner.",
}

TOKEN = "a-token-for-the-control-protocol"


def pause(world, about):
    agent = about.get("agentId", "mario")
    world.paused.add(agent)
    return lambda: world.paused.discard(agent)


def uncertain(world, about):
    bearer = next((key.bearer for key in KEYS.values() if key.name == about.get("principal")), None)
    name = (bearer, about.get("idempotencyKey"))
    turn = world.turns.setdefault(name, Turn(b""))
    before, turn.state = turn.state, "uncertain"

    def leave():
        turn.state = before

    return leave


def drain(world, about):
    """Leaves the account of the principal too little for any turn."""
    account = next((key.account for key in KEYS.values() if key.name == about.get("principal")), "acme")
    purse = world.accounts[account]
    with world.lock:
        taken = purse.credits - 0.125
        purse.credits -= taken

    def leave():
        with world.lock:
            purse.credits += taken

    return leave


def fail(world, about):
    """One turn to come, whoever asks for it."""
    ticket = object()
    world.failing.add(ticket)
    return lambda: world.failing.discard(ticket)


def close(world, about):
    ticket = object()
    world.down.add(ticket)
    return lambda: world.down.discard(ticket)


def happen(event):
    def once(world, about):
        world.post.happen(event, about.get("agentId", "mario"))
        return lambda: None

    return once


# What comes near an event here; of the others it is no matter what.
NEAR = {
    "booking.created": "Two ask for one slot at once, and one of them does not get it.",
    "order.confirmed": "An order is summed up, and the customer declines.",
    "record.created": "A record that there is is changed.",
    "procedure.escalated": "A step of a Procedure fails, and the next one succeeds.",
}


def mistaken(world, event):
    """Whether what comes near the event is told as the event."""
    return world.fault == "near-told"


def come_near(event):
    def once(world, about):
        if mistaken(world, event):
            world.post.happen(event, about.get("agentId", "mario"))
        return lambda: None

    return once


def turn_off(world, about):
    hook = world.hooks[about["webhookId"]]
    hook.active = False

    def leave():
        hook.active = True

    return leave


def decide(decision):
    def once(world, about):
        world.desk.decide(world.desk.questions[about["approvalId"]], decision)
        return lambda: None

    return once


def finish(world, about):
    ticket = world.desk.tickets[about["taskId"]]
    ticket.move(ticket.plan[-1][1], world.desk)
    return lambda: None


def doubt(world, about):
    key = about["idempotencyKey"]
    deed = next(deed for house in world.houses.values() for (_, name), deed in house.deeds.items() if name == key)
    deed.doubted = True

    def leave():
        deed.doubted = False

    return leave


def cheapen(world, about):
    world.plan_has_webhooks = False

    def leave():
        world.plan_has_webhooks = True

    return leave


STATES = {
    "chat.paused": pause,
    "key.uncertain": uncertain,
    "credits.exhausted": drain,
    "server.500": fail,
    "server.503": close,
    "webhook.inactive": turn_off,
    "plan.without-webhooks": cheapen,
    "approval.approved": decide("approved"),
    "approval.rejected": decide("rejected"),
    "task.finished": finish,
    "operation.uncertain": doubt,
    **{f"no-event.{event}": come_near(event) for event in EVENTS},
    **{f"event.{event}": happen(event) for event in EVENTS if event != "message.sent"},
}


def entering(world, do):
    def enter(about):
        try:
            return Entered(do(world, about))
        except (KeyError, StopIteration):
            raise CannotEnter(f"{about!r} names nothing that could be brought there.") from None

    return enter


@cache
def protocol(world):
    def advance(ms):
        fired = world.clock.advance(ms / 1000)
        return {"now": utc(world), "fired": fired}

    return ControlProtocol(TOKEN, {name: entering(world, do) for name, do in STATES.items()}, advance)


def answer(world, call, raw):
    """Status and body of one control request."""
    headers = {name.lower(): value for name, value in call.headers.items()}
    status, body = protocol(world).answer(call.command, call.path, headers, raw)
    # The protocol allows either; this server has the other one.
    return (204, None) if call.command == "DELETE" and status == 200 else (status, body)
