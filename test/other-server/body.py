"""What a chat request has to look like."""

import json
import re

MEMBERS = {"message", "conversation_id", "stream", "idempotency_key", "interaction"}
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Refusal(Exception):
    """The code, if there is one, stands somewhere inside the sentence."""

    def __init__(self, status, sentence, **members):
        super().__init__(sentence)
        self.status, self.body = status, {**members, "error": sentence}


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def never(name):
    raise ValueError(name)


def parse(raw, content_type):
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise Refusal(400, "Only application/json is spoken here.")
    try:
        body = json.loads(raw.decode("utf-8"), parse_constant=never)
    except (ValueError, RecursionError):
        raise Refusal(400, "That is not JSON.") from None
    if not isinstance(body, dict) or body.keys() - MEMBERS:
        raise Refusal(400, "A request is an object with members that are known here.")
    return body


def check(body, carried, fault=None, ways=()):
    """The body in order, with its key: a header wins over the body."""
    if "one-carrier" in ways and carried is not None and "idempotency_key" in body:
        raise Refusal(400, "One key in one place, please.")
    if "long-key-431" in ways and carried is not None and units(carried) > 255:
        raise Refusal(431, "That header is too long.")
    message, conversation = body.get("message"), body.get("conversation_id", "")
    if not isinstance(message, str):
        raise Refusal(400, "Say something.")
    size = len(message.encode("utf-8", "surrogatepass")) if fault == "message-limit-in-bytes" else units(message)
    if not 1 <= size <= 10_000:
        raise Refusal(400, "Say something, but briefly.")
    if "conversation_id" in body and not (isinstance(conversation, str) and UUID.fullmatch(conversation)):
        raise Refusal(400, "Conversations have uuids.")
    stream = body.get("stream", False)
    if stream not in (True, False, "true", "false"):
        raise Refusal(400, "Stream or not?")
    interaction = body.get("interaction")
    if "interaction" in body and not (
        isinstance(interaction, dict)
        and interaction.get("type") == "workflow_button"
        and {"runId", "nodeId", "payload"} <= interaction.keys()
    ):
        raise Refusal(400, "Copy a button as it is.")
    key = body.get("idempotency_key") if carried is None else carried
    if key is None and "idempotency_key" not in body:
        raise Refusal(400, "Name the turn first: without a key it is IDEMPOTENCY_KEY_REQUIRED and no more.")
    in_body = body.get("idempotency_key", key)
    if not all(isinstance(one, str) and 1 <= units(one) <= 255 for one in (key, in_body)):
        raise Refusal(400, "A key has 1 to 255 characters.")
    return {**body, "stream": stream in (True, "true"), "key": key, "conversation_id": conversation}
