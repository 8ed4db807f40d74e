/** Times at which something in the venue ends or begins. */

import { NONE } from "../../../ground/collections/table.ts";
import { getLastTime } from "../../../venue/engine/book/extras.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import type { Choices } from "./choices.ts";
import { findOrder } from "./references.ts";

const DAY = 86_400_000;
/** Times after the block, ms; the first is plain. */
const AHEAD = [20_000, 5_000, 4_999, 5_001, 8_000, 60_000, 1_000, 1, 3_600_000, 0] as const;
const SIDES = [0, 1, -1] as const;
/** The last valid date. A parameter can put an edge beyond it, where no block can be. */
const CLOCK_MOST = 8.64e15;
/** Step that is used if the edge is beyond the last date. */
const PLAIN_STEP = 20_000;

/** A future time: some seconds ahead, or on or next to an edge. Occasionally it has passed. */
export function drawTime(builder: BlockBuilder, choices: Choices, account: AccountRow): number {
  const { timeMs } = builder.state;
  const way = choices.next();
  if (way % 3 !== 2) return timeMs + AHEAD[(way >> 2) % AHEAD.length]!;
  return Math.max(1, getEdge(builder, account, way >> 2) + choices.pick(SIDES));
}

/**
 * Time to the next block that just reaches an edge, ms. Edges are funding instants, expiries of orders and grants,
 * schedules, cooldowns, hours, days, and the ages at which prices are stale.
 */
export function drawStepToEdge(builder: BlockBuilder, choices: Choices, account: AccountRow): number {
  const time = getEdge(builder, account, choices.next()) + choices.pick(SIDES);
  return time > CLOCK_MOST ? PLAIN_STEP : Math.max(1, time - builder.state.timeMs);
}

function getEdge({ state, market }: BlockBuilder, account: AccountRow, way: number): number {
  const { timeMs, markets, parameters } = state;
  const row = (market % state.marketNames.length) as MarketRow;
  const { fundingInterval, oracleStale, blockGap, liquidationCooldown } = parameters[row]!;
  const instant = next(timeMs, fundingInterval);
  switch (way % 32) {
    case 0:
      return instant;
    case 1:
      return (markets.oracleTime[row]! || timeMs) + (oracleStale || 60_000);
    case 2:
      return timeMs + (blockGap || 60_000);
    case 3: {
      const order = account === NONE ? NONE : findOrder(state, account, (way >> 5) % 4);
      return (order === NONE ? 0 : getLastTime(state, order)) || instant;
    }
    case 4:
      return (account === NONE ? 0 : state.accounts.cancelTime[account]!) || instant;
    case 5: {
      const { high } = state.authorizations.rows;
      if (high === 0) return instant;
      const grant = ((way >> 5) % high) as never;
      const { validFrom, expiresAt } = state.authorizations;
      return validFrom[grant]! > timeMs ? validFrom[grant]! : Math.min(expiresAt[grant]!, timeMs + 2 * DAY);
    }
    case 6:
      return timeMs + liquidationCooldown;
    case 7:
      return next(timeMs, 3_600_000);
    case 8:
      return next(timeMs, DAY);
    default:
      return instant <= timeMs + 120_000 ? instant : timeMs + 30_000;
  }
}

/** The next whole multiple of a period. */
function next(timeMs: number, period: number): number {
  return (Math.floor(timeMs / period) + 1) * period;
}
