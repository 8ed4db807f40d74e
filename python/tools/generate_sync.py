"""The client without `async`: each method waits for that of the asynchronous client."""

from __future__ import annotations

from typing import Any

from generate_actions import argument_type, resolve, traits_of
from generate_operations import list_operations
from names import docstring, to_snake

Schema = dict[str, Any]


def write_sync(openapi: Schema) -> str:
    """Source of `_sync.py`."""
    schemas: dict[str, Schema] = openapi["components"]["schemas"]
    methods = []
    for one in list_operations(openapi):
        arguments = f", {one.arguments}" if one.arguments else ""
        methods.append(
            f"    def {to_snake(one.name)}(self{arguments}) -> {one.result}:\n{one.doc}"
            f"        return self._wait(self._client.{to_snake(one.name)}({one.call}))\n\n"
        )
    for signed in schemas.values():
        if "x-scope" not in signed:
            continue
        action = to_snake(signed["properties"]["action"]["const"])
        payload = resolve(signed["properties"]["payload"], schemas)
        required: list[str] = []
        optional: list[str] = []
        rows = []
        for key, schema in payload["properties"].items():
            text = f"{to_snake(key)}: {argument_type(schema, schemas)}"
            (optional if "empty" in traits_of(schema, schemas) else required).append(text)
            rows.append((to_snake(key), schema.get("description", "")))
        rows.append(("options", "Account, lane, validity and names that differ from the client's."))
        arguments = ", ".join(
            [*required, *[f"{text} | None = None" for text in optional], "options: SubmitOptions | None = None"]
        )
        call = ", ".join(f"{to_snake(key)}={to_snake(key)}" for key in payload["properties"])
        doc = docstring(signed["description"], 8, rows, "Args:")
        methods.append(
            f"    def {action}(self, *, {arguments}) -> SyncSubmission:\n{doc}"
            f"        return self._submission(self._client.{action}({call}{', ' if call else ''}options=options))\n\n"
        )
    return (
        "from __future__ import annotations\n\nfrom collections.abc import Mapping, Sequence\n"
        "from typing import Any, Literal\n\n"
        "from . import models\nfrom .actions import Number\nfrom .submission import SubmitOptions\n"
        "from .sync_base import SyncBase, SyncSubmission\n\n\n"
        "class SyncMethods(SyncBase):\n"
        '    """A method for each read and for each action of an account."""\n\n' + "".join(methods)
    )
