import { NONE } from "../../../ground/collections/table.ts";
import { LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";
import { asStorable } from "../machinery/exact/units.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";

export const onlyBelowMaintenance = defineInvariant({
  id: "onlyBelowMaintenance",
  sentence:
    "A margin account is liquidated only with equity below maintenance, or flat and in debt. Its record reports both numbers correctly.",
  rules: ["LIQ", "LIQ-7"],
  catalogue: ["L01"],
  when: "events",
  kinds: LIQUIDATION_STEP_KINDS,
  slack: "quote units",
  event(moment, at) {
    const { data, ledger, state } = moment;
    moment.met++;
    const { liquidationStarted } = AT;
    const account = data[at + liquidationStarted.account]! as AccountRow;
    const marginAccount = data[at + liquidationStarted.marginAccount]!;
    const reported = [data[at + liquidationStarted.equity]!, data[at + liquidationStarted.maintenance]!] as const;
    const row = marginAccount < 0 ? NONE : ledger.positionRows.find(account, marginAccount);
    const { accounts, positions, markets } = ledger.now;
    const view = { accounts, positions, markets, parameters: state.parameters };
    const health = exactHealth(view, account, row < 0 ? undefined : (row as never));
    const backstop = marginAccount < 0 ? state.backstops.find((candidate) => candidate.account === account) : undefined;
    const equity = health.equity - BigInt(backstop?.reserve ?? 0);
    if (asStorable(equity) !== reported[0] || asStorable(health.maintenance) !== reported[1])
      return `account ${account}: equity ${equity} of ${health.maintenance} is reported as ${reported.join(" of ")}`;
    if (state.accounts.role[account] === ROLE.backstop) return undefined;
    near(moment, health.notional === 0n ? -1n - equity : health.maintenance - equity - 1n);
    if (equity < health.maintenance || (health.notional === 0n && equity < 0n)) return undefined;
    return `account ${account} is liquidated with equity ${equity} and maintenance ${health.maintenance}`;
  },
});
