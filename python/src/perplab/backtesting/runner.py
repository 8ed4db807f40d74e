"""Calls the hooks of a strategy as perplab asks for them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import msgspec

from ..errors import BacktestError, StrategyError
from .context import Context
from .facts import Bar, Cancellation, Fill, FrameBar, Funding, IntentChange, Liquidation, Rejection, Timer, Trade
from .host import Host
from .messages import Bars, Define, Done, Failed, HookCall, Message, Refused, Start, Value
from .strategy import HOOKS, Strategy

#: What a hook is called with besides the context; None for nothing.
FACTS: dict[str, Any] = {
    "onFunding": Funding,
    "onFill": Fill,
    "onCancel": Cancellation,
    "onIntent": IntentChange,
    "onLiquidation": Liquidation,
    "onReject": Rejection,
    "onTrade": Trade,
    "onBar": Bar,
    "onFrame": FrameBar,
    "onTimer": Timer,
}
DECODERS = {hook: msgspec.msgpack.Decoder(kind) for hook, kind in FACTS.items()}


class Runner:
    """Runs a work of the host, with the strategy of it."""

    def __init__(self, host: Host, strategy: type[Strategy] | None, on_progress: Callable[[str], None] | None) -> None:
        self._host = host
        self._class = strategy
        self._on_progress = on_progress
        self._strategy: Strategy | None = None
        self._context: Context | None = None
        #: Place of the bar that is shown.
        self._at = 0
        #: What a hook raised.
        self.raised: Exception | None = None

    def run(self, work: str, request: dict[str, Any]) -> Done | Failed:
        """Starts a work, and calls hooks until it ends."""
        self._host.send((work, request))
        while True:
            message = self._host.receive()
            if isinstance(message, Bars):
                self._show_bars(message)
            elif isinstance(message, HookCall):
                self._call_hook(message)
            elif isinstance(message, Start):
                self._start(message)
            elif isinstance(message, Define):
                self._define(message)
            elif isinstance(message, Done | Failed):
                return message
            elif self._on_progress is not None and hasattr(message, "note"):
                self._on_progress(message.note)

    def _start(self, message: Start) -> None:
        assert self._class is not None
        self._context = Context(message, self._ask)
        self._strategy = None

    def _object(self) -> Strategy:
        """The object of this run, made within the first hook, so that what its constructor raises is the strategy's."""
        if self._strategy is None:
            assert self._class is not None
            self._strategy = self._class()
        return self._strategy

    def _show_bars(self, message: Bars) -> None:
        ctx = self._context
        assert ctx is not None
        times = message.times
        self._at = 0
        ctx._enter(message.known)
        try:
            on_bar = self._object().on_bar
            for bar in message.bars:
                if self._at:
                    ctx._move(times[self._at])
                on_bar(ctx, bar)
                if ctx._acted:
                    break
                self._at += 1
            else:
                self._at -= 1
        except Exception as error:
            self._raise(error)
            return
        self._host.send(("done", self._at))

    def _call_hook(self, message: HookCall) -> None:
        ctx = self._context
        assert ctx is not None
        self._at = 0
        ctx._enter(message.known)
        try:
            hook = getattr(self._object(), HOOKS[message.hook])
            decoder = DECODERS.get(message.hook)
            hook(ctx) if decoder is None else hook(ctx, decoder.decode(message.fact))
        except Exception as error:
            self._raise(error)
            return
        self._host.send(("done", 0))

    def _define(self, message: Define) -> None:
        self._at = 0
        try:
            made = getattr(self._object(), {"warmUp": "warm_up"}.get(message.field, message.field))
            self._host.send(("value", made(SimpleNamespace(**message.params))))
        except Exception as error:
            self._raise(error)

    def _ask(self, name: str, arguments: Sequence[Any]) -> Any:
        self._host.send(("ask", self._at, name, arguments))
        reply: Message = self._host.receive()
        if isinstance(reply, Value):
            return reply.value
        if isinstance(reply, Refused):
            failure = reply.failure
            details = {"place": failure.place}
            raise StrategyError(failure.code, failure.message, hint=failure.hint, details=details)
        raise BacktestError("MESSAGE_INVALID", f"expected an answer to {name}, got {type(reply).__name__}")

    def _raise(self, error: Exception) -> None:
        """The run ends, and the exception is the cause of what `backtest` raises."""
        self.raised = error
        frames = traceback.extract_tb(error.__traceback__)
        # The last place outside of this package is the strategy's own.
        own = [frame for frame in frames if not frame.filename.startswith(PACKAGE)] or frames
        place = f"{own[-1].filename}:{own[-1].lineno}:1" if own else ""
        message = str(error) if isinstance(error, StrategyError) else f"{type(error).__name__}: {error}"
        self._host.send(("raise", self._at, message, place))


PACKAGE = __file__.rsplit("runner.py", 1)[0]
