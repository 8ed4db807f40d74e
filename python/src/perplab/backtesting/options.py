"""Options of a call as the words of the command line, which checks them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timezone
from typing import Any

from ..errors import BacktestError

#: One source of data: a tape, or a file as `[MARKET[:LAYOUT]=]PATH`.
Source = str | os.PathLike[str]
#: A time: a datetime (UTC where it has no zone), a date, or a text that the command line takes.
Time = str | date | datetime


#: Options with several values in one word.
JOINED = frozenset({"allow", "deny"})


def words_of(options: Mapping[str, Any]) -> list[str]:
    """Words of options by their names on the command line. None leaves an option out.

    A mapping becomes pairs `name=value`, a list several values.
    """
    words = []
    for name, value in options.items():
        if value is None:
            continue
        flag = "--" + name.strip("_").replace("_", "-")
        if name in JOINED:
            words.append(f"{flag}={value if isinstance(value, str) else ','.join(value)}")
        elif isinstance(value, Mapping):
            words += [f"{flag}={key}={text_of(one)}" for key, one in value.items()]
        elif isinstance(value, list | tuple):
            words += [f"{flag}={text_of(one)}" for one in value]
        else:
            words.append(f"{flag}={text_of(value)}")
    return words


def keep_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options with each iterable as a list: the words and the printed call both read it."""
    return {name: keep_values(value) for name, value in options.items()}


def keep_values(value: Any) -> Any:
    """An iterable as a list; any other value, a text or a mapping as it is."""
    is_list = isinstance(value, Iterable) and not isinstance(value, str | os.PathLike | Mapping)
    return list(value) if is_list else value


def text_of(value: Any) -> str:
    """A value as it is typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        whole = value if value.tzinfo is not None else value.replace(tzinfo=timezone.utc)
        return whole.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, float):
        # The shortest decimal, without an exponent where it has one. Floats of numpy are floats, too.
        text = repr(float(value))
        return text if "e" not in text else f"{float(value):.12f}".rstrip("0")
    return str(value)


def sources_of(data: Source | Iterable[Source]) -> list[str]:
    """One source or several.

    Raises:
        BacktestError: OPTION_INVALID
    """
    found = [data] if isinstance(data, str | os.PathLike) else list(data)
    if not found or not all(isinstance(one, str | os.PathLike) for one in found):
        raise BacktestError(
            "OPTION_INVALID", "data is a tape, a file or a list of files", hint='for example data="BTC-PERP-1h.csv"'
        )
    return [os.fspath(one) for one in found]


def describe_call(work: str, strategy: str, data: list[str], options: Mapping[str, Any]) -> str:
    """The call as it would be typed again, for the report."""
    given = [f"{name}={value!r}" for name, value in options.items() if value is not None]
    source = repr(data[0]) if len(data) == 1 else repr(data)
    return f"perplab.{work}({', '.join([strategy, f'data={source}', *given])})"
