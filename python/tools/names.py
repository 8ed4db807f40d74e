"""Names and texts of generated code."""

from __future__ import annotations

import re
import textwrap


def to_snake(name: str) -> str:
    """`goodTilHeight` as `good_til_height`; a word of Python gets an underscore."""
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()
    return f"{text}_" if text in {"from", "class", "in", "is", "not", "type_"} else text


def to_camel(snake: str) -> str:
    """As msgspec renames a field with `rename="camel"`."""
    first, *rest = snake.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def docstring(text: str, indent: int, rows: list[tuple[str, str]] | None = None, title: str = "") -> str:
    """A docstring with an optional list of names and meanings."""
    pad = " " * indent
    width = 116 - indent
    lines = textwrap.wrap(text.replace("\\", "\\\\"), width) or [""]
    if rows:
        lines += ["", title]
        for name, meaning in rows:
            lines += textwrap.wrap(
                f"{name}: {meaning}".replace("\\", "\\\\"), width, initial_indent="    ", subsequent_indent="        "
            )
    if len(lines) == 1:
        return f'{pad}"""{lines[0]}"""\n'
    body = "\n".join(f"{pad}{line}".rstrip() for line in lines[1:])
    return f'{pad}"""{lines[0]}\n{body}\n{pad}"""\n'
