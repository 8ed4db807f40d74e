/**
 * Messages between perplab, the host, and a program with a strategy, the client. Each is an array whose first element
 * is its tag. docs/reference/strategy-protocol.md is their specification.
 */
import type { Bar } from "../../client/strategy/facts.ts";
import type { HookName } from "../../client/strategy/strategy.ts";

/** Raised with every change that a client of the version before does not understand. */
export const PROTOCOL_VERSION = 1;

/** Facts of the account that every call carries. They change only with blocks, never with prices. */
export type Known = readonly [
  timeMs: number,
  isWarmUp: boolean,
  inFlight: number,
  /** By market, signed units of base. */
  sizes: readonly number[],
  orders: number,
  intents: number,
];

/** A bar as it travels. */
export type WireBar = readonly [
  market: string,
  openTimeMs: number,
  closeTimeMs: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

/** A failure in words. */
export interface WireFailure {
  readonly code: string;
  readonly message: string;
  readonly place?: string | undefined;
  readonly hint?: string | undefined;
}

/** A market of the run: its name and the steps of prices and sizes. */
export type WireMarket = readonly [name: string, tickSize: number, lotSize: number];

export type HostMessage =
  | readonly ["hello", version: number, perplab: string]
  | readonly ["start", params: unknown, markets: readonly WireMarket[], random: readonly number[]]
  | readonly ["define", field: "frames" | "warmUp", params: unknown]
  | readonly ["hook", known: Known, hook: HookName, fact: unknown]
  | readonly ["bars", known: Known, bars: readonly WireBar[], times: readonly number[]]
  | readonly ["value", value: unknown]
  | readonly ["refused", failure: WireFailure]
  | readonly ["progress", note: string]
  | readonly ["result", result: unknown]
  | readonly ["failed", failure: WireFailure, result: unknown];

/**
 * Message of a client while a hook of its strategy runs. `at` is the place of the bar in the message with bars; 0
 * otherwise.
 */
export type HookReply =
  | readonly ["ask", at: number, name: string, args: readonly unknown[]]
  | readonly ["done", at: number]
  | readonly ["raise", at: number, message: string, place: string];

export function toWireBar(bar: Bar): WireBar {
  const { market, openTimeMs, closeTimeMs, open, high, low, close, volume } = bar;
  return [market, openTimeMs, closeTimeMs, open, high, low, close, volume];
}
