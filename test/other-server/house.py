"""What an account has besides conversations, and what is under way in it: tickets, and questions to the owner."""

import threading
from dataclasses import dataclass, field
from itertools import count

FINAL = ("completed", "failed", "cancelled")
# With which HTTP status each receipt comes.
STATUS = {"completed": 202, "accepted": 200, "pending_approval": 201, "failed": 200}


def receipt(status, http=None, **members):
    return http or STATUS[status], {**members, "status": status}


def failed(code, advice, http=None):
    return receipt("failed", http, error={"resolution": advice, "code": code})


DOUBT = failed("OUTCOME_UNCERTAIN", "Look first whether it was done, and keep the key.")


@dataclass
class Deed:
    """What became of the key of a write. `receipt` tells it anew each time: what was held may have gone on."""

    over: threading.Event = field(default_factory=threading.Event)
    receipt: object = None
    doubted: bool = False


class House:
    def __init__(self):
        self.lines, self.evicted, self.cheques, self.papers, self.sheets = [], [], [], [], []
        self.deeds, self.slots = {}, {}
        self.loaves = 0
        self.on_stage, self.rehearsed = {}, {}


@dataclass
class Ticket:
    """A task. `plan`: seconds, and the state that comes then; the last one is final."""

    id: str
    account: str
    plan: tuple
    work: object = None
    state: str = "queued"
    looks: int = 0
    agent: str = ""  # the one that it is about, if there is one

    def move(self, state, desk):
        with desk.world.lock:
            if self.state in FINAL:
                return
            self.state = state
            if state == "completed" and self.work:
                self.work()

    def receipt(self):
        return receipt("accepted", work={"ticket": {"number": self.id}})


@dataclass
class Question:
    """An approval. What is approved goes on by itself, where there is work to be done."""

    id: int
    account: str
    work: object = None
    decision: str = ""
    ticket: Ticket = None
    agent: str = ""

    def receipt(self):
        if self.decision == "":
            return receipt("pending_approval", asks={"question": self.id})
        if self.decision == "rejected":
            return failed("OWNER_SAID_NO", "Talk to the owner.")
        if self.ticket and self.ticket.state != "completed":
            return self.ticket.receipt()
        return receipt("completed", data={"granted": True})


EXCESS = {"approved": "approved-and-done-twice", "rejected": "rejected-and-done"}


class Desk:
    """Tickets and questions of all accounts."""

    def __init__(self, world):
        self.world, self.fault = world, world.fault
        self.tickets, self.questions = {}, {}
        self.numbers = count(3)

    def begin(self, account, plan, work=None, agent=""):
        number = f"no. {next(self.numbers)}/ü"
        ticket = self.tickets[number] = Ticket(number, account, plan, work, agent=agent)
        at = 0
        for seconds, state in plan if self.fault != "ticket-goes-by-looks" else ():
            at += seconds
            self.world.clock.after(at, ticket.move, state, self)
        return ticket

    def ask(self, account, work=None):
        number = 4000 + 7 * next(self.numbers)
        question = self.questions[str(number)] = Question(number, account, work)
        if work and self.fault == "held-and-done":
            work()
        return question

    def decide(self, question, decision):
        with self.world.lock:
            if question.decision:
                return
            question.decision = decision
            if question.work and self.fault == EXCESS[decision]:
                question.work()
            if "approved-waits" not in self.world.ways:
                self.go_on(question)

    def go_on(self, question):
        """Once, however often it is told to."""
        with self.world.lock:
            if question.work and question.decision == "approved" and not question.ticket:
                question.ticket = self.begin(question.account, ((1, "completed"),), question.work)

    def read_ticket(self, ticket):
        state = ticket.state
        if state in FINAL:
            ticket.looks += 1
            if self.fault == "ticket-reopens" and ticket.looks > 1:
                state = "running"
        if self.fault == "ticket-in-own-words" and state == "queued":
            state = "in the oven"
        if self.fault == "ticket-goes-by-looks" and state not in FINAL:
            ticket.looks += 1
            ticket.move(ticket.plan[ticket.looks - 1][1], self)
        return 200, {"ticket": {"state": state, "of": ticket.id}}

    def read_question(self, question):
        if self.fault == "decision-hidden":
            return 200, {"status": "pending_approval", "asks": {"question": question.id}}
        _, shown = question.receipt()
        return 200, shown
