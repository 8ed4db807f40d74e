/**
 * Rules between the parameters of a market, which the range of one alone does not say. A definition that breaks one is
 * refused with the sentence; the parameter page lists them from here.
 */
import type { MarketParameterName } from "./parameters.ts";
import { MARK_METHOD } from "./words.ts";

/** What a rule reads. */
export interface RuleTerms {
  /** Value of a parameter in its unit; the place of a word. */
  readonly get: (name: MarketParameterName) => number;
  /** Sources with a weight above 0; undefined where the market has no sources. */
  readonly voting: number | undefined;
  /** Maintenance rate of the first tier, ppm. */
  readonly maintenanceRate: number;
}

export interface ParameterRule {
  /** The parameter to change in a definition that breaks the rule. */
  readonly parameter: MarketParameterName | readonly MarketParameterName[];
  readonly sentence: string;
  /** @param name the checked one of its parameters */
  readonly holds: (terms: RuleTerms, name: MarketParameterName) => boolean;
}

/** tickSize x lotSize in units of 1e-16 USD; a quote unit is 1e10 of them (NUM-1). */
function getProduct(get: RuleTerms["get"]): bigint {
  return BigInt(get("tickSize")) * BigInt(get("lotSize"));
}

/** Quote units of one lot at one tick. */
export function getTickLotValue(get: RuleTerms["get"]): number {
  return Number(getProduct(get) / UNIT);
}

const UNIT = 10_000_000_000n;
/** Coarsest step of value, quote units: entry prices stay fine (NUM-1). */
const TICK_LOT_MOST = 1e9;

/** In the order in which they are checked. */
export const PARAMETER_RULES: readonly ParameterRule[] = [
  {
    parameter: "lotSize",
    sentence: "tickSize x lotSize must be a whole number of quote units, 0.000001 USD (NUM-1)",
    holds: ({ get }) => getProduct(get) % UNIT === 0n,
  },
  {
    parameter: "lotSize",
    sentence: "tickSize x lotSize must be at most 1,000 USD (NUM-1)",
    holds: ({ get }) => getTickLotValue(get) <= TICK_LOT_MOST,
  },
  {
    parameter: ["maxSize", "positionLimit", "openInterestLimit"],
    sentence: "must be at least one lot",
    holds: ({ get }, name) => get(name) >= get("lotSize"),
  },
  {
    parameter: "minSources",
    sentence: "must be at most the number of sources with weight, where the market has sources (PRC-1)",
    holds: ({ get, voting }) => voting === undefined || get("minSources") <= voting,
  },
  {
    parameter: "markClamp",
    sentence: "must be above 0, unless markMethod is reported (PRC-2)",
    holds: ({ get }) => get("markMethod") === MARK_METHOD.reported || get("markClamp") > 0,
  },
  {
    parameter: "markClamp",
    sentence:
      "markClamp + fundingPaymentMax must be below the first maintenance rate, unless markMethod is reported or unsafe is 1 (PRC-2)",
    holds: ({ get, maintenanceRate }) =>
      get("markMethod") === MARK_METHOD.reported ||
      get("unsafe") === 1 ||
      get("markClamp") + Math.ceil(get("fundingPaymentMax") / 1000) < maintenanceRate,
  },
  {
    parameter: "openInterestUpper",
    sentence: "must be above openInterestLower, or 0 (MRG-1)",
    holds: ({ get }) => get("openInterestUpper") === 0 || get("openInterestUpper") > get("openInterestLower"),
  },
  {
    parameter: "makerFee",
    sentence: "a rebate must be at most the taker fee (ORD-7)",
    holds: ({ get }) => get("takerFee") + get("makerFee") >= 0,
  },
  {
    parameter: "insuranceSlippage",
    sentence: "must be below the first maintenance rate (LIQ-4)",
    holds: ({ get, maintenanceRate }) => get("insuranceSlippage") < maintenanceRate,
  },
];

/** Those without which nothing can be computed: lots and ticks fit together, and limits are at least a lot. */
export const GRID_RULES: readonly ParameterRule[] = PARAMETER_RULES.slice(0, 3);
