import { MARK_METHOD } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";

const MILLION = 1_000_000n;

export const markNearIndex = defineInvariant({
  id: "markNearIndex",
  sentence: "After prices moved the mark is within its band around the index, except recorded marks.",
  rules: ["PRC-2"],
  when: "events",
  kinds: ["pricesMoved"],
  slack: "1e-8 USD",
  event(moment, at) {
    const { data, state, step } = moment;
    const market = data[at + AT.pricesMoved.market]! as MarketRow;
    const { markBand, markMethod } = state.parameters[market]!;
    if (step !== "pricesMoved" || markMethod === MARK_METHOD.reported) return undefined;
    moment.met++;
    const index = data[at + AT.pricesMoved.index]!;
    const mark = data[at + AT.pricesMoved.mark]!;
    const off = BigInt(Math.abs(mark - index)) * MILLION;
    const most = BigInt(index) * BigInt(markBand);
    // One unit is always allowed.
    near(moment, off <= most ? (most - off) / MILLION : 1 - Math.abs(mark - index));
    if (off <= most || Math.abs(mark - index) <= 1) return undefined;
    return `market ${market}: mark ${mark}, index ${index}, its band is ${markBand} millionths`;
  },
});
