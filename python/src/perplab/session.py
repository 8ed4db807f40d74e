"""The challenge of a session (EIP-4361), read before it is signed."""

from __future__ import annotations

import re

WANTS = " wants you to sign in with your Ethereum account:"


def find_fault(text: str, address: str, chain_id: int) -> str | None:
    """The first member of a challenge that is not for this account and network; None if it may be signed."""
    lines = text.split("\n")
    if len(lines) < 6 or not lines[0].endswith(WANTS):
        return "message"
    if lines[1].lower() != address.lower():
        return "address"
    members = dict(re.findall(r"^(URI|Version|Chain ID|Nonce|Issued At): (.*)$", text, flags=re.MULTILINE))
    if members.get("Version") != "1":
        return "version"
    if members.get("Chain ID") != str(chain_id):
        return "chainId"
    if not re.fullmatch(r"[A-Za-z0-9]{8,}", members.get("Nonce", "")):
        return "nonce"
    return None if "URI" in members and "Issued At" in members else "message"
