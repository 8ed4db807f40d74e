"""Signatures of transactions: EIP-712 typed data, by a local key or by anything else that signs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

from eth_account import Account
from eth_account.messages import SignableMessage, encode_defunct, encode_typed_data
from eth_keys.datatypes import Signature
from eth_utils.crypto import keccak

from ._actions import ACTIONS, SIGNING_NAME, SIGNING_VERSION
from .errors import ClientError

#: Order of the curve secp256k1.
ORDER = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141

TypedData = dict[str, Any]

DOMAIN_MEMBERS = [
    {"name": "name", "type": "string"},
    {"name": "version", "type": "string"},
    {"name": "chainId", "type": "uint256"},
    {"name": "salt", "type": "bytes32"},
]


@runtime_checkable
class Signer(Protocol):
    """Anything that signs for one address: a key, a wallet, a service."""

    @property
    def address(self) -> str:
        """Address as 0x and 40 hexadecimal digits."""
        ...

    def sign_typed_data(self, data: TypedData) -> str | Awaitable[str]:
        """Signature of typed data (EIP-712) as 0x and 130 hexadecimal digits."""
        ...

    def sign_message(self, text: str) -> str | Awaitable[str]:
        """Signature of a text (EIP-191), for sessions."""
        ...


class LocalSigner:
    """A private key in this process.

    Args:
        key: 0x and 64 hexadecimal digits.

    Raises:
        ClientError: SIGNATURE_INVALID if it is no key; the key is not in the message.
    """

    def __init__(self, key: str) -> None:
        if re.fullmatch(r"0x[0-9a-fA-F]{64}", key) is None or not 0 < int(key, 16) < ORDER:
            raise ClientError(
                "SIGNATURE_INVALID", "this is not a private key", hint="a key is 0x and 64 hexadecimal digits"
            )
        self._account = Account.from_key(key)
        self._address = str(self._account.address).lower()

    def __repr__(self) -> str:
        return f"LocalSigner({self._address})"

    @property
    def address(self) -> str:
        return self._address

    def sign_typed_data(self, data: TypedData) -> str:
        return to_hex(self._account.sign_message(encode_typed_data(full_message=data)).signature)

    def sign_message(self, text: str) -> str:
        return to_hex(self._account.sign_message(encode_defunct(text=text)).signature)


class ExternalSigner:
    """A signer of your own: a hardware wallet or a signing service, behind functions that may be asynchronous."""

    def __init__(
        self,
        address: str,
        sign_typed_data: Callable[[TypedData], str | Awaitable[str]],
        sign_message: Callable[[str], str | Awaitable[str]] | None = None,
    ) -> None:
        self._address = read_address(address)
        self._sign_typed_data = sign_typed_data
        self._sign_message = sign_message

    @property
    def address(self) -> str:
        return self._address

    def sign_typed_data(self, data: TypedData) -> str | Awaitable[str]:
        return self._sign_typed_data(data)

    def sign_message(self, text: str) -> str | Awaitable[str]:
        if self._sign_message is None:
            raise ClientError(
                "SIGNATURE_INVALID",
                f"{self._address} signs no texts",
                hint="give the signer a sign_message function",
            )
        return self._sign_message(text)


def read_address(text: str) -> str:
    """An address in lower case.

    Raises:
        ClientError: ARGUMENT_INVALID
    """
    if isinstance(text, str) and re.fullmatch(r"0x[0-9a-fA-F]{40}", text):
        return text.lower()
    raise ClientError("ARGUMENT_INVALID", f"{text!r} is not an address", hint="0x and 40 hexadecimal digits")


def typed_data_of(
    action: str, header: Mapping[str, Any], payload: Mapping[str, Any], domain: Mapping[str, Any]
) -> TypedData:
    """The message that a wallet shows and signs.

    Args:
        domain: `chainId` and `salt` of the network.
    """
    types = types_of(ACTIONS[action].encode_type)
    primary = ACTIONS[action].primary_type
    message = {"header": dict(header), **payload}
    return {
        "types": {"EIP712Domain": DOMAIN_MEMBERS, **types},
        "primaryType": primary,
        "domain": {
            "name": SIGNING_NAME,
            "version": SIGNING_VERSION,
            "chainId": domain["chainId"],
            "salt": domain["salt"],
        },
        "message": to_signed(primary, message, types),
    }


@lru_cache(maxsize=64)
def types_of(encode_type: str) -> dict[str, list[dict[str, str]]]:
    """Structs of a type text: `A(B b,string c)B(uint64 d)`."""
    types: dict[str, list[dict[str, str]]] = {}
    for name, members in re.findall(r"(\w+)\(([^)]*)\)", encode_type):
        rows = [member.split(" ") for member in members.split(",")] if members else []
        types[name] = [{"name": member, "type": kind} for kind, member in rows]
    return types


def to_signed(kind: str, value: Any, types: Mapping[str, list[dict[str, str]]]) -> Any:
    """A value of JSON as it is signed: numbers written as text are numbers."""
    if kind.endswith("[]"):
        return [to_signed(kind[:-2], one, types) for one in value]
    if kind in types:
        return {member["name"]: to_signed(member["type"], value[member["name"]], types) for member in types[kind]}
    return int(value) if kind.startswith("uint") else value


def digest_of(data: TypedData) -> bytes:
    """What is signed; as hexadecimal text it is the transaction's id."""
    message: SignableMessage = encode_typed_data(full_message=data)
    return bytes(keccak(b"\x19" + message.version + message.header + message.body))


async def sign(signer: Signer, data: TypedData, digest: bytes) -> str:
    """Signature in the form that the venue accepts: v is 27 or 28, and s is low (TX-4).

    Raises:
        ClientError: SIGNATURE_INVALID if it is not that of the signer.
    """
    signed = signer.sign_typed_data(data)
    return read_signature(await signed if inspect.isawaitable(signed) else signed, digest, signer.address)


def read_signature(text: str, digest: bytes, address: str) -> str:
    """Normalises a signature, and recovers who made it: a wallet signs with the account that its owner chose.

    Raises:
        ClientError: SIGNATURE_INVALID
    """
    if not isinstance(text, str) or re.fullmatch(r"(0x)?[0-9a-fA-F]{130}", text) is None:
        raise refuse(address, "SIGNATURE_LENGTH", "is not 65 bytes of hexadecimal text")
    raw = bytes.fromhex(text.removeprefix("0x"))
    r, s, v = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:64], "big"), raw[64]
    parity = {0: 0, 1: 1, 27: 0, 28: 1}.get(v)
    if parity is None:
        raise refuse(address, "SIGNATURE_V", "does not end with 27 or 28")
    if s > ORDER // 2:
        s, parity = ORDER - s, 1 - parity
    try:
        found = Signature(vrs=(parity, r, s)).recover_public_key_from_msg_hash(digest).to_address()
    except Exception as cause:
        raise refuse(address, "SIGNATURE_UNRECOVERABLE", "is made by no key") from cause
    if found != address:
        raise refuse(address, "SIGNER_MISMATCH", "belongs to another account")
    return "0x" + r.to_bytes(32, "big").hex() + s.to_bytes(32, "big").hex() + bytes([27 + parity]).hex()


def refuse(address: str, fault: str, words: str) -> ClientError:
    return ClientError(
        "SIGNATURE_INVALID",
        f"the signature of {address} {words}",
        details={"signer": address, "fault": fault},
    )


def to_hex(signature: bytes) -> str:
    return "0x" + bytes(signature).hex()
