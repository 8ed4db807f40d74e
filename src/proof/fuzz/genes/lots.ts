/** Sizes of orders, in lots. */
import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { SIDE } from "../../../protocol/words.ts";
import { getTakerRate } from "../../../venue/engine/matching/volume.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { weigh } from "./choices.ts";
import { type Aim, findEdge, hit } from "./edges.ts";
import { findPosition } from "./references.ts";
import { getMissingVolume, solveFeeEdge } from "./solve.ts";

/** Shares of what an account can carry, percent. */
export const SHARES = [10, 2, 5, 30, 60, 97, 100, 103] as const;

/** Ways to choose a size; the plainest first. */
export const LOT_WAYS = weigh({
  least: 4,
  few: 12,
  share: 16,
  position: 8,
  touch: 8,
  margin: 4,
  cap: 2,
  tier: 2,
  notional: 1,
  power: 1,
  odd: 1,
  worth: 2,
  fee: 2,
  volume: 1,
  alike: 2,
});

/** True if a size aims at a volume tier; its price then does as well. */
export function aimsAtVolume({ way }: Aim): boolean {
  return LOT_WAYS[way % LOT_WAYS.length] === "volume";
}

/** Values in quote units that are limits of grants and bounds of tiers. */
const WORTHS = [500e6, 5_000e6, 100_000e6, 20_000e6, 10e6] as const;

/** Share of sizes and prices that stay within the limits of the market, in eighths. */
export const KEPT = 7;

/** Sizes that flip a position, percent of the position. */
const TURNS = [110, 150, 190, 101] as const;

/** Lots of an order at a price. `tryLots` returns true if the venue would accept the order with this many lots. */
export function drawLots(
  builder: BlockBuilder,
  aim: Aim,
  account: AccountRow,
  market: MarketRow,
  side: number,
  ticks: number,
  tryLots: (lots: number) => boolean,
): number {
  const { state, scene } = builder;
  const rules = state.parameters[market]!;
  const { detail } = aim;
  const { minLots, maxLots, positionLimitLots, openInterestLimitLots } = rules;
  const perLot = (state.markets.mark[market]! * rules.lotSize) / 1e10;
  if (perLot === 0) return minLots;
  const worth = ticks === 0 ? perLot : Math.min(perLot, ticks * rules.tickLotValue);
  const least = Math.max(minLots, Math.ceil(rules.minNotional / worth));
  switch (LOT_WAYS[aim.way % LOT_WAYS.length]!) {
    case "least":
      return least;
    case "few":
      return least * (1 + (detail % 20));
    case "share": {
      const most = (Math.max(scene.equityOf(account), 0) * rules.leverageMax) / perLot;
      const lots = Math.max(least, Math.floor((most * SHARES[detail % SHARES.length]!) / 100));
      return detail % 8 < KEPT ? Math.min(lots, maxLots) : lots;
    }
    case "position": {
      const size = Math.abs(scene.signedLotsOf(account, market));
      if (size === 0) return least;
      const parts = [size, Math.ceil(size / 2), 2 * size, Math.ceil(size / 3)];
      const part = [...parts, ...TURNS.map((percent) => Math.ceil((size / 100) * percent))][detail % 8]!;
      return hit(aim, part);
    }
    case "touch": {
      const lots = getTouchLots(builder, market, side, detail % 4) || 2 * least;
      return hit(aim, detail % 8 < KEPT ? Math.min(lots, maxLots) : lots);
    }
    case "margin":
      return hit(aim, findEdge(0, Math.min(2 * maxLots, LIMIT / 4), tryLots));
    case "cap": {
      const size = Math.abs(scene.signedLotsOf(account, market));
      const interest: number = state.markets.openInterest[market]!;
      const caps = [maxLots, minLots, positionLimitLots - size, openInterestLimitLots - interest];
      return hit(aim, Math.max(1, caps[detail % 4]!));
    }
    case "tier": {
      const { from } = rules.tiers[detail % rules.tiers.length]!;
      return hit(aim, Math.max(least, Math.floor(from / perLot)));
    }
    case "notional":
      return hit(aim, Math.ceil(rules.minNotional / perLot));
    case "power":
      return hit(aim, 2 ** (detail % 50));
    case "odd":
      return [0, 1, Math.floor(LIMIT / rules.lotSize)][detail % 3]!;
    case "fee": {
      const most = (Math.max(scene.equityOf(account), 0) * rules.leverageMax) / perLot;
      const share = Math.min(Math.floor((most * SHARES[detail % SHARES.length]!) / 100), maxLots);
      const touch = getTouchLots(builder, market, side, 0);
      const near = Math.max(least, touch === 0 ? share : Math.min(share, touch));
      const rate = getTakerRate(state, rules, account);
      return solveFeeEdge(Math.max(1, ticks) * rules.tickLotValue, rate, near, aim.side);
    }
    case "volume": {
      const missing = getMissingVolume(state, account, rules.feeTiers);
      return missing === 0 ? least : hit(aim, Math.floor(missing / (Math.max(1, ticks) * rules.tickLotValue)));
    }
    case "alike": {
      const other = findPosition(state, detail, (row) => state.positions.market[row] === market);
      return other === NONE ? least : hit(aim, Math.abs(state.positions.signedLots[other]!));
    }
    case "worth":
      return hit(aim, Math.floor(WORTHS[detail % WORTHS.length]! / (Math.max(1, ticks) * rules.tickLotValue)));
  }
}

/** Lots of the first orders that an order of a side would meet; 0 if there are none. */
function getTouchLots({ state }: BlockBuilder, market: MarketRow, side: number, more: number): number {
  const book = state.books[market]!;
  const touch = side === SIDE.buy ? book.bestAsk : book.bestBid;
  if (touch === 0) return 0;
  const { remaining, levelNext } = state.orders;
  let lots = 0;
  let left = more;
  for (let order = book.head(touch); order !== NONE && left >= 0; order = levelNext[order]!, left--) {
    lots += remaining[order]!;
  }
  return lots;
}
