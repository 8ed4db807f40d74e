/** The interface of strategies: the same for backtests and for live clients. */

export { Type } from "typebox";
export type {
  AccountView,
  Amendment,
  CancelAllRequest,
  CloseRequest,
  Context,
  IntentView,
  Level,
  MarginMode,
  MarketView,
  OrderRequest,
  OrderView,
  PositionRequest,
  PositionView,
  PriceSource,
  ProtectRequest,
  StopLeg,
  TakeProfitLeg,
  TrailLeg,
  TrailRequest,
  TriggerLeg,
  TriggerRequest,
} from "./context.ts";
export { isStrategyError, StrategyError, type StrategyErrorCode } from "./errors.ts";
export type {
  Bar,
  Cancellation,
  Fill,
  FrameBar,
  Funding,
  IntentChange,
  Liquidation,
  Rejection,
  Side,
  Timer,
  Trade,
  TransactionId,
  TriggerKind,
} from "./facts.ts";
export { describeParams, type ParamDescription, type ParamValue, parseParams, resolveParams } from "./params.ts";
export type { SeriesValue, SeriesView } from "./series.ts";
export type { Span } from "./spans.ts";
export { type AnyStrategy, checkStrategy, defineStrategy, HOOKS, type HookName, type Strategy } from "./strategy.ts";
export type { WarmUp } from "./warmUp.ts";
