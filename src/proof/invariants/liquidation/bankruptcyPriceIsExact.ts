import { LIQUIDATION_STAGE, LIQUIDATION_STAGES } from "../../../protocol/events.ts";
import { isLiquidationStepCode, LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { openOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { ceilDiv, exactMaintenance, exactNotional, exactValue, floorDiv } from "../machinery/exact/health.ts";
import { asStorable, VALUE_SCALE } from "../machinery/exact/units.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { measureDue } from "./stageHasReason.ts";

const STARTED = AT.liquidationStarted;
const STAGE = AT.liquidationStage;

/** Stages that belong to no position. */
const WITHOUT: ReadonlySet<number> = new Set([
  LIQUIDATION_STAGE.recovered,
  LIQUIDATION_STAGE.completed,
  LIQUIDATION_STAGE.socialized,
]);

/** The current liquidation step: bankruptcy prices by market, 1e-8 USD. */
interface LiquidationStep {
  liquidation: number;
  readonly prices: Map<number, number>;
}

export const bankruptcyPriceIsExact = defineInvariant<LiquidationStep>({
  id: "bankruptcyPriceIsExact",
  sentence:
    "The bankruptcy price that a stage reports is exact to 1e-8 USD, sign included. It follows from the mark and the margin account's equity when its liquidation step began.",
  rules: ["LIQ", "NUM-2"],
  catalogue: ["L02"],
  when: "events",
  kinds: [...LIQUIDATION_STEP_KINDS, "liquidationStage"],
  start: () => ({ liquidation: 0, prices: new Map() }),
  event(moment, at, step) {
    const { data } = moment;
    if (isLiquidationStepCode(data[at]!)) {
      step.liquidation = data[at + STARTED.liquidation]!;
      findPrices(moment, data[at + STARTED.account]! as AccountRow, data[at + STARTED.marginAccount]!, step.prices);
      return undefined;
    }
    const stage = data[at + STAGE.stage]!;
    const reported = data[at + STAGE.bankruptcyPrice]!;
    const name = `liquidation ${data[at + STAGE.liquidation]} reports a bankruptcy price of ${reported} at ${LIQUIDATION_STAGES[stage]}`;
    if (WITHOUT.has(stage)) return reported === 0 ? undefined : name;
    moment.met++;
    const price = step.prices.get(data[at + STAGE.market]!);
    if (step.liquidation !== data[at + STAGE.liquidation] || price === undefined)
      return `${name}, outside a liquidation step`;
    return reported === price ? undefined : `${name}, the exact one is ${price}`;
  },
});

/**
 * The bankruptcy value of a position is its value at the mark less its share of equity. Shares are pro rata to
 * maintenance, cut from a running sum in the order of closing. Divided by the size, that value is the bankruptcy price,
 * rounded in favour of the owner.
 */
function findPrices(
  { ledger, state }: Moment,
  account: AccountRow,
  marginAccount: number,
  prices: Map<number, number>,
): void {
  const { accounts, positions, markets } = ledger.now;
  const view = { accounts, positions, markets, parameters: state.parameters };
  const isolated = marginAccount < 0 ? undefined : ledger.positionRows.find(account, marginAccount);
  const { equity, maintenance: total } = measureDue(view, state, account, isolated);
  prices.clear();
  const parts = openOf(view, account, isolated).map((row) => {
    const market = positions.market[row]!;
    const rules = state.parameters[market]!;
    const signedLots = BigInt(positions.signedLots[row]!);
    const mark = BigInt(markets.mark[market]);
    const maintenance = exactMaintenance(rules, exactNotional(rules, signedLots, mark));
    return {
      market,
      maintenance,
      value: exactValue(rules, signedLots, mark),
      base: signedLots * BigInt(rules.lotSize),
    };
  });
  parts.sort((a, b) =>
    a.maintenance === b.maintenance ? a.market - b.market : a.maintenance > b.maintenance ? -1 : 1,
  );
  let running = 0n;
  let given = 0n;
  for (const { market, maintenance, value, base } of parts) {
    running += maintenance;
    const share = (equity * running) / total - given;
    given += share;
    const cash = (value - share) * VALUE_SCALE;
    const price = base > 0n ? ceilDiv(cash, base) : floorDiv(cash, base);
    prices.set(market, asStorable(price));
  }
}
