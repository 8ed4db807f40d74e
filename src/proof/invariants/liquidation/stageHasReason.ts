import { NONE } from "../../../ground/collections/table.ts";
import { LIQUIDATION_STAGE, LIQUIDATION_STAGES } from "../../../protocol/events.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { type ExactHealth, exactHealth, type HealthView } from "../machinery/exact/health.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

const { account: ACCOUNT, stage: STAGE, market: MARKET, marginAccount: MARGIN_ACCOUNT } = AT.liquidationStage;

export const stageHasReason = defineInvariant({
  id: "stageHasReason",
  sentence:
    "A record ends recovered with equity at or above maintenance, and completed with nothing open. A loss is shared only for a flat margin account in debt. Every other stage has something open.",
  rules: ["LIQ", "LIQ-3", "LIQ-6"],
  catalogue: ["L09"],
  when: "events",
  kinds: ["liquidationStage"],
  event(moment, at) {
    const { data, ledger, state } = moment;
    moment.met++;
    const account = data[at + ACCOUNT]! as AccountRow;
    const marginAccount = data[at + MARGIN_ACCOUNT]!;
    const stage = data[at + STAGE]!;
    const { accounts, positions, markets } = ledger.now;
    const name = `account ${account}: ${LIQUIDATION_STAGES[stage]}`;
    if (!ENDS.has(stage)) {
      const row = ledger.positionRows.find(account, data[at + MARKET]!);
      return row === NONE || positions.signedLots[row] === 0 ? `${name} with nothing open` : undefined;
    }
    const isolated = marginAccount < 0 ? undefined : ledger.positionRows.find(account, marginAccount);
    const view = { accounts, positions, markets, parameters: state.parameters };
    const { notional, ...health } = measureDue(view, state, account, isolated);
    let { equity, maintenance } = health;
    // Its owner moved the isolated margin account into the cross one, which carries both (MRG-2).
    if (moment.transaction !== undefined && isolated !== undefined) {
      const cross = exactHealth(view, account);
      equity += cross.equity;
      maintenance += cross.maintenance;
    }
    if (stage === LIQUIDATION_STAGE.recovered)
      return notional > 0n && equity >= maintenance ? undefined : `${name} with ${equity} of ${maintenance}`;
    if (notional > 0n) return `${name} with ${notional} open`;
    return stage === LIQUIDATION_STAGE.completed || equity < 0n ? undefined : `${name} with equity ${equity}`;
  },
});

/** Stages of a margin account as a whole. */
const ENDS: ReadonlySet<number> = new Set([
  LIQUIDATION_STAGE.recovered,
  LIQUIDATION_STAGE.completed,
  LIQUIDATION_STAGE.socialized,
]);

/** Health of a margin account in a liquidation: without the amount that a loss limit keeps back (LIQ-3). */
export function measureDue(
  view: HealthView,
  { backstops }: State,
  account: AccountRow,
  isolated: PositionRow | undefined,
): ExactHealth {
  const health = exactHealth(view, account, isolated);
  const kept = isolated === undefined ? backstops.find((backstop) => backstop.account === account)?.reserve : undefined;
  return kept === undefined ? health : { ...health, equity: health.equity - BigInt(kept) };
}
