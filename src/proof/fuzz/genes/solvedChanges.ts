/** Market changes that are computed from the current state: rates, limits and intervals exactly on an edge. */
import { NONE } from "../../../ground/collections/table.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { LIMIT, PPM } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { FUNDING_METHODS, MARGIN_MODE } from "../../../protocol/words.ts";
import { measure, measureIsolated } from "../../../venue/engine/margin/health.ts";
import type { MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { near } from "./edges.ts";
import { findPosition, getActor } from "./references.ts";

/** Rates that divide no number evenly. */
const ODD_FEES = { takerFee: "0.001001", makerFee: "-0.000333" } as const;
/** Kinds of computed updates. */
export const SOLVED_WAYS = [
  "maintenance",
  "initial",
  "interval",
  "method",
  "priceMost",
  "held",
  "openInterest",
  "chunk",
  "vast",
] as const;
/** Details of one kind are this far apart. There are fewer kinds, so each detail has a choice of every kind. */
const DETAILS_APART = 16;

/** Choice of a computed change of a kind, with its detail: the inverse of `readSolved`. */
export function choiceOfSolved(way: (typeof SOLVED_WAYS)[number], detail: number): number {
  const count = SOLVED_WAYS.length;
  const from = DETAILS_APART * detail;
  return from + ((((SOLVED_WAYS.indexOf(way) - from) % count) + count) % count);
}

/** Kind and detail of a computed change from its choice. */
export function readSolved(choice: number): { readonly way: (typeof SOLVED_WAYS)[number]; readonly detail: number } {
  return { way: SOLVED_WAYS[choice % SOLVED_WAYS.length]!, detail: Math.floor(choice / DETAILS_APART) };
}

/**
 * A change exactly on an edge; undefined if the state has none. Edges are
 *
 * - a margin rate at which an account is barely liquidatable, or barely not,
 * - a limit that the mark or a position barely satisfies,
 * - another funding interval in the middle of an interval.
 */
export function solveChange(
  builder: BlockBuilder,
  market: MarketRow,
  way: (typeof SOLVED_WAYS)[number],
  detail: number,
): Readonly<Record<string, string>> | undefined {
  const { choices, state } = builder;
  const rules = state.parameters[market]!;
  const position = findPosition(state, detail, (row) => state.positions.market[row] === market);
  const mark = state.markets.mark[market]!;
  switch (way) {
    case "maintenance":
    case "initial": {
      const rate = position === NONE ? 0 : getRate(builder, position);
      if (rate <= 0) return undefined;
      const at = Math.min(near(choices, rate), PPM - 1);
      return way === "maintenance"
        ? writeTiers(rules, Math.min(PPM, 2 * at), at)
        : writeTiers(rules, at, Math.min(rules.maintenanceLeast, at - 1));
    }
    case "interval": {
      const times = choices.pick([8, 0.125, 2, 0.5, 3, 480]);
      const interval = Math.max(1, Math.round(rules.fundingInterval * times) + choices.pick([0, 0, 1]));
      return { fundingInterval: String(interval) };
    }
    case "method":
      return { fundingMethod: FUNDING_METHODS[(rules.fundingMethod + 1 + choices.below(4)) % FUNDING_METHODS.length]! };
    case "priceMost": {
      if (mark === 0) return undefined;
      // The largest position at which the mark is storable (NUM-3).
      const lots = Math.floor(((LIMIT / 4) * rules.lotDenominator) / (mark * rules.lotNumerator));
      return { positionLimit: writeSize(rules, near(choices, lots)) };
    }
    case "held": {
      if (position === NONE) return undefined;
      return { positionLimit: writeSize(rules, near(choices, Math.abs(state.positions.signedLots[position]!))) };
    }
    case "openInterest": {
      const open = Math.floor((state.markets.openInterest[market]! * mark * rules.lotNumerator) / rules.lotDenominator);
      if (open === 0 || open > LIMIT) return undefined;
      const upper = formatDecimal(near(choices, open), 6);
      return {
        openInterestLower: choices.below(2) === 0 ? "0" : formatDecimal(open >> 1, 6),
        openInterestUpper: upper,
      };
    }
    case "vast": {
      // Half of what the mark allows, so that the mark may double.
      if (mark === 0) return undefined;
      const lots = Math.floor(((LIMIT / 8) * rules.lotDenominator) / (mark * rules.lotNumerator));
      const size = writeSize(rules, lots);
      return { maxSize: size, positionLimit: size, openInterestLimit: writeSize(rules, 4 * lots), ...ODD_FEES };
    }
    case "chunk": {
      const value = position === NONE ? 0 : getNotional(builder, position);
      return value === 0 || value > LIMIT
        ? undefined
        : { liquidationWhole: formatDecimal(near(choices, value), 6), liquidationChunk: "0.3" };
    }
  }
}

/** Equity over notional of a position's margin account, ppm, rounded down; 0 if there is none. */
function getRate({ state }: BlockBuilder, position: PositionRow): number {
  const cross = state.positions.mode[position] === MARGIN_MODE.cross;
  const { equity, notional, overflow } = cross
    ? measure(state, state.positions.account[position]!, 0)
    : measureIsolated(state, position);
  return overflow || notional === 0 || equity <= 0 ? 0 : Math.floor((equity / notional) * PPM);
}

/** A position limit at the whole position of the owner of the gene's actor, or a lot next to it (ORD-5). */
export function limitOwner(builder: BlockBuilder, market: MarketRow): Readonly<Record<string, string>> {
  const { choices, scene, state } = builder;
  const { accounts, owners } = state;
  let lots = 0;
  const owner = accounts.owner[getActor(builder, "updateMarket")]!;
  for (let at = owners.account[owner]!; at !== NONE; at = accounts.ownerNext[at]!) {
    lots += scene.signedLotsOf(at, market);
  }
  return { positionLimit: writeSize(state.parameters[market]!, near(choices, Math.abs(lots))) };
}

function getNotional({ state }: BlockBuilder, position: PositionRow): number {
  const market = state.positions.market[position]!;
  const { lotNumerator, lotDenominator } = state.parameters[market]!;
  const worth = state.markets.mark[market]! * lotNumerator;
  return Math.ceil((Math.abs(state.positions.signedLots[position]!) * worth) / lotDenominator);
}

/** Tiers that start with these rates; the others rise as far as there is room. */
function writeTiers(
  { tiers }: MarketParameters,
  initialRate: number,
  maintenanceRate: number,
): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  let initial = initialRate - 1;
  let maintenance = maintenanceRate - 1;
  tiers.forEach((tier, place) => {
    initial = place === 0 ? initialRate : Math.max(tier.initialRate, initial + 1);
    maintenance = place === 0 ? maintenanceRate : Math.max(tier.maintenanceRate, maintenance + 1);
    const rates = `${formatDecimal(initial, 6)} ${formatDecimal(maintenance, 6)}`;
    texts[`tier${place + 1}`] = `${formatDecimal(tier.from, 6)} ${rates}`;
  });
  return texts;
}

function writeSize({ lotSize }: MarketParameters, lots: number): string {
  return formatDecimal(Math.min(Math.max(1, lots), Math.floor(LIMIT / lotSize)) * lotSize, 8);
}
