"""What a strategy in Python is."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import BacktestError
from .facts import Bar, Cancellation, Fill, FrameBar, Funding, IntentChange, Liquidation, Rejection, Timer, Trade

if TYPE_CHECKING:
    from .context import Context

#: A value of a parameter.
ParamValue = bool | int | float | str

#: Hooks, by their names in the protocol.
HOOKS = {
    "init": "on_start",
    "onFunding": "on_funding",
    "onFill": "on_fill",
    "onCancel": "on_cancel",
    "onIntent": "on_intent",
    "onLiquidation": "on_liquidation",
    "onReject": "on_reject",
    "onTrade": "on_trade",
    "onBar": "on_bar",
    "onFrame": "on_frame",
    "onTimer": "on_timer",
    "onBlock": "on_block",
    "onEnd": "on_end",
}


@dataclass(frozen=True)
class Param:
    """A parameter of a strategy. Its type is that of its default.

    Attributes:
        default: Value unless another is given.
        description: One line for lists and reports.
        minimum, maximum: Least and greatest value, both allowed.
        above, below: Bounds that are not allowed themselves.
        choices: The values that are allowed.
    """

    default: ParamValue
    description: str = ""
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None
    choices: Sequence[ParamValue] | None = None

    def schema(self) -> dict[str, Any]:
        """As it travels."""
        kinds: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}
        kind = kinds.get(type(self.default))
        if kind is None:
            raise invalid(f"a parameter cannot be {self.default!r}", "give a bool, an int, a float or a text")
        fields: dict[str, Any] = {"type": kind, "default": self.default, "description": self.description}
        bounds = {
            "minimum": self.minimum,
            "maximum": self.maximum,
            "exclusiveMinimum": self.above,
            "exclusiveMaximum": self.below,
        }
        fields |= {name: bound for name, bound in bounds.items() if bound is not None}
        return fields if self.choices is None else fields | {"choices": list(self.choices)}


class Strategy:
    """A strategy: a class with hooks, of which each run makes an object of its own, without arguments.

    All hooks are optional and synchronous; a hook that is left out costs nothing. After every block they are called in
    this order: `on_funding`, `on_fill`, `on_cancel`, `on_intent` and `on_liquidation` as the block's events have them,
    `on_reject`, then what the data showed up to the block's time, `on_trade`, `on_bar` and `on_frame`, then `on_timer`,
    and `on_block` last. What a strategy remembers are attributes of the object.

        class Cross(perplab.Strategy):
            params = {"size": perplab.Param(0.1, "Size of the position.", above=0)}

            def on_bar(self, ctx, bar):
                ctx.set_position(ctx.params.size if bar.close > bar.open else 0)

    Attributes:
        id: Lower-case words with dashes; names the strategy in reports. Default: the name of the class.
        title: One line for lists.
        params: Parameters by name: a `Param`, or the default alone.
        frames: Higher time frames for `on_frame`, for example `["4h", "1d"]`; or a method of the parameters.
        warm_up: History before the start, `{"bars": 200}` of each market or `{"span": "30d"}`; or a method of the
            parameters.
    """

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    params: ClassVar[Mapping[str, Param | ParamValue]] = {}
    frames: ClassVar[Sequence[str] | Callable[..., Sequence[str]] | None] = None
    warm_up: ClassVar[Mapping[str, int | str] | Callable[..., Mapping[str, int | str]] | None] = None

    def on_start(self, ctx: Context) -> None:
        """Called once, after the first block."""

    def on_funding(self, ctx: Context, funding: Funding) -> None:
        """The account paid or received funding."""

    def on_fill(self, ctx: Context, fill: Fill) -> None:
        """An order of the account was filled, or a liquidation traded for it."""

    def on_cancel(self, ctx: Context, cancellation: Cancellation) -> None:
        """An order ended before it was filled whole: it expired or was cancelled."""

    def on_intent(self, ctx: Context, change: IntentChange) -> None:
        """A stop, a take-profit or a trailing stop fired or ended."""

    def on_liquidation(self, ctx: Context, liquidation: Liquidation) -> None:
        """A liquidation of the account began, or made a step."""

    def on_reject(self, ctx: Context, rejection: Rejection) -> None:
        """A transaction of the strategy was refused."""

    def on_trade(self, ctx: Context, trade: Trade) -> None:
        """A recorded trade."""

    def on_bar(self, ctx: Context, bar: Bar) -> None:
        """A bar is complete: a recorded one, or one made of trades in a market that has no recorded bars."""

    def on_frame(self, ctx: Context, bar: FrameBar) -> None:
        """A bar of one of the `frames` is complete; after `on_bar` of the bar that ended it."""

    def on_timer(self, ctx: Context, timer: Timer) -> None:
        """A timer of `ctx.every`, `ctx.after` or `ctx.at` is due."""

    def on_block(self, ctx: Context) -> None:
        """After each block, last. It makes a block of every instant, and every block a message."""

    def on_end(self, ctx: Context) -> None:
        """After the last block. Nothing can be sent any more."""


def define(strategy: type[Strategy]) -> dict[str, Any]:
    """A strategy as it travels.

    Raises:
        BacktestError: STRATEGY_INVALID
    """
    hooks = [name for name, method in HOOKS.items() if has_own(strategy, method)]
    for name in dir(strategy):
        if name.startswith("on_") and name not in HOOKS.values():
            near = get_close_matches(name, HOOKS.values(), 1)
            hint = f"did you mean {near[0]}?" if near else f"hooks are {', '.join(HOOKS.values())}"
            raise invalid(f"{strategy.__name__} has no hook {name}", hint)
    for hook in hooks:
        method = getattr(strategy, HOOKS[hook])
        if inspect.iscoroutinefunction(method) or inspect.isgeneratorfunction(method):
            raise invalid(f"{strategy.__name__}.{HOOKS[hook]} is not synchronous", "write it with `def`, without yield")
    params = {name: param if isinstance(param, Param) else Param(param) for name, param in strategy.params.items()}
    fields: dict[str, Any] = {
        "id": strategy.id or to_id(strategy.__name__),
        "title": strategy.title,
        "params": {name: param.schema() for name, param in params.items()},
        "hooks": hooks,
    }
    for name, value in (("frames", strategy.frames), ("warmUp", strategy.warm_up)):
        if value is not None:
            fields[name] = True if callable(value) else value
    return fields


def has_own(strategy: type[Strategy], method: str) -> bool:
    """Whether a class has a hook of its own."""
    return getattr(strategy, method) is not getattr(Strategy, method)


def to_id(name: str) -> str:
    """`SmaCross` as `sma-cross`."""
    words = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3-\2\4", name)
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def invalid(message: str, hint: str) -> BacktestError:
    """The error of a class that is no strategy."""
    return BacktestError("STRATEGY_INVALID", message, hint=hint)
