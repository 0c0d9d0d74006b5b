"""What is planted in the receiver."""

import json

import receiver
from planting import defect, wrap


@defect("receiver-signs-parsed-body-again")
def _():
    def anew(signature, desk, body):
        return signature(desk, json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode())

    wrap(receiver.Desk, "signature", anew)


@defect("shorter-digest-accepted-as-match")
def _():
    wrap(receiver.Desk, "matches", lambda matches, desk, given, wanted: matches(desk, given, wanted[: len(given)]))


@defect("odd-length-signature-crashes-receiver")
def _():
    def crashing(is_genuine, desk, body, given):
        if len(given[0]) != len(desk.signature(body)):
            raise ValueError("buffers of different lengths")
        return is_genuine(desk, body, given)

    wrap(receiver.Desk, "is_genuine", crashing)


@defect("simultaneous-copies-both-processed")
def _():
    import threading
    import time

    def work(_, desk):
        while True:
            threading.Thread(target=desk.process, args=desk.tray.get(), daemon=True).start()

    def process(original, desk, name, body):
        time.sleep(0.05)
        original(desk, name, body)
        desk.ids.take(name)

    wrap(receiver.Desk, "is_new", lambda _, desk, name, body: not desk.ids.has(name))
    wrap(receiver.Desk, "process", process)
    wrap(receiver.Desk, "work", work)


@defect("distinct-equal-deliveries-dropped")
def _():
    def by_content(is_new, desk, name, body):
        told = json.loads(body)
        return is_new(desk, json.dumps([told["eventType"], told["payload"]], sort_keys=True), body)

    wrap(receiver.Desk, "is_new", by_content)


@defect("unsigned-request-burns-delivery-id")
def _():
    def take_in(_, desk, headers, body):
        name = headers.get(receiver.DELIVERY_ID)
        is_new = desk.is_new(name, body)
        if not desk.is_genuine(body, headers.get_all(receiver.SIGNATURE, [])):
            return 401
        if is_new:
            desk.tray.put((name, body))
        return 202

    wrap(receiver.Desk, "take_in", take_in)
