import { isLiquidationStep, LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { exactHealth, type HealthView } from "../exact/health.ts";
import type { Moment } from "../moment.ts";

/** What the queue orders a margin account by, as the pass found it. */
interface Place {
  readonly account: number;
  /** Of the isolated position, -1 for cross. */
  readonly market: number;
  /** Height at which it first was due; above all heights where that is now. */
  readonly since: number;
  readonly equity: bigint;
  readonly maintenance: bigint;
}

export const worstFirst = defineInvariant({
  id: "worstFirst",
  sentence:
    "Margin accounts have their turns in order: who waits longest, then the worst ratio, the larger maintenance, the account, cross before isolated ones by market.",
  rules: ["LIQ", "DET-3"],
  catalogue: ["L10", "D03"],
  when: "transaction",
  kinds: LIQUIDATION_STEP_KINDS,
  touched(moment) {
    if (moment.step !== "riskPassed") return undefined;
    let before: Place | undefined;
    for (const event of moment.events) {
      // Backstops come behind the queue, by their own rules.
      if (!isLiquidationStep(event) || moment.state.accounts.role[event.account as AccountRow] !== ROLE.normal)
        continue;
      const place = placeOf(moment, event.account, event.marginAccount);
      if (before !== undefined) {
        moment.met++;
        if (compare(before, place) >= 0)
          return `account ${before.account} had its turn before account ${place.account}`;
      }
      before = place;
    }
    return undefined;
  },
});

function placeOf({ ledger, state }: Moment, account: number, market: number): Place {
  const { accounts, positions } = ledger.was;
  // Marks and what funding has come to stand still in a pass.
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
