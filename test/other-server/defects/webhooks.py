"""Defects of the management of webhooks."""

import json
import random
import time
from datetime import datetime, timedelta
from types import SimpleNamespace
from urllib.parse import urlsplit

import chat
import deliveries
import guard
import webhooks
from body import Refusal
from deliveries import Delivery, payload_of
from planting import alone, Defects, wrap

MINUTE = 60


def around(owner, name):
    """Wraps with the function below it, also where a table of the module holds the one that is wrapped."""

    def put(instead):
        original = getattr(owner, name)
        wrap(owner, name, instead)
        for table in (webhooks.ACTS, webhooks.CHECKS):
            table.update({key: getattr(owner, name) for key, value in table.items() if value is original})

    return put


def route_of(call):
    return webhooks.ROUTE.fullmatch(call.path)


def has_key(call):
    return chat.key_of(call.headers.get("Authorization")) is not None


def has_ended(call):
    return call.headers.get("X-Session") == webhooks.FORMER_SESSION


def siblings(world, hook):
    """The others of its agent."""
    return [one for one in list(world.hooks.values()) if one is not hook and webhooks.is_there(one, hook.agent)]


def kept_all_the_same(refused):
    """A creation that was refused, where `refused` says so of the call, has stored its webhook before."""

    @around(webhooks, "answer")
    def answer(original, world, call, raw):
        found = original(world, call, raw)
        route = route_of(call)
        if call.command == "POST" and route and not route[2] and found[0] >= 400 and refused(world, call):
            try:
                with world.lock:
                    webhooks.create(world, route[1], raw)
            except Refusal:
                pass
        return found


def lists(chosen):
    """The list is made of `chosen(hooks of the world, agent)`."""

    @around(webhooks, "listing")
    def listing(original, world, agent, raw):
        return 200, {"webhooks": [webhooks.shown(world, hook) for hook in chosen(list(world.hooks.values()), agent)]}


def sample_for(world, hook):
    return Delivery(f"test_{next(world.post.numbers)}", hook, deliveries.SAMPLE, payload_of(deliveries.SAMPLE, hook.id))


class Ways(Defects):
    def downgraded_project_still_edits_webhooks() -> alone:
        wrap(webhooks, "pay", lambda original, world, call: call.command == "PATCH" or original(world, call))

    lower_plan_refusal_still_stores = kept_all_the_same, lambda world, call: not world.plan_has_webhooks

    def patch_accepts_project_key(original, world, call) -> around(webhooks, "sign_in"):
        return (call.command == "PATCH" and has_key(call)) or original(world, call)

    def refused_key_create_still_stores() -> alone:
        kept_all_the_same(lambda world, call: has_key(call) and "X-Session" not in call.headers)

    def key_beside_expired_session_accepted(original, world, call) -> around(webhooks, "sign_in"):
        return (has_ended(call) and has_key(call)) or original(world, call)

    def same_url_create_overwrites_first(original, world, agent, fields) -> around(webhooks, "create_one"):
        for hook in list(world.hooks.values()):
            if webhooks.is_there(hook, agent) and hook.fields["endpoint_url"] == fields["endpoint_url"]:
                hook.fields.update(fields)
                return hook
        return original(world, agent, fields)

    def non_ascii_name_stored_mangled() -> alone:
        for name in ("name", "description"):
            check = webhooks.CHECKS[name]
            webhooks.CHECKS[name] = lambda world, value, check=check: (
                check(world, value).encode("ascii", "replace").decode()
            )

    def simultaneous_creates_share_secret() -> alone:
        def token(size):
            return random.Random(int(time.time())).randbytes(size).hex()

        webhooks.secrets = SimpleNamespace(token_urlsafe=token)

    def listing_drops_inactive_webhooks() -> alone:
        lists(lambda hooks, agent: [hook for hook in hooks if webhooks.is_there(hook, agent) and hook.active])

    listing_includes_sibling_agents = lists, lambda hooks, agent: [hook for hook in hooks if not hook.gone]

    def listing_stops_at_ten() -> alone:
        lists(lambda hooks, agent: [hook for hook in hooks if webhooks.is_there(hook, agent)][-10:])

    def rename_wipes_custom_headers(original, world, hook, raw) -> around(webhooks, "update"):
        found = original(world, hook, raw)
        if webhooks.parse(raw).keys() == {"name"}:
            hook.fields["custom_headers"] = {}
        return found

    def patched_events_not_used_delivering() -> alone:
        def update(original, world, hook, raw):
            events = hook.fields["events"]
            found = original(world, hook, raw)
            if "events" in webhooks.parse(raw):
                before, until = getattr(hook, "cached", (events, 0.0))
                hook.cached = (before if world.now() < until else events, world.now() + 10 * MINUTE)
            return found

        @around(deliveries.Post, "wants")
        def wants(original, post, hook, event, agent):
            events, until = getattr(hook, "cached", ((), 0.0))
            if post.world.now() >= until:
                return original(post, hook, event, agent)
            return hook.agent == agent and event in events and post.alive(hook, event)

    def concurrent_patches_lose_one(original, world, hook, raw) -> around(webhooks, "update"):
        fields = dict(hook.fields)
        world.lock.release()
        time.sleep(0.05)
        world.lock.acquire()
        hook.fields = fields
        return original(world, hook, raw)

    def deleted_webhook_receives_new_events() -> alone:
        def remove(original, world, hook, raw):
            hook.forgotten = world.now() + 4 * MINUTE
            return original(world, hook, raw)

        @around(deliveries.Post, "alive")
        def alive(original, post, hook, event):
            known = hook.gone and post.world.now() < hook.forgotten
            return (known and hook.active) or original(post, hook, event)

    def delete_removes_same_url_siblings(original, world, hook, raw) -> around(webhooks, "remove"):
        for other in siblings(world, hook):
            other.gone = other.gone or other.fields["endpoint_url"] == hook.fields["endpoint_url"]
        return original(world, hook, raw)

    def deleted_webhook_still_testable(original, world, call, raw) -> around(webhooks, "answer"):
        found, route = original(world, call, raw), route_of(call)
        hook = route and world.hooks.get(route[2])
        if found and found[0] == 404 and hook and hook.gone and route[3] == "test":
            world.clock.after(0, world.post.post, sample_for(world, hook))
            return 202, None
        return found

    def test_goes_to_old_url() -> alone:
        def create(original, world, agent, fields):
            hook = original(world, agent, fields)
            hook.first = fields["endpoint_url"]
            return hook

        @around(deliveries.Post, "url_of")
        def url_of(original, post, delivery):
            return delivery.hook.first if delivery.id.startswith("test_") else original(post, delivery)

    def test_reaches_all_agent_webhooks(original, world, hook, raw) -> around(webhooks, "test"):
        for other in siblings(world, hook):
            if set(other.fields["events"]) & set(hook.fields["events"]):
                world.post.sample(other)
        return original(world, hook, raw)

    def test_waits_for_next_batch(original, world, hook, raw) -> around(webhooks, "test"):
        world.clock.after(MINUTE - world.now() % MINUTE, world.post.sample, hook)
        return 202, None

    def patch_accepts_plain_http(original, world, hook, raw) -> around(webhooks, "update"):
        sent = webhooks.parse(raw)
        url = sent.get("endpoint_url")
        if not isinstance(url, str) or not url.lower().startswith("http://"):
            return original(world, hook, raw)
        # What else there is to be said of an address is said of it as of any.
        secure = {**sent, "endpoint_url": f"https{url[4:]}"}
        found = original(world, hook, json.dumps(secure).encode())
        hook.fields["endpoint_url"] = url
        return found

    def localhost_prefix_passes_http(original, url, fault=None) -> around(guard, "check"):
        local = url.lower().startswith("http://localhost") and urlsplit(url).hostname != "localhost"
        return original(f"https{url[4:]}" if local else url, fault)

    def rename_turns_webhook_on(original, world, hook, raw) -> around(webhooks, "update"):
        found = original(world, hook, raw)
        hook.active = True
        return found

    def fresh_listing_holds_full_secret() -> alone:
        def create(original, world, agent, fields):
            hook = original(world, agent, fields)
            hook.cached_until = world.now() + MINUTE
            return hook

        @around(webhooks, "shown")
        def shown(original, world, hook):
            fresh = world.now() < hook.cached_until
            return {**original(world, hook), **({"secret_key": hook.secret} if fresh else {})}

    def recreated_webhook_keeps_old_secret(original, world, agent, fields) -> around(webhooks, "create_one"):
        url = fields["endpoint_url"]
        before = [one for one in world.hooks.values() if one.gone and one.agent == agent]
        hook = original(world, agent, fields)
        hook.secret = next((one.secret for one in before if one.fields["endpoint_url"] == url), hook.secret)
        return hook

    def url_change_regenerates_secret(original, world, hook, raw) -> around(webhooks, "update"):
        before = hook.fields["endpoint_url"]
        found = original(world, hook, raw)
        if hook.fields["endpoint_url"] != before:
            hook.secret = webhooks.secrets.token_urlsafe(33)
        return found

    def old_name_passes_in_list(original, world, value) -> around(webhooks, "selected"):
        kept = original(world, value)
        return [*kept, "action.executed"] if "action.executed" in value[1:] else kept

    def old_name_refused_yet_stored(original, world, agent, raw) -> around(webhooks, "create"):
        try:
            return original(world, agent, raw)
        except Refusal:
            sent = webhooks.parse(raw)
            if sent.get("events") == ["action.executed"]:
                fields = webhooks.checked(world, {**sent, "events": ["tool.executed"]})
                webhooks.create_one(world, agent, {**webhooks.NAMELESS, **fields, "events": sent["events"]})
            raise

    def listing_shows_internal_event_name(original, world, hook) -> around(webhooks, "shown"):
        found = original(world, hook)
        inner = {"tool.executed": "action.executed"}
        return {**found, "events": [inner.get(event, event) for event in found["events"]]}

    def created_at_local_marked_utc(original, world, hook) -> around(webhooks, "shown"):
        found = original(world, hook)
        there = datetime.fromisoformat(found["created_at"]) + timedelta(hours=5, minutes=30)
        return {**found, "created_at": there.strftime("%Y-%m-%dT%H:%M:%SZ")}

    def logs_mix_sibling_webhooks(original, world, hook, raw) -> around(webhooks, "logs"):
        every = [entry for one in (hook, *siblings(world, hook)) for entry in one.log]
        return 200, {"chapter": 1, "of": 1, "story": {"so_far": every}}
