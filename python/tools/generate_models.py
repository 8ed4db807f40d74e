"""Classes of answers and stream messages from the schemas of the contract."""

from __future__ import annotations

from typing import Any

from names import docstring, to_camel, to_snake

DECIMAL = r"^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$"
#: Requests are written by the client, not decoded.
REQUESTS = ("Payload", "Struct", "Request")
#: Written by hand, since they are generic.
BY_HAND = {"SignedTransaction"}

Schema = dict[str, Any]


def is_answer(name: str) -> bool:
    return not (name in BY_HAND or name.endswith(REQUESTS) or (name.startswith("Signed") and name != "Signed"))


class Writer:
    """Collects classes, those of nested objects before the one that names them."""

    def __init__(self) -> None:
        self.classes: dict[str, str] = {}

    def type_of(self, schema: Schema, name: str) -> str:
        """The Python type of a schema; a nested object becomes the class `name`."""
        if "$ref" in schema:
            ref = schema["$ref"].rsplit("/", 1)[1]
            if ref == "BookLevel":
                return "BookLevel"
            return "dict[str, Any]" if ref == "Payload" else str(ref)
        if "anyOf" in schema:
            members = []
            for one in schema["anyOf"]:
                text = self.type_of(one, name)
                if text not in members:
                    members.append(text)
            if "None" in members:
                members = [one for one in members if one != "None"] + ["None"]
            return " | ".join(members)
        if "enum" in schema or "const" in schema:
            values = schema.get("enum", [schema.get("const")])
            kinds = {type(value).__name__ for value in values}
            return kinds.pop() if len(kinds) == 1 else "Any"
        kind = schema.get("type")
        if kind == "null":
            return "None"
        if kind == "string":
            return "Decimal" if schema.get("pattern") == DECIMAL else "str"
        if kind == "integer":
            return "int"
        if kind == "number":
            return "float"
        if kind == "boolean":
            return "bool"
        if kind == "array":
            if "prefixItems" in schema:
                return f"tuple[{', '.join(self.type_of(one, name) for one in schema['prefixItems'])}]"
            return f"list[{self.type_of(schema['items'], name)}]"
        if kind == "object" and "properties" in schema:
            self.add(name, schema)
            return name
        if kind == "object":
            values = schema.get("additionalProperties", {})
            return (
                f"dict[str, {self.type_of(values, name + 'Value')}]" if values not in ({}, True) else "dict[str, Any]"
            )
        return "Any"

    def add(self, name: str, schema: Schema) -> None:
        required = set(schema.get("required", []))
        fields, renames, rows = [], {}, []
        for key, value in schema["properties"].items():
            snake = to_snake(key)
            text = self.type_of(value, name + key[:1].upper() + key[1:])
            if key not in required:
                text = f"{text} = None" if "None" in text.split(" | ") else f"{text} | None = None"
            fields.append((f"    {snake}: {text}\n", key in required))
            if to_camel(snake) != key:
                renames[snake] = key
            words = value.get("enum") or next((one["enum"] for one in value.get("anyOf", []) if "enum" in one), None)
            meaning = value.get("description", "")
            rows.append((snake, f"{meaning} One of {', '.join(map(str, words))}." if words else meaning))
        rename = f"{renames!r}" if renames else '"camel"'
        if renames:
            rename = "{" + ", ".join(f'"{to_snake(k)}": "{k}"' for k in schema["properties"]) + "}"
        head = f"class {name}(msgspec.Struct, frozen=True, kw_only=True, rename={rename}):\n"
        rows = [row for row in rows if row[1]]
        doc = docstring(schema.get("description", f"Part of an answer: {name}."), 4, rows, "Attributes:")
        self.classes[name] = head + doc + "\n" + "".join(text for text, _ in fields) + "\n\n"


def write_models(openapi: Schema, asyncapi: Schema) -> str:
    """Source of `models.py`."""
    writer = Writer()
    schemas = {**asyncapi["components"]["schemas"], **openapi["components"]["schemas"]}
    rest = openapi["components"]["schemas"]
    # Messages of a stream are read as plain objects; their data has these classes, too.
    pending = [
        name
        for name in schemas
        if is_answer(name) and name not in {"BookLevel", "Payload"} and (name in rest or name == "BookSides")
    ]
    for name in sorted(pending):
        schema = schemas[name]
        if "properties" in schema:
            writer.add(name, schema)
    names = sorted(writer.classes)
    exports = ", ".join(f'"{name}"' for name in ["Answer", "BookLevel", "Listed", *names])
    channels = "".join(f"    {line},\n" for line in list_channels(writer, asyncapi["components"]["schemas"]))
    return (
        "from __future__ import annotations\n\nfrom decimal import Decimal\n"
        "from typing import Any, Generic, TypeVar\n\n"
        "import msgspec\n\n"
        f"__all__ = [{exports}]\n\n"
        "T = TypeVar('T')\n\n"
        "#: Price, size and orders of a level of the book.\nBookLevel = tuple[Decimal, Decimal, int]\n\n"
        "class Answer(msgspec.Struct, Generic[T], frozen=True, kw_only=True, rename='camel'):\n"
        '    """What a read returns.\n\n    Attributes:\n        data: The resource.\n'
        '        as_of: The height to which everything in the answer belongs.\n    """\n\n'
        "    data: T\n    as_of: AsOf\n\n\n"
        "class Listed(msgspec.Struct, Generic[T], frozen=True, kw_only=True, rename='camel'):\n"
        '    """A page of a list.\n\n    Attributes:\n        data: The items of the page.\n'
        "        as_of: The height to which everything in the answer belongs.\n"
        "        page: The place in the list; None for a list that is always whole.\n"
        '    """\n\n'
        "    data: list[T]\n    as_of: AsOf\n    page: Page | None = None\n\n\n"
        + "".join(writer.classes[name] for name in names)
        + "#: By channel: what a snapshot and what a delta has as data.\n"
        + "CHANNELS: dict[str, tuple[Any, Any]] = {\n"
        + channels
        + "}\n"
    )


def list_channels(writer: Writer, schemas: dict[str, Schema]) -> list[str]:
    """Types of the data of each channel, as source."""
    rows = []
    for name, schema in schemas.items():
        if not name.endswith("Snapshot"):
            continue
        channel = name[0].lower() + name[1:].removesuffix("Snapshot")
        delta = schemas[f"{name.removesuffix('Snapshot')}Delta"]
        kinds = [writer.type_of(one["properties"]["data"], name) for one in (schema, delta)]
        rows.append(f'"{channel}": ({kinds[0]}, {kinds[1]})')
    return rows
