import { findActor } from "../engine/admission.ts";
import type { AccountRow } from "../engine/state/schema.ts";
import { ROLE } from "../protocol/words.ts";
import { defineTransactionInvariant, eventsOf } from "./defineInvariant.ts";
import { exactHealth } from "./exact/health.ts";

export const makerAfterFill = defineTransactionInvariant({
  id: "makerAfterFill",
  sentence:
    "A maker's fill leaves it above its fill requirement, midway between maintenance and initial, or no nearer liquidation.",
  rules: ["ORD-6"],
  when: "transaction",
  check(state, step) {
    const { before, block, index } = step;
    const actor = findActor(before, block.transactions[index]!);
    const fills = new Map<AccountRow, number>();
    for (const event of eventsOf(step, index)) {
      if (event.kind !== "fill") continue;
      const maker = event.makerAccount as AccountRow;
      fills.set(maker, (fills.get(maker) ?? 0) + 1);
    }
    for (const [maker, count] of fills) {
      if (maker === actor || state.accounts.role[maker] === ROLE.house) continue;
      const now = exactHealth(state, maker);
      if (now.equity * 2n >= now.positionInitial + now.maintenance) continue;
      // Of several fills each was held against the state after the one before it, which is not here any more.
      if (count > 1) continue;
      const then = exactHealth(before, maker);
      const eased = now.maintenance <= then.maintenance && now.positionInitial <= then.positionInitial;
      const kept =
        now.maintenance === 0n ? now.equity >= 0n : now.equity * then.maintenance >= then.equity * now.maintenance;
      if (eased && kept) continue;
      return `maker ${maker}: equity ${now.equity}, maintenance ${now.maintenance}, initial ${now.positionInitial}`;
    }
    return undefined;
  },
});
