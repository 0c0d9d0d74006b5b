"""What is planted in the library; in the command line: command_defects.py."""

import re
import uuid
from dataclasses import replace

import command_defects  # noqa: F401  (it fills the table, too)
import events
import library
import wire
from library import Library
from planting import around, defect, wrap
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


# Replies.


@defect("zero-credits-mapped-to-undefined", "zero-credits-become-undefined", by=around(library, "to_caller"))
def _(_, reply):
    mapped = {library.CAMEL[name]: value for name, value in reply.items() if name in library.CAMEL and value}
    return {**{name: value for name, value in reply.items() if name not in library.CAMEL}, **mapped}


@defect("stream-done-left-snake-case", "library-done-event-unmapped", "done-event-keeps-snake-case")
def _():
    wrap(Library, "event_to_caller", lambda original, client, event: event)


@defect("customer-message-not-mapped")
def _():
    del library.CAMEL["customer_message"]


@defect("library-loses-customer-message", "paused-customer-message-lost", by=around(library, "to_caller"))
def _(original, reply):
    return original({name: value for name, value in reply.items() if name != "customer_message"})


@defect("library-drops-presentation-without-text", "presentation-dropped-with-empty-text", by=around(library, "to_caller"))
def _(original, reply):
    return original({name: value for name, value in reply.items() if reply["response"] or name != "presentation"})


# Streams.


@defect("line-split-across-chunks-dropped")
def _():
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


@defect("split-character-decoded-per-chunk", "split-multibyte-letter-garbled", by=around(events, "lines_of"))
def _(lines_of, chunks):
    return lines_of(chunk.decode("utf-8", "replace").encode() for chunk in chunks)


@defect("library-throws-on-unknown-type", by=around(Library, "event_to_caller"))
def _(original, client, event):
    if event.get("type") not in KNOWN:
        raise ValueError(f"unknown event {event.get('type')}")
    return original(client, event)


@defect("unknown-type-ends-iteration", "unknown-event-ends-iteration", by=around(library, "events_in"))
def _(events_in, response):
    for event in events_in(response):
        if event.get("type") not in KNOWN:
            return
        yield event


@defect("library-stream-fails-on-media-only", by=around(Library, "event_to_caller"))
def _(original, client, event):
    if event.get("presentation"):
        len(event["presentation"]["messages"])
    return original(client, event)


# Rates.


@defect("stream-retry-ignores-backoff")
def _():
    waits(lambda trouble, call: is_limit(trouble) and (call.body or {}).get("stream"), 0, 3)


@defect("rate-limited-call-repeated-at-once")
def _():
    waits(lambda trouble, call: is_limit(trouble), 0)


@defect("library-repeats-limited-read-at-once")
def _():
    waits(lambda trouble, call: is_limit(trouble) and call.method == "GET", 0)


def is_limit(trouble):
    return isinstance(trouble, Refused) and trouble.status == 429


@defect("rate-error-loses-retry-seconds", by=around(wire, "refusal"))
def _(refusal, error):
    refused = refusal(error)
    refused.members.pop("retryAfterSeconds", None)
    if (error.headers.get("Retry-After") or "").isdigit():
        refused.members["retryAfterSeconds"] = int(error.headers["Retry-After"])
    return refused


@defect("library-retry-after-divided-by-thousand", by=around(wire, "seconds_in"))
def _(seconds_in, body):
    return None if seconds_in(body) is None else seconds_in(body) / 1000


def lost_seconds(when):
    def ask(original, client, call, *take):
        try:
            return original(client, call, *take)
        except Refused as refused:
            if when(call):
                refused.members.pop("retryAfterSeconds", None)
            raise

    wrap(Library, "ask", ask)


defect("library-retry-after-only-for-chat", by=lost_seconds)(lambda call: not is_turn(call))
defect("retry-after-lost-when-streaming", by=lost_seconds)(lambda call: (call.body or {}).get("stream"))


# Keys of turns, and turns that are sent again.


@defect("in-progress-resend-with-new-key")
def _():
    sent_otherwise(lambda trouble, call: has_code(trouble, "REQUEST_IN_PROGRESS"), new_key)


@defect("in-progress-resend-drops-conversation")
def _():
    def bare(call):
        return replace(call, body={"message": call.body["message"]})

    sent_otherwise(lambda trouble, call: has_code(trouble, "REQUEST_IN_PROGRESS"), bare)


@defect("library-new-key-after-uncertain", "uncertain-outcome-retried-new-key")
def _():
    def uncertain(trouble, call):
        return is_turn(call) and has_code(trouble, "OUTCOME_UNCERTAIN")

    waits(uncertain, 0.1)
    sent_otherwise(uncertain, new_key)


@defect("library-new-key-after-dropped-connection")
def _():
    def lost(trouble, call):
        return is_turn(call) and isinstance(trouble, Lost)

    sent_otherwise(lost, lambda call: replace(call, key=call.key + "-1"))


@defect("network-retry-mints-new-key")
def _():
    sent_otherwise(lambda trouble, call: is_turn(call) and isinstance(trouble, Lost), new_key)


@defect("stream-method-sends-key-in-body", "streamed-turn-lacks-key-header", by=around(Library, "turn"))
def _(turn, client, *given):
    call = turn(client, *given)
    if not call.body.get("stream"):
        return call
    return replace(call, key=None, body={**call.body, "idempotency_key": call.key})


@defect("library-invents-missing-key", "missing-key-silently-generated")
def _():
    wrap(Library, "checked_key", lambda original, client, key: original(client, key or str(uuid.uuid4())))


@defect("library-cuts-key-to-64")
def _():
    wrap(Library, "checked_key", lambda original, client, key: original(client, key)[:64])


# Buttons.


def recased(value):
    if isinstance(value, list):
        return [recased(one) for one in value]
    if not isinstance(value, dict):
        return value
    camel = {re.sub("_([a-z])", lambda found: found[1].upper(), name): recased(one) for name, one in value.items()}
    return camel


@defect("library-recases-interaction-payload", by=around(Library, "selection"))
def _(_, client, interaction):
    return {name: recased(value) if name == "payload" else value for name, value in interaction.items()}


def is_falsy(value):
    return value is False or value == "" or (isinstance(value, (int, float)) and value == 0)


@defect("library-drops-falsy-payload", by=around(Library, "selection"))
def _(_, client, interaction):
    return {name: value for name, value in interaction.items() if not is_falsy(value)}


# Billing and discovery.


@defect("library-discovery-cached-across-keys")
def _():
    cache = []

    def first(discover, client):
        if not cache:
            cache.append(discover(client))
        return cache[0]

    wrap(Library, "discover_operations", first)


@defect("discovery-answers-from-bundled-catalog")
def _():
    ids = ("agent_setup.inspect", "agents.list", "notes.create", "notes.list", "customers.import")
    bundled = {"operations": [{"id": name, "inputSchema": {"type": "object"}} for name in ids]}
    wrap(Library, "discover_operations", lambda original, client: bundled)


@defect("usage-read-served-from-cache", by=around(Library, "get_billing_usage"))
def _(original, client):
    if not hasattr(client, "usage"):
        client.usage = original(client)
    return client.usage


@defect("refused-usage-replaced-by-chat-credits")
def _():
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


@defect("library-invoice-limit-remembered", by=around(Library, "list_billing_invoices"))
def _(original, client, limit=None):
    if not hasattr(client, "limit"):
        client.limit = limit
    return original(client, client.limit)


@defect("invoice-limit-not-sent")
def _():
    wrap(Library, "list_billing_invoices", lambda original, client, limit=None: original(client))


# Operations.


@defect("library-strips-falsy-operation-input", by=around(Library, "execute_operation"))
def _(original, client, operation, given, *key):
    kept = {name: value for name, value in given.items() if not is_falsy(value)}
    return original(client, operation, kept, *key)


@defect("library-fresh-key-on-write-retry")
def _():
    sent_otherwise(lambda trouble, call: is_execution(call) and call.key is not None, new_key)


@defect("operation-retry-changes-key")
def _():
    sent_otherwise(lambda trouble, call: is_execution(call) and isinstance(trouble, Lost), new_key)


def failing_with(members_of):
    def receipt(original, client, body):
        try:
            return original(client, body)
        except Refused as refused:
            trouble = Trouble()
            trouble.members = members_of(refused)
            raise trouble from None

    wrap(Library, "receipt", receipt)


@defect("library-failed-receipt-loses-resolution")
def _():
    failing_with(lambda refused: {"message": f"operation failed: {refused.code}"})


@defect("failed-receipt-loses-resolution")
def _():
    failing_with(lambda refused: {"message": "operation failed", "code": refused.code})


@defect("library-repeats-uncertain-with-new-key", by=around(Library, "execute_operation"))
def _(original, client, operation, given, key=None):
    try:
        return original(client, operation, given, key)
    except Refused as refused:
        if refused.code != "OUTCOME_UNCERTAIN":
            raise
        return original(client, operation, given, str(uuid.uuid4()))


@defect("library-stops-at-input-required", "input-required-taken-as-final")
def _():
    wrap(Library, "is_final", lambda original, client, state: state == "input_required" or original(client, state))


@defect("library-polls-past-cancelled")
def _():
    library.READS = 1_000_000
    wrap(Library, "is_final", lambda original, client, state: state in ("completed", "failed"))


@defect("library-reads-approval-as-task", by=around(Library, "read_approval"))
def _(_, client, receipt):
    return client.read("/api/v1/tasks/" + receipt["approval_id"])


@defect("rejected-approval-counted-as-finished", by=around(Library, "see_through"))
def _(original, client, again):
    receipt = again()
    if receipt.get("status") != "pending_approval":
        return original(client, lambda: receipt)
    return True, {"receipt": receipt, "approval": client.read_approval(receipt)}


# Uploads.


def upload_keys(change):
    def keys(original, client, kind, file):
        return change(client, kind, file, *original(client, kind, file))

    wrap(Library, "upload_keys", keys)


@defect("library-new-prepare-key-each-attempt")
def _():
    upload_keys(lambda client, kind, file, prepare, finalize: (f"{prepare}-{uuid.uuid4()}", finalize))


@defect("library-finalize-key-per-process")
def _():
    process = uuid.uuid4()
    upload_keys(lambda client, kind, file, prepare, finalize: (prepare, f"{finalize}-{process}"))


@defect("library-upload-keys-from-filename", by=upload_keys)
def _(client, kind, file, *keys):
    name = file["fileName"]
    return (f"prepare-{name}", f"finalize-{name}") if kind == "spreadsheets" else keys


@defect("finalize-key-renewed-after-approval", by=upload_keys)
def _(client, kind, file, prepare, finalize):
    before, client.uploads = getattr(client, "uploads", 0), 1
    return prepare, str(uuid.uuid4()) if before else finalize


@defect("library-restarts-upload-on-renewal", by=around(Library, "upload"))
def _(original, client, kind, file):
    try:
        return original(client, kind, file)
    except Refused as refused:
        if refused.code != "UPLOAD_RENEWAL_INCOMPLETE":
            raise
        keys = {"prepareKey": str(uuid.uuid4()), "finalizeKey": str(uuid.uuid4())}
        return original(client, kind, {**file, **keys})


defect("bytes-sent-despite-pending-approval", by=around(Library, "stops_at"))(lambda original, client, prepared: False)


@defect("spreadsheet-call-reported-as-imported", by=around(Library, "upload_structured_data_file"))
def _(original, client, file):
    receipt = original(client, file)
    return {**receipt, "status": "completed"} if receipt["status"] == "accepted" else receipt
