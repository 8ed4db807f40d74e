"""The client hashes and signs as the vectors of the wire say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perplab._actions import ACTIONS, HEADER
from perplab.actions import encode_fields
from perplab.errors import ClientError
from perplab.signing import LocalSigner, digest_of, read_signature, sign, typed_data_of

VECTORS = Path(__file__).resolve().parents[2] / "test" / "vectors"


def read_vectors() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    found = []
    for path in sorted(VECTORS.glob("*.json")):
        file = json.loads(path.read_text("utf8"))
        found += [(f"{path.stem}-{at}", file["domain"], one) for at, one in enumerate(file["vectors"])]
    return found


CASES = read_vectors()


def test_every_action_has_vectors() -> None:
    assert {name.split("-")[0] for name, _, _ in CASES} == set(ACTIONS)


@pytest.mark.parametrize(("domain", "vector"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
async def test_a_transaction_is_hashed_and_signed_as_the_vector_says(
    domain: dict[str, Any], vector: dict[str, Any]
) -> None:
    transaction = vector["transaction"]
    data = typed_data_of(transaction["action"], transaction["header"], transaction["payload"], domain)
    digest = digest_of(data)
    assert "0x" + digest.hex() == vector["digest"] == vector["txId"]
    assert await sign(LocalSigner(vector["privateKey"]), data, digest) == transaction["signature"]


@pytest.mark.parametrize("vector", [case[2] for case in CASES], ids=[case[0] for case in CASES])
def test_fields_are_written_as_the_vector_has_them(vector: dict[str, Any]) -> None:
    transaction = vector["transaction"]
    assert ACTIONS[transaction["action"]].encode(transaction["payload"]) == transaction["payload"]
    assert encode_fields(HEADER, transaction["header"], "header") == transaction["header"]


def test_a_signature_of_another_key_is_refused() -> None:
    _, domain, vector = CASES[0]
    transaction = vector["transaction"]
    digest = digest_of(typed_data_of(transaction["action"], transaction["header"], transaction["payload"], domain))
    with pytest.raises(ClientError, match="another account"):
        read_signature(transaction["signature"], digest, "0x" + "1" * 40)


def test_a_high_s_becomes_its_low_twin() -> None:
    _, domain, vector = CASES[0]
    transaction = vector["transaction"]
    digest = digest_of(typed_data_of(transaction["action"], transaction["header"], transaction["payload"], domain))
    raw = bytes.fromhex(transaction["signature"][2:])
    order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
    high = raw[:32] + (order - int.from_bytes(raw[32:64], "big")).to_bytes(32, "big") + bytes([55 - raw[64]])
    signer = transaction["header"]["signer"]
    assert read_signature("0x" + high.hex(), digest, signer) == transaction["signature"]
