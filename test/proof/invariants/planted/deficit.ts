/** Payments for the deficits of liquidations. */
import { NONE } from "../../../../src/ground/collections/table.ts";
import type { Step } from "../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { BALANCE_CAUSE, INSURANCE_CAUSE, LIQUIDATION_STAGE } from "../../../../src/protocol/events.ts";
import { LIQUIDATION_POLICY } from "../../../../src/protocol/words.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { TOTAL } from "../../../../src/venue/engine/state/totals.ts";
import { listAccounts, positionsOf } from "../../../../src/venue/engine/state/walk.ts";
import { findMoment } from "../../../helpers/flows.ts";
import { loose } from "../../../helpers/loose.ts";
import { eventStep, type Plants } from "./plant.ts";

/** A moment in which the fund pays for no solvent account. */
const strict = () =>
  findMoment(({ state }) =>
    state.parameters.every(
      ({ closeOut, liquidationPolicy }) => closeOut === 0 && liquidationPolicy === LIQUIDATION_POLICY.perplab,
    ),
  );

/** A fund of some size, a tenth of which may be paid for a market. */
const insured = () => findMoment(({ step }) => step.before.totals.get(TOTAL.insurance) > 1000n);

const paidOut = (delta: number, market: number, { accounts }: State) => ({
  kind: "insuranceChanged",
  delta,
  cause: INSURANCE_CAUSE.cover,
  market,
  account: accounts.rows.high - 1,
});

export const deficitPlants: Plants = {
  noFlatDebt: [
    {
      fault: "a debt that the pass forgot",
      at: () => findMoment(({ step }) => findFlat(step.before) !== undefined),
      plant(state, step) {
        const flat = findFlat(step.before)!;
        for (const at of positionsOf(state, flat)) loose(state.positions.signedLots)[at] = 0;
        loose(state.accounts.collateral)[flat] = -1;
        const before = forkState(step.before);
        loose(before.accounts.collateral)[flat] = -1;
        return { ...step, before };
      },
    },
  ],
  solventPays: [
    {
      fault: "insurance for a solvent margin account",
      at: strict,
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "liquidationStarted", liquidation: 7, account: 1, equity: 5, maintenance: 9 },
          { kind: "insuranceChanged", delta: -1, cause: 3, market: 0, account: 1 },
        ]),
    },
    {
      fault: "deleveraging for a solvent margin account",
      at: strict,
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "liquidationStarted", liquidation: 7, account: 1, equity: 5, maintenance: 9 },
          { kind: "deleveraged", liquidation: 7, way: 0, market: 0, account: 1, counterparty: 2, size: 1, value: 1 },
        ]),
    },
  ],
  insuranceWithinCaps: [
    {
      fault: "more than the fund holds",
      plant: (state, step) =>
        eventStep(step, [paidOut(-1 - Number(step.before.totals.get(TOTAL.insurance)), NONE, state)]),
    },
    {
      fault: "more than the share of the market",
      at: insured,
      plant: (state, step) =>
        eventStep(step, [paidOut(-1 - Number(step.before.totals.get(TOTAL.insurance) / 10n), 0, state)]),
    },
  ],
  deficitToTheUnit: [
    {
      fault: "more bad debt than the deficit",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "balanceChanged", account: 1, delta: 7, collateral: 2, cause: BALANCE_CAUSE.badDebt },
        ]),
    },
    {
      fault: "bad debt that leaves a rest",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "balanceChanged", account: 1, delta: 7, collateral: -2, cause: BALANCE_CAUSE.badDebt },
        ]),
    },
    {
      fault: "others pay more than the deficit",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "balanceChanged", account: 1, delta: 7, collateral: 2, cause: BALANCE_CAUSE.socialized },
        ]),
    },
    {
      fault: "the fund pays more than the deficit",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "insuranceChanged", delta: -7, cause: INSURANCE_CAUSE.deficit, market: 0, account: 1 },
          { kind: "balanceChanged", account: 1, delta: 7, collateral: 2, cause: BALANCE_CAUSE.insurance },
        ]),
    },
    {
      fault: "a unit left of a margin account closed at its bankruptcy price",
      at: () => findMoment(({ step }) => isClosedAtBankruptcyPrice(step)),
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.map((event) => ("collateral" in event ? { ...event, collateral: event.collateral + 1 } : event)),
        ),
    },
  ],
};

/** Whether a margin account without equity was closed by deleveraging alone. */
function isClosedAtBankruptcyPrice({ events }: Step): boolean {
  const started = events.find((event) => event.kind === "liquidationStarted" && event.equity < 0);
  if (started?.kind !== "liquidationStarted") return false;
  const own = events.filter((event) => "liquidation" in event && event.liquidation === started.liquidation);
  const closed = own.filter((event) => event.kind === "deleveraged");
  return (
    closed.length > 0 &&
    closed.every((event) => event.kind === "deleveraged" && event.way === 0) &&
    own.every(({ kind }) => kind !== "fill") &&
    own.some((event) => event.kind === "liquidationStage" && event.stage === LIQUIDATION_STAGE.completed)
  );
}

/** A normal account without any position. */
function findFlat(state: State): AccountRow | undefined {
  return listAccounts(state).find(
    (account) => state.accounts.role[account] === 0 && positionsOf(state, account).length === 0,
  );
}
