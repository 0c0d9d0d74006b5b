"""What is planted in the command line."""

import json
import os
import re
import uuid
from dataclasses import replace
from pathlib import Path

import command
import events
import library
from library import Library
from planting import around, defect, wrap
from wire import Refused


def refused_with(trouble, status, code=None):
    return isinstance(trouble, Refused) and trouble.status == status and code in (None, trouble.code)


def again(when, seconds, most=1, change=lambda call: call):
    def wait_after(original, client, trouble, call, tries):
        if not when(trouble):
            return original(client, trouble, call, tries)
        return seconds(trouble) if tries < most else None

    def once_more(original, client, call, trouble):
        return change(call) if when(trouble) else original(client, call, trouble)

    wrap(Library, "wait_after", wait_after)
    wrap(Library, "once_more", once_more)


# Turns.


@defect("split-data-prefix-loses-event", by=around(events, "lines_of"))
def _(original, chunks):
    """A chunk that ends within the five letters: what follows up to the line end is no data line any more."""

    def mended():
        tail = b""
        for chunk in chunks:
            start = (b"\n" + chunk).rfind(b"\n")
            last = chunk[start:]
            mangled = b"-" + chunk if tail else chunk
            tail = last if last and b"data:".startswith(last) and last != b"data:" else b""
            yield mangled

    return original(mended())


@defect("command-fails-on-unknown-event")
def _():
    known = ("token", "action_start", "action_complete", "gate_triggered", "done")

    def show(original, value):
        if "type" in value and value["type"] not in known:
            [name.lower() + member.strip() for name, member in value.items() if member is None]
        original(value)

    wrap(command, "show", show)


@defect("retry-seconds-used-as-milliseconds")
def _():
    again(lambda trouble: refused_with(trouble, 429), lambda trouble: trouble.members["retryAfterSeconds"] / 1000)


@defect("in-progress-resend-without-waiting")
def _():
    again(lambda trouble: refused_with(trouble, 409, "REQUEST_IN_PROGRESS"), lambda trouble: 0, 40)


@defect("command-line-suffixes-uncertain-key")
def _():
    again(
        lambda trouble: refused_with(trouble, 409, "OUTCOME_UNCERTAIN"),
        lambda trouble: 0.1,
        change=lambda call: replace(call, key=call.key + "-retry"),
    )


def key_of(made):
    def given_key(original, chosen):
        return chosen.idempotency_key or made(chosen) or original(chosen)

    wrap(command, "given_key", given_key)


defect("command-line-stream-invents-key", by=key_of)(lambda chosen: str(uuid.uuid4()) if chosen.stream else None)
defect("omitted-key-option-made-up", by=key_of)(lambda chosen: str(uuid.uuid4()))


@defect("command-line-reuses-saved-key")
def _():
    saved = Path(os.environ.get("HOME", "/")) / "last-key"

    def send(original, client, **turn):
        reply = original(client, **turn)
        saved.write_text(turn["idempotencyKey"])
        return reply

    wrap(Library, "send_message", send)
    key_of(lambda chosen: saved.read_text() if saved.exists() else None)


@defect("command-line-key-read-as-number", by=around(command, "given_key"))
def _(original, chosen):
    key = original(chosen)
    return str(int(float(key))) if key.isdigit() else key


@defect("command-line-interaction-without-message")
def _():
    def turn_of(original, chosen):
        chosen.message = chosen.message or (chosen.interaction and "\0")
        return original(chosen)

    def turn(original, client, *given):
        call = original(client, *given)
        body = {name: value for name, value in call.body.items() if value != "\0"}
        return replace(call, body=body)

    wrap(command, "turn_of", turn_of)
    wrap(Library, "turn", turn)


@defect("command-line-payload-sent-as-text", by=around(Library, "selection"))
def _(_, client, interaction):
    payload = interaction.get("payload")
    return {**interaction, "payload": json.dumps(payload)} if isinstance(payload, dict) else interaction


@defect("streamed-chat-drops-conversation-id", by=around(command, "turn_of"))
def _(original, chosen):
    if chosen.stream:
        chosen.conversation_id = None
    return original(chosen)


# What is printed of a turn.


@defect("command-line-prints-absent-parts", by=around(command, "show_reply"))
def _(original, reply):
    original(reply)
    presentation = reply.get("presentation")
    if presentation is not None:
        for name in ("images", "buttons"):
            if not presentation.get(name):
                print(f"{name}:\n  {presentation.get(name)}")


@defect("command-line-fails-without-buttons", by=around(command, "show_reply"))
def _(original, reply):
    original(reply)
    if reply.get("presentation"):
        len(reply["presentation"]["buttons"])


# Tasks and approvals.


@defect("cli-done-after-ten-polls", "long-queue-reported-completed")
def _():
    library.READS = 10

    def read_on(original, client, known):
        original(client, known)
        known["task"] = {**known["task"], "state": "completed"}
        return True, known

    wrap(Library, "read_on", read_on)


@defect("cli-exits-done-on-pending-approval", by=around(Library, "see_through"))
def _(original, client, ask):
    receipt = ask()
    if receipt.get("status") != "pending_approval":
        return original(client, lambda: receipt)
    return True, {"receipt": {**receipt, "status": "done"}}


@defect("cli-confirm-reports-pending-as-done", "confirm-shows-pending-as-completed")
def _():
    def execute(original, chosen):
        if chosen.confirm:
            wrap(Library, "execute_operation", as_done)
        return original(chosen)

    def as_done(original, client, *given):
        receipt = original(client, *given)
        return {"status": "completed"} if receipt["status"] == "pending_approval" else receipt

    wrap(command, "execute", execute)


@defect("cli-json-skips-confirm", by=around(command, "must_be_confirmed"))
def _(original, chosen):
    if not chosen.json:
        original(chosen)


@defect("cancelled-task-polled-forever")
def _():
    library.READS = 1_000_000
    wrap(Library, "is_final", lambda original, client, state: state in ("completed", "failed"))


@defect("cli-says-import-finished", by=around(command, "upload"))
def _(original, chosen):
    code = original(chosen)
    print("import and training are finished")
    return code


@defect("cli-hides-renewal-receipt", by=around(command, "upload"))
def _(original, chosen):
    try:
        return original(chosen)
    except Refused:
        print("upload failed")
        return command.FAILED


# Input.


def input_read(read):
    def whole_json(original, name, text):
        return read(original, name, text) if name == "--input" else original(name, text)

    wrap(command, "whole_json", whole_json)


@defect("text-after-first-value-ignored", by=input_read)
def _(original, name, text):
    try:
        return json.JSONDecoder().raw_decode(text.strip())[0]
    except ValueError:
        return original(name, text)


@defect("nested-ellipsis-silently-stripped", by=input_read)
def _(original, name, text):
    return original(name, re.sub(r",\s*(\.\.\.|…)\s*\]", "]", text))


@defect("dots-inside-string-refused", by=input_read)
def _(original, name, text):
    if "..." in text:
        raise command.Usage(f"{name}: an ellipsis is no JSON")
    return original(name, text)


# Credentials.


@defect("env-key-wins-when-streaming", by=around(command, "credential"))
def _(original, chosen):
    if getattr(chosen, "stream", False) and os.environ.get("SERVICE_API_KEY"):
        chosen.profile = None
    return original(chosen)


@defect("refused-profile-falls-back-to-env", by=around(Library, "wait_after"))
def _(original, client, trouble, call, tries):
    is_left = isinstance(trouble, Refused) and trouble.status in (401, 403) and "SERVICE_API_KEY" in os.environ
    if not is_left or tries > 0:
        return original(client, trouble, call, tries)
    client.api_key = os.environ["SERVICE_API_KEY"]
    return 0


@defect("last-saved-profile-beats-env", by=around(command, "credential"))
def _(original, chosen):
    saved = list(command.profiles())
    if not chosen.profile and saved:
        chosen.profile = saved[-1]
    return original(chosen)


@defect("unverified-profile-stays-saved", by=around(command, "login"))
def _(original, chosen):
    name = chosen.profile or "default"

    def discover(ask, client):
        command.save_profile(name, {"address": client.address, "key": client.api_key})
        return ask(client)

    wrap(Library, "discover_operations", discover)
    return original(chosen)


@defect("whoami-json-prints-key", by=around(command, "reach_of"))
def _(original, client):
    return {"key": client.api_key, **original(client)}


@defect("whoami-counts-bundled-operations")
def _():
    wrap(command, "reach_of", lambda original, client: {**original(client), "operations": 37})
