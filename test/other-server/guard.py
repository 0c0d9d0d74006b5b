"""Where deliveries may go: over HTTPS to addresses of the public, and in development to localhost."""

import ipaddress
import re
import socket
import unicodedata
from urllib.parse import urlsplit

import question

# Names of the house, which resolve to what nobody outside may reach.
HOUSE = {"cellar.other.test": "10.20.30.40", "mirror.other.test": "127.0.0.1"}
# Zones that have a name server of their own: its host and port by the zone.
ZONES = {}
NUMERIC = re.compile(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}", re.IGNORECASE)


class Forbidden(Exception):
    """Nothing may be delivered there."""


def split(url):
    """Scheme, host, port and the rest of an endpoint; the host as a client would read it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Forbidden("An endpoint is a URL.") from None
    scheme = parts.scheme.lower()
    host = unicodedata.normalize("NFKC", parts.hostname or "").lower().rstrip(".")
    if scheme not in ("http", "https") or not host or parts.username is not None or re.search(r"[\s\\]", url):
        raise Forbidden("An endpoint is a web address.")
    rest = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return scheme, host, port or {"http": 80, "https": 443}[scheme], rest


def literal(host):
    """The address that a host is, in whatever spelling, or None where it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    if not NUMERIC.fullmatch(host):
        return None
    try:
        return ipaddress.ip_address(socket.inet_aton(host))
    except OSError:
        raise Forbidden("That is hardly an address.") from None


def public(address):
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None) or address
    return inner.is_global and not inner.is_multicast and not getattr(address, "teredo", None)


def check(url, fault=None):
    """Refuses what can be told from the endpoint alone."""
    scheme, host, _, _ = split(url)
    if host == "localhost" or (fault == "house-is-localhost" and HOUSE.get(host) == "127.0.0.1"):
        return
    if scheme != "https" and fault != "http-taken":
        raise Forbidden("Only https will do.")
    address = literal(host)
    if address and not public(address):
        raise Forbidden("That is a private matter.")


def found(host, port):
    """Every address that a host has now."""
    server = next((ZONES[zone] for zone in ZONES if host.endswith(f".{zone}")), None)
    if host in HOUSE:
        return [ipaddress.ip_address(HOUSE[host])]
    if literal(host):
        return [literal(host)]
    if server:
        return question.ask(server, host)
    everywhere = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ipaddress.ip_address(where[0].partition("%")[0]) for *_, where in everywhere]


def addresses(host, port, fault=None):
    """Every address a delivery may be tried at. One that is not public spoils them all."""
    these = found(host, port)
    at_home = host == "localhost" or fault == "house-is-localhost"
    if not all(public(one) or (at_home and one.is_loopback) for one in these):
        raise Forbidden("That is a private matter.")
    return sorted(map(str, these), key=lambda one: ":" in one)
