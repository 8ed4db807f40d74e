import { AUTHORIZATION_STATUS } from "../../../protocol/words.ts";
import { getGrant } from "../../../venue/engine/book/extras.ts";
import type { AuthorizationRow } from "../../../venue/engine/state/schema.ts";
import { listOrders } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { near } from "../machinery/tally.ts";

export const grantsWithin = defineInvariant({
  id: "grantsWithin",
  sentence:
    "A grant counts exactly its resting orders, all of its owner. It uses from zero up to what a day allows, and never stays in force beyond its time.",
  rules: ["AUT"],
  catalogue: ["T06"],
  when: "block",
  slack: "quote units",
  sweep(state, step) {
    step.met += state.authorizations.rows.high;
    const { authorizations, accounts, orders, positions, timeMs } = state;
    const resting = new Map<number, number>();
    for (const order of listOrders(state)) {
      const grant = getGrant(state, order);
      if (grant < 0) continue;
      resting.set(grant, (resting.get(grant) ?? 0) + 1);
      const account = positions.account[orders.position[order]!]!;
      if (accounts.owner[account] !== accounts.owner[authorizations.account[grant]!]) {
        return `order ${orders.id[order]} rests under grant ${grant} of another owner`;
      }
    }
    for (let row = 0; row < authorizations.rows.high; row++) {
      const grant = row as AuthorizationRow;
      const counted = authorizations.openOrders[grant]!;
      if (counted !== (resting.get(row) ?? 0))
        return `grant ${row} counts ${counted} orders, ${resting.get(row) ?? 0} rest`;
      const most = authorizations.maxDailyNotional[grant]!;
      const used = authorizations.used[grant]!;
      if (most >= 0 && used > 0) near(step, most - used);
      // A grant without a daily limit counts nothing.
      if (used < 0 || used > Math.max(most, 0)) return `grant ${row} used ${used} of ${most}`;
      const status = authorizations.status[grant];
      if (status === AUTHORIZATION_STATUS.active && authorizations.expiresAt[grant]! <= timeMs)
        return `grant ${row} is in force beyond its time`;
      if (status === AUTHORIZATION_STATUS.scheduled && authorizations.validFrom[grant]! <= timeMs)
        return `grant ${row} is still scheduled after its start`;
    }
    return undefined;
  },
});
