"""How values of a call become fields of a transaction. Decimals are exact: a float is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from .errors import ClientError

#: A number of a call: `Decimal("0.1")`, `"0.1"` or a whole number. Never a float.
Number = Decimal | str | int

#: Greatest whole number of a transaction.
LIMIT = 9_000_000_000_000_000


@dataclass(frozen=True)
class Field:
    """One field of an action.

    Attributes:
        name: Name in JSON and in the signed message.
        argument: Name as an argument in Python.
        kind: decimal, word, flag, integer, id, text, list or records.
        signed_as: Type in the signed message (EIP-712).
        empty: What an absent field is written as; None for a field that has to be given.
    """

    name: str
    argument: str
    kind: str
    signed_as: str
    pattern: str | None = None
    words: tuple[str, ...] = ()
    decimals: int = 0
    most: int = LIMIT
    empty: Any = None
    item: Field | None = None
    members: tuple[Field, ...] = ()

    def encode(self, value: Any, place: str) -> Any:
        """The value as JSON has it.

        Raises:
            ClientError: ARGUMENT_INVALID, with the place.
        """
        if value is None:
            if self.empty is None:
                raise invalid(place, "is missing", "every call has to give it")
            return list(self.empty) if isinstance(self.empty, tuple) else self.empty
        return getattr(self, f"_encode_{self.kind}")(value, place)

    def _encode_decimal(self, value: Any, place: str) -> str:
        if isinstance(value, str) and value == "" and self.empty == "":
            return ""
        text = write_decimal(value, place)
        return self._match(text, place, f"at most {self.decimals} digits after the point")

    def _encode_word(self, value: Any, place: str) -> str:
        if isinstance(value, str) and value in self.words:
            return value
        raise invalid(place, f"{value!r} is not one of {', '.join(self.words)}", None)

    def _encode_flag(self, value: Any, place: str) -> bool:
        if isinstance(value, bool):
            return value
        raise invalid(place, f"{value!r} is not True or False", None)

    def _encode_integer(self, value: Any, place: str) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= self.most:
            return value
        raise invalid(place, f"{value!r} is not a whole number from 0 to {self.most}", None)

    def _encode_id(self, value: Any, place: str) -> str:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise invalid(place, f"{value!r} is not an id", "give the id as the venue shows it")
        return self._match(str(value), place, "a whole number")

    def _encode_text(self, value: Any, place: str) -> str:
        if not isinstance(value, str):
            raise invalid(place, f"{value!r} is not text", None)
        text = value.lower() if self.signed_as in {"address", "bytes32", "bytes"} else value
        if self.signed_as == "string" and len(text) > self.most:
            raise invalid(place, f"is longer than {self.most} characters", None)
        if text == "" and self.empty is None:
            raise invalid(place, "is empty", None)
        return self._match(text, place, "printable ASCII" if self.signed_as == "string" else f"a {self.signed_as}")

    def _encode_list(self, value: Any, place: str) -> list[Any]:
        item = self.item
        assert item is not None
        return [item.encode(one, f"{place}[{at}]") for at, one in enumerate(self._sequence(value, place))]

    def _encode_records(self, value: Any, place: str) -> list[Any]:
        return [
            encode_fields(self.members, one, f"{place}[{at}]") for at, one in enumerate(self._sequence(value, place))
        ]

    def _sequence(self, value: Any, place: str) -> Sequence[Any]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise invalid(place, f"{value!r} is not a list", None)
        if len(value) > self.most:
            raise invalid(place, f"has {len(value)} entries, at most {self.most}", None)
        return value

    def _match(self, text: str, place: str, wanted: str) -> str:
        if self.pattern is not None and re.fullmatch(self.pattern.removeprefix("^").removesuffix("$"), text) is None:
            raise invalid(place, f"{text!r} is not what the venue takes: {wanted}", None)
        return text


@dataclass(frozen=True)
class Action:
    """One action: the name of its signed type, the lanes its nonces may count in, and its fields."""

    name: str
    primary_type: str
    encode_type: str
    domains: tuple[str, ...]
    scope: str
    fields: tuple[Field, ...] = field(default_factory=tuple)

    def encode(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """The payload as JSON has it, absent fields included. Names may be those of JSON or of Python."""
        return encode_fields(self.fields, payload, "payload")


def encode_fields(fields: tuple[Field, ...], given: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Values of all fields in their order.

    Raises:
        ClientError: ARGUMENT_INVALID, with the place.
    """
    if not isinstance(given, Mapping):
        raise invalid(place, f"{given!r} is not a mapping of fields", None)
    known = {name for one in fields for name in (one.name, one.argument)}
    for name in given:
        if name not in known:
            raise invalid(
                f"{place}.{name}",
                "there is no such field",
                f"fields are {', '.join(one.argument for one in fields)}",
            )
    encoded = {}
    for one in fields:
        value = given.get(one.name, given.get(one.argument))
        encoded[one.name] = one.encode(value, f"{place}.{one.name}")
    return encoded


def write_decimal(value: Any, place: str = "number") -> str:
    """Canonical decimal text: no exponent, no trailing zeros.

    Raises:
        ClientError: ARGUMENT_INVALID, for a float too: `0.1` of a float is not 0.1.
    """
    if isinstance(value, float):
        raise invalid(place, f"{value!r} is a float, which is not exact", f'write Decimal("{value!r}") or "{value!r}"')
    if isinstance(value, bool) or not isinstance(value, Decimal | str | int):
        raise invalid(place, f"{value!r} is not a number", 'write Decimal("0.1") or "0.1"')
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise invalid(place, f"{value!r} is not a number", 'write Decimal("0.1") or "0.1"') from None
    if not number.is_finite():
        raise invalid(place, f"{value!r} is not finite", None)
    if abs(number.adjusted()) > 40:
        raise invalid(place, f"{value!r} is out of range", None)
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def invalid(place: str, reason: str, hint: str | None) -> ClientError:
    """The error of a value that no transaction can hold."""
    return ClientError("ARGUMENT_INVALID", f"{place}: {reason}", hint=hint, details={"place": place})
