"""
An application of the library, as `touchstone client` drives it: a task in the environment, or one a line with
--driver. It says what it saw, a line each.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import library

sys.path.append(str(Path(__file__).parent.parent / "other-server"))
import planting  # noqa: E402
from wire import Trouble  # noqa: E402


def say(saw, **more):
    print("touchstone " + json.dumps({"saw": saw, **more}), flush=True)


def say_work(finished, known):
    say("finished" if finished else "unfinished", **known)


def turn_of(agent, task):
    names = ("message", "idempotencyKey", "conversationId", "interaction")
    return {"agent": agent, **{name: task[name] for name in names if name in task}}


def chat(client, agent, task):
    say("reply", reply=client.send_message(**turn_of(agent, task)))


def stream(client, agent, task):
    for event in client.stream_message(**turn_of(agent, task)):
        say("event", event=event)
        if event.get("type") == "done":
            say("reply", reply=event)


def billing(client, agent, task):
    reads = {
        "subscription": client.get_billing_subscription,
        "usage": client.get_billing_usage,
        "plans": client.list_billing_plans,
        "invoices": lambda: client.list_billing_invoices(task.get("limit")),
    }
    say("result", result=reads[task["read"]]())


def discover(client, agent, task):
    say("result", result=client.discover_operations())


def execute(client, agent, task):
    given = task["operation"], task["input"], task.get("idempotencyKey")
    say_work(*client.see_through(lambda: client.execute_operation(*given)))


def upload(client, agent, task):
    send = client.upload_file_source if task["kind"] == "document" else client.upload_structured_data_file
    say_work(*client.see_through(lambda: send(task)))


DEEDS = {"chat": chat, "stream": stream, "billing": billing, "discover": discover, "execute": execute, "upload": upload}


kept = {}


def client_of(address, api_key):
    """One for an address and a key, for as long as the process lasts."""
    return kept.setdefault((address, api_key), library.Library(address, api_key))


def act(address, api_key, agent, task):
    try:
        DEEDS[task["do"]](client_of(address, api_key), agent, task)
    except Trouble as trouble:
        say("error", error=trouble.members)
    except (ValueError, KeyError, TypeError, AttributeError) as mistake:
        say("error", error={"message": repr(mistake)})


def drive():
    for line in sys.stdin:
        given = json.loads(line)
        act(given["baseUrl"], given["apiKey"], given["agent"], given["task"])
        print("touchstone " + json.dumps({"end": given["id"]}), flush=True)


def main(words=None):
    options = argparse.ArgumentParser()
    options.add_argument("--driver", action="store_true")
    options.add_argument("--fault")
    chosen = options.parse_args(words)
    planting.plant(chosen.fault)
    if chosen.driver:
        return drive()
    env = os.environ
    return act(
        env["SERVICE_BASE_URL"], env["SERVICE_API_KEY"], env["TOUCHSTONE_AGENT"], json.loads(env["TOUCHSTONE_TASK"])
    )


if __name__ == "__main__":
    main()
