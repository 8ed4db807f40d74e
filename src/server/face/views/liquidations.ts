import type { InsuranceChange, InsuranceFund, Liquidation } from "../../../client/api/schemas/liquidations.ts";
import { CLOSE_KINDS, INSURANCE_CAUSES, LIQUIDATION_STAGES } from "../../../protocol/events.ts";
import { nameLiquidation } from "../../../protocol/liquidationId.ts";
import { SIDES } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import { formatAmount, formatLots, formatPrice, formatRate } from "../../../venue/formulas/text.ts";
import { addressOf } from "../../../venue/reads/rows.ts";
import type { FundingRecord } from "../../history/funding.ts";
import type { InsuranceChanges, InsuranceRecord } from "../../history/insurance.ts";
import type { LiquidationRecord } from "../../history/liquidations.ts";
import { nameEvent } from "../../history/walkEvents.ts";
import type { Reader } from "../services/access.ts";
import { nameAccount } from "./accounts.ts";
import { ASSET } from "./status.ts";
import { positiveOrNull } from "./text.ts";
import { textOfPrice } from "./trades.ts";

export function viewLiquidation(state: State, record: LiquidationRecord): Liquidation {
  const marketOf = (market: number) => (market < 0 ? null : state.marketNames[market]!);
  return {
    liquidationId: nameLiquidation(record.id),
    account: nameAccount(state, record.account as AccountRow),
    marginAccount: marketOf(record.marginAccount) ?? "cross",
    stage: LIQUIDATION_STAGES[record.stage]!,
    startedHeight: record.startedHeight,
    startedMs: record.startedMs,
    endedHeight: record.endedHeight ?? null,
    equity: formatAmount(record.equity),
    maintenance: formatAmount(record.maintenance),
    liquidationSteps: record.liquidationSteps,
    closedNotional: formatAmount(record.closedNotional),
    fee: formatAmount(record.fee),
    insurance: formatAmount(record.insurance),
    socialized: formatAmount(record.socialized),
    steps: record.steps.map((step) => ({
      eventId: nameEvent(step),
      height: step.height,
      stage: LIQUIDATION_STAGES[step.stage]!,
      market: marketOf(step.market),
      bankruptcyPrice: step.market < 0 ? null : formatPrice(step.bankruptcyPrice),
      cooldownMs: positiveOrNull(step.cooldownMs),
    })),
    closes: record.closes.map((close) => {
      const rules = state.parameters[close.market]!;
      return {
        eventId: nameEvent(close),
        height: close.height,
        way: close.way < 0 ? "book" : CLOSE_KINDS[close.way]!,
        market: state.marketNames[close.market]!,
        side: SIDES[close.side]!,
        size: formatLots(rules, close.lots),
        price: textOfPrice(rules, close),
        value: formatAmount(close.value),
        counterparty: close.counterparty < 0 ? null : nameAccount(state, close.counterparty as AccountRow),
      };
    }),
  };
}

/** A record as a reader may see it: the counterparty of a close is shown only to itself. */
export function viewLiquidationFor(reader: Reader, state: State, record: LiquidationRecord): Liquidation {
  const view = viewLiquidation(state, record);
  if (reader.isUnlimited) return view;
  const closes = view.closes.map((close) =>
    close.counterparty === null || reader.sees(close.counterparty.address) ? close : { ...close, counterparty: null },
  );
  return { ...view, closes };
}

export function viewInsuranceFund(state: State, insurance: InsuranceChanges): InsuranceFund {
  const { totals, genesis } = state;
  return {
    asset: ASSET,
    balance: formatAmount(totals.get(TOTAL.insurance)),
    badDebt: formatAmount(totals.get(TOTAL.badDebt)),
    fees: formatAmount(totals.get(TOTAL.fees)),
    byCause: Object.fromEntries(
      INSURANCE_CAUSES.map((cause, place) => [cause, formatAmount(insurance.byCause.get(place) ?? 0n)]),
    ),
    backstops: state.backstops.map(({ account }) => ({
      account: nameAccount(state, account),
      collateral: formatAmount(state.accounts.collateral[account]!),
      lossLimit: genesis.accounts[account]?.lossLimit ?? null,
    })),
  };
}

export function viewInsuranceChange(
  state: State,
  { start }: InsuranceChanges,
  change: InsuranceRecord,
  reader: Reader,
): InsuranceChange {
  const { market, account } = change;
  return {
    eventId: nameEvent(change),
    height: change.height,
    timeMs: change.timeMs,
    delta: formatAmount(change.delta),
    cause: INSURANCE_CAUSES[change.cause]!,
    market: market < 0 ? null : state.marketNames[market]!,
    account:
      account < 0 || !reader.sees(addressOf(state, account as AccountRow))
        ? null
        : nameAccount(state, account as AccountRow),
    balanceAfter: formatAmount(start + change.sum),
  };
}

export function viewFundingRate(state: State, record: FundingRecord) {
  return {
    eventId: nameEvent(record),
    market: state.marketNames[record.market]!,
    height: record.height,
    timeMs: record.timeMs,
    rate: formatRate(record.rate),
  };
}
