"""A method for each operation of the REST interface that reads, and for claims of the faucet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from names import docstring, to_snake

Schema = dict[str, Any]

#: Operations with a method of their own, written by hand.
BY_HAND = {
    "submitTransaction",
    "createChallenge",
    "verifyChallenge",
    "revokeSession",
    "claimFaucet",
    "previewAction",
    "getOpenApi",
    "getAsyncApi",
    "getReference",
}


@dataclass(frozen=True)
class Operation:
    """One generated read."""

    name: str
    path: str
    summary: str
    parameters: list[Schema]
    result: str

    @property
    def arguments(self) -> str:
        """Parameters of the method after `self`; those of the query are named."""
        path = [f"{to_snake(one['name'])}: {type_of(one)}" for one in self.parameters if one["in"] == "path"]
        query = [
            f"{to_snake(one['name'])}: {type_of(one)}" + ("" if one["required"] else " | None = None")
            for one in sorted(self.parameters, key=lambda one: not one["required"])
            if one["in"] == "query"
        ]
        return ", ".join([*path, *(["*", *query] if query else [])])

    @property
    def call(self) -> str:
        """The same, as a call passes them on."""
        path = [to_snake(one["name"]) for one in self.parameters if one["in"] == "path"]
        query = [to_snake(one["name"]) for one in self.parameters if one["in"] == "query"]
        return ", ".join([*path, *[f"{name}={name}" for name in query]])

    @property
    def doc(self) -> str:
        rows = [(to_snake(one["name"]), one.get("description", "")) for one in self.parameters]
        return docstring(self.summary, 8, rows, "Args:") if rows else docstring(self.summary, 8)


def type_of(parameter: Schema) -> str:
    schema = parameter["schema"]
    if parameter.get("name") == "height":
        return "int | str"
    if "enum" in schema:
        return "Literal[" + ", ".join(repr(word) for word in schema["enum"]) + "]"
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of({"schema": one}) for one in schema["anyOf"]))
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    return {"string": "str", "integer": "int", "boolean": "bool", "number": "float"}[schema["type"]]


def result_of(schema: Schema) -> str:
    """The class of an answer."""
    if "$ref" in schema:
        return f"models.{schema['$ref'].rsplit('/', 1)[1]}"
    properties = schema["properties"]
    data = properties["data"]
    if data.get("type") == "array":
        return f"models.Listed[{element(data['items'])}]"
    return f"models.Answer[{element(data)}]"


def element(schema: Schema) -> str:
    name = schema["$ref"].rsplit("/", 1)[1]
    return f"models.{name}"


def list_operations(openapi: Schema) -> Iterator[Operation]:
    for path, methods in openapi["paths"].items():
        for operation in methods.values():
            name = operation.get("operationId")
            if name is None or name in BY_HAND:
                continue
            schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
            summary = f"{operation['summary']}. {operation.get('description', '')}".strip()
            yield Operation(name, path, summary, operation.get("parameters", []), result_of(schema))


def write_operations(openapi: Schema) -> str:
    """Source of `_operations.py`."""
    methods = []
    for one in list_operations(openapi):
        path = re.sub(r"\{(\w+)\}", lambda match: "{quote(" + to_snake(match[1]) + ")}", one.path)
        prefix = "f" if "{" in path else ""
        query = ", ".join(
            f'"{parameter["name"]}": {to_snake(parameter["name"])}'
            for parameter in one.parameters
            if parameter["in"] == "query"
        )
        methods.append(
            f"    async def {to_snake(one.name)}(self: Reads{', ' if one.arguments else ''}{one.arguments}) -> "
            f"{one.result}:\n{one.doc}"
            f'        return await self._read({prefix}"{path}", {{{query}}}, {one.result})\n\n'
        )
    return (
        "from __future__ import annotations\n\nfrom collections.abc import Mapping\n"
        "from typing import Any, Literal, Protocol, TypeVar\n"
        "from urllib.parse import quote as _quote\n\nfrom . import models\n\n"
        "T = TypeVar('T')\n\n\n"
        "def quote(part: str | int) -> str:\n"
        '    """One part of a path: nothing in it may begin another."""\n'
        '    return _quote(str(part), safe="")\n\n\n'
        "class Reads(Protocol):\n"
        "    async def _read(self, path: str, query: Mapping[str, Any], kind: type[T]) -> T: ...\n\n\n"
        "class ReadMethods:\n"
        '    """A method for each read. An answer says to which height it belongs."""\n\n' + "".join(methods)
    )
