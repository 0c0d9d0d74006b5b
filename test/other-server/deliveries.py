"""Events on their way to webhooks: signed, tried three times, written down."""

import hashlib
import hmac
import http.client
import json
import socket
import ssl
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from itertools import count
from urllib.parse import urljoin

import guard

EVENTS = (
    "leads.submit message.sent tool.executed booking.created booking.cancelled booking.rescheduled order.confirmed "
    "custom_form.submitted payment.proof_received payment.verification_pending payment.verified payment.rejected "
    "record.created procedure.alert.created procedure.approval.requested procedure.approval.resolved "
    "procedure.handoff.requested procedure.escalated"
).split()
ATTEMPTS, PATIENCE, BACKOFF = 3, 9.0, 3.0
FAILURES, PAUSE = 8, 120.0
SAMPLE = "leads.submit"


@dataclass
class Webhook:
    id: str
    agent: str
    fields: dict
    secret: str
    born: str
    active: bool = True
    gone: bool = False
    failures: int = 0
    repeated: bool = False
    paused_until: float = 0.0
    log: list = field(default_factory=list)


@dataclass
class Delivery:
    id: str
    hook: Webhook
    event: str
    payload: dict
    body: bytes = b""
    number: int = 0  # of the attempt
    held: bool = False  # while its endpoint was paused


def utc(world, precision="microseconds"):
    return (datetime.now(timezone.utc) + timedelta(seconds=world.clock.offset)).isoformat(timespec=precision)


def well(status):
    return status is not None and 200 <= status <= 299


class Post:
    """The deliveries of a world."""

    def __init__(self, world):
        self.world, self.fault = world, world.fault
        self.numbers = count(1)

    def happen(self, event, agent, conversation=None):
        """Every webhook that wants it is to get it, one sooner and the next one later; a paused one after its pause."""
        payload = payload_of(event, conversation or str(uuid.uuid5(uuid.NAMESPACE_DNS, agent)))
        for hook in list(self.world.hooks.values()):
            if not self.wants(hook, event, agent):
                continue
            delivery = Delivery(self.live_id(), hook, event, payload)
            pause = hook.paused_until - self.world.clock.now()
            delivery.held = pause > 0
            self.world.clock.after(max(0, pause) + (1.0, 0.5)[next(self.numbers) % 2], self.attempt, delivery, 1)

    def live_id(self):
        return f"whd_{uuid.uuid4().hex}"

    def wants(self, hook, event, agent):
        selected = event in hook.fields["events"] or self.fault == "selection-ignored"
        return hook.agent == agent and selected and self.alive(hook, event)

    def alive(self, hook, event):
        return (not hook.gone or self.fault == "removed-still-sent") and (
            hook.active or self.fault == "inactive-still-sent"
        )

    def sample(self, hook):
        """One attempt at once, of which nothing is written down."""
        number = 1 if self.fault == "sample-ids-repeat" else next(self.numbers)
        payload = {**payload_of(SAMPLE, str(uuid.uuid4())), "_test": True}
        self.world.clock.after(0, self.attempt, Delivery(f"test_{number}", hook, SAMPLE, payload), ATTEMPTS, True)

    def attempt(self, delivery, number, sample=False):
        hook, clock = delivery.hook, self.world.clock
        if not self.alive(hook, delivery.event):
            return
        delivery.number = 1 if sample else number
        began = clock.now()
        status = self.post(delivery)
        if "sent-twice" in self.world.ways and delivery.number == 1:
            self.post(delivery)
        if sample:
            return
        self.write_down(delivery, status, clock.now() - began)
        if well(status):
            hook.failures = 0
            if "delivered-twice" in self.world.ways and not hook.repeated:
                hook.repeated = True
                clock.after(0.2, self.post, delivery)
        elif self.goes_on(delivery, status):
            clock.after(BACKOFF, self.attempt, delivery, number + 1)
        else:
            self.fail(hook)

    def goes_on(self, delivery, status):
        most = 5 if self.fault == "five-attempts" else ATTEMPTS
        return delivery.number < most and not (self.fault == "refusal-final" and status in range(400, 500))

    def fail(self, hook):
        hook.failures += 1
        if hook.failures >= FAILURES:
            hook.failures, hook.paused_until = 0, self.world.clock.now() + PAUSE

    def write_down(self, delivery, status, seconds):
        delivery.hook.log.append(self.entry(delivery, status, seconds))

    def entry(self, delivery, status, seconds):
        return {
            "about": {"kind": delivery.event, "whenever": utc(self.world, "seconds")},
            "theySaid": status,
            "patienceUsed": f"{seconds * 1000:.1f} ms",
            "went": "well" if well(status) or self.fault == "log-always-well" else "badly",
            "again": delivery.number - 1,
        }

    def post(self, delivery):
        """The status of the endpoint, or None where there was none."""
        headers = self.headers(delivery, self.envelope(delivery))
        url = self.url_of(delivery)
        try:
            status, location = self.send(url, headers, delivery.body)
            if status in (307, 308) and location:
                onward = urljoin(url, location)
                if self.fault != "redirect-unguarded":
                    guard.check(onward, self.fault)
                status, _ = self.send(onward, headers, delivery.body, self.fault == "redirect-unguarded")
            return status
        except (guard.Forbidden, OSError, http.client.HTTPException, ValueError):
            return None

    def url_of(self, delivery):
        return delivery.hook.fields["endpoint_url"]

    def content(self, delivery):
        hook = delivery.hook
        content = {
            "payload": delivery.payload,
            "timestamp": utc(self.world).replace("+00:00", "" if self.fault == "time-without-zone" else "+00:00"),
            "chatbotId": hook.id if self.fault == "webhook-for-agent" else hook.agent,
            "eventType": delivery.event,
        }
        if self.fault == "flag-on-top" and "_test" in delivery.payload:
            content["_test"] = True
        return content

    def envelope(self, delivery):
        """Writes the body anew, and returns what is to be signed."""
        first, content = delivery.body, self.content(delivery)
        delivery.body = json.dumps(content, indent=1).encode()
        if self.fault == "signed-once":
            return first or delivery.body
        return json.dumps(content).encode() if self.fault == "signed-anew" else delivery.body

    def headers(self, delivery, signed):
        hook = delivery.hook
        fresh = self.fault == "id-per-attempt" and delivery.id.startswith("whd_")
        return {
            **hook.fields["custom_headers"],
            "content-type": "application/json; charset=utf-8",
            "USER-AGENT": f"{self.world.vendor}-webhooks/1.0",
            f"X-{self.world.vendor}-EVENT".upper(): delivery.event,
            f"X-{self.world.vendor}-Delivery-Id": f"whd_{uuid.uuid4().hex}" if fresh else delivery.id,
            f"X-{self.world.vendor}-Signature": self.signature(delivery, signed),
        }

    def signature(self, delivery, signed):
        return "sha256=" + hmac.new(delivery.hook.secret.encode(), signed, hashlib.sha256).hexdigest().upper()

    def send(self, url, headers, body, anywhere=False):
        """Status and Location. The addresses are those that were looked at, so no second look can differ."""
        scheme, host, port, rest = guard.split(url)
        where = [host] if anywhere else guard.addresses(host, port, self.fault)
        connection = http.client.HTTPConnection(host, port)
        connection.sock = self.connect(where, port)
        self.world.clock.after(3.0 if self.fault == "impatient" else PATIENCE, hang_up, connection)
        try:
            if scheme == "https":
                connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
            connection.request("POST", rest, body, headers)
            answer = connection.getresponse()
            return self.heard(answer)
        finally:
            connection.close()

    def heard(self, answer):
        return answer.status, answer.headers["Location"]

    def connect(self, addresses, port):
        for address in addresses:
            try:
                return socket.create_connection((address, port), timeout=60)
            except OSError as failure:
                last = failure
        raise last


def hang_up(connection):
    with suppress(OSError, AttributeError):  # where it is over
        connection.sock.shutdown(socket.SHUT_RDWR)


def payload_of(event, conversation):
    if event != "leads.submit":
        return {"what": {"happened": event, "in": conversation}, "weights": [1.0, 2e3, None, "½"]}
    return {"customerName": "Zoë 👋 / “Zo”", "customerEmail": "zoe@other.test", "conversationId": conversation}
