"""Where files are dropped: a paper is announced, which the owner has to allow; a sheet is brought as it is, then sealed."""

from dataclasses import dataclass
from email import message_from_bytes

import deeds
from house import failed, receipt

# Seconds for which a slot is kept.
LAPSE = 900
PREPARE, FINALIZE = "X-First-Key", "X-Second-Key"
SHEETS = ("text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")


@dataclass
class Slot:
    content: bytes
    until: float


def once(call, header, run):
    key = call.headers.get(header)
    if not key:
        return 400, {"error": f"{header} is missing."}
    name = None if call.world.fault == "drop-repeats" and header == FINALIZE else (header, key)
    return deeds.once(call, name, run)


def slot(call, content=None):
    with call.world.lock:
        number = f"slot:{len(call.house.slots) + 1}"
        call.house.slots[number] = Slot(content, call.world.now() + LAPSE)
        return number


def announce(call):
    """Once it is allowed the same request is told where the paper goes."""

    def run():
        number = slot(call)
        question = call.world.desk.ask(call.key.account)
        if call.world.fault == "paper-unasked" or "paper-unasked" in call.world.ways:
            question.decision = "approved"

        def told():
            if question.decision == "approved":
                return receipt("completed", data={"goes": {"to": number}})
            return question.receipt()

        return told

    return once(call, PREPARE, run)


def write(call, number):
    def run():
        if number not in call.house.slots:
            refused = failed("NO_SUCH_SLOT", "Announce it first.")
            return lambda: refused
        if call.house.slots[number].until < call.world.now():
            advice = "" if call.world.fault == "renewal-says-nothing" else "The owner is asked once more; wait for that."
            lapsed = failed("UPLOAD_RENEWAL_INCOMPLETE", advice)
            if "lapsed-410" in call.world.ways:
                lapsed = 410, {"error": "That slot is gone."}
            return lambda: lapsed
        call.house.papers.append(call.raw)
        kept = receipt("completed", data={"bytes": len(call.raw)})
        return lambda: kept

    return once(call, FINALIZE, run)


def bring(call):
    if (call.headers.get("Content-Type") or "").partition(";")[0] not in SHEETS:
        return failed("NO_SHEET", "Bring a table.")

    def run():
        if call.world.fault == "sheet-held":
            return call.world.desk.ask(call.key.account).receipt
        # No receipt: nothing is done yet.
        number = slot(call, call.raw)
        return lambda: (200, {"goes": {"to": number}})

    return once(call, PREPARE, run)


def hand_over(call):
    """Brought and sealed in one: both keys come with it."""
    kind, content, first = call.headers.get("Content-Type") or "", call.raw, call.headers.get(PREPARE)
    if kind.startswith("multipart/form-data"):
        form = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + call.raw)
        parts = {part.get_param("name", header="Content-Disposition"): part for part in form.get_payload()}
        if set(parts) != {"about", "called", "first", "table"}:
            return 400, {"error": "The form lacks a field."}
        if parts["table"].get_filename() != parts["called"].get_payload():
            return 400, {"error": "The file is called otherwise."}
        kind, content = parts["table"].get_content_type(), parts["table"].get_payload(decode=True)
        first = parts["first"].get_payload()
    if not first:
        return 400, {"error": f"{PREPARE} is missing."}
    if kind.partition(";")[0] not in SHEETS:
        return failed("NO_SHEET", "Bring a table.")

    def run():
        call.house.sheets.append(content)
        return call.world.desk.begin(call.key.account, ((1, "completed"),)).receipt

    return once(call, FINALIZE, run)


def room(call):
    return 200, {"left": 1000 - len(call.house.sheets)}


def seal(call, number):
    """It is kept at once; that it is read and understood is for later."""

    def run():
        if number not in call.house.slots:
            refused = failed("NO_SUCH_SLOT", "Bring it first.")
            return lambda: refused
        call.house.sheets.append(call.house.slots[number].content)
        return call.world.desk.begin(call.key.account, ((1, "running"), (40, "completed"))).receipt

    return once(call, FINALIZE, run)
