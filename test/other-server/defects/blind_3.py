"""What a reader of the contract listed: test/defects/blind/reader-3.yaml and oddities-3.yaml."""

import json
import re
import threading
import time
import uuid
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qs, unquote, urlsplit

import chat, deliveries, guard, operations, server, webhooks
from body import Refusal
from defects.operations import APPROVAL, BILLS, CONTRACT, EXECUTE, LIST, PAPERS, SEAL, SHEETS, STAFF, TARIFFS
from defects.operations import TASK, USAGE, at, dishes, given_of, granted
from deliveries import Post
from drop import PREPARE
from house import DOUBT, FINAL, Desk, Ticket, failed, receipt
from menu import MENU
from operations import V1
from patches import HERE, as_event, as_fault, asking, carrying, checked, in_bytes, refusing, scripted
from patches import streamed, telling, watched, written
from planting import around, defect, wrap
from server import Door
from webhooks import parse, shown
from world import AGENTS, KEYS, World, script

INSPECT, WHOLE, UPDATE = "agent_setup.inspect", ("POST", "/drop/whole-sheets"), ("PATCH", True, None)
GUARDS = {"billing_read": (USAGE, CONTRACT, TARIFFS, BILLS), "knowledge.write": (PAPERS, SHEETS, WHOLE)}
EVERYWHERE = tuple((method, path.removeprefix(V1)) for method, path, _ in operations.ROUTES)
PAGE = b"<!DOCTYPE html><pre>SyntaxError: Unexpected token in JSON</pre>\n"
CARD = {"charge": {"method": {"type": "card", "card": {"brand": "visa", "last4": "4242"}}}}
NOT_UUID = [{"loc": ["path", "approval_id"], "msg": "Input should be a valid UUID", "type": "uuid_parsing"}]
NONE_SUCH, NOT_YOURS = (404, {"error": "No such thing."}), failed("NOT_FOR_YOU", "It is not yours.", 403)
EXTRA = {"request_id": "req-3", "docs_url": "https://docs.other.test/e", "timestamp": "2026-01-01T00:00:00Z"}
LINKS = {"receipt_version": 3, "duration_ms": 12.5, "links": []}
HISTORY = {"progress": 0.5, "attempts": 1, "eta": None, "history": [{"state_name": "queued"}]}
STRANGE = {"X-Request-Id": "r-1", "Set-Cookie": "s=1; HttpOnly", "Vary": "*", "X-Frame-Options": "DENY"}
STATUSES = {"completed": 200, "accepted": 202, "pending_approval": 202, "failed": 422}
EMPTY, HINTS = {"token": "", "type": "token"}, ({"type": "hint", "token": 7}, {"type": "ping"})
DIAGNOSED = {"model": "m-1", "timing_ms": 12, "warnings": [], "trace": None}
SEEN, KEPT, THREAD = set(), {}, threading.local()  # of the one defect that there is in a process

def seen(thing):
    known = thing in SEEN
    SEEN.add(thing)
    return known

def kept_for(seconds, name_of):
    """What was answered well is answered for so long to all who have the same name."""

    def answer(act, call, *rest):
        found, name, now = act(call, *rest), name_of(call, *rest), call.world.now()
        if name is None or found[0] >= 300 or found[1].get("status") == "failed":
            return found
        if name not in KEPT or KEPT[name][0] < now:
            KEPT[name] = now + seconds, found
        return KEPT[name][1]

    return answer

def after(owner, member):
    """Wraps with what gets the result first, then what the original was called with."""
    return lambda change: wrap(owner, member, lambda do, *given, **more: change(do(*given, **more), *given))

def then(*doors):
    """The answer at these routes, as change(http, told) has it."""
    return lambda change: at(*doors)(lambda act, call, *rest: change(*act(call, *rest)))

def by_scope(instead):
    """Puts instead(act, call, scope, where, *rest) before each route that needs a scope."""

    def look(scope, door, act, call, *rest):
        dish = MENU.get(rest[0]) if door == EXECUTE else None
        return instead(act, call, dish.scope if dish else scope, (door, *rest), *rest)

    for scope, doors in {**GUARDS, "read_agents": (STAFF,), "": (EXECUTE,)}.items():
        for door in doors:
            at(door)(partial(look, scope, door))

def listed(change):
    def menu(act, call):
        found = act(call)
        change(call, dishes(found))
        return found

    at(LIST)(menu)

def schemas_as(change):
    def put(call, found):
        first = next(iter(found.values()), {}).get("takes")
        found.update({name: {**dish, "takes": change(dish["takes"], first)} for name, dish in found.items()})

    return put

def of_first_agent(call, name):
    """Where no agent is named, the inspection is of the first one of the project."""
    given = given_of(call)
    if name != INSPECT or not isinstance(given, dict) or given.get("agentId") is not None:
        return call
    mine = next(agent for agent, known in AGENTS.items() if known.account == call.key.account)
    return replace(call, raw=json.dumps({"arguments": {**given, "agentId": call.key.agent or mine}}).encode())

def flat(http, told):
    return http, {**told, "error": told["error"]["resolution"]} if told.get("status") == "failed" else told

def alike(same):
    def key_of(original, authorization):
        sent = (authorization or "").removeprefix("Bearer ").strip()
        return original(authorization) or next((key for one, key in KEYS.items() if same(sent, one)), None)

    around(chat, "key_of")(key_of)

def arriving(look):
    around(Door, "do_POST")(lambda original, door: (look(door), original(door)))
    for method in ("GET", "DELETE", "PATCH", "PUT"):
        setattr(Door, f"do_{method}", Door.do_POST)

def in_query(door):
    THREAD.keys = parse_qs(urlsplit(door.path).query).get("api_key", [])

def unguarded(found, world, door, raw):
    which, _, number = urlsplit(door.path).path.removeprefix(f"{V1}/").partition("/")
    kinds = {"tasks": (world.desk.tickets, world.desk.read_ticket)}
    kinds["approvals"] = world.desk.questions, world.desk.read_question
    known, read = kinds.get(which, ({}, None))
    return read(known[unquote(number)]) if door.command == "GET" and unquote(number) in known else found

def counted(found, world, door, raw):
    key = door.path.startswith(V1) and chat.key_of(door.headers.get("Authorization"))
    return (key and world.spend(key) and found) or found

def retried(change):
    """What a write says when its key comes again."""
    after(operations, "once")(lambda found, call, name, run: (
        (found[0], {**found[1], **change(found[1])}) if name and seen((call.key.account, name)) else found))

def forgotten(is_lost):
    """A key is forgotten where `is_lost(deed)` says so, and what it names is done again."""

    def once(original, call, name, run):
        deed = call.house.deeds.get(name)
        if deed and deed.over.is_set() and is_lost(deed):
            call.house.deeds.pop(name, None)
        return original(call, name, run)

    around(operations, "once")(once)

def unreadable(original, door, raw):
    try:
        json.loads(raw or b"{}")
    except (ValueError, RecursionError):
        return (400, PAGE) if "/operation-executions/" in door.path else original(door, raw)
    return original(door, raw)

def as_page(original, door, status, told, headers=None):
    if told is not PAGE:
        return original(door, status, told, headers)
    door.head(400, {"Content-Type": "text/html; charset=utf-8", "Content-Length": len(PAGE)})
    return door.wfile.write(PAGE)

def state_as(change):
    def read(found, desk, ticket):
        state = change(ticket, found[1]["ticket"]["state"])
        return (200, {"ticket": {**found[1]["ticket"], "state": state}}) if state else NONE_SUCH

    after(Desk, "read_ticket")(read)

def gone_on(original, desk, question):
    if question.work and question.decision and not question.ticket:
        question.ticket = desk.begin(question.account, ((1, "completed"),), question.work)

def beside(decision):
    """A document is not asked about while there is another one of this decision."""

    def ask(original, desk, account, work=None):
        mine = (account, None, decision)
        known = mine in [(one.account, one.work, one.decision) for one in desk.questions.values()]
        question = original(desk, account, work)
        question.decision = "approved" if work is None and known else ""
        return question

    return ask

def only_csv(act, call):
    key, kind = call.headers.get(PREPARE), (call.headers.get("Content-Type") or "").partition(";")[0]
    if not key or kind == "text/csv" or "knowledge.write" not in call.key.scopes:
        return act(call)
    asked = KEPT[key] = KEPT.get(key) or call.world.desk.ask(call.key.account)
    return act(call) if asked.decision == "approved" else asked.receipt()

def spent_by(fields, call, *given):
    KEPT[call.key.bearer] = KEPT.get(call.key.bearer, 0) + fields["credits_used"]
    return fields

def own_usage(act, call):
    http, told = act(call)
    left = call.world.first[call.key.account] - KEPT.get(call.key.bearer, 0)
    return http, {**told, "credits": {**told["credits"], "remaining": left}} if http == 200 else told

def one_more(act, call):
    asked = call.query.get("limit", [""])[0]
    return act(replace(call, query={"limit": [str(int(asked) + 1)]}) if asked.isdecimal() else call)

def with_card(http, told):
    bills = [{**bill, **CARD} if bill["paid"] == "by card" else bill for bill in told.get("bills", ())]
    return http, {**told, "bills": bills} if http == 200 else told

def managed(*which):
    def put(instead):
        webhooks.ACTS[which] = partial(instead, webhooks.ACTS[which])

    return put

def headed(change):
    after(Post, "headers")(lambda found, post, delivery, signed: change(found, post, delivery))

def put_where(when, end, value):
    def change(found, post, delivery):
        names = [name for name in found if name.lower().endswith(end) and when(delivery)]
        return {**found, **{name: value(post) for name in names}}

    return change

def less_custom(found, post, delivery):
    custom = delivery.hook.fields["custom_headers"] if delivery.number > 1 else {}
    return {name: value for name, value in found.items() if name not in custom}

def traced(found, post, delivery):
    trace = f"00-{uuid.uuid4().hex}-{uuid.uuid4().hex[:16]}-01"
    return {"traceparent": trace, "Accept": "*/*", "x-service-attempt": str(delivery.number), **found}

def escaped(signed, post, delivery):
    delivery.body = json.dumps(json.loads(signed), indent=1, ensure_ascii=False).encode()
    return signed

def by_address(original, post, delivery, signed):
    url = delivery.hook.fields["endpoint_url"]
    first = next(hook for hook in post.world.hooks.values() if hook.fields["endpoint_url"] == url)
    return original(post, replace(delivery, hook=first), signed)

def reset(act, world, hook, raw):
    found, empty = act(world, hook, raw), {"description": "", "custom_headers": {}}
    hook.fields.update({name: value for name, value in empty.items() if name not in parse(raw)})
    return found

def http_taken(act, world, hook, raw):
    sent = parse(raw)
    url = sent.get("endpoint_url")
    if isinstance(url, str) and url.startswith("http://"):
        hook.fields["endpoint_url"] = webhooks.endpoint(world, url.replace("http", "https", 1)) and url
        del sent["endpoint_url"]
    return act(world, hook, json.dumps(sent).encode())

def first_checked():
    def take(check, world, value):
        kept = check(world, value)
        return [one for one in value if isinstance(one, str)] if value[0] in kept else kept

    webhooks.CHECKS["events"] = partial(take, webhooks.CHECKS["events"])

def family(original, post, hook, event, agent):
    near = [one for one in hook.fields["events"] if one.partition(".")[0] == event.partition(".")[0]]
    return original(post, hook, near[0] if near else event, agent)

def told_as(act, world, hook, raw):
    act(world, hook, raw)
    return 200, {"object": "webhook", "removed": hook.gone, **shown(world, hook)}

def again(change):
    after(chat, "again")(lambda fields, call, turn: {**fields, **change(fields)})

def unmarked(original, door, call, turn):
    door.mark = (lambda value: {}) if call.body["stream"] else door.mark
    original(door, call, turn)
    del door.mark

def refusing_if(status):
    def put(meant):
        def look(asked):
            if isinstance(asked.get("message"), str) and meant(asked):
                raise Refusal(status, "That went wrong.")
            return asked

        asking(look)

    return put

def folded(original, call, raw):
    asked = json.loads(raw)
    return original(call, json.dumps({**asked, "message": asked["message"].strip().lower()}).encode())

def expiring(original, world, name, request):
    with world.lock:
        found = world.turns.get(name)
        if found and found.state == "running" and time.monotonic() > found.born + 0.1:
            del world.turns[name]
        turn, mine = original(world, name, request)
        turn.born = time.monotonic() if mine else getattr(turn, "born", 0)
    return turn, mine

def locked(original, call, turn, send, gone):
    try:
        return original(call, turn, send, gone)
    except Refusal:
        turn.state = "running"
        raise

def never_uuid(original, world, key, agent):
    if key is not None and (len(agent) > 64 or not agent.isascii()):
        raise Refusal(500, "That went wrong.")
    original(world, key, agent)

def answered(original, world):
    told = HERE.call.agent, next(world.numbers), HERE.call.body["message"]
    return script(*told) if streamed() else original(world)

def hold(original, world, account, cost):
    THREAD.credits = world.accounts[account].credits
    return original(world, account, cost)

def settle(original, world, account, cost, charge):
    with world.lock:
        world.accounts[account].credits = THREAD.credits
        return original(world, account, cost, charge)

def spoken(change):
    def say(original, door, status, told, headers=None):
        own = door.path.startswith("/control") or not isinstance(told, dict)
        return original(door, status, told, headers) if own else change(original, door, status, told, headers)

    around(Door, "say")(say)

def by_head(change):
    around(Door, "head")(lambda original, door, status, headers: original(
        door, status, headers if door.path.startswith("/control") else change(headers)))

def compact(original, door, status, told, headers):
    text = json.dumps(dict(reversed(told.items())), ensure_ascii=False, separators=(",", ":"))
    data = text.encode("utf-8", "replace")
    door.head(status, {"Content-Type": "application/json", "Content-Length": len(data), **(headers or {})})
    door.wfile.write(data)

def chunked(original, door, status, told, headers):
    data = json.dumps(told).encode()
    door.head(status, {"Content-Type": "application/json", "Transfer-Encoding": "chunked", **(headers or {})})
    for piece in (data[:7], data[7:], b""):
        door.wfile.write(b"%X;x=1\r\n%b\r\n" % (len(piece), piece))

def turned(http, told):
    every = reversed(dishes((http, told)).items())
    return http, {"soups": [], "today": {"dishes": {name: {"tags": [], **dish} for name, dish in every}}}

def twice(original, post, delivery):
    status = original(post, delivery)
    if deliveries.well(status) and delivery.id.startswith("whd_"):
        post.world.clock.after(0.2, original, post, delivery)
    return status

def spaced(signed, post, delivery):
    content = dict(reversed(json.loads(signed).items()))
    delivery.body = b"\n" + json.dumps(content, indent=4, ensure_ascii=False).encode() + b"\r\n"
    return delivery.body

ROWS = (
    ("catalog-cache-lacks-key", at(LIST), kept_for(60, lambda call: "all")),
    ("catalog-cut-at-page", listed, lambda call, found: [found.pop(one) for one in list(found)[3:]]),
    ("catalog-empty-for-restricted-key", listed, lambda call, found: call.key.agent and found.clear()),
    ("catalog-any-of-scopes", at(LIST), lambda act, call: act(granted(call) if call.key.scopes else call)),
    ("catalog-first-schema-only", listed, schemas_as(lambda own, first: own if own is first else None)),
    ("catalog-schema-of-neighbour", listed, schemas_as(lambda own, first: first)),
    ("listed-but-refused", at(EXECUTE), lambda act, call, name: (
        NOT_YOURS if re.match(r"[^.]*_[^.]*\.", name) else act(call, name))),
    ("scope-only-in-catalog", at(EXECUTE), lambda act, call, name: act(granted(call), name)),
    ("scope-cache-zero-truthy", by_scope, lambda act, call, scope, where, *rest: act(
        granted(call) if scope not in ("", *call.key.scopes) and seen((call.key, where)) else call, *rest)),
    ("scope-decision-shared", by_scope, lambda act, call, scope, where, *rest: act(
        granted(call) if (scope in call.key.scopes and seen(where)) or where in SEEN else call, *rest)),
    ("plans-open-to-all", at(TARIFFS), lambda act, call: act(granted(call))),
    ("invoices-card", then(BILLS), with_card),
    ("inspect-first-agent-cached", at(EXECUTE), kept_for(
        60, lambda call, name: call.key.account if name == INSPECT else None)),
    ("inspect-without-agent", at(EXECUTE), lambda act, call, name: act(of_first_agent(call, name), name)),
    ("inspect-any-agent", at(EXECUTE), lambda act, call, name: act(
        replace(call, key=replace(call.key, agent="")) if name == INSPECT else call, name)),
    ("sheet-scope-unchecked", at(SHEETS, SEAL, WHOLE), lambda act, call, *rest: act(granted(call), *rest)),
    ("chat-scope-wanted-everywhere", at(*EVERYWHERE), lambda act, call, *rest: (
        act(call, *rest) if "chat" in call.key.scopes else NOT_YOURS)),
    ("missing-key-403", after(operations, "answer"), lambda found, world, door, raw: (
        NOT_YOURS if found and found[0] == 401 and "Authorization" not in door.headers else found)),
    ("key-by-prefix", alike, lambda sent, known: sent[:16] == known[:16]),
    ("key-case-insensitive", alike, lambda sent, known: sent.lower() == known.lower()),
    ("key-in-query", arriving, in_query),
    ("key-in-query", around(chat, "key_of"), lambda original, sent: (
        KEYS.get(THREAD.keys[0]) if sent is None and THREAD.keys else original(sent))),
    ("task-read-open", after(operations, "answer"), unguarded),
    ("failed-without-resolution", retried, lambda told: (
        {"error": {"code": told["error"]["code"]}} if told.get("status") == "failed" else {})),
    ("error-flattened", then(EXECUTE), flat),
    ("data-null-on-retry", retried, lambda told: {"data": None} if told.get("status") == "completed" else {}),
    ("malformed-json-html", around(Door, "elsewhere"), unreadable),
    ("malformed-json-html", around(Door, "say"), as_page),
    ("accepted-job-id", after(Ticket, "receipt"), lambda found, ticket: (
        receipt("accepted", work={"ticket": {"number": f"job-{id(ticket)}"}}))),
    ("task-not-yet-committed", after(Desk, "begin"), lambda ticket, desk, *given: (
        KEPT.update({ticket.id: desk.world.now()}), ticket)[1]),
    ("task-not-yet-committed", at(TASK), lambda act, call, number: (
        NONE_SUCH if call.world.now() < KEPT.get(number, 0) + 1 else act(call, number))),
    ("task-first-poll-cached", at(TASK), kept_for(86_400, lambda call, number: number)),
    ("write-retry-runs-again", forgotten, lambda deed: True),
    ("write-key-ignores-operation", around(operations, "once"), lambda original, call, name, run: (
        original(call, name and ("any", name[1]), run))),
    ("uncertain-write-reruns", forgotten, lambda deed: deed.doubted or deed.receipt() == DOUBT),
    ("ops-count-to-chat-limit", after(operations, "answer"), counted),
    ("rate-per-address", around(World, "spend"), lambda original, world, key: (
        original(world, replace(key, name="127.0.0.1")))),
    ("task-started", state_as, lambda ticket, state: "started" if state == "running" else state),
    ("task-input-dashed", state_as, lambda ticket, state: state.replace("_", "-")),
    ("task-final-then-queued", state_as, lambda ticket, state: (
        "queued" if state in FINAL and ticket.looks > 1 else state)),
    ("task-failed-removed", state_as, lambda ticket, state: state if state != "failed" else None),
    ("approval-uuid-only", at(APPROVAL), lambda act, call, number: (422, {"detail": NOT_UUID})),
    ("approval-gone-when-decided", at(APPROVAL), lambda act, call, number: (
        NONE_SUCH if getattr(call.world.desk.questions.get(number), "decision", "") else act(call, number))),
    ("approved-work-stays", around(Desk, "go_on"), lambda original, desk, question: None),
    ("rejected-work-runs", around(Desk, "go_on"), gone_on),
    ("one-pending-a-project", around(Desk, "ask"), beside("")),
    ("upload-asks-again", at(PAPERS), lambda act, call: act(
        replace(call, headers={PREPARE: call.headers.get(PREPARE) and str(uuid.uuid4())}))),
    ("upload-approval-any-file", around(Desk, "ask"), beside("approved")),
    ("excel-held", at(SHEETS, WHOLE), only_csv),
    ("usage-cached", at(USAGE), kept_for(300, lambda call: call.key.account)),
    ("usage-per-key", after(chat, "reply"), spent_by),
    ("usage-per-key", at(USAGE), own_usage),
    ("invoices-limit-plus-one", at(BILLS), one_more),
    ("sign-escaped-body", after(Post, "envelope"), escaped),
    ("sign-by-address", around(Post, "signature"), by_address),
    ("retry-new-id", headed, put_where(
        lambda delivery: delivery.number > 1, "-delivery-id", lambda post: post.live_id())),
    ("retry-fourth", around(Post, "goes_on"), lambda original, post, delivery, status: delivery.number < 4),
    ("redirect-counts", around(deliveries, "well"), lambda do, got: do(got) or got in range(300, 400)),
    ("retry-drops-headers", headed, less_custom),
    ("patch-resets-omitted", managed(*UPDATE), reset),
    ("patch-takes-http", managed(*UPDATE), http_taken),
    ("private-172", around(guard, "public"), lambda original, address: (
        original(address) or re.match(r"172\.(1[7-9]|2\d|3[01])\.", str(address)) is not None)),
    ("patch-shows-secret", managed(*UPDATE), lambda act, world, hook, raw: (
        act(world, hook, raw) and (200, {**shown(world, hook), "secret_key": hook.secret}))),
    ("events-first-checked", lambda plant: plant(), first_checked),
    ("key-reads-logs", around(webhooks, "sign_in"), lambda original, world, call: (
        (call.command == "GET" and chat.key_of(call.headers.get("Authorization"))) or original(world, call))),
    ("deleted-still-delivers", around(Post, "alive"), lambda original, post, hook, event: hook.active),
    ("old-name-in-header", headed, put_where(
        lambda delivery: delivery.event == "tool.executed", "-event", lambda post: "action.executed")),
    ("failed-unlogged", around(Post, "write_down"), lambda original, post, delivery, status, seconds: (
        deliveries.well(status) and original(post, delivery, status, seconds))),
    ("events-by-prefix", around(Post, "wants"), family),
    ("pause-turns-inactive", after(Post, "fail"), lambda _, post, hook: setattr(hook, "active", False)),
    ("replay-drops-customer-message", after(chat, "again"), lambda fields, call, turn: (
        {name: value for name, value in fields.items() if name != "customer_message"})),
    ("replay-cut-at-255", again, lambda fields: {"response": fields["response"][:255]}),
    ("credits-text-on-replay", again, lambda fields: {
        name: str(value) for name, value in fields.items() if name.startswith("credits_")}),
    ("stream-replay-no-header", around(Door, "replay"), unmarked),
    ("replay-done-twice", as_fault, "replay-done-twice"),
    ("length-in-bytes", refusing_if(400), lambda asked: in_bytes(asked["message"]) > 10_000),
    ("nul-in-message-500", refusing_if(500), lambda asked: "\0" in asked["message"]),
    ("key-folded", checked, lambda asked, found, carried: {"key": found["key"].lower()}),
    ("key-cut-at-64", checked, lambda asked, found, carried: {"key": found["key"][:64]}),
    ("conflict-normalised", around(chat, "begin"), folded),
    ("x-key-unread-on-stream", carrying, lambda asked, carried: (
        None if streamed() and "Idempotency-Key" not in HERE.door.headers else carried)),
    ("lock-expires", around(World, "claim"), expiring),
    ("refused-turn-keeps-lock", around(chat, "run"), locked),
    ("paused-unseen-by-stream", watched(World, "stored"), answered),
    ("paused-unseen-by-stream", around(chat, "reply"), lambda original, call, *given: (
        original(call, *given[:-1], given[-1] and not call.body["stream"]))),
    ("falsy-payload-refused", refusing_if(400), lambda asked: (
        isinstance(asked.get("interaction"), dict) and not asked["interaction"].get("payload"))),
    ("refused-stream-200", lambda meant: refusing(meant, as_event), lambda status, told: (
        status in (402, 404, 409) and streamed())),
    ("credits-lost-update", around(World, "hold"), hold),
    ("credits-lost-update", around(World, "settle"), settle),
    ("agent-id-not-uuid-500", around(chat, "admit"), never_uuid),
    ("odd-sse-comments", written, lambda event, block: f': data: {{"type": "ping"}}\r\n\r\n\r\n:\r\n{block}'),
    ("odd-sse-bare", written, lambda event, block: f"data: {json.dumps(event)}\n\n"),
    ("odd-sse-byte-chunks", around(server, "cycle"), lambda original, sizes: original((1,))),
    ("odd-empty-token", scripted, lambda call, events, text: ([EMPTY, *events], text)),
    ("odd-unknown-event", scripted, lambda call, events, text: ([*events, *HINTS], text)),
    ("odd-diagnostics", telling, lambda call, fields: fields.update(DIAGNOSED)),
    ("odd-content-type-case", by_head, lambda headers: {
        name: "Application/JSON" if "on/json" in str(value) else value for name, value in headers.items()}),
    ("odd-json-compact", spoken, compact),
    ("odd-chunked-json", spoken, chunked),
    ("odd-response-headers", by_head, lambda headers: {**STRANGE, **headers}),
    ("odd-error-extras", spoken, lambda say, door, status, told, headers: (
        say(door, status, {**EXTRA, **told} if status >= 400 else told, headers))),
    ("odd-receipt-extras", then(EXECUTE), lambda http, told: (http, {**LINKS, **told})),
    ("odd-receipt-statuses", then(EXECUTE), lambda got, told: (STATUSES.get(told.get("status"), got), told)),
    ("odd-catalog-reversed", then(LIST), turned),
    ("odd-task-extras", then(TASK), lambda http, told: (http, {**HISTORY, **told})),
    ("odd-duplicate-delivery", around(Post, "post"), twice),
    ("odd-delivery-headers", headed, traced),
    ("odd-delivery-spaced", after(Post, "envelope"), spaced),
    ("odd-webhook-bodies", managed(*UPDATE), told_as),
    ("odd-webhook-bodies", managed("DELETE", True, None), told_as),
    ("odd-webhook-bodies", managed("POST", True, "test"), told_as),
    ("odd-slow-replies", by_head, lambda headers: time.sleep(0.3) or headers),
)
for name in dict.fromkeys(row[0] for row in ROWS):
    defect(f"{name}-r3")(lambda name=name: [by(instead) for own, by, instead in ROWS if own == name])
