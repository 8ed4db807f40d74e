"""Backtests of strategies in Python: perplab runs the venue, this package the strategy."""

from .context import Context, Now
from .facts import Bar, Cancellation, Fill, FrameBar, Funding, IntentChange, Liquidation, Rejection, Timer, Trade
from .result import OwnMetric, Result
from .run import backtest
from .strategy import Param, Strategy
from .sweeps import sweep
from .views import Account, Intent, Level, Market, Order, Position, Series, SeriesValue

__all__ = [
    "Account",
    "Bar",
    "Cancellation",
    "Context",
    "Fill",
    "FrameBar",
    "Funding",
    "Intent",
    "IntentChange",
    "Level",
    "Liquidation",
    "Market",
    "Now",
    "Order",
    "OwnMetric",
    "Param",
    "Position",
    "Rejection",
    "Result",
    "Series",
    "SeriesValue",
    "Strategy",
    "Timer",
    "Trade",
    "backtest",
    "sweep",
]
