import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import { listMarkets, listPositions } from "../../../venue/engine/state/walk.ts";
import { readPool } from "../funding/fundingPool.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactFunding } from "../machinery/exact/health.ts";
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
    const { events } = step;
    step.met += state.markets.rows.count;
    for (const name of ["insurance", "fees", "badDebt"] as const) {
      const total = state.totals.get(TOTAL[name]);
      if (total < 0n) return `${name} is ${total}`;
    }
    const closed: number[] = [];
    for (const event of events) {
      if (event.kind === "positionChanged" && event.size === 0) closed[event.market] = (closed[event.market] ?? 0) + 1;
      // Settling a market rounds once per position.
      const times =
        event.kind === "fundingSettled" ? 1 : event.kind === "marketSettled" ? (closed[event.market] ?? 0) : 0;
      if (times === 0 || !("market" in event)) continue;
      memory.settlements[event.market] = (memory.settlements[event.market] ?? 0) + times;
    }
    for (const [market, dust] of readDust(state).entries()) {
      const most = (memory.start[market] ?? 0n) + BigInt(memory.settlements[market] ?? 0);
      if (most > 0n) near(step, most - BigInt(dust));
      if (dust < 0 || dust > most)
        return `${state.marketNames[market]}: dust is ${dust}, rounding added at most ${most}`;
    }
    return undefined;
  },
});

/** Rounding so far: the dust, and the part of a pool beyond all claims, which becomes dust with the last claim. */
function readRounded(state: State): bigint[] {
  const { positions } = state;
  const rounded = listMarkets(state).map((market) => BigInt(state.markets.dust[market]!) + readPool(state, market));
  for (const at of listPositions(state)) {
    if (positions.signedLots[at] !== 0) rounded[positions.market[at]!]! += exactFunding(state, at);
  }
  return rounded;
}

function readDust(state: State): number[] {
  return listMarkets(state).map((market) => state.markets.dust[market]!);
}
