import { EVENT_CODES } from "../../../protocol/events.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

/** By market: height of the last payment, and the time up to which it paid. */
interface Paid {
  height: number;
  settledMs: number;
}

export const fundingOnce = defineInvariant<Map<number, Paid>>({
  id: "fundingOnce",
  sentence: "A market pays funding at most once a block. The time up to which funding is paid never decreases.",
  rules: ["FND-2"],
  catalogue: ["F02"],
  when: "events",
  kinds: ["fundingAccrued", "premiumsCleared"],
  start: readPaid,
  event(moment, at, paid) {
    const { data, block } = moment;
    const market = data[at + 1]!;
    const last = paid.get(market) ?? { height: -1, settledMs: 0 };
    paid.set(market, last);
    moment.met++;
    const cleared = data[at] === EVENT_CODES.premiumsCleared;
    const settledMs = data[at + (cleared ? AT.premiumsCleared : AT.fundingAccrued).settledMs]!;
    const { height } = last;
    if (!cleared) {
      last.height = block.height;
      if (height === block.height) return `market ${market} pays twice in block ${height}`;
    }
    if (settledMs < last.settledMs) return `market ${market} was paid up to ${last.settledMs}, and now to ${settledMs}`;
    if (settledMs > block.timeMs) return `market ${market} is paid up to ${settledMs} at ${block.timeMs}`;
    last.settledMs = settledMs;
    return undefined;
  },
});

function readPaid({ markets }: State): Map<number, Paid> {
  const paid = new Map<number, Paid>();
  for (let row = 0 as never; row < markets.rows.high; row++)
    paid.set(row, { height: -1, settledMs: markets.settledTime[row]! });
  return paid;
}
