import { isLiquidationStep, LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth, type HealthView } from "../machinery/exact/health.ts";
import type { Moment } from "../machinery/moment.ts";

/** Sort key of a margin account in the queue, as the pass found it. */
interface Place {
  readonly account: number;
  /** Market of the isolated position, -1 for cross. */
  readonly market: number;
  /** Height at which it first became due; above all heights if it became due now. */
  readonly since: number;
  readonly equity: bigint;
  readonly maintenance: bigint;
}

export const worstFirst = defineInvariant({
  id: "worstFirst",
  sentence:
    "Liquidation steps come in order: longest in the queue, then worst ratio, larger maintenance, account, and cross before isolated by market.",
  rules: ["LIQ", "DET-3"],
  catalogue: ["L10", "D03"],
  when: "transaction",
  kinds: LIQUIDATION_STEP_KINDS,
  moments: ["riskPassed"],
  touched(moment) {
    let before: Place | undefined;
    for (const event of moment.events) {
      // Backstops follow after the queue, by their own rules.
      if (!isLiquidationStep(event) || moment.state.accounts.role[event.account as AccountRow] !== ROLE.normal)
        continue;
      const place = placeOf(moment, event.account, event.marginAccount);
      if (before !== undefined) {
        moment.met++;
        if (compare(before, place) >= 0)
          return `account ${before.account} had its liquidation step before account ${place.account}`;
      }
      before = place;
    }
    return undefined;
  },
});

function placeOf({ ledger, state }: Moment, account: number, market: number): Place {
  const { accounts, positions } = ledger.was;
  // Marks and funding indexes do not change during a pass.
  const view: HealthView = { accounts, positions, markets: state.markets, parameters: state.parameters };
  const row = account as AccountRow;
  const isolated = market < 0 ? undefined : ledger.positionRows.find(account, market);
  const { equity, maintenance } = exactHealth(view, row, isolated);
  const since = isolated === undefined ? accounts.queuedSince[row] : positions.queuedSince[isolated]!;
  return { account, market, since: since === 0 ? Number.MAX_SAFE_INTEGER : since, equity, maintenance };
}

function compare(a: Place, b: Place): number {
  if (a.since !== b.since) return a.since - b.since;
  const crosswise = a.equity * b.maintenance - b.equity * a.maintenance;
  if (crosswise !== 0n) return crosswise < 0n ? -1 : 1;
  if (a.maintenance !== b.maintenance) return a.maintenance > b.maintenance ? -1 : 1;
  return a.account - b.account || a.market - b.market;
}
