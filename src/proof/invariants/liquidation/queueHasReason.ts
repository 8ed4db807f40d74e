import { NONE } from "../../../ground/collections/table.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";
import type { Books } from "../machinery/ledger/books.ts";

export const queueHasReason = defineInvariant({
  id: "queueHasReason",
  sentence:
    "A margin account that enters the liquidation queue is below maintenance, or flat and in debt, since this block at the earliest.",
  rules: ["LIQ"],
  catalogue: ["L15"],
  when: "events",
  kinds: ["liquidationQueued"],
  event(moment, at) {
    const { data, ledger, state, block } = moment;
    const account = data[at + 1]! as AccountRow;
    const marginAccount = data[at + 2]!;
    const since = data[at + 3]!;
    if (since === 0) return undefined;
    moment.met++;
    if (since !== block.height) return `account ${account} is queued in block ${block.height} since ${since}`;
    const row = marginAccount < 0 ? NONE : ledger.positionRows.find(account, marginAccount);
    const measure = ({ accounts, positions, markets }: Books) =>
      exactHealth(
        { accounts, positions, markets, parameters: state.parameters },
        account,
        row < 0 ? undefined : (row as never),
      );
    const { equity, maintenance } = measure(ledger.now);
    if (equity < maintenance || equity < 0n) return undefined;
    // The queue is fixed when the pass begins. Steps of other accounts may have traded with this one and restored it.
    const then = measure(ledger.was);
    if (then.equity < then.maintenance || then.equity < 0n) return undefined;
    return `account ${account} is queued with equity ${equity} and maintenance ${maintenance}`;
  },
});
