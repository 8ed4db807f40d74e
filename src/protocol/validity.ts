/**
 * How far a market's oracle price may be trusted, and what each state of it still allows (PRC-1). From worst to best; a
 * price with several faults has the first of them.
 */
import { placesOf } from "./places.ts";

export const VALIDITIES = ["nonPositive", "tooVolatile", "tooUncertain", "stale", "valid"] as const;
export const VALIDITY = /* @__PURE__ */ placesOf(VALIDITIES);

export const VALIDITY_DOCS: Readonly<Record<(typeof VALIDITIES)[number], string>> = {
  nonPositive: "There is no price yet.",
  tooVolatile: "A report differs from the last price by more than `oracleVolatile` and is not confirmed yet.",
  tooUncertain: "The confidence reported with the price is wider than `oracleUncertain` of it.",
  stale: "The price is older than `oracleStale`.",
  valid: "None of these.",
};

/** What depends on a market's price. */
export const OPERATIONS = ["liquidate", "trigger", "funding", "margin", "increase", "withdraw"] as const;
export const OPERATION = /* @__PURE__ */ placesOf(OPERATIONS);

export const OPERATION_DOCS: Readonly<Record<(typeof OPERATIONS)[number], string>> = {
  liquidate:
    "Liquidate a margin account with a position in the market. Index and mark are frozen where this is not allowed.",
  trigger: "Fire intents by the market's prices.",
  funding: "Sample and pay funding.",
  margin: "Choose a leverage or a margin mode, take margin out of an isolated position.",
  increase: "Enter an order that may add exposure.",
  withdraw: "Withdraw or transfer from an account with a position or an order in the market.",
};

const yes = true;
const no = false;

/** Which operation each validity allows. After Drift: old or uncertain prices still liquidate, wild ones do nothing. */
export const VALIDITY_MATRIX = {
  //          nonPositive, tooVolatile, tooUncertain, stale, valid
  liquidate: [no, no, yes, yes, yes],
  trigger: [no, no, yes, yes, yes],
  funding: [no, no, no, yes, yes],
  margin: [no, no, no, no, yes],
  increase: [no, no, no, no, yes],
  withdraw: [no, no, no, no, yes],
} as const satisfies Readonly<Record<(typeof OPERATIONS)[number], readonly boolean[]>>;
