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
from planting import alone, around, Defects

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
CARD = {"brand": "Visa", "last4": "4242", "exp_month": 4, "exp_year": 2031}
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


def again(change):
    """What comes of a key that was sent before is changed."""

    @around(operations, "once")
    def once(original, call, key, run):
        before = key is not None and key in call.house.deeds
        found = original(call, key, run)
        return change(call, found) if before else found


def shown_as(change):
    """The state that a task shows is another one."""

    @around(Desk, "read_ticket")
    def read_ticket(original, desk, ticket):
        http, body = original(desk, ticket)
        shown = change(desk, ticket, body["ticket"]["state"])
        return http, {"ticket": {**body["ticket"], "state": shown}}


def work_of(question):
    if question.work:
        question.work()


def unreadable(when):
    @at(APPROVAL)
    def approval(act, call, number):
        question = call.world.desk.questions.get(number)
        return (404, {"error": "There is no such approval."}) if question and when(question) else act(call, number)


def is_paper(question):
    return question.work is None


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


def contract(status):
    """Changes the subscription of an account in this state."""

    def by(change):
        @at(CONTRACT)
        def subscription(act, call):
            http, body = act(call)
            return http, {**body, **change} if body["status"] == status else body

    return by


def drafted(when):
    """Replies follow a draft, where `when` says so of a turn."""

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


class Ways(Defects):
    def repeated_completed_receipt_without_data(call, found) -> again:
        http, body = found
        return (http, {**body, "data": None}) if body.get("status") == "completed" else found

    def retry_while_pending_says_completed(call, found) -> again:
        return receipt("completed", data={"granted": True}) if found[1].get("status") == "pending_approval" else found

    def completed_task_falls_back_to_running(desk, ticket, state) -> shown_as:
        """The job comes a second time some seconds after it was done, and takes some seconds again."""
        if state != "completed":
            return state
        ticket.done = getattr(ticket, "done", desk.world.now())
        return "running" if 1 <= desk.world.now() - ticket.done < 6 else state

    def input_required_shown_as_failed(desk, ticket, state) -> shown_as:
        return "failed" if state == "input_required" else state

    def task_state_retrying_outside_list(desk, ticket, state) -> shown_as:
        # Where something came before, it was the first attempt.
        return "retrying" if state == "running" and len(ticket.plan) > 2 else state

    decided_approval_answers_404 = unreadable, lambda question: question.decision != ""
    approval_unreadable_until_owner_opens = unreadable, lambda question: question.decision == ""
    trial_subscription_without_plan_name = contract("on trial"), {"plan": None}
    past_due_subscription_leaks_card = contract("past due"), {"could_not_charge": {"card": CARD}}
    new_conversations_use_draft = drafted, lambda body: not body["conversation_id"]
    streamed_turns_follow_draft = drafted, lambda body: body["stream"]

    # The menu.
    def discovery_cached_per_project() -> alone:
        kept = {}

        @at(LIST)
        def menu_of(act, call):
            until, found = kept.get(call.key.account, (0, None))
            if call.world.now() >= until:
                until, found = kept[call.key.account] = (call.world.now() + 60, act(call))
            return found

    def discovery_omits_approval_gated_operations(act, call) -> at(LIST):
        found = act(call)
        dishes(found).pop("guests~evict")
        return found

    def discovery_any_scope_shows_all_reads(act, call) -> at(LIST):
        found = act(call)
        every = {name: shown for name, shown in dishes(act(granted(call))).items() if not MENU[name].writes}
        if set(call.key.scopes) - {"chat"}:
            dishes(found).update(every)
        return found

    def schema_null_for_upload_operations(act, call) -> at(LIST):
        found = act(call)
        if "knowledge.write" in call.key.scopes:
            dishes(found)["drop a paper"] = {"takes": None, "says": "bring it to the drop"}
        return found

    # Who runs what.
    def schema_optional_field_demanded_at_run(act, call, name) -> at(EXECUTE):
        given = given_of(call)
        if name == "guest book/sign" and isinstance(given, dict) and "mood" not in given:
            return failed("UNFIT", "Say in which mood.")
        return act(call, name)

    def non_ascii_operation_input_refused(act, call, name) -> at(EXECUTE):
        if not json.dumps(given_of(call), ensure_ascii=False).isascii():
            return failed("UNFIT", "Compare it with what the menu says.")
        return act(call, name)

    def undiscovered_read_operations_run(act, call, name) -> at(EXECUTE):
        return act(call if name not in MENU or MENU[name].writes else granted(call), name)

    def uppercase_operation_id_bypasses_permission(act, call, name) -> at(EXECUTE):
        known = next((one for one in MENU if one.lower() == name.lower()), name)
        return act(call, name) if name in MENU else act(granted(call), known)

    def execution_refuses_agent_restricted_keys(act, call, name) -> at(EXECUTE):
        return failed("NOT_FOR_YOU", "This key is for one agent.", 403) if call.key.agent else act(call, name)

    def execution_refused_while_replies_paused(act, call, name) -> at(EXECUTE):
        if name == "agent_setup.inspect" and agent_of(call) in call.world.paused:
            return 409, {"error": "A person has taken over; the state is AI_REPLY_PAUSED for now."}
        return act(call, name)

    def inspect_allowed_by_read_agents(act, call, name) -> at(EXECUTE):
        may = name == "agent_setup.inspect" and "read_agents" in call.key.scopes
        return act(granted(call) if may else call, name)

    def cached_inspect_skips_scope() -> alone:
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

    def inspect_ignores_agent_id() -> alone:
        dish("agent_setup.inspect", lambda does, call, given: does(call, {"agentId": "mario"}))

    def restricted_key_inspects_other_agent() -> alone:
        operations.out_of_reach = lambda call, given: None

    def restricted_key_reads_foreign_task(act, call, number) -> at(TASK):
        return act(replace(call, key=replace(call.key, agent="")), number)

    def replay_hands_out_foreign_receipt(act, call, name) -> at(EXECUTE):
        deed = call.house.deeds.get((name, call.headers.get(operations.KEY)))
        return deed.receipt() if deed and deed.over.is_set() else act(call, name)

    def agents_listed_to_chat_keys(act, call) -> at(STAFF):
        return act(granted(call) if "chat" in call.key.scopes else call)

    def agent_listing_hidden_without_design_read(act, call) -> at(STAFF):
        return act(call if "agent_design_read" in call.key.scopes else granted(call, "chat"))

    # Keys of writes.
    def parallel_same_key_writes_both_run(original, call, name, run) -> around(operations, "once"):
        if name is None or name in call.house.deeds:
            return original(call, name, run)
        time.sleep(0.02)
        deed = Deed(receipt=run())
        deed.over.set()
        call.house.deeds[name] = deed
        return deed.receipt()

    def retry_of_accepted_starts_second_task(original, call, name, run) -> around(operations, "once"):
        found = original(call, name, run)
        if found[1].get("status") == "accepted":
            call.house.deeds.pop(name, None)
        return found

    def uncertain_write_runs_again(original, call, name, run) -> around(operations, "once"):
        deed = call.house.deeds.get(name)
        if deed and deed.over.is_set() and (deed.doubted or deed.receipt() == house.DOUBT):
            del call.house.deeds[name]
        return original(call, name, run)

    # Receipts.
    def empty_result_leaves_out_data(act, call, name) -> at(EXECUTE):
        http, body = act(call, name)
        data = body.get("data")
        # The result of this one is a list, which has a name.
        empty = isinstance(data, dict) and (not data or list(data.values()) == [[]])
        return http, {key: value for key, value in body.items() if key != "data" or not empty}

    def large_result_data_as_string(act, call, name) -> at(EXECUTE):
        http, body = act(call, name)
        long = "data" in body and len(json.dumps(body["data"])) > 8192
        return http, {**body, "data": json.dumps(body["data"])} if long else body

    def unforeseen_failure_without_resolution(act, call, name) -> at(EXECUTE):
        http, body = act(call, name)
        error = body.get("error")
        if isinstance(error, dict) and error["code"] in ("UNREADABLE", "OVEN_SILENT"):
            return http, {**body, "error": {"code": "UNEXPECTED", "resolution": ""}}
        return http, body

    def timeout_failure_error_is_string(act, call, name) -> at(EXECUTE):
        http, body = act(call, name)
        error = body.get("error")
        late = isinstance(error, dict) and error["code"] == "OVEN_SILENT"
        return http, {**body, "error": "timeout"} if late else body

    def uncertain_resolution_advises_new_key() -> alone:
        menu.DOUBT = deeds.DOUBT = failed("OUTCOME_UNCERTAIN", "Send the operation again with a new idempotency key.")

    def renewal_receipt_names_no_action(act, call, number) -> at(PAGE):
        http, body = act(call, number)
        error = body.get("error")
        if isinstance(error, dict) and error["code"] == "UPLOAD_RENEWAL_INCOMPLETE":
            return failed("UPLOAD_RENEWAL_INCOMPLETE", "Try again later.")
        return http, body

    def confirm_member_skips_server_approval(act, call, name) -> at(EXECUTE):
        found = act(call, name)
        sent = json.loads(call.raw) if found[1].get("status") == "pending_approval" else {}
        if sent.get("confirm") is not True:
            return found
        call.world.desk.decide(call.world.desk.questions[str(found[1]["asks"]["question"])], "approved")
        return receipt("completed", data={"granted": True})

    # Tasks.
    def accepted_task_not_readable_yet() -> alone:
        def begin(original, desk, *ticket, **named):
            found = original(desk, *ticket, **named)
            found.born = desk.world.now()
            return found

        @at(TASK)
        def task(act, call, number):
            ticket = call.world.desk.tickets.get(number)
            young = ticket and call.world.now() - ticket.born < 2
            return (404, {"error": "There is no such task."}) if young else act(call, number)

    def final_task_gone_after_first_read(act, call, number) -> at(TASK):
        found = act(call, number)
        ticket = call.world.desk.tickets.get(number)
        if found[0] == 200 and ticket and ticket.state in house.FINAL:
            del call.world.desk.tickets[number]
        return found

    def parallel_accepted_share_task_id(original, desk, account, *ticket, **named) -> around(Desk, "begin"):
        found = original(desk, account, *ticket, **named)
        del desk.tickets[found.id]
        found.id = f"no. {account}/{int(desk.world.now())}"
        desk.tickets[found.id] = found
        return found

    def gated_work_done_before_review(original, desk, account, work=None) -> around(Desk, "ask"):
        if work:
            work()
        return original(desk, account)

    def reading_approval_releases_work(act, call, number) -> at(APPROVAL):
        found = act(call, number)
        if found[0] == 200:
            call.world.desk.decide(call.world.desk.questions[number], "approved")
        return found

    def approval_read_returns_newest(act, call, number) -> at(APPROVAL):
        every = call.world.desk.questions
        mine = [name for name, one in every.items() if one.account == call.key.account and one.decision == ""]
        return act(call, mine[-1] if number in mine else number)

    def rejected_work_runs_if_retried_earlier() -> alone:
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

    def double_approve_runs_work_twice(original, desk, question, decision) -> around(Desk, "decide"):
        now = desk.world.now()
        twice = question.decision == decision == "approved" and now - question.approved < 1
        if question.decision == "":
            question.approved = now
        if twice:
            work_of(question)
        original(desk, question, decision)

    def one_approval_releases_all_pending(original, desk, question, decision) -> around(Desk, "decide"):
        original(desk, question, decision)
        for other in list(desk.questions.values()) if decision == "approved" else ():
            # All that have work are of one operation.
            if other.work and question.work and other.account == question.account:
                original(desk, other, decision)

    def small_document_skips_approval() -> alone:
        def announce(act, call):
            """How large it will be may be announced with it."""
            KNOWN.small = json.loads(call.raw or b"{}").get("bytes", 0) < 65_536
            return act(call)

        @around(Desk, "ask")
        def ask(original, desk, account, work=None):
            question = original(desk, account, work)
            question.decision = "approved" if is_paper(question) and KNOWN.small else ""
            return question

    def later_documents_ride_on_approval(original, desk, account, work=None) -> around(Desk, "ask"):
        before = [one for one in desk.questions.values() if is_paper(one) and one.account == account]
        question = original(desk, account, work)
        if is_paper(question) and any(one.decision == "approved" for one in before):
            question.decision = "approved"
        return question

    def approved_retry_asks_approval_again(act, call) -> at(PAPERS):
        found = act(call)
        return call.world.desk.ask(call.key.account).receipt() if found[1].get("status") == "completed" else found

    def approved_retry_replays_pending_receipt() -> alone:
        first = {}

        @at(PAPERS)
        def announce(act, call):
            return first.setdefault(call.headers.get("X-First-Key"), act(call))

    def non_ascii_filename_retry_conflicts(act, call) -> at(PAPERS):
        found = act(call)
        if found[1].get("status") == "completed" and not json.loads(call.raw)["called"].isascii():
            return failed("IDEMPOTENCY_CONFLICT", "Take another key for another paper.", 409)
        return found

    def excel_upload_held_as_document(act, call) -> at(SHEETS):
        return call.world.desk.ask(call.key.account).receipt() if call.raw.startswith(b"PK") else act(call)

    def spreadsheet_held_behind_pending_document(act, call) -> at(SHEETS):
        waiting = [one for one in call.world.desk.questions.values() if is_paper(one) and one.decision == ""]
        held = any(one.account == call.key.account for one in waiting)
        return call.world.desk.ask(call.key.account).receipt() if held else act(call)

    spreadsheet_upload_without_scope = at(SHEETS, SEAL), lambda act, call, *number: act(granted(call), *number)

    def approved_retry_skips_scope_check(act, call, *number) -> at(PAPERS, PAGE):
        deed = call.house.deeds.get(("X-First-Key", call.headers.get("X-First-Key")))
        approved = number or (deed and deed.over.is_set() and deed.receipt()[1].get("status") == "completed")
        return act(granted(call) if approved else call, *number)

    def upload_needs_design_read_too(act, call, *number) -> at(SHEETS, SEAL):
        return act(call if "agent_design_read" in call.key.scopes else granted(call, "chat"), *number)

    # Billing.
    plan_listing_open_to_all_keys = at(TARIFFS), lambda act, call: act(granted(call))

    def billing_scope_skipped_with_agent_restriction(act, call) -> at(CONTRACT, BILLS):
        return act(granted(call) if call.key.agent else call)

    def billing_usage_cache_before_scope() -> alone:
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

    def usage_misses_streamed_turns() -> alone:
        extra = miscounted()

        @around(chat, "perform")
        def perform(original, call, *turn):
            found = original(call, *turn)
            if call.body["stream"]:
                extra[call.key.account] = extra.get(call.key.account, 0) + found["credits_used"]
            return found

    def usage_charged_for_replayed_turn() -> alone:
        extra = miscounted()

        @around(chat, "again")
        def again_(original, call, turn):
            extra[call.key.account] = extra.get(call.key.account, 0) - turn.reply["credits_used"]
            return original(call, turn)

    def usage_omits_remaining_at_zero(act, call) -> at(USAGE):
        http, body = act(call)
        credits = body.get("credits", {})
        if credits.get("remaining") == 0:
            body = {**body, "credits": {name: value for name, value in credits.items() if name != "remaining"}}
        return http, body

    def paid_invoice_shows_card_digits(act, call) -> at(BILLS):
        http, body = act(call)
        shown = [{**bill, "card": CARD} if bill["paid"] == "by card" else bill for bill in body.get("bills", [])]
        return http, {**body, "bills": shown} if shown else body

    def invoice_limit_one_returns_all(act, call) -> at(BILLS):
        http, body = act(call)
        one = call.query.get("limit") == ["1"] and "bills" in body
        return http, {**body, "bills": money.BILLS} if one else body

    def plan_listing_selects_plan(act, call) -> at(TARIFFS):
        found = act(call)
        status, _ = money.CONTRACTS[call.key.account]
        if status == "on trial" and found[0] == 200:
            money.CONTRACTS[call.key.account] = (status, "Bed")
        return found

    def second_draft_save_goes_live() -> alone:
        def sketch(does, call, given):
            before = call.house.rehearsed.get(given["agentId"])
            done = does(call, given)
            if before:
                call.house.on_stage[given["agentId"]] = before
            return done

        dish("agent_setup: sketch", sketch)
