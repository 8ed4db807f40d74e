"""How each action is written and signed, and a method for each action of an account."""

from __future__ import annotations

from typing import Any

from names import docstring, to_snake

Schema = dict[str, Any]


def resolve(schema: Schema, schemas: dict[str, Schema]) -> Schema:
    return schemas[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


def field_of(name: str, schema: Schema, schemas: dict[str, Schema]) -> str:
    """Source of the description of one field."""
    traits = traits_of(schema, schemas)
    kind = traits.pop("kind")
    rest = "".join(f", {key}={value}" for key, value in traits.items())
    return f'Field("{name}", "{to_snake(name)}", "{kind}", "{schema.get("x-eip712-type", "")}"{rest})'


def traits_of(schema: Schema, schemas: dict[str, Schema]) -> dict[str, str]:
    """Kind of a field and what else the client checks, as source. `empty` is what an absent field is written as."""
    if "enum" in schema:
        words = "".join(f'"{word}", ' for word in schema["enum"])
        empty = {"empty": f'"{schema["x-empty"]}"'} if "x-empty" in schema else {}
        return {"kind": "word", "words": f"({words})", **empty}
    kind = schema["type"]
    pattern = {"pattern": f'r"{schema["pattern"]}"'} if "pattern" in schema else {}
    if "x-decimals" in schema:
        empty = {"empty": '""'} if schema["pattern"].endswith("?$") else {}
        return {"kind": "decimal", "decimals": str(schema["x-decimals"]), **pattern, **empty}
    if kind == "boolean":
        return {"kind": "flag", "empty": "False"}
    if kind == "integer":
        return {"kind": "integer", "most": str(schema["maximum"]), "empty": "0"}
    if kind == "array":
        item = resolve(schema["items"], schemas)
        most = {"most": str(schema["maxItems"]), "empty": "()"}
        if item["type"] == "object":
            members = "".join(f"{field_of(key, value, schemas)}, " for key, value in item["properties"].items())
            return {"kind": "records", "members": f"({members})", **most}
        return {"kind": "list", "item": field_of("", item, schemas), **most}
    if schema.get("format") == "uint64":
        return {"kind": "id", **pattern, **({"empty": '"0"'} if schema["pattern"].startswith("^(?:0|") else {})}
    most = {"most": str(schema["maxLength"])} if "maxLength" in schema else {}
    return {"kind": "text", **pattern, **most, **({"empty": '""'} if is_optional_text(schema) else {})}


def is_optional_text(schema: Schema) -> bool:
    return "maxLength" in schema and schema.get("minLength", 0) == 0


def argument_type(schema: Schema, schemas: dict[str, Schema]) -> str:
    kind = traits_of(schema, schemas)["kind"]
    if kind == "word":
        return "Literal[" + ", ".join(f'"{word}"' for word in schema["enum"]) + "]"
    if kind == "list":
        return "Sequence[str | int]" if "format" in resolve(schema["items"], schemas) else "Sequence[str]"
    return {
        "decimal": "Number",
        "flag": "bool",
        "integer": "int",
        "id": "str | int",
        "text": "str",
        "records": "Sequence[Mapping[str, Any]]",
    }[kind]


def write_actions(openapi: Schema) -> str:
    """Source of `_actions.py`."""
    schemas: dict[str, Schema] = openapi["components"]["schemas"]
    entries, methods = [], []
    for signed in schemas.values():
        if "x-eip712" not in signed:
            continue
        action = signed["properties"]["action"]["const"]
        payload = resolve(signed["properties"]["payload"], schemas)
        fields = ", ".join(field_of(key, value, schemas) for key, value in payload["properties"].items())
        domains = ", ".join(f'"{domain}"' for domain in signed["x-nonce-domains"])
        entries.append(
            f'    "{action}": Action("{action}", "{signed["x-eip712"]["primaryType"]}", '
            f'"{signed["x-eip712"]["encodeType"]}", ({domains},), "{signed.get("x-scope", "authority")}", '
            f"({fields}{',' if fields else ''})),\n"
        )
        if "x-scope" in signed:
            methods.append(method_of(action, signed, payload, schemas))
    header = ", ".join(field_of(key, value, schemas) for key, value in schemas["TxHeader"]["properties"].items())
    domain = schemas["SignedTransaction"]["x-eip712-domain"]
    return (
        "from __future__ import annotations\n\nfrom collections.abc import Mapping, Sequence\n"
        "from typing import Any, Literal, Protocol\n\n"
        "from .actions import Action, Field, Number\nfrom .submission import Submission, SubmitOptions\n\n"
        f'SIGNING_NAME = "{domain["name"]}"\nSIGNING_VERSION = "{domain["version"]}"\n\n'
        f"HEADER: tuple[Field, ...] = ({header},)\n\n"
        "ACTIONS: dict[str, Action] = {\n" + "".join(entries) + "}\n\n\n"
        "class Submits(Protocol):\n    async def submit(\n"
        "        self, action: str, payload: Mapping[str, Any], options: SubmitOptions | None = None\n"
        "    ) -> Submission: ...\n\n\n"
        "class ActionMethods:\n"
        '    """A method for each action. Each returns once the transaction is signed and recorded."""\n\n'
        + "".join(methods)
    )


def method_of(action: str, signed: Schema, payload: Schema, schemas: dict[str, Schema]) -> str:
    required, optional, rows, pairs = [], [], [], []
    for key, schema in payload["properties"].items():
        snake = to_snake(key)
        kind = argument_type(schema, schemas)
        if "empty" in traits_of(schema, schemas):
            optional.append(f"{snake}: {kind} | None = None")
        else:
            required.append(f"{snake}: {kind}")
        rows.append((snake, schema.get("description", resolve(schema, schemas).get("description", ""))))
        pairs.append(f'"{key}": {snake}')
    arguments = ", ".join([*required, *optional, "options: SubmitOptions | None = None"])
    rows.append(("options", "Account, lane, validity and names that differ from the client's."))
    doc = docstring(signed["description"], 8, rows, "Args:")
    return (
        f"    async def {to_snake(action)}(self: Submits, *, {arguments}) -> Submission:\n{doc}"
        f'        return await self.submit("{action}", {{{", ".join(pairs)}}}, options)\n\n'
    )
