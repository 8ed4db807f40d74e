import { MARKET_STATUS, MARKET_STATUSES } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { AT } from "../ledger/fieldsOf.ts";

/** Where a market may go from each status (MKT), written down once more. */
const STEPS: Readonly<Record<(typeof MARKET_STATUSES)[number], readonly string[]>> = {
  initializing: ["postOnly"],
  postOnly: ["active"],
  active: ["cancelOnly", "reduceOnly", "halted", "settling"],
  cancelOnly: ["active", "settling"],
  reduceOnly: ["active", "settling"],
  halted: ["active", "settling"],
  settling: ["settled"],
  settled: [],
};

export const statusSteps = defineInvariant<number[]>({
  id: "statusSteps",
  sentence: "A market goes from status to status only as its lifecycle allows, and one that is settled stays so.",
  rules: ["MKT"],
  when: "events",
  kinds: ["marketCreated", "marketChanged"],
  start: (state: State) => state.parameters.map(({ status }) => status),
  event(moment, at, statuses) {
    const { data, state } = moment;
    const market = data[at + AT.marketChanged.market]!;
    const now = state.parameters[market]!.status;
    const before = statuses[market];
    statuses[market] = now;
    if (before === undefined || before === now) return undefined;
    moment.met++;
    // Settling is over in the transaction that names the price.
    if (moment.transaction?.action === "settleMarket" && before !== MARKET_STATUS.settled) return undefined;
    const names = [MARKET_STATUSES[before]!, MARKET_STATUSES[now]!] as const;
    return STEPS[names[0]].includes(names[1]) ? undefined : `market ${market} went from ${names.join(" to ")}`;
  },
});
