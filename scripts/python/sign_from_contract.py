"""Signs and submits one action of each kind from what a venue serves: its OpenAPI document and its status.

Nothing of perplab is imported, and no field of an action is written here but those of FILLED. Keys come as JSON in the
environment variable KEYS: {"user": "0x...", "oracle": "0x...", "faucet": "0x...", "operator": "0x..."}.

    KEYS=... python3 sign_from_contract.py http://127.0.0.1:8545/api/v1
"""
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request

from eth_account import Account
from eth_account.messages import encode_typed_data

BASE = sys.argv[1].rstrip("/")
KEYS = {role: Account.from_key(key) for role, key in json.loads(os.environ["KEYS"]).items()}

# Values that a schema cannot know. What is not here is the least that the schema takes.
FILLED = {
    "market": "BTC-PERP",
    "placeOrder": {"size": "0.5", "price": "50000"},
    "oracleUpdate": {"price": "60000"},
    "placeOrders": {"orders": [{"size": "0.1", "price": "49000"}, {"size": "0.2", "price": "48000"}]},
    "placeIntent": {"kind": "stop", "size": "0.1", "trigger": "50000", "side": "sell", "orderType": "market", "slippage": "0.01"},
    "grantAuthorization": {"agent": "0x" + "22" * 20, "scopes": "trade", "expiresAt": 4_000_000_000_000},
    "transfer": {"to": "0x" + "11" * 20, "amount": "1.5"},
    "withdraw": {"amount": "1"},
    "fundInsurance": {"amount": "1"},
    "deposit": {"amount": "10"},
    "faucetMint": {"amount": "10"},
    "setLeverage": {"leverage": 5},
}


def ask(path, body=None, key=None):
    """Status and JSON of an answer."""
    headers = {} if body is None else {"content-type": "application/json", "idempotency-key": key}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(BASE + path, data, headers)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


DOCUMENT = ask("/openapi.json")[1]


def resolve(schema):
    while "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        schema = DOCUMENT["components"]["schemas"][name]
    return schema


def parse_types(text):
    """Structs of a type text: a name, then members in parentheses."""
    structs = {}
    for struct, members in re.findall(r"(\w+)\(([^)]*)\)", text):
        pairs = [member.split(" ") for member in members.split(",") if member]
        structs[struct] = [{"name": name, "type": kind} for kind, name in pairs]
    return structs


def least(name, schema, own):
    """The least value that a schema takes."""
    schema = resolve(schema)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema["type"]
    if kind == "object":
        return {member: least(member, form, own) for member, form in schema["properties"].items()}
    if kind == "array":
        return []
    if kind == "boolean":
        return False
    if kind == "integer":
        return schema.get("minimum", 0)
    eip712 = schema.get("x-eip712-type")
    if eip712 == "address":
        return own
    if name == "market":
        return FILLED["market"]
    for text in ("", "0", "1", "x", "0x", "0x" + "00" * 32):
        if len(text) >= schema.get("minLength", 0) and re.fullmatch(schema["pattern"], text):
            return text
    raise ValueError(f"no value is known for {name}: {schema}")


def filled(action, schema, own):
    """The least payload with the values of FILLED in it; entries of a list are completed, too."""
    payload = least("payload", schema, own)
    for name, value in FILLED.get(action, {}).items():
        if isinstance(value, list):
            item = resolve(schema)["properties"][name]["items"]
            value = [{**least(name, item, own), **entry} for entry in value]
        payload[name] = value
    return payload


def to_message(kind, structs, value):
    """JSON has 64-bit numbers as text; the message has them as numbers."""
    if kind.endswith("[]"):
        return [to_message(kind[:-2], structs, item) for item in value]
    if kind.startswith("uint"):
        return int(value)
    if kind in structs:
        return {member["name"]: to_message(member["type"], structs, value[member["name"]]) for member in structs[kind]}
    return value


def sign(account, transaction, schema, status):
    """The signed transaction, and its id."""
    struct = schema["x-eip712"]
    domain = resolve({"$ref": "/SignedTransaction"})["x-eip712-domain"]
    structs = parse_types(struct["encodeType"])
    primary = struct["primaryType"]
    fields = {"header": transaction["header"], **transaction["payload"]}
    signing = status["signingDomain"]
    typed = encode_typed_data(
        full_message={
            "types": {**parse_types(domain["encodeType"]), **structs},
            "primaryType": primary,
            "domain": {member: signing[member] for member in ("name", "version", "chainId", "salt")},
            "message": to_message(primary, structs, fields),
        }
    )
    signed = account.sign_message(typed)
    return {**transaction, "signature": "0x" + bytes(signed.signature).hex()}, "0x" + bytes(signed.message_hash).hex()


def submit(option):
    schema = resolve(option)
    action = schema["properties"]["action"]["const"]
    role = schema.get("x-authority", "user")
    account = KEYS[role]
    own = account.address.lower()
    status = ask("/status")[1]["data"]
    domain = schema["x-nonce-domains"][0]
    nonce = ask(f"/accounts/{own}/nonce?signer={own}&subaccount=0&domain={domain}")[1]["data"]["pendingNext"]
    height = status["head"]["height"]
    header = {
        **least("header", schema["properties"]["header"], own),
        "network": status["network"]["name"],
        "protocolVersion": status["versions"]["protocol"][0],
        "nonceDomain": domain,
        "nonce": nonce,
        "validFrom": height,
        "validUntil": height + status["limits"]["validityBlocksMost"],
        "authorization": "0x" + "00" * 32,
        "replaces": "0x" + "00" * 32,
        "clientTxId": "python",
    }
    payload = filled(action, schema["properties"]["payload"], own)
    signed, tx_id = sign(account, {"action": action, "header": header, "payload": payload}, schema, status)
    code, answer = ask("/transactions", signed, tx_id[2:])
    if code != 202 or answer["txId"] != tx_id:
        return action, f"{code} {answer.get('reason')} {answer.get('detail')}", False
    outcome = ask(f"/transactions/{tx_id}/confirmation?waitMs=5000")[1]["data"]
    return action, f"{outcome['outcome']} {outcome['code'] or ''}".strip(), outcome["status"] == "committed"


def main():
    options = resolve({"$ref": "/SignedTransaction"})["anyOf"]
    # Prices first: orders need a mark.
    options.sort(key=lambda option: "OracleUpdate" not in option["$ref"])
    results = []
    for option in options:
        results.append(submit(option))
        print("  ".join(str(part) for part in results[-1][:2]))
        time.sleep(0.01)
    applied = sum(1 for _, outcome, _ in results if outcome == "applied")
    failed = [action for action, _, committed in results if not committed]
    print(f"{len(results)} actions, {len(results) - len(failed)} committed, {applied} applied")
    if failed or applied < 8:
        sys.exit(f"not committed: {', '.join(failed) or 'none'}; applied {applied}, at least 8 are wanted")


main()
