import { findActor } from "../engine/admission.ts";
import type { AccountRow, MarketRow } from "../engine/state/schema.ts";
import { getPosition } from "../engine/state/state.ts";
import { ROLE } from "../protocol/words.ts";
import { defineTransactionInvariant, eventsOf } from "./defineInvariant.ts";
import { exactHealth } from "./exact/health.ts";
import { isolatedOf } from "./exact/walk.ts";

export const makerAfterFill = defineTransactionInvariant({
  id: "makerAfterFill",
  sentence:
    "A maker's fill leaves it above its fill requirement, midway between maintenance and initial, or no nearer liquidation.",
  rules: ["ORD-6"],
  when: "transaction",
  check(state, step) {
    const { before, block, index } = step;
    const actor = findActor(before, block.transactions[index]!);
    const fills = new Map<AccountRow, { count: number; market: MarketRow }>();
    for (const event of eventsOf(step, index)) {
      if (event.kind !== "fill") continue;
      const maker = event.makerAccount as AccountRow;
      fills.set(maker, { count: (fills.get(maker)?.count ?? 0) + 1, market: event.market as MarketRow });
    }
    for (const [maker, { count, market }] of fills) {
      if (maker === actor || state.accounts.role[maker] === ROLE.house) continue;
      const at = isolatedOf(state, maker).find((row) => state.positions.market[row] === market);
      const now = exactHealth(state, maker, at);
      if (now.equity * 2n >= now.positionInitial + now.maintenance) continue;
      // Of several fills each was held against the state after the one before it, which is not here any more.
      if (count > 1) continue;
      const then = exactHealth(before, maker, at === undefined ? undefined : getPosition(before, maker, market));
      const eased = now.maintenance <= then.maintenance && now.positionInitial <= then.positionInitial;
      const kept =
        now.maintenance === 0n ? now.equity >= 0n : now.equity * then.maintenance >= then.equity * now.maintenance;
      if (eased && kept) continue;
      return `maker ${maker}: equity ${now.equity}, maintenance ${now.maintenance}, initial ${now.positionInitial}`;
    }
    return undefined;
  },
});
