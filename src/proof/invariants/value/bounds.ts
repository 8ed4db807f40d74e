import type { VenueEvent } from "../../../protocol/events.ts";
import type { MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import { readPool } from "../funding/fundingPool.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactFunding } from "../machinery/exact/health.ts";
import { KindSet } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";

/** By market: dust when the watch began, pool rounding included, and how often rounding may have added to it since. */
interface DustBounds {
  readonly start: bigint[];
  readonly settlements: number[];
}

export const bounds = defineInvariant<DustBounds>({
  id: "bounds",
  sentence: "Insurance, fees, bad debt and dust are never negative. Dust grows by at most one unit per settlement.",
  rules: ["LIQ-4", "NUM-2", "POS-4"],
  catalogue: ["G08", "G10"],
  when: "block",
  slack: "quote units",
  start: (state) => ({ start: readRounded(state), settlements: [] }),
  sweep(state, step, memory) {
    const { markets, totals } = state;
    step.met += markets.rows.count;
    for (const name of NEVER_NEGATIVE) {
      if (totals.isNegative(TOTAL[name])) return `${name} is ${totals.get(TOTAL[name])}`;
    }
    if (step.kinds.meets(ROUNDING)) countSettlements(step.events, memory.settlements);
    for (let market = 0 as MarketRow; market < markets.rows.high; market++) {
      const dust: number = markets.dust[market];
      const most = (memory.start[market] ?? 0n) + BigInt(memory.settlements[market] ?? 0);
      if (most > 0n) near(step, most - BigInt(dust));
      if (dust < 0 || dust > most)
        return `${state.marketNames[market]}: dust is ${dust}, rounding added at most ${most}`;
    }
    return undefined;
  },
});

const NEVER_NEGATIVE = ["insurance", "fees", "badDebt"] as const;
const ROUNDING = KindSet.of(["fundingSettled", "marketSettled"]);

/** Adds how often events may have rounded to a market's dust. Settling a market rounds once per position. */
function countSettlements(events: readonly VenueEvent[], settlements: number[]): void {
  const closed: number[] = [];
  for (const event of events) {
    if (event.kind === "positionChanged" && event.size === 0) closed[event.market] = (closed[event.market] ?? 0) + 1;
    else if (event.kind === "fundingSettled") settlements[event.market] = (settlements[event.market] ?? 0) + 1;
    else if (event.kind === "marketSettled")
      settlements[event.market] = (settlements[event.market] ?? 0) + (closed[event.market] ?? 0);
  }
}

/** Rounding so far: the dust, and the part of a pool beyond all claims, which becomes dust with the last claim. */
function readRounded(state: State): bigint[] {
  const { positions, markets } = state;
  const rounded: bigint[] = [];
  for (let market = 0 as MarketRow; market < markets.rows.high; market++)
    rounded.push(BigInt(markets.dust[market]) + readPool(state, market));
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    if (positions.signedLots[at] === 0 || !positions.rows.isLive(at)) continue;
    rounded[positions.market[at]]! += exactFunding(state, at);
  }
  return rounded;
}
