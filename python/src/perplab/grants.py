"""Grants: other keys that act for an owner within limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from .actions import Number, write_decimal
from .signing import read_address
from .submission import Submission, SubmitOptions
from .transactions import TransactionMethods

T = TypeVar("T")

#: No limit of a grant.
UNLIMITED = "*"


class GrantMethods(TransactionMethods):
    """Gives and ends grants."""

    async def grant_agent(
        self,
        agent: str,
        *,
        scopes: Sequence[str] | Literal["*"],
        expires_at_ms: int,
        markets: Sequence[str] | Literal["*"] = "*",
        subaccounts: Sequence[int] | Literal["*"] = (0,),
        max_order_notional: Number | None = None,
        max_position_notional: Number | None = None,
        max_daily_notional: Number | None = None,
        max_open_orders: int | None = None,
        valid_from_ms: int = 0,
        label: str = "",
        options: SubmitOptions | None = None,
    ) -> tuple[str, Submission]:
        """Lets another key act within limits. Returns the id of the grant, known before it commits.

        Args:
            agent: Address of the key.
            scopes: trade, reduce, cancel, margin, transfer; `"*"` for all.
            expires_at_ms: Block time at which the grant ends, milliseconds.
            markets: Markets, or `"*"`.
            subaccounts: Subaccounts, or `"*"`.
            max_order_notional: Largest order, USD. Default: no limit.
            max_position_notional: Largest value of position and resting orders in a market, USD. Default: no limit.
            max_daily_notional: Value of the orders of a UTC day, USD. Default: no limit.
            max_open_orders: Most resting orders. Default: no limit.
            valid_from_ms: Block time from which it holds, milliseconds; 0 for now.
            label: Own name for it.
            options: Account, lane, validity and names that differ from the client's.
        """

        def limit(value: Number | None, place: str) -> str:
            return UNLIMITED if value is None else write_decimal(value, place)

        payload = {
            "agent": read_address(agent),
            "label": label,
            "scopes": words_of(scopes),
            "markets": words_of(markets),
            "subaccounts": words_of(subaccounts),
            "maxOrderNotional": limit(max_order_notional, "max_order_notional"),
            "maxPositionNotional": limit(max_position_notional, "max_position_notional"),
            "maxDailyNotional": limit(max_daily_notional, "max_daily_notional"),
            "maxOpenOrders": UNLIMITED if max_open_orders is None else str(max_open_orders),
            "validFrom": valid_from_ms,
            "expiresAt": expires_at_ms,
        }
        submission = await self.submit("grantAuthorization", payload, options)
        return submission.tx_id, submission

    async def revoke_agent(
        self, authorization: str, *, cancel_orders: bool = False, options: SubmitOptions | None = None
    ) -> Submission:
        """Ends a grant for ever; the owner may, and the agent itself."""
        choices = options or SubmitOptions()
        if choices.nonce_domain is None:
            choices = replace(choices, nonce_domain="admin")
        payload = {"authorization": authorization, "cancelOrders": cancel_orders}
        return await self.submit("revokeAuthorization", payload, choices)


def words_of(values: Sequence[str | int] | str) -> str:
    """A list as a grant has it: words with spaces between."""
    return values if isinstance(values, str) else " ".join(map(str, values))
