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
from planting import defect, wrap
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


@defect("split-data-prefix-loses-event")
def _():
    def lines_of(original, chunks):
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

    wrap(events, "lines_of", lines_of)


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


@defect("command-line-stream-invents-key")
def _():
    key_of(lambda chosen: str(uuid.uuid4()) if chosen.stream else None)


@defect("omitted-key-option-made-up")
def _():
    key_of(lambda chosen: str(uuid.uuid4()))


@defect("command-line-reuses-saved-key")
def _():
    saved = Path(os.environ.get("HOME", "/")) / "last-key"

    def send(original, client, **turn):
        reply = original(client, **turn)
        saved.write_text(turn["idempotencyKey"])
        return reply

    wrap(Library, "send_message", send)
    key_of(lambda chosen: saved.read_text() if saved.exists() else None)


@defect("command-line-key-read-as-number")
def _():
    def given_key(original, chosen):
        key = original(chosen)
        return str(int(float(key))) if key.isdigit() else key

    wrap(command, "given_key", given_key)


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


@defect("command-line-payload-sent-as-text")
def _():
    def selection(_, client, interaction):
        payload = interaction.get("payload")
        return {**interaction, "payload": json.dumps(payload)} if isinstance(payload, dict) else interaction

    wrap(Library, "selection", selection)


@defect("streamed-chat-drops-conversation-id")
def _():
    def turn_of(original, chosen):
        if chosen.stream:
            chosen.conversation_id = None
        return original(chosen)

    wrap(command, "turn_of", turn_of)


# What is printed of a turn.


@defect("command-line-prints-absent-parts")
def _():
    def show_reply(original, reply):
        original(reply)
        presentation = reply.get("presentation")
        if presentation is not None:
            for name in ("images", "buttons"):
                if not presentation.get(name):
                    print(f"{name}:\n  {presentation.get(name)}")

    wrap(command, "show_reply", show_reply)


@defect("command-line-fails-without-buttons")
def _():
    def show_reply(original, reply):
        original(reply)
        if reply.get("presentation"):
            len(reply["presentation"]["buttons"])

    wrap(command, "show_reply", show_reply)


# Tasks and approvals.


@defect("cli-done-after-ten-polls", "long-queue-reported-completed")
def _():
    library.READS = 10

    def read_on(original, client, known):
        original(client, known)
        known["task"] = {**known["task"], "state": "completed"}
        return True, known

    wrap(Library, "read_on", read_on)


@defect("cli-exits-done-on-pending-approval")
def _():
    def see_through(original, client, ask):
        receipt = ask()
        if receipt.get("status") != "pending_approval":
            return original(client, lambda: receipt)
        return True, {"receipt": {**receipt, "status": "done"}}

    wrap(Library, "see_through", see_through)


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


@defect("cli-json-skips-confirm")
def _():
    def must_be_confirmed(original, chosen):
        if not chosen.json:
            original(chosen)

    wrap(command, "must_be_confirmed", must_be_confirmed)


@defect("cancelled-task-polled-forever")
def _():
    library.READS = 1_000_000
    wrap(Library, "is_final", lambda original, client, state: state in ("completed", "failed"))


@defect("cli-says-import-finished")
def _():
    def upload(original, chosen):
        code = original(chosen)
        print("import and training are finished")
        return code

    wrap(command, "upload", upload)


@defect("cli-hides-renewal-receipt")
def _():
    def upload(original, chosen):
        try:
            return original(chosen)
        except Refused:
            print("upload failed")
            return command.FAILED

    wrap(command, "upload", upload)


# Input.


def input_read(read):
    def whole_json(original, name, text):
        return read(original, name, text) if name == "--input" else original(name, text)

    wrap(command, "whole_json", whole_json)


@defect("text-after-first-value-ignored")
def _():
    def first(original, name, text):
        try:
            return json.JSONDecoder().raw_decode(text.strip())[0]
        except ValueError:
            return original(name, text)

    input_read(first)


@defect("nested-ellipsis-silently-stripped")
def _():
    def tolerant(original, name, text):
        return original(name, re.sub(r",\s*(\.\.\.|…)\s*\]", "]", text))

    input_read(tolerant)


@defect("dots-inside-string-refused")
def _():
    def strict(original, name, text):
        if "..." in text:
            raise command.Usage(f"{name}: an ellipsis is no JSON")
        return original(name, text)

    input_read(strict)


# Credentials.


@defect("env-key-wins-when-streaming")
def _():
    def credential(original, chosen):
        if getattr(chosen, "stream", False) and os.environ.get("SERVICE_API_KEY"):
            chosen.profile = None
        return original(chosen)

    wrap(command, "credential", credential)


@defect("refused-profile-falls-back-to-env")
def _():
    def wait_after(original, client, trouble, call, tries):
        is_left = isinstance(trouble, Refused) and trouble.status in (401, 403) and "SERVICE_API_KEY" in os.environ
        if not is_left or tries > 0:
            return original(client, trouble, call, tries)
        client.api_key = os.environ["SERVICE_API_KEY"]
        return 0

    wrap(Library, "wait_after", wait_after)


@defect("last-saved-profile-beats-env")
def _():
    def credential(original, chosen):
        saved = list(command.profiles())
        if not chosen.profile and saved:
            chosen.profile = saved[-1]
        return original(chosen)

    wrap(command, "credential", credential)


@defect("unverified-profile-stays-saved")
def _():
    def login(original, chosen):
        name = chosen.profile or "default"

        def discover(ask, client):
            command.save_profile(name, {"address": client.address, "key": client.api_key})
            return ask(client)

        wrap(Library, "discover_operations", discover)
        return original(chosen)

    wrap(command, "login", login)


@defect("whoami-json-prints-key")
def _():
    def reach_of(original, client):
        return {"key": client.api_key, **original(client)}

    wrap(command, "reach_of", reach_of)


@defect("whoami-counts-bundled-operations")
def _():
    wrap(command, "reach_of", lambda original, client: {**original(client), "operations": 37})
