"""Wallet sessions: they read what belongs to an account, and sign nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from . import models
from .errors import ClientError
from .session import find_fault
from .transactions import TransactionMethods

T = TypeVar("T")


@dataclass(frozen=True)
class Session:
    """A wallet session: it may read the account's own resources, and signs nothing."""

    session_id: str
    address: str
    expires_at_ms: int


class SessionMethods(TransactionMethods):
    """Opens and ends wallet sessions."""

    async def sign_in(self) -> Session:
        """Opens a wallet session: later reads and streams may see the account where the venue asks for one.

        Raises:
            ClientError: SIGNATURE_INVALID if the challenge is not for this account and network
            VenueError: UNAUTHORIZED
        """
        signer = self._require_signer("a session")
        checked = await self.network.check()
        challenge = await self._post("/session/challenges", {"address": signer.address}, models.Challenge)
        fault = find_fault(challenge.message, signer.address, checked.identity.chain_id)
        if fault is not None:
            raise ClientError(
                "SIGNATURE_INVALID",
                f"the challenge is not for this account and network: {fault}",
                details={"signer": signer.address, "fault": fault},
            )
        signed = signer.sign_message(challenge.message)
        signature = signed if isinstance(signed, str) else await signed
        body = {"challengeId": challenge.challenge_id, "signature": signature}
        opened = await self._post("/session/verifications", body, models.OpenedSession)
        self._transport.token = opened.token
        self._streams.authenticate()
        await self.recover(again=True)
        return Session(opened.session_id, opened.address, opened.expires_at_ms)

    async def sign_out(self) -> None:
        """Ends the session."""
        if self._transport.token is not None:
            await self._transport.request("DELETE", "/session")
            self._transport.token = None
