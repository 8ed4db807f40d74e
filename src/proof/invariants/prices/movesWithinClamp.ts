import { MARK_METHOD } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";

const MILLION = 1_000_000n;

export const movesWithinClamp = defineInvariant({
  id: "movesWithinClamp",
  sentence:
    "Index and mark are positive. In one block the index moves by at most the clamp, except recorded prices and settlements.",
  rules: ["PRC-2"],
  when: "events",
  kinds: ["pricesMoved"],
  slack: "1e-8 USD",
  event(moment, at) {
    const { data, ledger, state, step } = moment;
    const market = data[at + AT.pricesMoved.market]! as MarketRow;
    const index = data[at + AT.pricesMoved.index]!;
    const mark = data[at + AT.pricesMoved.mark]!;
    // A market may be settled before its first price.
    if (!(mark > 0 && (index > 0 || step !== "pricesMoved")))
      return `market ${market} has index ${index} and mark ${mark}`;
    const { markClamp, markMethod } = state.parameters[market]!;
    const before: number = ledger.now.markets.index[market];
    if (step !== "pricesMoved" || markMethod === MARK_METHOD.reported || before === 0) return undefined;
    moment.met++;
    const moved = BigInt(Math.abs(index - before)) * MILLION;
    const most = BigInt(before) * BigInt(markClamp);
    near(moment, moved <= most ? (most - moved) / MILLION : 1 - Math.abs(index - before));
    // A price of a few units may always move by one.
    return moved <= most || Math.abs(index - before) <= 1
      ? undefined
      : `market ${market}: the index moved from ${before} to ${index}, its clamp is ${markClamp} millionths`;
  },
});
