"""Defects and oddities that a reader of the contract thought of; told in test/defects/blind/."""

import copy
import hashlib
import hmac
import json
import secrets
import threading
import time
import uuid
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import chat
import deliveries
import guard
import server
import webhooks
from body import UUID, Refusal
from deliveries import ATTEMPTS, PATIENCE, Post
from patches import HERE, as_event, asking, burn, carrying, charge, conversing, keyless, refusing, replying
from patches import scripted, streamed, watch, without
from planting import defect, wrap
from world import KEYS, Turn, World, canonical

MINE = threading.local()
CID, CREDITS = "conversation_id", ("credits_used", "credits_remaining")

def plant(rows):
    for name, by, change in rows:
        defect(name, by=by)(change)

def all_of(make):
    """Plants what `make` lists: pairs of how and what."""
    for by, change in make():
        by(change)

def placed(owner, name, combine):
    """Takes a change and puts `combine(change, original, *arguments)` in the place of a function."""
    def by(change):
        watch()
        if owner is webhooks:  # whose routes know their functions and not the names
            for route, act in webhooks.ACTS.items():
                if act.__name__ == name:
                    webhooks.ACTS[route] = lambda *given: getattr(webhooks, name)(*given)
        wrap(owner, name, lambda original, *given: combine(change, original, *given))
    return by

def instead(owner, name):
    return placed(owner, name, lambda change, original, *given: change(original, *given))

def before(owner, name):
    """What comes first, and may say what is answered in place of the function."""
    return placed(owner, name, lambda change, original, *given: change(*given) or original(*given))

def given_as(owner, name):
    """Its arguments, as the change has them."""
    return placed(owner, name, lambda change, original, *given: original(*change(*given)))

def made(owner, name):
    """Its result, as the change has it."""
    return placed(owner, name, lambda change, original, *given: change(original(*given), *given))

def with_more(owner, name):
    """Its result, an object, with the members that the change has for it."""
    return placed(owner, name, lambda change, original, *at: {**(told := original(*at)), **change(told, *at)})

def then(owner, name):
    """What comes after it."""
    def combine(change, original, *given):
        result = original(*given)
        change(result, *given)
        return result
    return placed(owner, name, combine)

def on_refusal(owner, name, code):
    """What comes before a refusal with the code, or in place of it."""
    def combine(change, original, *given):
        try:
            return original(*given)
        except Refusal as refusal:
            found = change(*given) if code in refusal.body["error"] else None
            if found is None:
                raise
            return found
    return placed(owner, name, combine)

# Replays, keys and conflicts
def turn_of(call):
    return call.world.turns.get((call.key.bearer, call.body["key"]))

def forget(call):
    call.world.turns.pop((call.key.bearer, call.body["key"]), None)

def mark_of(call, raw):
    return hashlib.sha256(raw + call.agent.encode()).digest()

def is_replay(call, raw, turn):
    return turn.state == "done" and turn.request == mark_of(call, raw)

def talk(call, name=None):
    return call.world.conversation((call.key.account, call.agent), name or call.body[CID])

def with_body(call, **members):
    return replace(call, body={**call.body, **members})

def forgetting(when):
    """Whose key is in the record and `when` says so is not found there."""
    def look(call, raw):
        if turn_of(call) and when(call, raw, turn_of(call)):
            forget(call)
    before(chat, "begin")(look)

def compared(change):
    given_as(chat, "begin")(lambda call, raw: (
        call, json.dumps({**HERE.asked, "message": change(call.body["message"])}).encode()))

def folded(fold):
    """Keys that `fold` makes alike are one."""
    def claim(world, name, request):
        alike = (one for one in list(world.turns) if one[0] == name[0] and fold(one[1]) == fold(name[1]))
        return world, name if name in world.turns else next(alike, name), request
    given_as(World, "claim")(claim)

def x_header_only():
    return "X-Idempotency-Key" in HERE.door.headers and "Idempotency-Key" not in HERE.door.headers

def is_pressed_again(call, raw, turn):
    if "interaction" not in call.body or not is_replay(call, raw, turn):
        return False
    conversation, pressed = talk(call), chat.pressed_in(call)
    conversation.past.discard(pressed)
    conversation.current = (*conversation.current, pressed)
    return True

def mute_admitted(original, world, key, agent):
    name = HERE.door.carried() or HERE.asked.get("idempotency_key")
    mark = hashlib.sha256(HERE.raw + agent.encode()).digest()
    turns = list(world.turns.items())
    alike = [KEYS[bearer] for (bearer, one), turn in turns if (one, turn.request) == (name, mark)]
    mute = key and "chat" not in key.scopes
    MINE.owner = next((owner for owner in alike if mute and owner.account == key.account), None)
    return None if MINE.owner else original(world, key, agent)

def found_if_streamed(call, raw):
    found = turn_of(call)
    return (found, False) if found and found.state == "done" and call.body["stream"] else None

replayed, replaced = then(chat, "again"), with_more(chat, "again")
plant((
    ("replay-loses-presentation-r2", replayed, lambda told, *_: told.pop("presentation", None)),
    ("replay-loses-customer-message-r2", replayed, lambda told, *_: told.pop("customer_message", None)),
    ("replay-cut-at-2000-r2", replaced, lambda told, *_: {"response": told["response"][:2000]}),
    ("replay-new-conversation-r2", replaced,
     lambda told, call, _: {} if call.body[CID] else {CID: str(uuid.uuid4()).upper()}),
    ("replay-numbers-as-text-r2", replaced, lambda told, *_: {name: str(told[name]) for name in CREDITS}),
    ("replay-charges-r2", replayed,
     lambda told, call, turn: charge(call.world, call.key.account, turn.reply["credits_used"])),
    ("replay-noted-again-r2", replayed,
     lambda told, call, turn: talk(call, turn.reply[CID]).heard.append(call.body["message"])),
    ("replay-of-latest-r2", all_of, lambda latest={}: (
        (replying, lambda call, fields: latest.update({fields[CID]: fields})),
        (made(chat, "again"), lambda told, *_: {
            **json.loads(json.dumps(latest[told[CID]])), **{name: told[name] for name in CREDITS}}))),
    ("replay-stream-as-json-r2", given_as(server.Door, "replay"),
     lambda door, call, turn: (door, with_body(call, stream=False), turn)),
    ("replay-stream-unmarked-r2", made(server.Door, "mark"),
     lambda marked, door, value: {} if value == "true" and streamed() else marked),
    ("replay-before-scope-r2", all_of, lambda: (
        (instead(chat, "admit"), mute_admitted),
        (given_as(chat, "begin"), lambda call, raw: (replace(call, key=MINE.owner or call.key), raw)))),
    ("x-header-key-forgotten-r2", forgetting,
     lambda call, raw, turn: turn.state in ("done", "refused") and x_header_only()),
    ("uncertain-x-header-runs-r2", forgetting,
     lambda call, raw, turn: turn.state == "uncertain" and x_header_only()),
    ("uncertain-said-once-r2", on_refusal(chat, "begin", "OUTCOME_UNCERTAIN"), lambda call, _: forget(call)),
    ("press-runs-again-r2", forgetting, is_pressed_again),
    ("in-flight-streams-unlocked-r2", all_of, lambda: (
        (forgetting, lambda call, raw, turn: turn.state == "running" and hasattr(turn, "streamed")),
        (before(chat, "run"), lambda _, turn, *__: streamed() and vars(turn).update(streamed=True)))),
    ("in-flight-replays-empty-r2", on_refusal(chat, "begin", "REQUEST_IN_PROGRESS"), lambda call, raw: (
        Turn(b"", "done", [], {CID: (call.body[CID] or str(uuid.uuid4())).upper(), "response": ""}), False)),
    ("unavailable-key-stuck-r2", before(chat, "begin"), lambda call, raw: call.world.down and (
        call.world.claim((call.key.bearer, call.body["key"]), mark_of(call, raw)) and None)),
    ("conflict-ignores-case-r2", compared, str.lower),
    ("conflict-first-thousand-r2", compared, lambda message: message[:1000]),
    ("conflict-overwrites-r2", on_refusal(chat, "begin", "IDEMPOTENCY_CONFLICT"),
     lambda call, raw: setattr(turn_of(call), "request", mark_of(call, raw))),
    ("conflict-skipped-for-streams-r2", before(chat, "begin"), found_if_streamed),
    ("key-scoped-to-conversation-r2", given_as(chat, "begin"),
     lambda call, raw: (with_body(call, key=call.body["key"] + call.body[CID].upper()), raw)),
    ("key-case-folded-r2", folded, str.lower),
    ("key-cut-at-128-r2", folded, lambda key: key[:128]),
    ("key-numeric-folded-r2", folded, lambda key: str(int(key)) if key.isascii() and key.isdigit() else key),
    ("keyless-continues-r2", carrying,
     lambda asked, carried: str(uuid.uuid4()) if keyless(asked, carried) and CID in asked else carried),
))

# Pauses
def performing(change):
    """A turn is performed as the call that `change` makes of its own."""
    given_as(chat, "perform")(lambda call, *rest: (change(call), *rest))

def with_pauses(call, paused):
    world = copy.copy(call.world)
    world.paused = paused
    return replace(call, world=world)

def unpaused(when):
    performing(lambda call: call if "interaction" in call.body or not when(call) else with_pauses(call, []))

plant((
    ("paused-stream-answered-r2", unpaused, lambda call: call.body["stream"]),
    ("paused-continued-answers-r2", unpaused, lambda call: (
        ((call.key.account, call.agent), call.body[CID].upper()) in call.world.conversations)),
    ("paused-message-lost-r2", replying,
     lambda call, fields: "customer_message" in fields and talk(call, fields[CID]).heard.pop()),
    ("paused-conversation-stays-r2", all_of, lambda flagged=set(): (
        (replying, lambda call, told: flagged.update([told[CID]] if "customer_message" in told else ())),
        (performing, lambda call: (
            with_pauses(call, {call.agent}) if call.body[CID].upper() in flagged else call)))),
    ("paused-resumed-replay-answers-r2", forgetting, lambda call, raw, turn: (
        is_replay(call, raw, turn)
        and "customer_message" in turn.reply and call.agent not in call.world.paused)),
    ("paused-interaction-stored-r2", before(chat, "press"),
     lambda call, conversation: "interaction" in call.body and call.agent in call.world.paused),
    ("paused-interaction-burns-button-r2", on_refusal(chat, "press", "_PAUSED"), lambda _, its: burn(its)),
))

# Buttons and presentations
def truthful(asked):
    pressed = asked.get("interaction")
    if isinstance(pressed, dict) and "payload" in pressed and not pressed["payload"]:
        raise Refusal(400, "A button has a payload.")
    return asked

def others(call, conversation):
    mine, known = (call.key.account, call.agent), list(call.world.conversations.items())
    return [one for (where, _), one in known if where == mine and one is not conversation]

def burn_others(call, fields):
    for one in others(call, talk(call, fields[CID])) if "presentation" in fields else ():
        burn(one)

def pressed_as(run_of):
    """A button that is not current continues the Workflow that `run_of` gives the number of."""
    def press(call, conversation):
        if "interaction" not in call.body or call.agent in call.world.paused:
            return False
        pressed = chat.pressed_in(call)
        run = None if pressed in conversation.current else run_of(call, conversation, pressed)
        if run is not None:
            conversation.latest, conversation.run = pressed, run
        return run is not None
    before(chat, "press")(press)

def run_by_ends(call, conversation, pressed):
    offered = [canonical(json.loads(one)[::2]) for one in conversation.current]
    return conversation.run if canonical(json.loads(pressed)[::2]) in offered else None

def stepping(steps):
    def count(call, fields):
        if "presentation" in fields:
            run = (fields[CID], fields["presentation"]["runId"])
            steps[run] = fields["presentation"]["schema_version"] = steps.get(run, 0) + 1
    replying(count)

plant((
    ("falsy-payload-refused-r2", asking, truthful),
    ("other-conversation-supersedes-r2", replying, burn_others),
    ("press-ignored-in-stream-r2", performing,
     lambda call: replace(call, body=without(call.body, "interaction")) if call.body["stream"] else call),
    ("button-of-other-conversation-r2", pressed_as, lambda call, conversation, pressed: next(
        (one.run for one in others(call, conversation) if pressed in one.current), None)),
    ("press-node-unchecked-r2", pressed_as, run_by_ends),
    ("stale-in-stream-200-r2", lambda is_meant: refusing(is_meant, as_event),
     lambda status, told: streamed() and "INTERACTION_STALE" in str(told.get("error"))),
    ("stale-supersedes-current-r2", on_refusal(chat, "press", "INTERACTION_STALE"), lambda _, its: burn(its)),
    ("presentation-version-counts-r2", stepping, {}),
    ("presentation-lost-in-stream-r2", given_as(server.Door, "block"), lambda door, event, numbers: (
        door, without(event, "presentation") if event["type"] == "done" else event, numbers)),
))

# Conversations
def cleared_by_failure(original, call, *rest):
    try:
        return original(call, *rest)
    except chat.Broken:
        call.world.conversations.pop(((call.key.account, call.agent), call.body[CID].upper()), None)
        raise

def written_back(original, call, *rest):
    read = list(talk(call).heard) if call.body[CID] else []
    time.sleep(0.15)
    fields = original(call, *rest)
    talk(call, fields[CID]).heard[:] = [*read, call.body["message"]]
    return fields

plant((
    ("conversation-forks-third-turn-r2", conversing, lambda call: (
        str(uuid.uuid4()) if call.body[CID] and len(talk(call).heard) > 1 and "interaction" not in call.body
        else call.body[CID])),
    ("omitted-continues-last-r2", all_of, lambda last={}: (
        (replying, lambda call, fields: last.update({(call.key, call.agent): fields[CID]})),
        (conversing, lambda call: call.body[CID] or last.get((call.key, call.agent), "")))),
    ("same-first-message-shared-r2", conversing, lambda call: (
        call.body[CID] or str(uuid.uuid5(uuid.NAMESPACE_URL, call.agent + call.body["message"])))),
    ("stream-begins-anew-r2", conversing, lambda call: "" if call.body["stream"] else call.body[CID]),
    ("failed-turn-clears-r2", instead(chat, "perform"), cleared_by_failure),
    ("concurrent-turn-lost-r2", instead(chat, "perform"), written_back),
    ("invalid-conversation-taken-r2", asking,
     lambda asked: asked if UUID.fullmatch(str(asked.get(CID))) else without(asked, CID)),
))

# Management of webhooks
def hooks_of(world, agent):
    return [hook for hook in list(world.hooks.values()) if webhooks.is_there(hook, agent)]

def listing(when):
    """The list has every webhook of which `when(hook, agent)` says so."""
    instead(webhooks, "listing")(lambda _, world, agent, raw: (200, {"webhooks": [
        webhooks.shown(world, hook) for hook in list(world.hooks.values()) if when(hook, agent)]}))

def updated(change):
    then(webhooks, "update")(lambda answer, world, hook, raw: change(hook, json.loads(raw)))

def replace_same(world, agent, fields):
    for hook in hooks_of(world, agent):
        hook.gone = hook.fields["endpoint_url"] == fields["endpoint_url"]

def restore(world, call, raw):
    route = webhooks.ROUTE.fullmatch(call.path)
    hook = world.hooks.get(webhooks.unquote(route[2] or "")) if route and call.command == "PATCH" else None
    if hook and hook.agent == route[1] and call.headers.get("X-Session") == webhooks.SESSION:
        hook.gone = False

shown = with_more(webhooks, "shown")
plant((
    ("list-all-agents-r2", listing, lambda hook, agent: not hook.gone),
    ("removed-still-listed-r2", all_of, lambda: (
        (listing, lambda hook, agent: hook.agent == agent),
        (shown, lambda told, world, hook: {"is_active": hook.active and not hook.gone}))),
    ("events-as-text-after-update-r2", all_of, lambda: (
        (updated, lambda hook, sent: vars(hook).update({"joined": 1} if "events" in sent else {})),
        (shown, lambda told, _, one: {"events": ",".join(told["events"])} if "joined" in vars(one) else {}))),
    ("created-at-local-r2", shown, lambda told, world, hook: {"created_at": datetime.fromisoformat(
        hook.born).astimezone(timezone(timedelta(hours=2))).isoformat()}),
    ("events-beyond-ten-lost-r2", made(webhooks, "checked"), lambda fields, world, sent: (
        {**fields, "events": fields["events"][:10]} if "events" in fields else fields)),
    ("same-endpoint-replaces-r2", before(webhooks, "create_one"), replace_same),
    ("update-reactivates-r2", updated, lambda hook, sent: setattr(hook, "active", True)),
    ("update-renews-secret-r2", updated,
     lambda hook, sent: "endpoint_url" in sent and setattr(hook, "secret", secrets.token_urlsafe(33))),
    ("update-endpoint-cached-r2", made(Post, "url_of"),
     lambda url, post, delivery: vars(delivery.hook).setdefault("first", url)),
    ("update-restores-removed-r2", before(webhooks, "answer"), restore),
    ("test-route-open-to-key-r2", before(webhooks, "sign_in"), lambda world, call: (
        call.path.endswith("/test") and chat.key_of(call.headers.get("Authorization")))),
))

# Deliveries
def is_sample(delivery):
    return delivery.id.startswith("test_")

def plain_headers(found, post, delivery, signed):
    custom = delivery.hook.fields["custom_headers"] if delivery.number > 1 else {}
    return {name: value for name, value in found.items() if name not in custom}

def signed_alike(signature, post, delivery, signed):
    other = hmac.new(b"the secret of samples", signed, hashlib.sha256).hexdigest()
    return f"sha256={other}" if is_sample(delivery) else signature

def superseded(post, delivery, number, sample=False):
    if number == 1:
        delivery.hook.latest = delivery.id
    return not sample and delivery.hook.latest != delivery.id

def pause_all(_, post, hook):
    for one in hooks_of(post.world, hook.agent):
        one.failures, one.paused_until = hook.failures, hook.paused_until

def one_log(world, hook, raw):
    entries = [entry for one in hooks_of(world, hook.agent) for entry in one.log]
    return world, replace(hook, log=entries), raw

def strike_out(_, post, delivery, status, seconds):
    log = delivery.hook.log
    vars(delivery).setdefault("written", []).append(id(log[-1]))
    if delivery.number == ATTEMPTS and not deliveries.well(status):
        log[:] = [entry for entry in log if id(entry) not in delivery.written]

def first_checked(original, host, port, fault=None):
    first, *more = guard.found(host, port)
    if not guard.public(first) and not (host == "localhost" and first.is_loopback):
        raise guard.Forbidden("That is a private matter.")
    return [*map(str, more), str(first)]

plant((
    ("event-prefix-matched-r2", made(Post, "wants"), lambda _, post, hook, event, agent: (
        hook.agent == agent and post.alive(hook, event)
        and event.rpartition(".")[0] in {one.rpartition(".")[0] for one in hook.fields["events"]})),
    ("custom-headers-lost-on-retry-r2", made(Post, "headers"), plain_headers),
    ("sample-event-header-r2", with_more(Post, "headers"), lambda found, post, delivery, signed: (
        {f"X-{post.world.vendor}-EVENT".upper(): "webhook.test"} if is_sample(delivery) else {})),
    ("delivery-id-per-event-r2", all_of, lambda: (
        (before(Post, "happen"), lambda post, *event: setattr(MINE, "id", f"whd_{uuid.uuid4().hex}")),
        (instead(Post, "live_id"), lambda live_id, post: MINE.id))),
    ("sample-other-secret-r2", made(Post, "signature"), signed_alike),
    ("signature-zero-lost-r2", made(Post, "signature"),
     lambda signature, *_: "sha256=" + signature.removeprefix("sha256=").lstrip("0")),
    ("retry-loses-payload-r2", with_more(Post, "content"),
     lambda content, post, delivery: {"payload": {}} if delivery.number > 1 else {}),
    ("timeout-final-r2", all_of, lambda: (
        (before(Post, "write_down"), lambda post, delivery, status, took: vars(delivery).update(took=took)),
        (made(Post, "goes_on"), lambda on, post, delivery, status: (
            on and not (status is None and delivery.took > PATIENCE - 0.5))))),
    ("redirect-counts-well-r2", made(deliveries, "well"), lambda well, code: well or code in range(300, 400)),
    ("only-200-well-r2", made(deliveries, "well"), lambda well, status: status == 200),
    ("retry-at-once-r2", lambda how: vars(deliveries).update(how), {"BACKOFF": 0.05}),
    ("retry-cancelled-by-next-r2", before(Post, "attempt"), superseded),
    ("pause-drops-r2", made(Post, "wants"),
     lambda wants, post, hook, *event: wants and hook.paused_until <= post.world.now()),
    ("pause-turns-off-r2", then(Post, "fail"), lambda _, post, hook: setattr(
        hook, "active", hook.active and hook.paused_until <= post.world.now())),
    ("pause-for-all-r2", then(Post, "fail"), pause_all),
    ("log-status-class-r2", given_as(Post, "entry"), lambda post, delivery, status, seconds: (
        post, delivery, status and status // 100 * 100, seconds)),
    ("log-of-others-r2", given_as(webhooks, "logs"), one_log),
    ("log-forgets-failed-r2", then(Post, "write_down"), strike_out),
    ("sample-late-r2", instead(Post, "sample"),
     lambda sample, post, hook: post.world.clock.after(40.0, sample, post, hook)),
    ("localhost-prefix-taken-r2", before(guard, "check"),
     lambda url, fault=None: guard.split(url)[1].startswith("localhost")),
    ("mapped-address-taken-r2", made(guard, "public"),
     lambda public, address: public or bool(getattr(address, "ipv4_mapped", None))),
    ("first-address-checked-r2", instead(guard, "addresses"), first_checked),
))

# Oddities
def reversing(turns):
    def change(told, door):
        turns.append(door)
        return dict(reversed(told.items())) if len(turns) % 2 or "error" in told else told
    saying(change)

def saying(change):
    """An answer other than of the control, as `change(told, door)` has it."""
    given_as(server.Door, "say")(lambda door, status, told, *rest: (
        door, status, change(told, door) if told and "/api/v1/chat" in door.path else told, *rest))

def single(call, events, text):
    whole = "".join(event["token"] for event in events if event["type"] == "token")
    return [{"token": whole, "type": "token"}, *(event for event in events if event["type"] != "token")], text

def send_more(door):
    more = "Vary: Accept, Origin|Cache-Control: no-store|Server-Timing: all;dur=1.5|Link: </>; rel=up"
    for line in f"{more}|Set-Cookie: a=1; Path=/|Set-Cookie: b=2, 3; HttpOnly".split("|"):
        door.send_header(*line.split(": "))

def freely(call, conversation, number, text, price, paused):
    with call.world.lock:
        call.world.accounts[call.key.account].held -= price if paused else 0
    return call, conversation, number, text, 0 if paused else price, paused

def told_whole(answer, world, agent, raw):
    told = {**webhooks.shown(world, world.hooks[answer[1]["id"]]), **answer[1]}
    return 201, told, {"Location": "/api/webhooks/new"}

def named_anew(hook, world, agent, fields):
    world.hooks.pop(hook.id)
    hook.id = f"hook: {uuid.uuid4().hex * 2}/ä{hook.id}"
    world.hooks[hook.id] = hook

def turned(content, post, delivery):
    more = {"attempt": delivery.number, "workspace": {"id": 7}}
    members = list({"apiVersion": "2026-01", **content, **more}.items())
    return dict(members[delivery.number :] + members[: delivery.number])

def raw_body(_, post, delivery):
    text = json.dumps(post.content(delivery), ensure_ascii=False).replace("/", "\\/")
    delivery.body = f"  {text}\n".encode()
    return delivery.body

EMPTY = {"token": "", "type": "token"}
plant((
    ("odd-members-reversed-r2", reversing, []),
    ("odd-diagnostics-r2", replying, lambda call, fields: fields.update(
        model="mushroom-2", timing_ms=12.5, trace=None, tags=[], error_details={"retries": 0})),
    ("odd-unknown-event-r2", instead(server.Door, "block"), lambda block, door, event, numbers: (
        block(door, event, numbers) + (event["type"] == "token") * block(
            door, {"type": "ping", "response": None}, numbers))),
    ("odd-empty-tokens-r2", scripted, lambda call, events, text: ([EMPTY, *events, EMPTY], text)),
    ("odd-single-token-r2", scripted, single),
    ("odd-replay-only-done-r2", given_as(server.Door, "replay"),
     lambda door, call, turn: (door, call, replace(turn, events=[]))),
    ("odd-extra-headers-r2", before(server.Door, "end_headers"), send_more),
    ("odd-credits-whole-r2", all_of, lambda: (
        (lambda price: setattr(chat, "round", price), lambda *_: 1),
        (made(World, "left"), lambda left, *_: int(left) if left == int(left) else left))),
    ("odd-stored-free-r2", given_as(chat, "reply"), freely),
    ("odd-slow-chat-r2", before(chat, "act"), lambda *_: time.sleep(1.2)),
    ("odd-error-members-r2", saying, lambda told, door: told if "error" not in told else {
        "request_id": uuid.uuid4().hex, "docs": "https://a.test", "retryable": None, "code": "no", **told}),
    ("odd-created-201-r2", made(webhooks, "create"), told_whole),
    ("odd-delete-202-r2", made(webhooks, "remove"), lambda *_: (202, {"removal": "queued", "left": None})),
    ("odd-webhook-id-r2", then(webhooks, "create_one"), named_anew),
    ("odd-list-extra-r2", all_of, lambda: (
        (made(webhooks, "listing"), lambda answer, *_: (200, {
            "total": len(answer[1]["webhooks"]), "webhooks": answer[1]["webhooks"][::-1], "next": None})),
        (shown, lambda _, world, hook: {"updated_at": hook.born, "failure_count": 0, "last_error": None}))),
    ("odd-envelope-extra-r2", made(Post, "content"), turned),
    ("odd-raw-body-r2", made(Post, "envelope"), raw_body),
    ("odd-backoff-grows-r2", before(Post, "goes_on"),
     lambda post, delivery, status: setattr(deliveries, "BACKOFF", 2.0 if delivery.number == 1 else 6.0)),
    ("odd-sample-other-event-r2", all_of, lambda: (
        (lambda event: setattr(deliveries, "SAMPLE", event), "booking.cancelled"),
        (with_more(Post, "content"), lambda _, post, one: {"payload": {}} if is_sample(one) else {}))),
    ("odd-pause-sooner-r2", lambda how: vars(deliveries).update(how), {"FAILURES": 4, "PAUSE": 45.0}),
))
