"""Asks a name server for the addresses of a name: RFC 1035, and no more of it than that takes."""

import ipaddress
import secrets
import socket
import struct

TYPES = {1: 4, 28: 16}  # A and AAAA, with the length of an address
TIMEOUT = 2.0


def ask(server, host):
    """Addresses of both kinds. Raises OSError where there is none."""
    addresses = [address for kind in TYPES for address in answers(server, host, kind)]
    if not addresses:
        raise OSError(f"{host} has no address")
    return addresses


def answers(server, host, kind):
    number = secrets.randbelow(65536)
    name = b"".join(bytes([len(label)]) + label for label in host.encode("idna").split(b".")) + b"\0"
    with socket.socket(socket.AF_INET6 if ":" in server[0] else socket.AF_INET, socket.SOCK_DGRAM) as wire:
        wire.settimeout(TIMEOUT)
        wire.connect(server)
        wire.send(struct.pack(">6H", number, 0x0100, 1, 0, 0, 0) + name + struct.pack(">2H", kind, 1))
        reply = wire.recv(4096)
    if struct.unpack_from(">H", reply)[0] != number:
        raise OSError("That was the answer to another question.")
    return list(records(reply, kind))


def records(reply, kind):
    """The addresses among the answers, behind the question."""
    asked, given = struct.unpack_from(">2H", reply, 4)
    at = 12
    for _ in range(asked):
        at = behind(reply, at) + 4
    for _ in range(given):
        at = behind(reply, at)
        found, _, _, length = struct.unpack_from(">2HIH", reply, at)
        at += 10
        if found == kind and length == TYPES[kind]:
            yield ipaddress.ip_address(reply[at : at + length])
        at += length


def behind(reply, at):
    """Where a name ends: with an empty label, or with a pointer to one that stood before."""
    while reply[at] and reply[at] < 0xC0:
        at += 1 + reply[at]
    return at + (2 if reply[at] else 1)
