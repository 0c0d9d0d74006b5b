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
from planting import alone, around, Defects, wrap
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


def key_of(made):
    def given_key(original, chosen):
        return chosen.idempotency_key or made(chosen) or original(chosen)

    wrap(command, "given_key", given_key)


# Input.


def input_read(read):
    def whole_json(original, name, text):
        return read(original, name, text) if name == "--input" else original(name, text)

    wrap(command, "whole_json", whole_json)


class Ways(Defects):
    # Turns.
    def split_data_prefix_loses_event(original, chunks) -> around(events, "lines_of"):
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

    def command_fails_on_unknown_event() -> alone:
        known = ("token", "action_start", "action_complete", "gate_triggered", "done")

        def show(original, value):
            if "type" in value and value["type"] not in known:
                [name.lower() + member.strip() for name, member in value.items() if member is None]
            original(value)

        wrap(command, "show", show)

    def retry_seconds_used_as_milliseconds() -> alone:
        again(lambda trouble: refused_with(trouble, 429), lambda trouble: trouble.members["retryAfterSeconds"] / 1000)

    def in_progress_resend_without_waiting() -> alone:
        again(lambda trouble: refused_with(trouble, 409, "REQUEST_IN_PROGRESS"), lambda trouble: 0, 40)

    def command_line_suffixes_uncertain_key() -> alone:
        again(
            lambda trouble: refused_with(trouble, 409, "OUTCOME_UNCERTAIN"),
            lambda trouble: 0.1,
            change=lambda call: replace(call, key=call.key + "-retry"),
        )

    command_line_stream_invents_key = key_of, lambda chosen: str(uuid.uuid4()) if chosen.stream else None
    omitted_key_option_made_up = key_of, lambda chosen: str(uuid.uuid4())

    def command_line_reuses_saved_key() -> alone:
        saved = Path(os.environ.get("HOME", "/")) / "last-key"

        def send(original, client, **turn):
            reply = original(client, **turn)
            saved.write_text(turn["idempotencyKey"])
            return reply

        wrap(Library, "send_message", send)
        key_of(lambda chosen: saved.read_text() if saved.exists() else None)

    def command_line_key_read_as_number(original, chosen) -> around(command, "given_key"):
        key = original(chosen)
        return str(int(float(key))) if key.isdigit() else key

    def command_line_interaction_without_message() -> alone:
        def turn_of(original, chosen):
            chosen.message = chosen.message or (chosen.interaction and "\0")
            return original(chosen)

        def turn(original, client, *given):
            call = original(client, *given)
            body = {name: value for name, value in call.body.items() if value != "\0"}
            return replace(call, body=body)

        wrap(command, "turn_of", turn_of)
        wrap(Library, "turn", turn)

    def command_line_payload_sent_as_text(_, client, interaction) -> around(Library, "selection"):
        payload = interaction.get("payload")
        return {**interaction, "payload": json.dumps(payload)} if isinstance(payload, dict) else interaction

    def streamed_chat_drops_conversation_id(original, chosen) -> around(command, "turn_of"):
        if chosen.stream:
            chosen.conversation_id = None
        return original(chosen)

    # What is printed of a turn.
    def command_line_prints_absent_parts(original, reply) -> around(command, "show_reply"):
        original(reply)
        presentation = reply.get("presentation")
        if presentation is not None:
            for name in ("images", "buttons"):
                if not presentation.get(name):
                    print(f"{name}:\n  {presentation.get(name)}")

    def command_line_fails_without_buttons(original, reply) -> around(command, "show_reply"):
        original(reply)
        if reply.get("presentation"):
            len(reply["presentation"]["buttons"])

    # Tasks and approvals.
    def cli_done_after_ten_polls() -> alone:
        library.READS = 10

        def read_on(original, client, known):
            original(client, known)
            known["task"] = {**known["task"], "state": "completed"}
            return True, known

        wrap(Library, "read_on", read_on)
    long_queue_reported_completed = cli_done_after_ten_polls

    def cli_exits_done_on_pending_approval(original, client, ask) -> around(Library, "see_through"):
        receipt = ask()
        if receipt.get("status") != "pending_approval":
            return original(client, lambda: receipt)
        return True, {"receipt": {**receipt, "status": "done"}}

    def cli_confirm_reports_pending_as_done() -> alone:
        def execute(original, chosen):
            if chosen.confirm:
                wrap(Library, "execute_operation", as_done)
            return original(chosen)

        def as_done(original, client, *given):
            receipt = original(client, *given)
            return {"status": "completed"} if receipt["status"] == "pending_approval" else receipt

        wrap(command, "execute", execute)
    confirm_shows_pending_as_completed = cli_confirm_reports_pending_as_done

    def cli_json_skips_confirm(original, chosen) -> around(command, "must_be_confirmed"):
        if not chosen.json:
            original(chosen)

    def cancelled_task_polled_forever() -> alone:
        library.READS = 1_000_000
        wrap(Library, "is_final", lambda original, client, state: state in ("completed", "failed"))

    def cli_says_import_finished(original, chosen) -> around(command, "upload"):
        code = original(chosen)
        print("import and training are finished")
        return code

    def cli_hides_renewal_receipt(original, chosen) -> around(command, "upload"):
        try:
            return original(chosen)
        except Refused:
            print("upload failed")
            return command.FAILED

    def text_after_first_value_ignored(original, name, text) -> input_read:
        try:
            return json.JSONDecoder().raw_decode(text.strip())[0]
        except ValueError:
            return original(name, text)

    def nested_ellipsis_silently_stripped(original, name, text) -> input_read:
        return original(name, re.sub(r",\s*(\.\.\.|…)\s*\]", "]", text))

    def dots_inside_string_refused(original, name, text) -> input_read:
        if "..." in text:
            raise command.Usage(f"{name}: an ellipsis is no JSON")
        return original(name, text)

    # Credentials.
    def env_key_wins_when_streaming(original, chosen) -> around(command, "credential"):
        if getattr(chosen, "stream", False) and os.environ.get("SERVICE_API_KEY"):
            chosen.profile = None
        return original(chosen)

    def refused_profile_falls_back_to_env(original, client, trouble, call, tries) -> around(Library, "wait_after"):
        is_left = isinstance(trouble, Refused) and trouble.status in (401, 403) and "SERVICE_API_KEY" in os.environ
        if not is_left or tries > 0:
            return original(client, trouble, call, tries)
        client.api_key = os.environ["SERVICE_API_KEY"]
        return 0

    def last_saved_profile_beats_env(original, chosen) -> around(command, "credential"):
        saved = list(command.profiles())
        if not chosen.profile and saved:
            chosen.profile = saved[-1]
        return original(chosen)

    def unverified_profile_stays_saved(original, chosen) -> around(command, "login"):
        name = chosen.profile or "default"

        def discover(ask, client):
            command.save_profile(name, {"address": client.address, "key": client.api_key})
            return ask(client)

        wrap(Library, "discover_operations", discover)
        return original(chosen)

    def whoami_json_prints_key(original, client) -> around(command, "reach_of"):
        return {"key": client.api_key, **original(client)}

    def whoami_counts_bundled_operations() -> alone:
        wrap(command, "reach_of", lambda original, client: {**original(client), "operations": 37})
