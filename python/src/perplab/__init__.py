"""Client of a perplab venue: signed transactions, reads and streams of a perpetual-futures venue."""

from .actions import Number
from .client import AsyncClient, Session
from .errors import (
    ClientError,
    ConnectionFailed,
    NetworkChanged,
    OutcomeUnknown,
    PerplabError,
    PreflightFailed,
    Problem,
    RequestTimeout,
    VenueError,
)
from .network import VERSION as __version__
from .network import NetworkChange
from .outbox import FileOutbox, MemoryOutbox, Outbox, OutboxEntry
from .preflight import PreflightFailure
from .retry import RetryPolicy
from .signing import ExternalSigner, LocalSigner, Signer
from .streams import FollowedBook, StreamMessage
from .submission import Outcome, Submission, SubmitOptions
from .sync_base import SyncSubmission
from .sync_client import Client, SyncBook

__all__ = [
    "AsyncClient",
    "Client",
    "ClientError",
    "ConnectionFailed",
    "ExternalSigner",
    "FileOutbox",
    "FollowedBook",
    "LocalSigner",
    "MemoryOutbox",
    "NetworkChange",
    "NetworkChanged",
    "Number",
    "Outbox",
    "OutboxEntry",
    "Outcome",
    "OutcomeUnknown",
    "PerplabError",
    "PreflightFailed",
    "PreflightFailure",
    "Problem",
    "RequestTimeout",
    "RetryPolicy",
    "Session",
    "Signer",
    "StreamMessage",
    "Submission",
    "SubmitOptions",
    "SyncBook",
    "SyncSubmission",
    "VenueError",
    "__version__",
]
