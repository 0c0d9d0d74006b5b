"""How a signed-in user manages webhooks."""

import hmac
import json
import re
import secrets
from urllib.parse import unquote

import guard
from body import Refusal
from deliveries import EVENTS, Webhook, utc
from world import AGENTS

ROUTE = re.compile(r"/api/agents/([^/?]+)/webhooks(?:/([^/?]+)(?:/(test|logs))?)?(?:\?.*)?")
SESSION = "a-person-who-signed-in"
# Of a person who signed out.
FORMER_SESSION = "a-person-who-signed-out"
RESERVED = re.compile(
    r"content-.*|user-agent|host|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive",
    re.IGNORECASE,
)
NAMELESS = {"name": "Nameless", "description": "", "custom_headers": {}}
NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
VALUE = re.compile(r"[\t\x20-\x7e]*")


def answer(world, call, raw):
    """Status and body of one management request, or None where it is none."""
    route = ROUTE.fullmatch(call.path)
    if route is None:
        return None
    try:
        sign_in(world, call)
        pay(world, call)
        agent, webhook = unquote(route[1]), unquote(route[2] or "")
        if agent not in AGENTS or AGENTS[agent].account != "acme":
            raise Refusal(404, "Nobody of that name.")
        act = ACTS.get((call.command, bool(webhook), route[3]))
        if act is None:
            raise Refusal(405, "Not like that.")
        with world.lock:
            return act(world, found(world, agent, webhook) if webhook else agent, raw)
    except Refusal as refusal:
        return refusal.status, refusal.body


def sign_in(world, call):
    sent = call.headers.get("X-Session") or ""
    if world.fault == "key-manages" and call.headers.get("Authorization"):
        return
    if not hmac.compare_digest(sent.encode(), SESSION.encode()):
        raise Refusal(403 if call.headers.get("Authorization") else 401, "This is for people who signed in.")


def pay(world, call):
    if not world.plan_has_webhooks:
        raise Refusal(403, "Webhooks are for those who pay more.")


def found(world, agent, webhook):
    hook = world.hooks.get(webhook)
    if hook is None or not is_there(hook, agent):
        raise Refusal(404, "There is no such webhook.")
    return hook


def is_there(hook, agent):
    return hook.agent == agent and not hook.gone


def create(world, agent, raw):
    sent = {**NAMELESS, **parse(raw)}
    if "creation-needs-more" in world.ways and sent.get("enabled") is not True:
        raise Refusal(422, "Say whether it is enabled.")
    fields = checked(world, sent)
    if not {"endpoint_url", "events"} <= fields.keys():
        raise Refusal(422, "A webhook needs to know where to and what for.")
    hook = create_one(world, agent, fields)
    return 200, {"secret_key": hook.secret, "id": hook.id}


def create_one(world, agent, fields):
    secret = "the-same-for-everybody" if world.fault == "secret-shared" else secrets.token_urlsafe(33)
    hook = Webhook(str(next(world.hook_numbers)), agent, fields, secret, utc(world))
    world.hooks[hook.id] = hook
    return hook


def listing(world, agent, raw):
    return 200, {"webhooks": [shown(world, hook) for hook in list(world.hooks.values()) if is_there(hook, agent)]}


def shown(world, hook):
    secret = {"secret_key": hook.secret} if world.fault == "secret-listed" else {}
    return {
        "created_at": hook.born,
        "secret_key_preview": "*" * 12,
        "is_active": hook.active,
        **hook.fields,
        "id": hook.id,
        **secret,
    }


def update(world, hook, raw):
    sent = parse(raw)
    if world.fault == "update-unchecked" and "endpoint_url" in sent:
        hook.fields["endpoint_url"] = sent.pop("endpoint_url")
    fields = checked(world, sent)
    if world.fault == "update-keeps-events":
        fields.pop("events", None)
    if "events-merged" in world.ways and "events" in fields:
        fields["events"] = sorted({*hook.fields["events"], *fields["events"]})
    if world.fault == "update-forgets":
        hook.fields["custom_headers"] = {}
    hook.fields.update(fields)
    hook.active = sent.get("is_active", hook.active) is True
    return 204, None


def remove(world, hook, raw):
    hook.gone = True
    return 204, None


def test(world, hook, raw):
    world.post.sample(hook)
    return 202, None


def logs(world, hook, raw):
    return 200, {"chapter": 1, "of": 1, "story": {"so_far": hook.log}}


ACTS = {
    ("POST", False, None): create,
    ("GET", False, None): listing,
    ("PATCH", True, None): update,
    ("DELETE", True, None): remove,
    ("POST", True, "test"): test,
    ("GET", True, "logs"): logs,
}


def parse(raw):
    try:
        sent = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Refusal(422, "That is not JSON.") from None
    if not isinstance(sent, dict):
        raise Refusal(422, "A webhook is an object.")
    return sent


def checked(world, sent):
    """The members that may be set, each as it will be kept."""
    return {name: CHECKS[name](world, value) for name, value in sent.items() if name in CHECKS}


def text(most):
    def check(world, value):
        if not isinstance(value, str) or len(value) > most:
            raise Refusal(422, "Words, please, and not too many.")
        return value

    return check


def endpoint(world, value):
    if not isinstance(value, str):
        raise Refusal(422, "An endpoint is a URL.")
    try:
        guard.check(value, world.fault)
    except guard.Forbidden as why:
        raise Refusal(422, str(why)) from None
    return value


def selected(world, value):
    """What is not known is passed over; something has to remain."""
    known = {*EVENTS, *(["action.executed"] if world.fault == "retired-event-taken" else [])}
    if "any-event" in world.ways and isinstance(value, list):
        known.update(one for one in value if isinstance(one, str) and one != "action.executed")
    kept = sorted({one for one in value if one in known}) if isinstance(value, list) else []
    if not kept:
        raise Refusal(422, "None of these ever happens.")
    return kept


def custom_headers(world, value):
    if not isinstance(value, dict):
        raise Refusal(422, "Headers are an object.")
    for name, content in value.items():
        if not NAME.fullmatch(name) or not isinstance(content, str) or not VALUE.fullmatch(content):
            raise Refusal(422, "That is no header.")
        if RESERVED.fullmatch(name) or name.lower().startswith(f"x-{world.vendor}-"):
            raise Refusal(422, f"{name} is taken.")
    return value


CHECKS = {
    "name": text(300),
    "description": text(3_000),
    "endpoint_url": endpoint,
    "events": selected,
    "custom_headers": custom_headers,
}
