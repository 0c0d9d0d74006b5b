"""Defects of deliveries, and of the events that they tell of."""

import json
import threading
import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone

import chat
import control
import deliveries
import guard
from deliveries import Post
from planting import alone, around, Defects, wrap

KNOWN = threading.local()
ALERT, HANDOFF, APPROVAL = "procedure.alert.created", "procedure.handoff.requested", "procedure.approval.requested"
DECIDED = "payment.verified", "payment.rejected", "procedure.approval.resolved"


def is_sample(delivery):
    return delivery.id.startswith("test_")


def is_retry(delivery):
    return delivery.number > 1


def is_held(delivery):
    return delivery.held


def has_custom(delivery):
    return delivery.hook.fields["custom_headers"]


def always(delivery):
    return True


def headers(when):
    """Changes the headers of the deliveries of which `when` says so."""

    def by(change):
        @around(Post, "headers")
        def _headers(original, post, delivery, signed):
            found = original(post, delivery, signed)
            return change(post, delivery, found) if when(delivery) else found

    return by


def without(end):
    return lambda post, delivery, found: {
        name: value for name, value in found.items() if not name.lower().endswith(end)
    }


def instead(end, value):
    """Another value in the header whose name ends so."""
    return lambda post, delivery, found: {
        name: value(delivery, old) if name.lower().endswith(end) else old for name, old in found.items()
    }


def unpadded(signature):
    return f"sha256={int(signature.removeprefix('sha256='), 16):x}"


def contents(when):
    """Changes the envelopes of the deliveries of which `when` says so."""

    def by(change):
        @around(Post, "content")
        def _content(original, post, delivery):
            found = original(post, delivery)
            return {**found, **change(delivery, found)} if when(delivery) else found

    return by


def one_of(*beginnings):
    return lambda delivery: delivery.event.startswith(beginnings)


def moment(found):
    return datetime.fromisoformat(found["timestamp"])


def hooks_of(post, agent):
    return [hook for hook in list(post.world.hooks.values()) if hook.agent == agent and not hook.gone]


def written(change):
    """`change` of an entry of the log gives what is written down, or None."""

    @around(Post, "write_down")
    def write_down(original, post, delivery, status, seconds):
        entry = change(delivery, status, post.entry(delivery, status, seconds))
        if entry is not None:
            delivery.hook.log.append(entry)


def announced(on):
    """tool.executed is told when `on` says so of an event of the stream."""

    @around(chat, "announce")
    def announce(original, call, event):
        if on(event):
            call.world.post.happen("tool.executed", call.agent)


def silenced(event):
    """An event is not told where another happened before, in the same thread, and none of those behind it since."""

    def by(others):
        after, *until = others
        threads = set()

        @around(Post, "happen")
        def happen(original, post, happened, *thread):
            if not (happened == event and thread in threads):
                original(post, happened, *thread)
            if happened == after:
                threads.add(thread)
            if happened in until:
                threads.discard(thread)

    return by


def near(event):
    """What comes near the event, as control.NEAR has it, is told as the event."""
    wrap(control, "mistaken", lambda original, world, other: other == event or original(world, other))


class Ways(Defects):
    def retries_lose_custom_headers(post, delivery, found) -> headers(is_retry):
        return {name: value for name, value in found.items() if name not in delivery.hook.fields["custom_headers"]}

    test_delivery_lacks_custom_headers = headers(is_sample), retries_lose_custom_headers

    def custom_value_cut_at_colon(post, delivery, found) -> headers(always):
        custom = delivery.hook.fields["custom_headers"]
        return {name: value.partition(":")[0] if name in custom else value for name, value in found.items()}

    def tool_header_says_action_executed(post, delivery, found) -> headers(one_of("tool.executed")):
        return instead("-event", lambda delivery, old: "action.executed")(post, delivery, found)

    retry_lacks_event_header = headers(is_retry), without("-event")
    retry_uses_default_user_agent = headers(is_retry), instead("user-agent", lambda *_: "Python-urllib/3.11")
    test_sender_sends_text_plain = headers(is_sample), instead("content-type", lambda *_: "text/plain")
    user_agent_lost_with_custom_headers = headers(has_custom), without("user-agent")
    new_delivery_id_per_attempt = headers(is_retry), instead("-delivery-id", lambda *_: f"whd_{uuid.uuid4().hex}")
    leading_zeros_dropped_from_digest = headers(always), instead("-signature", lambda _, old: unpadded(old))
    test_signature_lacks_sha256_prefix = headers(is_sample), instead("-signature", lambda _, old: old[7:])
    signature_missing_after_pause = headers(is_held), without("-signature")

    def dashboard_events_carry_project_id(delivery, found) -> contents(one_of(*DECIDED)):
        return {"chatbotId": "acme"}

    def retry_timestamp_becomes_epoch_number(delivery, found) -> contents(is_retry):
        return {"timestamp": int(moment(found).timestamp() * 1000)}

    def payment_timestamp_is_database_text(delivery, found) -> contents(one_of("payment.", "record.")):
        return {"timestamp": moment(found).astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")}

    def retried_payload_is_json_text(delivery, found) -> contents(is_retry):
        return {"payload": json.dumps(found["payload"])}

    def payload_null_without_details(delivery, found) -> contents(one_of("procedure.escalated", HANDOFF)):
        return {"payload": None}

    def non_ascii_customer_name_stripped(delivery, found) -> contents(one_of("leads.submit")):
        name = found["payload"]["customerName"].encode("ascii", "ignore").decode()
        return {"payload": {**found["payload"], "customerName": name}}

    def delayed_deliveries_lose_whd_prefix(post, delivery, found) -> headers(is_held):
        return instead("-delivery-id", lambda _, old: old.removeprefix("whd_"))(post, delivery, found)

    # Who gets what.
    def event_family_matched_by_prefix(original, post, hook, event, agent) -> around(Post, "wants"):
        families = {one.partition(".")[0] for one in hook.fields["events"]}
        return hook.agent == agent and event.partition(".")[0] in families and post.alive(hook, event)

    def second_subscriber_never_served(original, post, hook, event, agent) -> around(Post, "wants"):
        return hook is next((one for one in hooks_of(post, agent) if original(post, one, event, agent)), None)

    def events_of_other_agent_delivered(original, post, hook, event, agent) -> around(Post, "wants"):
        return original(post, hook, event, hook.agent)  # all agents that have webhooks here are of one project

    def off_switch_stops_sibling_webhooks(original, post, hook, event, agent) -> around(Post, "wants"):
        return all(one.active for one in hooks_of(post, agent)) and original(post, hook, event, agent)

    # The log.
    log_retry_count_stays_zero = written, lambda delivery, status, entry: {**entry, "again": 0}
    log_keeps_first_attempt_status = written, lambda delivery, status, entry: None if is_retry(delivery) else entry
    unreachable_failures_not_logged = written, lambda delivery, status, entry: None if status is None else entry

    def third_failure_shown_as_success(delivery, status, entry) -> written:
        return {**entry, "went": "well"} if delivery.number == 3 else entry

    # What has happened, and is told or not.
    failed_action_emits_tool_executed = announced, lambda event: event["type"] == "action_complete"
    tool_executed_sent_at_start = announced, lambda event: event["type"] == "action_start"
    cancel_after_reschedule_is_silent = silenced("booking.cancelled"), ("booking.rescheduled", "booking.created")
    second_form_submission_is_silent = silenced("custom_form.submitted"), ("custom_form.submitted",)
    second_proof_is_not_announced = silenced("payment.proof_received"), ("payment.rejected", "payment.verified")
    known_customer_lead_not_announced = silenced("leads.submit"), ("leads.submit",)
    second_alert_in_run_suppressed = silenced(ALERT), (ALERT, "procedure.escalated")
    repeated_handoff_is_not_announced = silenced(HANDOFF), (HANDOFF,)
    second_approval_step_not_announced = silenced(APPROVAL), (APPROVAL, "procedure.escalated")
    lost_slot_emits_booking_created = near, "booking.created"
    unconfirmed_order_emits_confirmed = near, "order.confirmed"
    record_update_emits_record_created = near, "record.created"
    escalated_sent_on_every_failed_step = near, "procedure.escalated"

    def test_flag_at_envelope_top() -> alone:
        def sample(original, post, hook):
            """Of an event that the webhook has selected; only the sample of a lead has its mark."""
            event = hook.fields["events"][0]
            if event == deliveries.SAMPLE:
                return original(post, hook)
            payload = deliveries.payload_of(event, str(uuid.uuid4()))
            delivery = deliveries.Delivery(f"test_{next(post.numbers)}", hook, event, payload)
            post.world.clock.after(0, post.attempt, delivery, deliveries.ATTEMPTS, True)

        @around(Post, "content")
        def content(original, post, delivery):
            found = original(post, delivery)
            return {**found, "_test": True} if is_sample(delivery) and "_test" not in found["payload"] else found

    # What is signed.
    def non_ascii_escaped_after_signing(original, post, delivery) -> around(Post, "envelope"):
        original(post, delivery)
        return json.dumps(json.loads(delivery.body), indent=1, ensure_ascii=False).encode()

    def retry_body_differs_from_signed(original, post, delivery) -> around(Post, "envelope"):
        if is_retry(delivery):
            first = json.loads(delivery.body)
            delivery.body = json.dumps(dict(reversed(first.items())), indent=1).encode()
            return delivery.first
        delivery.first = original(post, delivery)
        return delivery.first

    def sibling_webhook_secret_signs(original, post, delivery, signed) -> around(Post, "signature"):
        hooks = [hook for hook in list(post.world.hooks.values()) if post.wants(hook, delivery.event, delivery.hook.agent)]
        secret = delivery.hook.secret if is_sample(delivery) or not hooks else hooks[0].secret
        return original(post, replace(delivery, hook=replace(delivery.hook, secret=secret)), signed)

    def off_webhook_gets_procedure_events(original, post, hook, event) -> around(Post, "alive"):
        return (not hook.gone and event.startswith(("procedure.", "payment."))) or original(post, hook, event)

    def one_id_for_two_webhooks() -> alone:
        def happen(original, post, *event):
            KNOWN.id = f"whd_{uuid.uuid4().hex}"
            return original(post, *event)

        Post.live_id = lambda post: KNOWN.id

    def repeated_tests_share_one_id() -> alone:
        headers_of = instead("-delivery-id", lambda delivery, old: f"test_{delivery.hook.id}")

        @around(Post, "headers")
        def _headers(original, post, delivery, signed):
            found = original(post, delivery, signed)
            return headers_of(post, delivery, found) if is_sample(delivery) else found

    # Attempts.
    def no_content_answer_counts_failed() -> alone:
        deliveries.well = lambda status: status == 200

    def empty_success_body_counts_failed(original, post, answer) -> around(Post, "heard"):
        status, location = original(post, answer)
        if deliveries.well(status):
            json.loads(answer.read())  # a ValueError where it is none, as for an answer that never came
        return status, location

    def third_attempt_after_second_succeeds() -> alone:
        def attempt(original, post, delivery, number, sample=False):
            original(post, delivery, number, sample)
            if number == 2 and deliveries.well(getattr(delivery, "status", None)):
                post.world.clock.after(deliveries.BACKOFF, original, post, delivery, 3)

        @around(Post, "post")
        def _post(original, post, delivery):
            delivery.status = original(post, delivery)
            return delivery.status

    def four_xx_answer_never_retried(original, post, delivery, status) -> around(Post, "goes_on"):
        return status not in range(400, 500) and original(post, delivery, status)

    def twenty_second_answer_counts_delivered() -> alone:
        deliveries.PATIENCE = 30.0

    def refused_connection_never_retried() -> alone:
        def unreached(original, *arguments):
            KNOWN.unreached = True
            found = original(*arguments)
            KNOWN.unreached = False
            return found

        wrap(Post, "connect", unreached)
        wrap(guard, "addresses", unreached)

        @around(Post, "goes_on")
        def goes_on(original, post, delivery, status):
            return not (status is None and getattr(KNOWN, "unreached", False)) and original(post, delivery, status)

    def timeouts_get_fourth_attempt() -> alone:
        def _post(original, post, delivery):
            began = post.world.now()
            status = original(post, delivery)
            late = status is None and post.world.now() - began >= deliveries.PATIENCE
            delivery.late = getattr(delivery, "late", False) or late
            return status

        @around(Post, "goes_on")
        def goes_on(original, post, delivery, status):
            return original(post, delivery, status) or (delivery.late and delivery.number == deliveries.ATTEMPTS)

    # Where to.
    def redirect_followed_to_http() -> alone:
        def _post(original, post, delivery):
            KNOWN.sending = True
            try:
                return original(post, delivery)
            finally:
                KNOWN.sending = False

        @around(guard, "check")
        def check(original, url, fault=None):
            return original(url, "http-taken" if getattr(KNOWN, "sending", False) else fault)

    def public_name_resolving_private_passes(original, host, port, fault=None) -> around(guard, "addresses"):
        return [guard.HOUSE[host]] if host in guard.HOUSE else original(host, port, fault)

    def address_changed_later_not_checked() -> alone:
        def check(original, url, fault=None):
            original(url, fault)
            _, host, port, _ = guard.split(url)
            with suppress(OSError):  # what is not found may be found when it is delivered to
                guarded(host, port, fault)

        guarded = guard.addresses
        guard.addresses = lambda host, port, fault=None: [str(one) for one in guard.found(host, port)]

    def upper_172_range_not_blocked(original, address) -> around(guard, "public"):
        inner = str(getattr(address, "ipv4_mapped", None) or address)
        upper = inner.startswith("172.") and 17 <= int(inner.split(".")[1]) <= 31
        return upper or original(address)

    # Pauses.
    def pause_flips_is_active_off(original, post, hook) -> around(Post, "fail"):
        original(post, hook)
        hook.active = hook.active and hook.paused_until <= post.world.now()

    def pause_hits_all_agent_webhooks(original, post, hook) -> around(Post, "fail"):
        original(post, hook)
        for other in hooks_of(post, hook.agent):
            other.paused_until = max(other.paused_until, hook.paused_until)

    # What has happened.
    def equal_events_merged_as_repeats() -> alone:
        told = {}

        @around(Post, "happen")
        def happen(original, post, event, agent, conversation=None):
            now = post.world.now()
            # The payload of an event is made of these.
            last, told[event, agent, conversation] = told.get((event, agent, conversation), -60.0), now
            if now - last >= 60:
                original(post, event, agent, conversation)

    def simultaneous_events_overwrite_each_other() -> alone:
        taken = {}

        @around(Post, "happen")
        def happen(original, post, event, agent, conversation=None):
            """What is written last in a millisecond is what is read of it afterwards."""
            slot = (agent, int(post.world.now() * 1000))
            taken[slot] = (event, conversation)
            post.world.clock.after(0.002, empty, original, post, slot)

        def empty(original, post, slot):
            event = taken.pop(slot, None)
            if event:
                original(post, event[0], slot[0], event[1])

    def replayed_turn_emits_message_sent(original, call, turn) -> around(chat, "again"):
        call.world.post.happen("message.sent", call.agent, turn.reply["conversation_id"])
        return original(call, turn)

    def paused_message_emits_message_sent(original, call, *turn) -> around(chat, "perform"):
        found = original(call, *turn)
        if call.agent in call.world.paused:
            call.world.post.happen("message.sent", call.agent, found["conversation_id"])
        return found

    def streamed_reply_emits_two_events(original, call, *turn) -> around(chat, "perform"):
        found = original(call, *turn)
        if call.body["stream"] and found["response"]:
            call.world.post.happen("message.sent", call.agent, found["conversation_id"])
        return found

    def two_tools_emit_one_event() -> alone:
        def act(original, call, events, *more):
            KNOWN.told = False
            original(call, events, *more)

        @around(chat, "announce")
        def announce(original, call, event):
            succeeded = event["type"] == "action_complete" and event["success"]
            if succeeded and not KNOWN.told:
                KNOWN.told = True
                original(call, event)

    def reschedule_sent_as_cancel_create(original, post, event, *where) -> around(Post, "happen"):
        parts = ("booking.cancelled", "booking.created") if event == "booking.rescheduled" else (event,)
        for part in parts:
            original(post, part, *where)

    def approval_emits_pending_again(original, post, event, *where) -> around(Post, "happen"):
        original(post, event, *where)
        if event == "payment.verified":
            original(post, "payment.verification_pending", *where)

    def second_decision_repeats_first_outcome() -> alone:
        rejected = set()

        @around(Post, "happen")
        def happen(original, post, event, agent, conversation=None):
            rejected.update({(agent, conversation)} if event == "payment.rejected" else ())
            again = event == "payment.verified" and (agent, conversation) in rejected
            original(post, "payment.rejected" if again else event, agent, conversation)

    def pending_swallowed_by_proof_event() -> alone:
        proofs = set()

        @around(Post, "happen")
        def happen(original, post, event, *thread):
            KNOWN.proof = thread in proofs
            original(post, event, *thread)
            if event == "payment.proof_received":
                proofs.add(thread)
            elif event.startswith("payment."):
                proofs.discard(thread)

        @around(Post, "wants")
        def wants(original, post, hook, event, agent):
            both = {"payment.proof_received", "payment.verification_pending"} <= set(hook.fields["events"])
            swallowed = event == "payment.verification_pending" and both and getattr(KNOWN, "proof", False)
            return not swallowed and original(post, hook, event, agent)

    def rejected_approval_emits_nothing(original, post, event, *where) -> around(Post, "happen"):
        """Every second one is a rejection."""
        if event == "procedure.approval.resolved":
            number = post.resolved = getattr(post, "resolved", 0) + 1
            if number % 2 == 0:
                return
        original(post, event, *where)

    def waiting_customer_repeats_approval_request() -> alone:
        waiting = set()

        @around(Post, "happen")
        def happen(original, post, event, agent, conversation=None):
            if event == APPROVAL:
                waiting.add(agent)
            if event == "procedure.approval.resolved":
                waiting.discard(agent)
            original(post, event, agent, conversation)
            if event == "message.sent" and agent in waiting:
                original(post, APPROVAL, agent)
