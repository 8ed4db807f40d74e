"""Errors of the client and of backtests. Match on `code`, never on sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

__all__ = [
    "BacktestError",
    "ClientError",
    "ConnectionFailed",
    "HostEnded",
    "HostMissing",
    "HostUnusable",
    "NetworkChanged",
    "OutcomeUnknown",
    "PackageMissing",
    "PerplabError",
    "PreflightFailed",
    "Problem",
    "RequestTimeout",
    "StrategyError",
    "StrategyFailed",
    "VenueError",
]


class FieldError(msgspec.Struct, frozen=True):
    """One place of a request that the venue refused."""

    pointer: str
    rule: str
    message: str


class Problem(msgspec.Struct, frozen=True, rename="camel"):
    """Error answer of the venue (RFC 9457).

    Attributes:
        status: HTTP status.
        code: Stable code; treat an unknown one by its status.
        detail: What is wrong here, and what to do.
        retryable: Whether the same request may be sent again, unchanged.
        reason: Narrower cause within the code; stable.
        title: The code in words.
        instance: Id of the request, as in the venue's log.
        retry_after_ms: Milliseconds to wait before.
        tx_id: The transaction concerned.
        maybe_submitted: 503 on submission: whether the transaction may have been accepted despite the error.
        errors: Places of the request that are refused.
    """

    status: int
    code: str
    detail: str
    retryable: bool
    reason: str | None = None
    title: str = ""
    instance: str = ""
    retry_after_ms: int | None = None
    tx_id: str | None = None
    maybe_submitted: bool | None = None
    errors: list[FieldError] = []


class PerplabError(Exception):
    """Any failure of a call.

    Attributes:
        code: Stable code.
        hint: What to do, or None.
        details: Facts of the failure, by name.
    """

    def __init__(
        self, code: str, message: str, *, hint: str | None = None, details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(f"{code}: {message}" + (f" ({hint})" if hint else ""))
        self.code = code
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = dict(details or {})


class VenueError(PerplabError):
    """The venue answered a request with an error."""

    def __init__(self, problem: Problem) -> None:
        reason = f" ({problem.reason})" if problem.reason else ""
        places = "; ".join(f"{one.pointer}: {one.message}" for one in problem.errors)
        super().__init__(problem.code, f"{problem.detail}{reason}" + (f" [{places}]" if places else ""))
        self.problem = problem

    @property
    def reason(self) -> str | None:
        """Narrower cause within the code."""
        return self.problem.reason


class ClientError(PerplabError):
    """A failure that the client found. Codes:

    ACCOUNT_MISSING, ARGUMENT_INVALID, CONNECTION_FAILED, NETWORK_CHANGED, NETWORK_MISMATCH, OUTBOX_CORRUPT,
    OUTCOME_UNKNOWN, PREFLIGHT_FAILED, RESPONSE_INVALID, SIGNATURE_INVALID, SOCKET_FAILED, TIMEOUT, TRANSACTION_LOST,
    VERSION_UNSUPPORTED.
    """


class ConnectionFailed(ClientError):
    """No connection, or it broke before an answer came: the request may have been carried out."""


class RequestTimeout(ClientError):
    """No answer in time: the request may have been carried out."""


class NetworkChanged(ClientError):
    """The venue's chain was replaced since the client's first read; what was read before is no longer valid.

    `details` has `field`, `before` and `now`. After `client.network.accept()` the client signs for the new chain.
    """


class PreflightFailed(ClientError):
    """A transaction that must not be signed. `details["failures"]` lists the reasons; no nonce was used."""


class OutcomeUnknown(ClientError):
    """The transaction may still commit. It stays in the outbox, and `recover()` looks for it again."""


def is_unanswered(error: BaseException) -> bool:
    """Whether no answer came, so that the request may have been carried out or not."""
    return isinstance(error, ConnectionFailed | RequestTimeout)


class BacktestError(PerplabError):
    """A backtest or sweep that perplab refused, or could not finish. `code` is that of docs/reference/errors.md."""


class StrategyError(BacktestError):
    """A call of a strategy that cannot be carried out, raised where it is made. Codes:

    METRIC_INVALID, ORDER_INVALID, STRATEGY_INVALID, TIMER_INVALID.
    """


class StrategyFailed(BacktestError):
    """A hook of the strategy raised; that exception is the cause (`__cause__`).

    Attributes:
        result: The run up to that block.
    """

    result: Any = None


class HostMissing(PerplabError):
    """The Node package perplab, or Node, is not found. Codes: HOST_MISSING, NODE_MISSING."""


class HostUnusable(PerplabError):
    """What was found does not run strategies of Python.

    Codes: HOST_UNUSABLE, HOST_VERSION, NODE_MISSING, NODE_TOO_OLD.
    """


class HostEnded(PerplabError):
    """The process of perplab ended before its work was done. Code: HOST_ENDED."""


class PackageMissing(PerplabError, ImportError):
    """A package that a table needs is not installed. Code: PACKAGE_MISSING."""
