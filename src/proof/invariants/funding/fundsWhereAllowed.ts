import { EVENT_CODES } from "../../../protocol/events.ts";
import { VALIDITY } from "../../../protocol/validity.ts";
import { MARKET_STATUS } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

const STATUSES: ReadonlySet<number> = new Set([
  MARKET_STATUS.postOnly,
  MARKET_STATUS.active,
  MARKET_STATUS.cancelOnly,
  MARKET_STATUS.reduceOnly,
]);

/** By market: whether it funds, and whether it did when the last block with one of its events began. */
interface Funding {
  height: number;
  before: boolean;
  now: boolean;
}

export const fundsWhereAllowed = defineInvariant<Map<number, Funding>>({
  id: "fundsWhereAllowed",
  sentence:
    "A market samples premiums and pays funding only at a valid price, in a status that funds, and not while restarting after a halt. A market that stops funding pays once more in that block.",
  rules: ["PRC-1", "PRC-4", "MKT", "FND-4"],
  catalogue: ["F04"],
  when: "events",
  kinds: ["marketCreated", "marketChanged", "fundingSampled", "fundingAccrued"],
  start: (state) =>
    new Map(state.parameters.map((_, market) => [market, { height: -1, ...same(funds(state, market)) }])),
  event(moment, at, held) {
    const { data, state, block } = moment;
    const market = data[at + 1]! as MarketRow;
    const known = held.get(market) ?? { height: block.height, ...same(false) };
    held.set(market, known);
    if (known.height !== block.height) {
      known.height = block.height;
      known.before = known.now;
    }
    if (data[at] === EVENT_CODES.marketChanged || data[at] === EVENT_CODES.marketCreated) {
      known.now = funds(state, market);
      return undefined;
    }
    moment.met++;
    const { restarting, validity } = state.markets;
    const { status } = state.parameters[market]!;
    if (restarting[market] !== 0) return `market ${market} funds while restarting after a halt`;
    if (validity[market] < VALIDITY.stale) return `market ${market} funds at a price of validity ${validity[market]}`;
    const isRest = data[at] === EVENT_CODES.fundingAccrued && known.before && status !== MARKET_STATUS.settled;
    return funds(state, market) || isRest
      ? undefined
      : `market ${market} funds in status ${status}, or while funding is paused`;
  },
});

function same(value: boolean): Pick<Funding, "before" | "now"> {
  return { before: value, now: value };
}

function funds({ parameters }: State, market: number): boolean {
  const { status, pauseFund } = parameters[market]!;
  return pauseFund === 0 && STATUSES.has(status);
}
