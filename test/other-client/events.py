"""Server-sent events: bytes are put together to lines before anything is made of them."""

import json
from http.client import HTTPException

from wire import Lost, Trouble


class Stopped(Trouble):
    """The stream itself says that it failed."""

    def __init__(self, event):
        super().__init__(event.get("error"))
        self.members = {"message": event.get("error")}


def chunks_of(response):
    try:
        while piece := response.read1(1 << 16):
            yield piece
    except (OSError, HTTPException) as error:
        raise Lost(error) from None


def lines_of(chunks):
    """Whole lines alone; what stands behind the last line end is none."""
    pending = b""
    for chunk in chunks:
        pending += chunk
        while (end := line_end(pending)) is not None:
            line, pending = pending[: end[0]], pending[end[1] :]
            yield line.decode("utf-8", "replace")


def line_end(text):
    """Where the first line ends and the next begins. A return at the very end may be half of a line end."""
    places = [at for at in (text.find(b"\n"), text.find(b"\r")) if at >= 0]
    if not places:
        return None
    at = min(places)
    if text[at : at + 1] == b"\n":
        return at, at + 1
    return (at, at + 2) if text[at + 1 : at + 2] == b"\n" else (at, at + 1)


def event_in(line):
    """What a data line says; nothing for comments, blank lines and other fields."""
    name, colon, value = line.lstrip("\ufeff").partition(":")
    return json.loads(value) if name == "data" and colon else None


def events_in(response):
    """Up to `done`. Types that nobody knows are given like any other."""
    for line in lines_of(chunks_of(response)):
        event = event_in(line)
        if event is None:
            continue
        if event.get("type") == "error":
            raise Stopped(event)
        yield event
        if event.get("type") == "done":
            return
    raise Lost("the stream ended before it was done")
