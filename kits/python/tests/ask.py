"""The smallest client: one turn, by the environment or by what it is given."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

_open = build_opener(ProxyHandler({})).open


def ask(message: str = "Hello", key: str = "order-1001", *, bearer: str = "", agent: str = "") -> tuple[int, Any]:
    """Return the status and the body of the response."""
    env = os.environ
    url = f"{env['SERVICE_BASE_URL']}/api/v1/chat/{agent or env['TOUCHSTONE_AGENT']}"
    request = Request(url, json.dumps({"message": message}).encode(), {"Content-Type": "application/json"})
    request.add_header("Authorization", f"Bearer {bearer or env['SERVICE_API_KEY']}")
    request.add_header("Idempotency-Key", key)
    try:
        with _open(request) as response:
            return response.status, json.load(response)
    except HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)
