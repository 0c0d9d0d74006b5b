"""Requests to the control plane of a simulator."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

# A simulator is on this machine or in this network: no proxy of the environment is asked.
_open = build_opener(ProxyHandler({})).open


class ControlError(Exception):
    """The control plane refused a request; the message quotes its reason."""

    def __init__(self, request: str, status: int, reason: str) -> None:
        """Keep the status, and the request as method and URL."""
        super().__init__(f"{request} failed with status {status}: {reason}")
        self.request = request
        self.status = status


class Control:
    """The control routes below one URL, such as those of a tenant."""

    def __init__(self, url: str, token: str | None = None) -> None:
        """Take the URL without a trailing slash."""
        self.url = url
        self.token = token

    def request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        timeout: float = 70,
    ) -> dict[str, Any]:
        """Return the body of the response. Raises a ControlError for any status but 2xx."""
        url = self.url + path + (f"?{urlencode(query, doseq=True)}" if query else "")
        request = Request(url, None if body is None else json.dumps(body).encode(), method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if self.token is not None:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with _open(request, timeout=timeout) as response:
                received: dict[str, Any] = json.load(response)
                return received
        except HTTPError as refused:
            with refused:
                raise ControlError(f"{method} {url}", refused.code, _reason(refused.read())) from None


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return body[:200].decode(errors="replace") or "the response is empty"
