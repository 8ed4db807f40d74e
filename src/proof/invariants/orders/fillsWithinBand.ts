import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";

const MILLION = 1_000_000n;

export const fillsWithinBand = defineInvariant({
  id: "fillsWithinBand",
  sentence: "Fills are within the price band around oracle and index, except fills of liquidations and of the house.",
  rules: ["ORD-5"],
  catalogue: ["B04"],
  when: "events",
  kinds: ["fill"],
  slack: "1e-8 USD",
  event(moment, at) {
    const { data, state } = moment;
    const { role } = state.accounts;
    const maker = data[at + AT.fill.makerAccount]! as AccountRow;
    const taker = data[at + AT.fill.takerAccount]! as AccountRow;
    if (data[at + AT.fill.liquidation] !== 0 || role[maker] === ROLE.house || role[taker] === ROLE.house)
      return undefined;
    moment.met++;
    const market = data[at + AT.fill.market]! as MarketRow;
    const price = BigInt(data[at + AT.fill.price]!) * BigInt(state.parameters[market]!.tickSize);
    const [low, high] = computeBand(state, market);
    const below = high - price * MILLION;
    const above = price * MILLION - low;
    near(moment, (below < above ? below : above) / MILLION);
    if (price * MILLION >= low && price * MILLION <= high) return undefined;
    return `order ${data[at + AT.fill.makerOrder]} trades at ${price}, the band is ${low / MILLION} to ${high / MILLION}`;
  },
});

/** The band, times a million. */
export function computeBand({ markets, parameters }: State, market: MarketRow): readonly [bigint, bigint] {
  const index = BigInt(markets.index[market]);
  const reported = BigInt(markets.oracle[market]);
  const oracle = reported === 0n ? index : reported;
  const band = BigInt(parameters[market]!.priceBand);
  const low = oracle < index ? oracle : index;
  const high = oracle > index ? oracle : index;
  return [low * (MILLION - band), high * (MILLION + band)];
}
