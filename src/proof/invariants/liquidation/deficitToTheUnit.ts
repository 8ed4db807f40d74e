import { NONE } from "../../../ground/collections/table.ts";
import {
  BALANCE_CAUSE,
  CLOSE_KIND,
  type EventOf,
  INSURANCE_CAUSE,
  LIQUIDATION_STAGE,
  type VenueEvent,
} from "../../../protocol/events.ts";
import {
  isLiquidationStep,
  LIQUIDATION_STEP_KINDS,
  type LiquidationStepEvent,
} from "../../../protocol/liquidationStep.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

/** A liquidation as its events report it. */
interface Story {
  readonly started: LiquidationStepEvent;
  /** True if all its positions were closed at the bankruptcy price, outside the book. */
  atBankruptcyPrice: boolean;
  closed: boolean;
}

export const deficitToTheUnit = defineInvariant({
  id: "deficitToTheUnit",
  sentence:
    "A payer of a deficit pays no unit too much. A margin account closed at its bankruptcy price ends with exactly zero, except for what a loss limit keeps back.",
  rules: ["LIQ", "LIQ-5", "LIQ-6"],
  catalogue: ["L07"],
  when: "block",
  sweepKinds: [...LIQUIDATION_STEP_KINDS, "balanceChanged"],
  sweep(state, step) {
    const { events, before } = step;
    for (const event of events) if (isLiquidationStep(event)) step.met++;
    const collateral = new Map<string, number>();
    let story: Story | undefined;
    let deficitOf = -1;
    for (const event of events) {
      const marginAccount = findMarginAccount(before, event);
      if (marginAccount !== undefined) collateral.set(marginAccount, (event as { collateral: number }).collateral);
      if (event.kind === "insuranceChanged") {
        deficitOf = event.cause === INSURANCE_CAUSE.deficit ? event.account : -1;
      } else if (event.kind === "balanceChanged") {
        const fault = checkCover(event, deficitOf);
        if (fault !== undefined) return fault;
        deficitOf = -1;
      }
      if (isLiquidationStep(event)) story = { started: event, atBankruptcyPrice: true, closed: false };
      else if (story !== undefined) follow(story, event);
      if (event.kind !== "liquidationStage" || event.stage !== LIQUIDATION_STAGE.completed) continue;
      const left = collateral.get(`${event.account} ${story?.started.marginAccount}`);
      if (story?.started.liquidation !== event.liquidation || !story.atBankruptcyPrice || !story.closed) continue;
      // The amount that a backstop's loss limit keeps back was never equity.
      const backstop = state.backstops.find(({ account }) => account === event.account);
      if (left === (story.started.marginAccount === NONE ? (backstop?.reserve ?? 0) : 0)) continue;
      return `account ${event.account} was closed at its bankruptcy price and is left with ${left}`;
    }
    return undefined;
  },
});

/** The margin account whose collateral an event of a risk pass reports: account and market, -1 for cross. */
function findMarginAccount(state: State, event: VenueEvent): string | undefined {
  if (event.kind === "balanceChanged") return `${event.account} ${event.marginAccount}`;
  if (event.kind !== "positionChanged" && event.kind !== "fundingSettled") return undefined;
  const at = getPosition(state, event.account as AccountRow, event.market as MarketRow);
  const isolated = at !== NONE && state.positions.mode[at] !== 0;
  return `${event.account} ${isolated ? event.market : -1}`;
}

/** A payment for a deficit reduces it, at most to zero; bad debt leaves zero. */
function checkCover(event: EventOf<"balanceChanged">, deficitOf: number): string | undefined {
  const { cause, account, collateral, delta } = event;
  const covers =
    (cause === BALANCE_CAUSE.socialized && delta > 0) ||
    (cause === BALANCE_CAUSE.insurance && account === deficitOf) ||
    cause === BALANCE_CAUSE.badDebt;
  if (!covers || collateral === 0) return undefined;
  if (collateral < 0 && cause !== BALANCE_CAUSE.badDebt) return undefined;
  return `account ${account} was given ${delta} for its deficit and is left with ${collateral}`;
}

function follow(story: Story, event: VenueEvent): void {
  const { liquidation } = story.started;
  if (event.kind === "fill" && event.liquidation === liquidation) story.atBankruptcyPrice = false;
  else if (event.kind === "deleveraged" && event.liquidation === liquidation) {
    story.closed = true;
    if (event.way === CLOSE_KIND.closeOut || event.way === CLOSE_KIND.previousMark) story.atBankruptcyPrice = false;
  }
}
