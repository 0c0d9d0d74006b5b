"""Work that falls due, on a clock that goes by itself and can be moved on besides."""

import heapq
import threading
import time
from itertools import count

# Real time in which work that has begun may hold up the clock; what takes longer waits for something.
SETTLING = 0.25


class Timetable:
    def __init__(self):
        self.changed = threading.Condition()
        self.moving = threading.Lock()
        self.offset, self.due, self.running, self.fired = 0.0, [], {}, 0
        self.numbers = count(1)
        threading.Thread(target=self.go, daemon=True).start()

    def now(self):
        return time.monotonic() + self.offset

    def after(self, seconds, work, *args):
        with self.changed:
            heapq.heappush(self.due, (self.now() + seconds, next(self.numbers), work, args))
            self.changed.notify_all()

    def go(self):
        while True:
            with self.changed:
                self.begin()
                self.changed.wait(self.due[0][0] - self.now() if self.due else None)

    def begin(self):
        """Begins what is due, each in a thread of its own."""
        with self.changed:
            while self.due and self.due[0][0] <= self.now():
                _, number, work, args = heapq.heappop(self.due)
                self.fired += 1
                self.running[number] = time.monotonic()
                threading.Thread(target=self.do, args=(number, work, args), daemon=True).start()

    def do(self, number, work, args):
        try:
            work(*args)
        finally:
            with self.changed:
                del self.running[number]
                self.changed.notify_all()

    def advance(self, seconds):
        """Moves on from one thing that falls due to the next; returns how many there were."""
        with self.moving:
            until, before = self.now() + seconds, self.fired
            while True:
                self.settle()
                with self.changed:
                    following = min(self.due[0][0] if self.due else until, until)
                    self.offset += max(0.0, following - self.now())
                    self.begin()
                    if following >= until and not (self.due and self.due[0][0] <= until):
                        break
            self.settle()
            return self.fired - before

    def settle(self):
        with self.changed:
            while True:
                ends = [began + SETTLING for began in self.running.values()]
                young = [end for end in ends if end > time.monotonic()]
                if not young:
                    return
                self.changed.wait(min(young) - time.monotonic())
