import type { AccountRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import { CLOSE_KIND, type EventOf } from "../protocol/events.ts";
import { LIQUIDATION_POLICY, ROLE } from "../protocol/words.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { afterRiskPass, type Told } from "./liquidation/afterRiskPass.ts";
import { near } from "./tally.ts";

/** Quote units that rounding of earlier fills of the same turn may have cost, times the crosswise factors. */
const ROUNDING = 100;

export const takeoverByRule = defineInvariant({
  id: "takeoverByRule",
  sentence:
    "Only backstops take positions over, and only of buckets whose equity is positive and below two thirds of maintenance.",
  rules: ["LIQ-3"],
  catalogue: ["L09"],
  when: "transaction",
  kinds: ["deleveraged"],
  slack: "quote units",
  ...afterRiskPass(check),
});

function check(state: State, told: Told): string | undefined {
  const { events } = told;
  for (const { kind } of events) if (kind === "deleveraged") told.met++;
  const started = new Map<number, EventOf<"liquidationStarted">>();
  for (const event of events) {
    if (event.kind === "liquidationStarted") started.set(event.liquidation, event);
    if (event.kind !== "deleveraged" || event.way !== CLOSE_KIND.takeover) continue;
    if (state.accounts.role[event.counterparty as AccountRow] !== ROLE.backstop) {
      return `account ${event.counterparty} is no backstop and took ${event.size} lots over`;
    }
    // Binance's fund takes over whatever equity is left.
    if (state.parameters[event.market]!.liquidationPolicy === LIQUIDATION_POLICY.binance) continue;
    const { equity, maintenance } = started.get(event.liquidation)!;
    near(told, Math.min(equity - 1, Math.floor((maintenance * 2 + ROUNDING - 1 - equity * 3) / 3)));
    if (equity > 0 && equity * 3 < maintenance * 2 + ROUNDING) continue;
    return `liquidation ${event.liquidation} had ${equity} of ${maintenance}, and ${event.size} lots were taken over`;
  }
  return undefined;
}
