"""
The library: a method for each thing that the service does. What it sends again is the same call, under the same key;
what it gives back has the names of the contract in camelCase.
"""

import base64
import time
from urllib.parse import quote

import wire
from events import events_in
from wire import Call, Lost, Refused

CAMEL = {
    "conversation_id": "conversationId",
    "credits_used": "creditsUsed",
    "credits_remaining": "creditsRemaining",
    "customer_message": "customerMessage",
    "action_name": "actionName",
}
FINAL = ("completed", "failed", "cancelled")
WAITS = (0.4, 0.8, 1.2, 1.6)
BETWEEN_READS = 0.1
READS = 40


def to_caller(reply):
    return {CAMEL.get(name, name): value for name, value in reply.items()}


class Library:
    def __init__(self, address, api_key):
        self.address = address.rstrip("/")
        self.api_key = api_key

    # How a call goes out, and out again.

    def ask(self, call, take=wire.read_json):
        tries = 0
        while True:
            try:
                return take(self.open(call))
            except (Refused, Lost) as trouble:
                wait = self.wait_after(trouble, call, tries)
                if wait is None:
                    raise
                time.sleep(wait)
                call = self.once_more(call, trouble)
                tries += 1

    def open(self, call):
        return wire.send(self.address, self.api_key, call)

    def wait_after(self, trouble, call, tries):
        """Seconds, or None where it is left at that. A rate limit is for the caller, who is told how long it is."""
        if tries >= len(WAITS):
            return None
        if isinstance(trouble, Lost):
            return WAITS[tries] if call.key is not None or call.method == "GET" else None
        in_progress = trouble.status == 409 and trouble.code == "REQUEST_IN_PROGRESS"
        return WAITS[tries] if in_progress or trouble.status == 503 else None

    def once_more(self, call, trouble):
        return call

    # Turns.

    def send_message(self, agent, message, idempotencyKey=None, **more):
        return to_caller(self.ask(self.turn(agent, message, idempotencyKey, more)))

    def stream_message(self, agent, message, idempotencyKey=None, **more):
        call = self.turn(agent, message, idempotencyKey, {**more, "stream": True})
        response = self.ask(call, lambda response: response)
        if response.headers.get_content_type() != "text/event-stream":
            yield {**to_caller(wire.read_json(response)), "type": "done"}
            return
        with response:
            for event in events_in(response):
                yield self.event_to_caller(event)

    def event_to_caller(self, event):
        return to_caller(event) if event.get("type") == "done" else event

    def turn(self, agent, message, key, more):
        key = self.checked_key(key)
        body = {"message": message}
        if "conversationId" in more:
            body["conversation_id"] = more["conversationId"]
        if "interaction" in more:
            body["interaction"] = self.selection(more["interaction"])
        if more.get("stream"):
            body["stream"] = True
        return Call("POST", "/api/v1/chat/" + quote(agent, safe=""), body, key)

    def checked_key(self, key):
        if not isinstance(key, str) or not 1 <= len(key) <= 255:
            raise ValueError("idempotencyKey: give one of 1 to 255 characters, and keep it for a retry")
        return key

    def selection(self, interaction):
        return interaction

    # Billing.

    def get_billing_subscription(self):
        return self.read("/api/v1/billing/subscription")

    def get_billing_usage(self):
        return self.read("/api/v1/billing/usage")

    def list_billing_plans(self):
        return self.read("/api/v1/billing/plans")

    def list_billing_invoices(self, limit=None):
        return self.read("/api/v1/billing/invoices" + ("" if limit is None else f"?limit={limit}"))

    def read(self, path):
        return self.ask(Call("GET", path))

    # Operations, and what they lead to.

    def discover_operations(self):
        return self.read("/api/v1/operations")

    def execute_operation(self, operation, given, key=None):
        """The receipt. One that failed is raised, with its code and its resolution."""
        call = Call("POST", "/api/v1/operation-executions/" + quote(operation, safe=""), {"input": given}, key)
        return self.receipt(self.ask(call))

    def receipt(self, body):
        if body.get("status") == "failed":
            raise Refused(200, body)
        return body

    def see_through(self, again):
        """
        Work and where it stands: `(finished, known)`. Held work is asked for anew under its key once its approval was
        read; a task is read to its end.
        """
        known = {"receipt": again()}
        for _ in WAITS:
            if known["receipt"].get("status") != "pending_approval":
                break
            known["approval"] = self.read_approval(known["receipt"])
            if self.is_undecided(known["approval"]):
                time.sleep(BETWEEN_READS)
            else:
                known["receipt"] = again()
        status = known["receipt"].get("status")
        if status != "accepted":
            return status == "completed", known
        return self.read_on(known)

    def read_on(self, known):
        for _ in range(READS):
            known["task"] = self.read("/api/v1/tasks/" + quote(self.task_of(known["receipt"]), safe=""))
            if self.is_final(known["task"].get("state")):
                return True, known
            time.sleep(BETWEEN_READS)
        return False, known

    def is_final(self, state):
        return state in FINAL

    def is_undecided(self, approval):
        return approval.get("state", approval.get("status")) in ("pending", "pending_approval")

    def read_approval(self, receipt):
        return self.read("/api/v1/approvals/" + quote(receipt["approval_id"], safe=""))

    def task_of(self, receipt):
        return receipt["task_id"]

    # Files: two calls, each under its own key.

    def upload_file_source(self, file):
        return self.upload("documents", file)

    def upload_structured_data_file(self, file):
        return self.upload("spreadsheets", file)

    def upload(self, kind, file):
        prepare_key, finalize_key = self.upload_keys(kind, file)
        size = len(base64.b64decode(file["content"]))
        about = {"fileName": file["fileName"], "contentType": file["contentType"], "size": size}
        prepared = self.step(kind, "prepare", about, prepare_key)
        if self.stops_at(prepared):
            return prepared
        upload_id = (prepared.get("data") or {}).get("uploadId")
        return self.step(kind, "finalize", {"uploadId": upload_id, "bytes": file["content"]}, finalize_key)

    def stops_at(self, prepared):
        return prepared["status"] != "completed"

    def upload_keys(self, kind, file):
        return file["prepareKey"], file["finalizeKey"]

    def step(self, kind, name, body, key):
        return self.receipt(self.ask(Call("POST", f"/api/v1/uploads/{kind}/{name}", body, key)))
