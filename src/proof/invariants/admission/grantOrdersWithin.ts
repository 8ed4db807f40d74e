import type { AuthorizationRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { near } from "../machinery/tally.ts";

export const grantOrdersWithin = defineInvariant({
  id: "grantOrdersWithin",
  sentence: "A grant has at most as many resting orders as it allows, over all markets and subaccounts.",
  rules: ["AUT"],
  catalogue: ["T06"],
  when: "block",
  slack: "orders",
  sweep({ authorizations }, step) {
    for (let row = 0; row < authorizations.rows.high; row++) {
      const grant = row as AuthorizationRow;
      const most = authorizations.maxOpenOrders[grant]!;
      if (most < 0) continue;
      const open = authorizations.openOrders[grant]!;
      if (open > 0) step.met++;
      if (open > 0) near(step, most - open);
      if (open > most) return `grant ${row} has ${open} resting orders of ${most}`;
    }
    return undefined;
  },
});
