"""Defects of operations, tasks, approvals, uploads and billing reads."""

import json
import threading
import time
from dataclasses import replace
from functools import partial

import chat
import deeds
import house
import menu
import money
import operations
from house import Deed, Desk, failed, receipt
from menu import MENU
from operations import V1
from planting import around, defect

KNOWN = threading.local()
SCOPES = ("chat", "read_agents", "billing_read", "knowledge.write", "agent_design_read")
LIST = ("GET", "/operations")
EXECUTE = ("POST", "/operation-executions/([^/]+)")
TASK = ("GET", "/tasks/([^/]+)")
APPROVAL = ("GET", "/approvals/([^/]+)")
USAGE = ("GET", "/billing/usage")
CONTRACT, TARIFFS, BILLS = (("GET", f"/till/{name}") for name in ("contract", "tariffs", "bills"))
STAFF = ("GET", "/house/staff")
PAPERS, PAGE = ("PUT", "/drop/papers"), ("PUT", "/drop/papers/([^/]+)/page")
SHEETS, SEAL = ("POST", "/drop/sheets"), ("POST", "/drop/sheets/([^/]+)/seal")


def at(*doors):
    """Wraps what answers at these routes; the function below gets it first, then what it was called with."""

    def put(instead):
        operations.ROUTES = tuple(
            (method, path, partial(instead, act) if (method, path.removeprefix(V1)) in doors else act)
            for method, path, act in operations.ROUTES
        )

    return put


def dish(name, instead):
    MENU[name] = replace(MENU[name], does=partial(instead, MENU[name].does))


def granted(call, *scopes):
    return replace(call, key=replace(call.key, scopes=scopes or SCOPES))


def given_of(call):
    try:
        return json.loads(call.raw)["arguments"]
    except (ValueError, KeyError, TypeError):
        return {}


def agent_of(call):
    given = given_of(call)
    return given.get("agentId") if isinstance(given, dict) else None


def dishes(found):
    return found[1]["today"]["dishes"]


# The menu.


@defect("discovery-cached-per-project")
def _():
    kept = {}

    @at(LIST)
    def menu_of(act, call):
        until, found = kept.get(call.key.account, (0, None))
        if call.world.now() >= until:
            until, found = kept[call.key.account] = (call.world.now() + 60, act(call))
        return found


@defect("discovery-omits-approval-gated-operations", by=at(LIST))
def _(act, call):
    found = act(call)
    dishes(found).pop("guests~evict")
    return found


@defect("discovery-any-scope-shows-all-reads", by=at(LIST))
def _(act, call):
    found = act(call)
    every = {name: shown for name, shown in dishes(act(granted(call))).items() if not MENU[name].writes}
    if set(call.key.scopes) - {"chat"}:
        dishes(found).update(every)
    return found


@defect("schema-null-for-upload-operations", by=at(LIST))
def _(act, call):
    found = act(call)
    if "knowledge.write" in call.key.scopes:
        dishes(found)["drop a paper"] = {"takes": None, "says": "bring it to the drop"}
    return found


# Who runs what.


@defect("schema-optional-field-demanded-at-run", by=at(EXECUTE))
def _(act, call, name):
    given = given_of(call)
    if name == "guest book/sign" and isinstance(given, dict) and "mood" not in given:
        return failed("UNFIT", "Say in which mood.")
    return act(call, name)


@defect("non-ascii-operation-input-refused", by=at(EXECUTE))
def _(act, call, name):
    if not json.dumps(given_of(call), ensure_ascii=False).isascii():
        return failed("UNFIT", "Compare it with what the menu says.")
    return act(call, name)


@defect("undiscovered-read-operations-run", by=at(EXECUTE))
def _(act, call, name):
    return act(call if name not in MENU or MENU[name].writes else granted(call), name)


@defect("uppercase-operation-id-bypasses-permission", by=at(EXECUTE))
def _(act, call, name):
    known = next((one for one in MENU if one.lower() == name.lower()), name)
    return act(call, name) if name in MENU else act(granted(call), known)


@defect("execution-refuses-agent-restricted-keys", by=at(EXECUTE))
def _(act, call, name):
    return failed("NOT_FOR_YOU", "This key is for one agent.", 403) if call.key.agent else act(call, name)


@defect("execution-refused-while-replies-paused", by=at(EXECUTE))
def _(act, call, name):
    if name == "agent_setup.inspect" and agent_of(call) in call.world.paused:
        return 409, {"error": "A person has taken over; the state is AI_REPLY_PAUSED for now."}
    return act(call, name)


@defect("inspect-allowed-by-read-agents", by=at(EXECUTE))
def _(act, call, name):
    may = name == "agent_setup.inspect" and "read_agents" in call.key.scopes
    return act(granted(call) if may else call, name)


@defect("cached-inspect-skips-scope")
def _():
    kept = {}

    @at(EXECUTE)
    def execute(act, call, name):
        if name != "agent_setup.inspect":
            return act(call, name)
        about = (call.key.account, agent_of(call))
        until, found = kept.get(about, (0, None))
        if call.world.now() < until:
            return found
        found = act(call, name)
        if found[1]["status"] == "completed":
            kept[about] = (call.world.now() + 60, found)
        return found


@defect("inspect-ignores-agent-id")
def _():
    dish("agent_setup.inspect", lambda does, call, given: does(call, {"agentId": "mario"}))


@defect("restricted-key-inspects-other-agent")
def _():
    operations.out_of_reach = lambda call, given: None


@defect("restricted-key-reads-foreign-task", by=at(TASK))
def _(act, call, number):
    return act(replace(call, key=replace(call.key, agent="")), number)


@defect("replay-hands-out-foreign-receipt", by=at(EXECUTE))
def _(act, call, name):
    deed = call.house.deeds.get((name, call.headers.get(operations.KEY)))
    return deed.receipt() if deed and deed.over.is_set() else act(call, name)


@defect("agents-listed-to-chat-keys", by=at(STAFF))
def _(act, call):
    return act(granted(call) if "chat" in call.key.scopes else call)


@defect("agent-listing-hidden-without-design-read", by=at(STAFF))
def _(act, call):
    return act(call if "agent_design_read" in call.key.scopes else granted(call, "chat"))


# Keys of writes.


@defect("parallel-same-key-writes-both-run", by=around(operations, "once"))
def _(original, call, name, run):
    if name is None or name in call.house.deeds:
        return original(call, name, run)
    time.sleep(0.02)
    deed = Deed(receipt=run())
    deed.over.set()
    call.house.deeds[name] = deed
    return deed.receipt()


@defect("retry-of-accepted-starts-second-task", by=around(operations, "once"))
def _(original, call, name, run):
    found = original(call, name, run)
    if found[1].get("status") == "accepted":
        call.house.deeds.pop(name, None)
    return found


def again(name, change):
    """What comes of a key that was sent before is changed."""

    @defect(name)
    def _():
        @around(operations, "once")
        def once(original, call, key, run):
            before = key is not None and key in call.house.deeds
            found = original(call, key, run)
            return change(call, found) if before else found


def emptied(call, found):
    http, body = found
    return (http, {**body, "data": None}) if body.get("status") == "completed" else found


def settled(call, found):
    return receipt("completed", data={"granted": True}) if found[1].get("status") == "pending_approval" else found


again("repeated-completed-receipt-without-data", emptied)
again("retry-while-pending-says-completed", settled)


@defect("uncertain-write-runs-again", by=around(operations, "once"))
def _(original, call, name, run):
    deed = call.house.deeds.get(name)
    if deed and deed.over.is_set() and (deed.doubted or deed.receipt() == house.DOUBT):
        del call.house.deeds[name]
    return original(call, name, run)


# Receipts.


@defect("empty-result-leaves-out-data", by=at(EXECUTE))
def _(act, call, name):
    http, body = act(call, name)
    data = body.get("data")
    # The result of this one is a list, which has a name.
    empty = isinstance(data, dict) and (not data or list(data.values()) == [[]])
    return http, {key: value for key, value in body.items() if key != "data" or not empty}


@defect("large-result-data-as-string", by=at(EXECUTE))
def _(act, call, name):
    http, body = act(call, name)
    long = "data" in body and len(json.dumps(body["data"])) > 8192
    return http, {**body, "data": json.dumps(body["data"])} if long else body


@defect("unforeseen-failure-without-resolution", by=at(EXECUTE))
def _(act, call, name):
    http, body = act(call, name)
    error = body.get("error")
    if isinstance(error, dict) and error["code"] in ("UNREADABLE", "OVEN_SILENT"):
        return http, {**body, "error": {"code": "UNEXPECTED", "resolution": ""}}
    return http, body


@defect("timeout-failure-error-is-string", by=at(EXECUTE))
def _(act, call, name):
    http, body = act(call, name)
    error = body.get("error")
    late = isinstance(error, dict) and error["code"] == "OVEN_SILENT"
    return http, {**body, "error": "timeout"} if late else body


@defect("uncertain-resolution-advises-new-key")
def _():
    menu.DOUBT = deeds.DOUBT = failed("OUTCOME_UNCERTAIN", "Send the operation again with a new idempotency key.")


@defect("renewal-receipt-names-no-action", by=at(PAGE))
def _(act, call, number):
    http, body = act(call, number)
    error = body.get("error")
    if isinstance(error, dict) and error["code"] == "UPLOAD_RENEWAL_INCOMPLETE":
        return failed("UPLOAD_RENEWAL_INCOMPLETE", "Try again later.")
    return http, body


@defect("confirm-member-skips-server-approval", by=at(EXECUTE))
def _(act, call, name):
    found = act(call, name)
    sent = json.loads(call.raw) if found[1].get("status") == "pending_approval" else {}
    if sent.get("confirm") is not True:
        return found
    call.world.desk.decide(call.world.desk.questions[str(found[1]["asks"]["question"])], "approved")
    return receipt("completed", data={"granted": True})


# Tasks.


@defect("accepted-task-not-readable-yet")
def _():
    @around(Desk, "begin")
    def begin(original, desk, *ticket, **named):
        found = original(desk, *ticket, **named)
        found.born = desk.world.now()
        return found

    @at(TASK)
    def task(act, call, number):
        ticket = call.world.desk.tickets.get(number)
        young = ticket and call.world.now() - ticket.born < 2
        return (404, {"error": "There is no such task."}) if young else act(call, number)


@defect("final-task-gone-after-first-read", by=at(TASK))
def _(act, call, number):
    found = act(call, number)
    ticket = call.world.desk.tickets.get(number)
    if found[0] == 200 and ticket and ticket.state in house.FINAL:
        del call.world.desk.tickets[number]
    return found


@defect("parallel-accepted-share-task-id", by=around(Desk, "begin"))
def _(original, desk, account, *ticket, **named):
    found = original(desk, account, *ticket, **named)
    del desk.tickets[found.id]
    found.id = f"no. {account}/{int(desk.world.now())}"
    desk.tickets[found.id] = found
    return found


def shown_as(name, change):
    """The state that a task shows is another one."""

    @defect(name)
    def _():
        @around(Desk, "read_ticket")
        def read_ticket(original, desk, ticket):
            http, body = original(desk, ticket)
            shown = change(desk, ticket, body["ticket"]["state"])
            return http, {"ticket": {**body["ticket"], "state": shown}}


def fallen_back(desk, ticket, state):
    """The job comes a second time some seconds after it was done, and takes some seconds again."""
    if state != "completed":
        return state
    ticket.done = getattr(ticket, "done", desk.world.now())
    return "running" if 1 <= desk.world.now() - ticket.done < 6 else state


shown_as("completed-task-falls-back-to-running", fallen_back)
shown_as(
    "input-required-shown-as-failed", lambda desk, ticket, state: "failed" if state == "input_required" else state
)
shown_as(
    "task-state-retrying-outside-list",
    # Where something came before, it was the first attempt.
    lambda desk, ticket, state: "retrying" if state == "running" and len(ticket.plan) > 2 else state,
)


# Approvals.


def work_of(question):
    if question.work:
        question.work()


@defect("gated-work-done-before-review", by=around(Desk, "ask"))
def _(original, desk, account, work=None):
    if work:
        work()
    return original(desk, account)


@defect("reading-approval-releases-work", by=at(APPROVAL))
def _(act, call, number):
    found = act(call, number)
    if found[0] == 200:
        call.world.desk.decide(call.world.desk.questions[number], "approved")
    return found


def unreadable(name, when):
    @defect(name, by=at(APPROVAL))
    def _(act, call, number):
        question = call.world.desk.questions.get(number)
        return (404, {"error": "There is no such approval."}) if question and when(question) else act(call, number)


unreadable("decided-approval-answers-404", lambda question: question.decision != "")
unreadable("approval-unreadable-until-owner-opens", lambda question: question.decision == "")


@defect("approval-read-returns-newest", by=at(APPROVAL))
def _(act, call, number):
    every = call.world.desk.questions
    mine = [name for name, one in every.items() if one.account == call.key.account and one.decision == ""]
    return act(call, mine[-1] if number in mine else number)


@defect("rejected-work-runs-if-retried-earlier")
def _():
    @around(operations, "once")
    def once(original, call, name, run):
        before = name is not None and name in call.house.deeds
        found = original(call, name, run)
        if before and found[1].get("status") == "pending_approval":
            call.world.desk.questions[str(found[1]["asks"]["question"])].queued = True
        return found

    @around(Desk, "decide")
    def decide(original, desk, question, decision):
        if decision == "rejected" and question.decision == "" and getattr(question, "queued", False):
            work_of(question)
        original(desk, question, decision)


@defect("double-approve-runs-work-twice", by=around(Desk, "decide"))
def _(original, desk, question, decision):
    now = desk.world.now()
    twice = question.decision == decision == "approved" and now - question.approved < 1
    if question.decision == "":
        question.approved = now
    if twice:
        work_of(question)
    original(desk, question, decision)


@defect("one-approval-releases-all-pending", by=around(Desk, "decide"))
def _(original, desk, question, decision):
    original(desk, question, decision)
    for other in list(desk.questions.values()) if decision == "approved" else ():
        # All that have work are of one operation.
        if other.work and question.work and other.account == question.account:
            original(desk, other, decision)


# Uploads.


def is_paper(question):
    return question.work is None


@defect("small-document-skips-approval")
def _():
    @at(PAPERS)
    def announce(act, call):
        """How large it will be may be announced with it."""
        KNOWN.small = json.loads(call.raw or b"{}").get("bytes", 0) < 65_536
        return act(call)

    @around(Desk, "ask")
    def ask(original, desk, account, work=None):
        question = original(desk, account, work)
        question.decision = "approved" if is_paper(question) and KNOWN.small else ""
        return question


@defect("later-documents-ride-on-approval", by=around(Desk, "ask"))
def _(original, desk, account, work=None):
    before = [one for one in desk.questions.values() if is_paper(one) and one.account == account]
    question = original(desk, account, work)
    if is_paper(question) and any(one.decision == "approved" for one in before):
        question.decision = "approved"
    return question


@defect("approved-retry-asks-approval-again", by=at(PAPERS))
def _(act, call):
    found = act(call)
    return call.world.desk.ask(call.key.account).receipt() if found[1].get("status") == "completed" else found


@defect("approved-retry-replays-pending-receipt")
def _():
    first = {}

    @at(PAPERS)
    def announce(act, call):
        return first.setdefault(call.headers.get("X-First-Key"), act(call))


@defect("non-ascii-filename-retry-conflicts", by=at(PAPERS))
def _(act, call):
    found = act(call)
    if found[1].get("status") == "completed" and not json.loads(call.raw)["called"].isascii():
        return failed("IDEMPOTENCY_CONFLICT", "Take another key for another paper.", 409)
    return found


@defect("excel-upload-held-as-document", by=at(SHEETS))
def _(act, call):
    return call.world.desk.ask(call.key.account).receipt() if call.raw.startswith(b"PK") else act(call)


@defect("spreadsheet-held-behind-pending-document", by=at(SHEETS))
def _(act, call):
    waiting = [one for one in call.world.desk.questions.values() if is_paper(one) and one.decision == ""]
    held = any(one.account == call.key.account for one in waiting)
    return call.world.desk.ask(call.key.account).receipt() if held else act(call)


@defect("spreadsheet-upload-without-scope", by=at(SHEETS, SEAL))
def _(act, call, *number):
    return act(granted(call), *number)


@defect("approved-retry-skips-scope-check", by=at(PAPERS, PAGE))
def _(act, call, *number):
    deed = call.house.deeds.get(("X-First-Key", call.headers.get("X-First-Key")))
    approved = number or (deed and deed.over.is_set() and deed.receipt()[1].get("status") == "completed")
    return act(granted(call) if approved else call, *number)


@defect("upload-needs-design-read-too", by=at(SHEETS, SEAL))
def _(act, call, *number):
    return act(call if "agent_design_read" in call.key.scopes else granted(call, "chat"), *number)


# Billing.


@defect("plan-listing-open-to-all-keys", by=at(TARIFFS))
def _(act, call):
    return act(granted(call))


@defect("billing-scope-skipped-with-agent-restriction", by=at(CONTRACT, BILLS))
def _(act, call):
    return act(granted(call) if call.key.agent else call)


@defect("billing-usage-cache-before-scope")
def _():
    kept = {}

    @at(USAGE)
    def usage(act, call):
        until, found = kept.get(call.key.account, (0, None))
        if call.world.now() < until:
            return found
        found = act(call)
        if found[0] == 200 and "credits" in found[1]:
            kept[call.key.account] = (call.world.now() + 30, found)
        return found


def miscounted():
    """What the usage read counts too much, by account."""
    extra = {}

    @at(USAGE)
    def usage(act, call):
        http, body = act(call)
        if "credits" not in body:
            return http, body
        credits = {**body["credits"]}
        credits["remaining"] = round(credits["remaining"] + extra.get(call.key.account, 0), 6)
        return http, {**body, "credits": credits}

    return extra


@defect("usage-misses-streamed-turns")
def _():
    extra = miscounted()

    @around(chat, "perform")
    def perform(original, call, *turn):
        found = original(call, *turn)
        if call.body["stream"]:
            extra[call.key.account] = extra.get(call.key.account, 0) + found["credits_used"]
        return found


@defect("usage-charged-for-replayed-turn")
def _():
    extra = miscounted()

    @around(chat, "again")
    def again_(original, call, turn):
        extra[call.key.account] = extra.get(call.key.account, 0) - turn.reply["credits_used"]
        return original(call, turn)


@defect("usage-omits-remaining-at-zero", by=at(USAGE))
def _(act, call):
    http, body = act(call)
    credits = body.get("credits", {})
    if credits.get("remaining") == 0:
        body = {**body, "credits": {name: value for name, value in credits.items() if name != "remaining"}}
    return http, body


def contract(name, status, change):
    """A defect of the subscription of an account in this state."""

    @defect(name, by=at(CONTRACT))
    def _(act, call):
        http, body = act(call)
        return http, {**body, **change} if body["status"] == status else body


CARD = {"brand": "Visa", "last4": "4242", "exp_month": 4, "exp_year": 2031}
contract("trial-subscription-without-plan-name", "on trial", {"plan": None})
contract("past-due-subscription-leaks-card", "past due", {"could_not_charge": {"card": CARD}})


@defect("paid-invoice-shows-card-digits", by=at(BILLS))
def _(act, call):
    http, body = act(call)
    shown = [{**bill, "card": CARD} if bill["paid"] == "by card" else bill for bill in body.get("bills", [])]
    return http, {**body, "bills": shown} if shown else body


@defect("invoice-limit-one-returns-all", by=at(BILLS))
def _(act, call):
    http, body = act(call)
    one = call.query.get("limit") == ["1"] and "bills" in body
    return http, {**body, "bills": money.BILLS} if one else body


@defect("plan-listing-selects-plan", by=at(TARIFFS))
def _(act, call):
    found = act(call)
    status, _ = money.CONTRACTS[call.key.account]
    if status == "on trial" and found[0] == 200:
        money.CONTRACTS[call.key.account] = (status, "Bed")
    return found


# Drafts.


def drafted(name, when):
    """Replies follow a draft, where `when` says so of a turn."""

    @defect(name)
    def _():
        @around(chat, "perform")
        def perform(original, call, *turn):
            here = call.world.houses.get(call.key.account)
            draft = here and here.rehearsed.get(call.agent)
            KNOWN.tone = f" ({draft['tone']})" if draft and when(call.body) else ""
            return original(call, *turn)

        @around(chat, "script")
        def script(original, *asked):
            events, text = original(*asked)
            if KNOWN.tone and text:
                return [*events, {"token": KNOWN.tone, "type": "token"}], text + KNOWN.tone
            return events, text


drafted("new-conversations-use-draft", lambda body: not body["conversation_id"])
drafted("streamed-turns-follow-draft", lambda body: body["stream"])


@defect("second-draft-save-goes-live")
def _():
    def sketch(does, call, given):
        before = call.house.rehearsed.get(given["agentId"])
        done = does(call, given)
        if before:
            call.house.on_stage[given["agentId"]] = before
        return done

    dish("agent_setup: sketch", sketch)
