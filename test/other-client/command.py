"""The command line: chat, execute, upload, login, whoami. Profiles are a file in the folder for settings."""

import argparse
import json
import mimetypes
import base64
import os
import re
import sys
from pathlib import Path

import library

sys.path.append(str(Path(__file__).parent.parent / "other-server"))
import planting  # noqa: E402
from wire import Refused, Trouble  # noqa: E402

# Operations that take away what cannot be brought back, as this program was built to know them.
DESTRUCTIVE = ("customers.erase", "agents.delete", "sources.delete")
WRONG_USAGE, FAILED, UNFINISHED = 2, 1, 3


class Usage(Exception):
    pass


# Where the credential comes from.


def profiles_file():
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.environ["HOME"], ".config")
    return Path(folder) / "other-client" / "profiles.json"


def profiles():
    try:
        return json.loads(profiles_file().read_text())
    except FileNotFoundError:
        return {}


def save_profile(name, profile):
    file, text = profiles_file(), json.dumps({**profiles(), name: profile})
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(text)


def credential(chosen):
    """The key, its source, and the address that goes with it."""
    if chosen.profile:
        if chosen.profile not in profiles():
            raise Usage(f"there is no profile {chosen.profile}; save one with: login --profile {chosen.profile}")
        profile = profiles()[chosen.profile]
        return profile["key"], f"profile {chosen.profile}", profile["address"]
    if os.environ.get("SERVICE_API_KEY"):
        return os.environ["SERVICE_API_KEY"], "SERVICE_API_KEY", None
    raise Usage("no credential: choose a --profile, or set SERVICE_API_KEY")


def address(chosen, of_profile=None):
    found = chosen.base_url or os.environ.get("SERVICE_BASE_URL") or of_profile
    if not found:
        raise Usage("no address: give --base-url, or set SERVICE_BASE_URL")
    return found


def client_of(chosen):
    key, _, of_profile = credential(chosen)
    return library.Library(address(chosen, of_profile), key)


# What is typed.


def whole_json(name, text):
    """One complete JSON value; the parser has no words for an ellipsis or a spread."""
    try:
        return json.loads(text, parse_constant=lambda word: not_json(name, word))
    except ValueError as error:
        raise Usage(f"{name}: give one complete JSON value ({error})") from None


def not_json(name, word):
    raise Usage(f"{name}: {word} is no JSON")


def given_key(chosen):
    if not chosen.idempotency_key:
        raise Usage("--idempotency-key is missing: give one, and the same again for a retry")
    return chosen.idempotency_key


def turn_of(chosen):
    if not chosen.agent:
        raise Usage("--agent is missing")
    if not chosen.message:
        raise Usage("--message is missing")
    turn = {"agent": chosen.agent, "message": chosen.message, "idempotencyKey": given_key(chosen)}
    if chosen.conversation_id:
        turn["conversationId"] = chosen.conversation_id
    if chosen.interaction:
        turn["interaction"] = whole_json("--interaction", chosen.interaction)
    return turn


# What is printed.


def show(value):
    print(json.dumps(value, ensure_ascii=False), flush=True)


def show_reply(reply):
    print(reply["response"])
    for name, parts in (reply.get("presentation") or {}).items():
        if isinstance(parts, list) and parts:
            print(f"{name}:")
            for part in parts:
                print("  " + (part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)))


def show_event(event):
    if event["type"] == "token":
        print(event["token"], end="", flush=True)
    if event["type"] == "done":
        print()


def show_work(finished, known, as_json):
    if as_json:
        show({"finished": finished, **known})
        return
    receipt = known["receipt"]
    if "approval" in known and not finished:
        print(f"waits for the owner: approval {receipt.get('approval_id')}")
    elif "task" in known:
        print(f"task {receipt.get('task_id')} is {known['task'].get('state')}")
    else:
        print(f"{receipt.get('status')}: {json.dumps(receipt.get('data'), ensure_ascii=False)}")


# Commands.


def chat(chosen):
    turn = turn_of(chosen)
    client = client_of(chosen)
    if not chosen.stream:
        reply = client.send_message(**turn)
        show(reply) if chosen.json else show_reply(reply)
        return 0
    for event in client.stream_message(**turn):
        show(event) if chosen.json else show_event(event)
    return 0


def execute(chosen):
    given = whole_json("--input", chosen.input)
    must_be_confirmed(chosen)
    client = client_of(chosen)
    finished, known = client.see_through(
        lambda: client.execute_operation(chosen.operation, given, chosen.idempotency_key)
    )
    return ended(chosen, finished, known)


def must_be_confirmed(chosen):
    if chosen.operation in DESTRUCTIVE and not chosen.confirm:
        raise Usage(f"{chosen.operation} cannot be undone: say --confirm")


def ended(chosen, finished, known):
    show_work(finished, known, chosen.json)
    if not finished:
        return UNFINISHED
    return 0 if known.get("task", {}).get("state", "completed") == "completed" else FAILED


def upload(chosen):
    file = Path(chosen.file)
    given = {
        "fileName": file.name,
        "contentType": mimetypes.guess_type(file.name)[0] or "application/octet-stream",
        "content": base64.b64encode(file.read_bytes()).decode(),
        "prepareKey": chosen.prepare_key,
        "finalizeKey": chosen.finalize_key,
    }
    client = client_of(chosen)
    is_table = file.suffix in (".csv", ".xlsx", ".xls")
    send = client.upload_structured_data_file if is_table else client.upload_file_source
    return ended(chosen, *client.see_through(lambda: send(given)))


def login(chosen):
    key = sys.stdin.readline().strip()
    place = address(chosen)
    library.Library(place, key).discover_operations()
    save_profile(chosen.profile or "default", {"address": place, "key": key})
    print("saved")
    return 0


def whoami(chosen):
    client = client_of(chosen)
    found = {"source": credential(chosen)[1], **reach_of(client)}
    if chosen.json:
        show(found)
    else:
        print(f"credential: {found['source']}")
        print(f"{found['operations']} operations, {found['agents']} agents")
    return 0


def reach_of(client):
    operations = [one["id"] for one in client.discover_operations()["operations"]]
    agents = client.execute_operation("agents.list", {}) if "agents.list" in operations else {}
    return {"operations": len(operations), "agents": len((agents.get("data") or {}).get("agents", []))}


def options():
    common = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    common.add_argument("--base-url")
    common.add_argument("--profile")
    common.add_argument("--json", action="store_true")
    words = argparse.ArgumentParser(prog="other-client", allow_abbrev=False)
    words.add_argument("--fault")
    commands = words.add_subparsers(required=True)

    def command(deed, *names, **flags):
        one = commands.add_parser(deed.__name__, parents=[common], allow_abbrev=False)
        one.set_defaults(deed=deed.__name__)
        for name in names:
            one.add_argument(name)
        for name in flags.get("flags", ()):
            one.add_argument(name, action="store_true")

    turn = ("--agent", "--message", "--idempotency-key", "--conversation-id", "--interaction")
    command(chat, *turn, flags=["--stream"])
    command(execute, "operation", "--input", "--idempotency-key", flags=["--confirm"])
    command(upload, "file", "--prepare-key", "--finalize-key")
    command(login)
    command(whoami)
    return words


def redacted(text):
    return re.sub(r"sk-[\w-]+", "sk-…", text)


def main(words=None):
    """The exit code."""
    chosen = options().parse_args(words)
    planting.plant(chosen.fault)
    try:
        return globals()[chosen.deed](chosen)
    except Usage as mistake:
        print(redacted(str(mistake)), file=sys.stderr)
        return WRONG_USAGE
    except Trouble as trouble:
        if chosen.json:
            show({"error": trouble.members})
        print(redacted(f"failed: {json.dumps(trouble.members)}"), file=sys.stderr)
        return FAILED


if __name__ == "__main__":
    sys.modules["command"] = sys.modules["__main__"]
    sys.exit(main())
