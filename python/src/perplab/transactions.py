"""Signed transactions: built, checked, recorded and sent until their outcome is known."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, TypeVar

from . import models
from ._actions import ACTIONS, HEADER
from .actions import encode_fields, invalid
from .core import ClientCore
from .errors import PreflightFailed, VenueError
from .network import CheckedNetwork
from .nonces import LaneKey, NonceLane
from .outbox import OutboxEntry
from .preflight import ZERO_ID, PreflightFacts, PreflightFailure, preflight
from .signing import Signer, digest_of, read_address, sign, typed_data_of
from .submission import Parts, Submission, SubmitOptions
from .transport import write_json

T = TypeVar("T")

#: Seconds for which the definitions of markets count as known.
MARKETS_AGE = 60.0


class TransactionMethods(ClientCore):
    """Signs and submits transactions of any action."""

    async def submit(self, action: str, payload: Mapping[str, Any], options: SubmitOptions | None = None) -> Submission:
        """Signs an action, records it, and sends it until its outcome is known. Returns once it is recorded.

        Raises:
            PreflightFailed: one of the six checks failed; nothing was signed, and no nonce was used
            NetworkChanged: the venue's chain was replaced
            ClientError: ARGUMENT_INVALID, ACCOUNT_MISSING, NETWORK_MISMATCH, VERSION_UNSUPPORTED, SIGNATURE_INVALID
        """
        name = find_action(action)
        choices = options or SubmitOptions()
        encoded = ACTIONS[name].encode(payload)
        signer = self._require_signer(name)
        # Entries of an earlier run come before any new nonce.
        await self.recover()
        lane = self._lane(self._lane_key(name, choices, signer))

        async def record(nonce: int) -> OutboxEntry:
            network = await self.network.check()
            transaction = self._build(name, encoded, choices, lane.key, network, nonce)
            failures = await self._find_failures(transaction, name, encoded, lane.key, network, None)
            kept = [failure for failure in failures if failure.check not in choices.unchecked]
            if kept:
                raise failed(kept)
            entry = await self._sign(transaction, lane.key, network, signer)
            self._outbox.put(entry)
            return entry

        # A replacement takes the nonce of the transaction that it replaces.
        entry = await (lane.take(record) if choices.replaces is None else record(choices.replaces[1]))
        return self._pursue(entry, lane)

    async def preflight(
        self, action: str, payload: Mapping[str, Any], options: SubmitOptions | None = None
    ) -> list[PreflightFailure]:
        """Runs the six checks without signing; empty if all pass."""
        name = find_action(action)
        choices = options or SubmitOptions()
        encoded = ACTIONS[name].encode(payload)
        key = self._lane_key(name, choices, self._require_signer(name))
        network = await self.network.check()
        state = await self._read_nonce(key)
        transaction = self._build(name, encoded, choices, key, network, int(state.pending_next))
        return await self._find_failures(transaction, name, encoded, key, network, int(state.committed_next))

    async def recover(self, *, again: bool = False) -> list[Submission]:
        """Looks for the outcomes of transactions that an earlier run left in the outbox.

        Each is looked up by its id; it is sent again only if the venue does not know it. Runs by itself before the
        first transaction.

        Args:
            again: Repeat it even if it ran before.
        """
        async with self._recovering:
            if self._recovered and not again:
                return []
            entries = self._outbox.entries()
            found = []
            if entries:
                identity = (await self.network.check(fresh=True)).identity
                for entry in entries:
                    # An entry signed for another network cannot commit here.
                    if (entry.chain_id, entry.genesis_hash) == (identity.chain_id, identity.genesis_hash):
                        found.append(self._resume(entry))
            self._recovered = True
            return found

    def _lane_key(self, action: str, options: SubmitOptions, signer: Signer) -> LaneKey:
        owner = self._agent_of[0] if self._agent_of is not None else signer.address
        subaccount = self._subaccount if options.subaccount is None else options.subaccount
        domain = options.nonce_domain or ACTIONS[action].domains[0]
        return LaneKey(read_address(options.owner or owner), subaccount, signer.address, domain)

    def _build(
        self,
        action: str,
        payload: Mapping[str, Any],
        options: SubmitOptions,
        lane: LaneKey,
        network: CheckedNetwork,
        nonce: int,
    ) -> dict[str, Any]:
        authorization = options.authorization or (self._agent_of[1] if self._agent_of is not None else ZERO_ID)
        first = network.height if options.valid_from is None else options.valid_from
        validity = min(self._validity_blocks, network.status.limits.validity_blocks_most)
        last = max(network.height, first) + validity if options.valid_until is None else options.valid_until
        header = {
            "network": network.identity.name,
            "protocolVersion": network.protocol_version,
            "envelopeVersion": network.envelope_version,
            "account": lane.account,
            "subaccount": lane.subaccount,
            "signer": lane.signer,
            "authorization": authorization,
            "nonceDomain": lane.domain,
            "nonce": nonce,
            "validFrom": first,
            "validUntil": last,
            "replaces": ZERO_ID if options.replaces is None else options.replaces[0],
            "clientTxId": options.client_tx_id,
        }
        return {"action": action, "header": encode_fields(HEADER, header, "header"), "payload": dict(payload)}

    async def _find_failures(
        self,
        transaction: Mapping[str, Any],
        action: str,
        payload: Mapping[str, Any],
        lane: LaneKey,
        network: CheckedNetwork,
        committed_next: int | None,
    ) -> list[PreflightFailure]:
        authorization = transaction["header"]["authorization"]
        grant = None if authorization == ZERO_ID else await self._read_grant(authorization)
        markets = await self._read_markets()
        facts = PreflightFacts(action, payload, network, lane.signer, lane, committed_next, grant, markets)
        return preflight(transaction, facts)

    async def _read_grant(self, authorization: str) -> models.Authorization | None:
        try:
            return (await self.get_authorization(authorization)).data
        except VenueError as error:
            if error.code == "NOT_FOUND":
                return None
            raise

    async def _read_markets(self) -> dict[str, models.Market]:
        if self._markets is None or time.monotonic() - self._markets_at > MARKETS_AGE:
            self._markets = {market.market: market for market in (await self.list_markets()).data}
            self._markets_at = time.monotonic()
        return self._markets

    async def _sign(
        self, transaction: dict[str, Any], lane: LaneKey, network: CheckedNetwork, signer: Signer
    ) -> OutboxEntry:
        identity, header = network.identity, transaction["header"]
        domain = {"chainId": identity.chain_id, "salt": identity.genesis_hash}
        data = typed_data_of(transaction["action"], header, transaction["payload"], domain)
        digest = digest_of(data)
        signature = await sign(signer, data, digest)
        tx_id = "0x" + digest.hex()
        return OutboxEntry(
            tx_id=tx_id,
            # The id without 0x has exactly the characters that a key may have, and can be computed again if lost.
            key=tx_id[2:],
            chain_id=identity.chain_id,
            genesis_hash=identity.genesis_hash,
            account=lane.account,
            subaccount=lane.subaccount,
            signer=lane.signer,
            domain=lane.domain,
            nonce=int(header["nonce"]),
            valid_until=header["validUntil"],
            body=write_json({**transaction, "signature": signature}).decode(),
        )

    def _pursue(self, entry: OutboxEntry, lane: NonceLane, *, resumed: bool = False) -> Submission:
        parts = Parts(self._transport, self.network, self._outbox, self._read_nonce)
        submission = Submission(entry, lane, parts, resumed=resumed)
        self._pursued[entry.tx_id] = submission
        submission.on_end(lambda: self._pursued.pop(entry.tx_id, None))
        return submission

    def _resume(self, entry: OutboxEntry) -> Submission:
        pursued = self._pursued.get(entry.tx_id)
        if pursued is not None:
            return pursued
        lane = self._lane(LaneKey(entry.account, entry.subaccount, entry.signer, entry.domain))
        lane.adopt(entry.nonce)
        lane.mark_uncertain(entry.tx_id)
        return self._pursue(entry, lane, resumed=True)


def failed(failures: list[PreflightFailure]) -> PreflightFailed:
    """The error of a transaction that must not be signed."""
    return PreflightFailed(
        "PREFLIGHT_FAILED",
        f"not signed: {'; '.join(map(str, failures))}",
        hint="correct the call; no nonce was used",
        details={"failures": failures},
    )


def find_action(name: str) -> str:
    """Name of an action in JSON, from that in Python.

    Raises:
        ClientError: ARGUMENT_INVALID
    """
    first, *rest = name.split("_")
    found = first + "".join(word.capitalize() for word in rest)
    if found in ACTIONS:
        return found
    raise invalid("action", f"there is no action {name!r}", f"actions are {', '.join(sorted(ACTIONS))}")
