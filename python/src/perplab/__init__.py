"""perplab in Python: backtests of strategies, and a client of a venue (signed transactions, reads and streams)."""

from .actions import Number
from .backtesting import Context, Param, Result, Strategy, backtest, sweep
from .client import AsyncClient
from .errors import (
    BacktestError,
    ClientError,
    ConnectionFailed,
    HostEnded,
    HostMissing,
    HostUnusable,
    NetworkChanged,
    OutcomeUnknown,
    PackageMissing,
    PerplabError,
    PreflightFailed,
    Problem,
    RequestTimeout,
    StrategyError,
    StrategyFailed,
    VenueError,
)
from .network import VERSION as __version__
from .network import NetworkChange
from .outbox import FileOutbox, MemoryOutbox, Outbox, OutboxEntry
from .preflight import PreflightFailure
from .retry import RetryPolicy
from .sessions import Session
from .signing import ExternalSigner, LocalSigner, Signer
from .streams import FollowedBook, StreamMessage
from .submission import Outcome, Submission, SubmitOptions
from .sync_base import SyncSubmission
from .sync_client import Client, SyncBook

__all__ = [
    "AsyncClient",
    "BacktestError",
    "Client",
    "ClientError",
    "ConnectionFailed",
    "Context",
    "ExternalSigner",
    "FileOutbox",
    "FollowedBook",
    "HostEnded",
    "HostMissing",
    "HostUnusable",
    "LocalSigner",
    "MemoryOutbox",
    "NetworkChange",
    "NetworkChanged",
    "Number",
    "Outbox",
    "OutboxEntry",
    "Outcome",
    "OutcomeUnknown",
    "PackageMissing",
    "Param",
    "PerplabError",
    "PreflightFailed",
    "PreflightFailure",
    "Problem",
    "RequestTimeout",
    "Result",
    "RetryPolicy",
    "Session",
    "Signer",
    "Strategy",
    "StrategyError",
    "StrategyFailed",
    "StreamMessage",
    "Submission",
    "SubmitOptions",
    "SyncBook",
    "SyncSubmission",
    "VenueError",
    "__version__",
    "backtest",
    "sweep",
]
