"""Requests over HTTP, and what their answers mean."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit, urlunsplit

import httpx
import msgspec

from .errors import ClientError, ConnectionFailed, Problem, RequestTimeout, VenueError, is_unanswered
from .retry import RetryPolicy

T = TypeVar("T")

API_PREFIX = "/api/v1"
SOCKET_PATH = "/ws/v1"


def origin_of(url: str) -> str:
    """Scheme, host and port of a venue, also where the address of its REST interface was given.

    Raises:
        ClientError: ARGUMENT_INVALID
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise ClientError(
            "ARGUMENT_INVALID",
            f"{url!r} is not the address of a venue",
            hint="for example http://127.0.0.1:8645",
        )
    path = parts.path.rstrip("/").removesuffix(API_PREFIX)
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def socket_url_of(origin: str) -> str:
    """Address of the streams next to a REST interface."""
    return origin.replace("http", "ws", 1) + SOCKET_PATH


class Transport:
    """One venue over HTTP.

    Args:
        origin: As `origin_of` returns it.
        timeout: Seconds that an answer may take.
        http: Client of httpx to use, for a proxy or certificates of your own; it is not closed.
    """

    def __init__(self, origin: str, *, timeout: float, retry: RetryPolicy, http: httpx.AsyncClient | None) -> None:
        self.origin = origin
        self.timeout = timeout
        self.retry = retry
        self.token: str | None = None
        self.on_height: Callable[[int], None] = lambda _height: None
        self._http = http
        self._owned = http is None

    async def close(self) -> None:
        """Closes the connections that this transport has opened."""
        if self._owned and self._http is not None:
            await self._http.aclose()
        self._http = None if self._owned else self._http

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        prefix: str = API_PREFIX,
        wait: float = 0.0,
    ) -> bytes:
        """Sends one request and returns the body of a successful answer.

        Args:
            wait: Seconds that the venue was asked to wait itself.

        Raises:
            VenueError: The venue's error answer.
            ClientError: CONNECTION_FAILED, TIMEOUT, RESPONSE_INVALID.
        """
        url = f"{self.origin}{prefix}{path}{write_query(query or {})}"
        sent = {**({"authorization": f"Bearer {self.token}"} if self.token else {}), **(headers or {})}
        if body is not None:
            sent["content-type"] = "application/json"
        budget = self.timeout + wait
        if self._http is None:
            self._http = httpx.AsyncClient(follow_redirects=False)
        details = {"method": method, "path": path}
        try:
            answer = await asyncio.wait_for(
                self._http.request(method, url, content=body, headers=sent, timeout=None), budget
            )
        except (asyncio.TimeoutError, httpx.TimeoutException) as cause:
            raise RequestTimeout(
                "TIMEOUT",
                f"no answer to {method} {path} in {budget:g} s",
                details={**details, "timeout": budget},
            ) from cause
        except httpx.HTTPError as cause:
            raise ConnectionFailed(
                "CONNECTION_FAILED",
                f"{method} {path} got no answer: {cause}",
                hint=f"is a venue at {self.origin}?",
                details=details,
            ) from cause
        return self._read(answer, details)

    async def read(self, path: str, query: Mapping[str, Any], kind: type[T]) -> T:
        """Reads with retries, while no answer comes or the venue asks to come back later."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return self.decode(await self.request("GET", path, query=query), kind, path)
            except (VenueError, ClientError) as error:
                asked = error.problem.retry_after_ms if isinstance(error, VenueError) else None
                is_passing = is_unanswered(error) or (isinstance(error, VenueError) and error.problem.retryable)
                if attempt > self.retry.reads or not is_passing:
                    raise
                await asyncio.sleep(self.retry.wait(attempt, asked))

    def decode(self, body: bytes, kind: type[T], path: str) -> T:
        """The answer as an object of its class.

        Raises:
            ClientError: RESPONSE_INVALID
        """
        try:
            value = msgspec.json.decode(body, type=kind)
        except msgspec.MsgspecError as cause:
            raise ClientError(
                "RESPONSE_INVALID",
                f"the answer to {path} is not the venue's: {cause}",
                hint="check the address and the version",
            ) from cause
        height = getattr(getattr(value, "as_of", None), "height", None)
        if isinstance(height, int):
            self.on_height(height)
        return value

    def _read(self, answer: httpx.Response, details: Mapping[str, Any]) -> bytes:
        if 200 <= answer.status_code < 300:
            return answer.content
        try:
            problem = msgspec.json.decode(answer.content, type=Problem)
        except msgspec.MsgspecError as cause:
            raise ClientError(
                "RESPONSE_INVALID",
                f"{details['method']} {details['path']} got an answer ({answer.status_code}) that is not the venue's",
                hint="check the address",
                details={**details, "status": answer.status_code},
            ) from cause
        if problem.retry_after_ms is None:
            seconds = answer.headers.get("retry-after", "")
            if seconds.isdigit():
                problem = msgspec.structs.replace(problem, retry_after_ms=int(seconds) * 1000)
        raise VenueError(problem)


def write_query(query: Mapping[str, Any]) -> str:
    """The query of a request, without absent members."""
    given = {name: write_member(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def write_member(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def write_json(value: Any) -> bytes:
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode()
