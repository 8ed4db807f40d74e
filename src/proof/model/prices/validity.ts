import type { OPERATIONS, VALIDITIES } from "../../../protocol/validity.ts";
import type { Market } from "../state.ts";
import { PPM } from "../words.ts";

export type Validity = (typeof VALIDITIES)[number];
export type Operation = (typeof OPERATIONS)[number];

/** From worst to best: the operations that each validity allows (PRC-1). */
const ALLOWED: Readonly<Record<Validity, readonly Operation[]>> = {
  nonPositive: [],
  tooVolatile: [],
  tooUncertain: ["liquidate", "trigger"],
  stale: ["liquidate", "trigger", "funding"],
  valid: ["liquidate", "trigger", "funding", "margin", "increase", "withdraw"],
};

/**
 * Validity of the market's price at a time: the first fault in the order of the table. Recorded marks are valid once
 * they exist (PRC-1).
 */
export function getValidity(market: Market, timeMs: number): Validity {
  const { parameters, oracle, confidence, candidate, oracleMs } = market;
  if (parameters.markMethod === "reported") return market.reported > 0n || oracle > 0n ? "valid" : "nonPositive";
  if (oracle <= 0n) return "nonPositive";
  if (candidate !== 0n) return "tooVolatile";
  if (confidence * PPM > oracle * parameters.oracleUncertain) return "tooUncertain";
  if (parameters.oracleStale !== 0 && timeMs - oracleMs > parameters.oracleStale) return "stale";
  return "valid";
}

/** Whether the price allows an operation. */
export function isTrusted(market: Market, timeMs: number, operation: Operation): boolean {
  return ALLOWED[getValidity(market, timeMs)].includes(operation);
}
