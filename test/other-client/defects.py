"""What is planted in the library; in the command line: command_defects.py."""

import re
import uuid
from dataclasses import replace

import command_defects  # noqa: F401  (it fills the table, too)
import events
import library
import wire
from library import Library
from planting import alone, around, Defects, wrap
from wire import Lost, Refused, Trouble

KNOWN = ("token", "action_start", "action_complete", "gate_triggered", "done", "error")


def is_turn(call):
    return call.path.startswith("/api/v1/chat/")


def is_execution(call):
    return call.path.startswith("/api/v1/operation-executions/")


def has_code(trouble, code):
    return isinstance(trouble, Refused) and trouble.code == code


def waits(when, seconds, most=1):
    """Where `when` holds, it is sent again after so many seconds, so many times."""

    def wait_after(original, client, trouble, call, tries):
        if when(trouble, call) and tries < most:
            return seconds
        return None if when(trouble, call) else original(client, trouble, call, tries)

    wrap(Library, "wait_after", wait_after)


def sent_otherwise(when, change):
    """Where `when` holds, what is sent again is another call."""

    def once_more(original, client, call, trouble):
        return change(call) if when(trouble, call) else original(client, call, trouble)

    wrap(Library, "once_more", once_more)


def new_key(call):
    return replace(call, key=str(uuid.uuid4()))


def is_limit(trouble):
    return isinstance(trouble, Refused) and trouble.status == 429


def lost_seconds(when):
    def ask(original, client, call, *take):
        try:
            return original(client, call, *take)
        except Refused as refused:
            if when(call):
                refused.members.pop("retryAfterSeconds", None)
            raise

    wrap(Library, "ask", ask)


# Buttons.


def recased(value):
    if isinstance(value, list):
        return [recased(one) for one in value]
    if not isinstance(value, dict):
        return value
    camel = {re.sub("_([a-z])", lambda found: found[1].upper(), name): recased(one) for name, one in value.items()}
    return camel


def is_falsy(value):
    return value is False or value == "" or (isinstance(value, (int, float)) and value == 0)


def failing_with(members_of):
    def receipt(original, client, body):
        try:
            return original(client, body)
        except Refused as refused:
            trouble = Trouble()
            trouble.members = members_of(refused)
            raise trouble from None

    wrap(Library, "receipt", receipt)


# Uploads.


def upload_keys(change):
    def keys(original, client, kind, file):
        return change(client, kind, file, *original(client, kind, file))

    wrap(Library, "upload_keys", keys)


class Ways(Defects):
    # Replies.
    def zero_credits_mapped_to_undefined(_, reply) -> around(library, "to_caller"):
        mapped = {library.CAMEL[name]: value for name, value in reply.items() if name in library.CAMEL and value}
        return {**{name: value for name, value in reply.items() if name not in library.CAMEL}, **mapped}
    zero_credits_become_undefined = zero_credits_mapped_to_undefined

    def stream_done_left_snake_case() -> alone:
        wrap(Library, "event_to_caller", lambda original, client, event: event)
    library_done_event_unmapped = stream_done_left_snake_case
    done_event_keeps_snake_case = stream_done_left_snake_case

    def customer_message_not_mapped() -> alone:
        del library.CAMEL["customer_message"]

    def library_loses_customer_message(original, reply) -> around(library, "to_caller"):
        return original({name: value for name, value in reply.items() if name != "customer_message"})
    paused_customer_message_lost = library_loses_customer_message

    def library_drops_presentation_without_text(original, reply) -> around(library, "to_caller"):
        return original({name: value for name, value in reply.items() if reply["response"] or name != "presentation"})
    presentation_dropped_with_empty_text = library_drops_presentation_without_text

    # Streams.
    def line_split_across_chunks_dropped() -> alone:
        def each_chunk(_, chunks):
            for chunk in chunks:
                yield from chunk.decode("utf-8", "replace").splitlines()

        def if_json(event_in, line):
            try:
                return event_in(line)
            except ValueError:
                return None

        wrap(events, "lines_of", each_chunk)
        wrap(events, "event_in", if_json)

    def split_character_decoded_per_chunk(lines_of, chunks) -> around(events, "lines_of"):
        return lines_of(chunk.decode("utf-8", "replace").encode() for chunk in chunks)
    split_multibyte_letter_garbled = split_character_decoded_per_chunk

    def library_throws_on_unknown_type(original, client, event) -> around(Library, "event_to_caller"):
        if event.get("type") not in KNOWN:
            raise ValueError(f"unknown event {event.get('type')}")
        return original(client, event)

    def unknown_type_ends_iteration(events_in, response) -> around(library, "events_in"):
        for event in events_in(response):
            if event.get("type") not in KNOWN:
                return
            yield event
    unknown_event_ends_iteration = unknown_type_ends_iteration

    def library_stream_fails_on_media_only(original, client, event) -> around(Library, "event_to_caller"):
        if event.get("presentation"):
            len(event["presentation"]["messages"])
        return original(client, event)

    # Rates.
    def stream_retry_ignores_backoff() -> alone:
        waits(lambda trouble, call: is_limit(trouble) and (call.body or {}).get("stream"), 0, 3)

    rate_limited_call_repeated_at_once = alone, lambda: waits(lambda trouble, call: is_limit(trouble), 0)

    def library_repeats_limited_read_at_once() -> alone:
        waits(lambda trouble, call: is_limit(trouble) and call.method == "GET", 0)

    def rate_error_loses_retry_seconds(refusal, error) -> around(wire, "refusal"):
        refused = refusal(error)
        refused.members.pop("retryAfterSeconds", None)
        if (error.headers.get("Retry-After") or "").isdigit():
            refused.members["retryAfterSeconds"] = int(error.headers["Retry-After"])
        return refused

    def library_retry_after_divided_by_thousand(seconds_in, body) -> around(wire, "seconds_in"):
        return None if seconds_in(body) is None else seconds_in(body) / 1000

    library_retry_after_only_for_chat = lost_seconds, lambda call: not is_turn(call)
    retry_after_lost_when_streaming = lost_seconds, lambda call: (call.body or {}).get("stream")

    # Keys of turns, and turns that are sent again.
    def in_progress_resend_with_new_key() -> alone:
        sent_otherwise(lambda trouble, call: has_code(trouble, "REQUEST_IN_PROGRESS"), new_key)

    def in_progress_resend_drops_conversation() -> alone:
        def bare(call):
            return replace(call, body={"message": call.body["message"]})

        sent_otherwise(lambda trouble, call: has_code(trouble, "REQUEST_IN_PROGRESS"), bare)

    def library_new_key_after_uncertain() -> alone:
        def uncertain(trouble, call):
            return is_turn(call) and has_code(trouble, "OUTCOME_UNCERTAIN")

        waits(uncertain, 0.1)
        sent_otherwise(uncertain, new_key)
    uncertain_outcome_retried_new_key = library_new_key_after_uncertain

    def library_new_key_after_dropped_connection() -> alone:
        def lost(trouble, call):
            return is_turn(call) and isinstance(trouble, Lost)

        sent_otherwise(lost, lambda call: replace(call, key=call.key + "-1"))

    def network_retry_mints_new_key() -> alone:
        sent_otherwise(lambda trouble, call: is_turn(call) and isinstance(trouble, Lost), new_key)

    def stream_method_sends_key_in_body(turn, client, *given) -> around(Library, "turn"):
        call = turn(client, *given)
        if not call.body.get("stream"):
            return call
        return replace(call, key=None, body={**call.body, "idempotency_key": call.key})
    streamed_turn_lacks_key_header = stream_method_sends_key_in_body

    def library_invents_missing_key() -> alone:
        wrap(Library, "checked_key", lambda original, client, key: original(client, key or str(uuid.uuid4())))
    missing_key_silently_generated = library_invents_missing_key

    def library_cuts_key_to_64() -> alone:
        wrap(Library, "checked_key", lambda original, client, key: original(client, key)[:64])

    def library_recases_interaction_payload(_, client, interaction) -> around(Library, "selection"):
        return {name: recased(value) if name == "payload" else value for name, value in interaction.items()}

    def library_drops_falsy_payload(_, client, interaction) -> around(Library, "selection"):
        return {name: value for name, value in interaction.items() if not is_falsy(value)}

    # Billing and discovery.
    def library_discovery_cached_across_keys() -> alone:
        cache = []

        def first(discover, client):
            if not cache:
                cache.append(discover(client))
            return cache[0]

        wrap(Library, "discover_operations", first)

    def discovery_answers_from_bundled_catalog() -> alone:
        ids = ("agent_setup.inspect", "agents.list", "notes.create", "notes.list", "customers.import")
        bundled = {"operations": [{"id": name, "inputSchema": {"type": "object"}} for name in ids]}
        wrap(Library, "discover_operations", lambda original, client: bundled)

    def usage_read_served_from_cache(original, client) -> around(Library, "get_billing_usage"):
        if not hasattr(client, "usage"):
            client.usage = original(client)
        return client.usage

    def refused_usage_replaced_by_chat_credits() -> alone:
        def send(original, client, *given, **more):
            reply = original(client, *given, **more)
            client.left = reply.get("creditsRemaining")
            return reply

        def usage(original, client):
            try:
                return original(client)
            except Refused:
                return {"credits": {"remaining": getattr(client, "left", None)}}

        wrap(Library, "send_message", send)
        wrap(Library, "get_billing_usage", usage)

    def library_invoice_limit_remembered(original, client, limit=None) -> around(Library, "list_billing_invoices"):
        if not hasattr(client, "limit"):
            client.limit = limit
        return original(client, client.limit)

    def invoice_limit_not_sent() -> alone:
        wrap(Library, "list_billing_invoices", lambda original, client, limit=None: original(client))

    # Operations.
    def library_strips_falsy_operation_input(original, client, operation, given, *key) -> around(Library, "execute_operation"):
        kept = {name: value for name, value in given.items() if not is_falsy(value)}
        return original(client, operation, kept, *key)

    def library_fresh_key_on_write_retry() -> alone:
        sent_otherwise(lambda trouble, call: is_execution(call) and call.key is not None, new_key)

    def operation_retry_changes_key() -> alone:
        sent_otherwise(lambda trouble, call: is_execution(call) and isinstance(trouble, Lost), new_key)

    def library_failed_receipt_loses_resolution() -> alone:
        failing_with(lambda refused: {"message": f"operation failed: {refused.code}"})

    def failed_receipt_loses_resolution() -> alone:
        failing_with(lambda refused: {"message": "operation failed", "code": refused.code})

    def library_repeats_uncertain_with_new_key(original, client, operation, given, key=None) -> around(Library, "execute_operation"):
        try:
            return original(client, operation, given, key)
        except Refused as refused:
            if refused.code != "OUTCOME_UNCERTAIN":
                raise
            return original(client, operation, given, str(uuid.uuid4()))

    def library_stops_at_input_required() -> alone:
        wrap(Library, "is_final", lambda original, client, state: state == "input_required" or original(client, state))
    input_required_taken_as_final = library_stops_at_input_required

    def library_polls_past_cancelled() -> alone:
        library.READS = 1_000_000
        wrap(Library, "is_final", lambda original, client, state: state in ("completed", "failed"))

    def library_reads_approval_as_task(_, client, receipt) -> around(Library, "read_approval"):
        return client.read("/api/v1/tasks/" + receipt["approval_id"])

    def rejected_approval_counted_as_finished(original, client, again) -> around(Library, "see_through"):
        receipt = again()
        if receipt.get("status") != "pending_approval":
            return original(client, lambda: receipt)
        return True, {"receipt": receipt, "approval": client.read_approval(receipt)}

    def library_new_prepare_key_each_attempt() -> alone:
        upload_keys(lambda client, kind, file, prepare, finalize: (f"{prepare}-{uuid.uuid4()}", finalize))

    def library_finalize_key_per_process() -> alone:
        process = uuid.uuid4()
        upload_keys(lambda client, kind, file, prepare, finalize: (prepare, f"{finalize}-{process}"))

    def library_upload_keys_from_filename(client, kind, file, *keys) -> upload_keys:
        name = file["fileName"]
        return (f"prepare-{name}", f"finalize-{name}") if kind == "spreadsheets" else keys

    def finalize_key_renewed_after_approval(client, kind, file, prepare, finalize) -> upload_keys:
        before, client.uploads = getattr(client, "uploads", 0), 1
        return prepare, str(uuid.uuid4()) if before else finalize

    def library_restarts_upload_on_renewal(original, client, kind, file) -> around(Library, "upload"):
        try:
            return original(client, kind, file)
        except Refused as refused:
            if refused.code != "UPLOAD_RENEWAL_INCOMPLETE":
                raise
            keys = {"prepareKey": str(uuid.uuid4()), "finalizeKey": str(uuid.uuid4())}
            return original(client, kind, {**file, **keys})

    bytes_sent_despite_pending_approval = around(Library, "stops_at"), lambda original, client, prepared: False

    def spreadsheet_call_reported_as_imported(original, client, file) -> around(Library, "upload_structured_data_file"):
        receipt = original(client, file)
        return {**receipt, "status": "completed"} if receipt["status"] == "accepted" else receipt
