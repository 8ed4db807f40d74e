/** Margins, equity, and withdrawals. */

import { findUnhelped } from "../../../../src/proof/invariants/margin/collateralHelps.ts";
import { measureMarginAccount } from "../../../../src/venue/engine/margin/health.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { findMoment } from "../../../helpers/flows.ts";
import { loose } from "../../../helpers/loose.ts";
import { eventStep, firstOpen, type Plants } from "./plant.ts";

/** In an hour with a cap, that did not begin in this block. */
const capped = () =>
  findMoment(({ state, step }) => {
    const [hour] = state.outflow.windows;
    return hour!.isCapped && !step.events.some(({ kind }) => kind === "outflowOpened");
  });

export const marginPlants: Plants = {
  collateralHelps: [
    {
      fault: "collateral that counts twice",
      plant: () => {},
      check: (state, step) =>
        findUnhelped(state, step, (venue, account, marginAccount) => {
          const health = measureMarginAccount(venue, account, marginAccount);
          health.equity += venue.accounts.collateral[account]!;
          return health;
        }),
    },
  ],
  roundedAgainst: [
    {
      fault: "another value of a lot",
      plant(state) {
        for (const [market, rules] of state.parameters.entries()) {
          state.parameters[market] = { ...rules, lotNumerator: rules.lotNumerator * 2 };
        }
      },
    },
  ],
  outflowWithinCaps: [
    {
      fault: "a unit more than is left of a cap",
      at: capped,
      plant: ({ outflow }, step) => {
        const window = outflow.windows[0]!;
        const left = Number(window.computeCap() - window.used);
        return eventStep(step, [...step.events, { kind: "withdrawn", account: 1, amount: left + 1 }]);
      },
    },
    {
      fault: "an hour that begins again",
      at: capped,
      plant: (_state, step) => eventStep(step, [...step.events, { kind: "outflowOpened", window: 0, startMs: 0 }]),
    },
    {
      fault: "a withdrawal while they are paused",
      plant: (state, step) => {
        const before = forkState(step.before);
        before.outflow.pausedUntil = state.height;
        return eventStep({ ...step, before }, [...step.events, { kind: "withdrawn", account: 1, amount: 0 }]);
      },
    },
    {
      fault: "a pause without a deficit",
      plant: (state, step) =>
        eventStep(step, [...step.events, { kind: "withdrawalsPaused", untilHeight: state.height + 5 }]),
    },
    {
      fault: "a deficit without a pause",
      at: () => findMoment(({ state }) => state.genesis.outflow.deficitBlocks > 0),
      plant: (_state, step) => eventStep(step, [...step.events, { kind: "lossSocialized", account: 1, amount: 1e15 }]),
    },
  ],
  equityFromScratch: [
    {
      fault: "a mark whose derived numbers were not updated",
      plant: (state) => void loose(state.markets.lotWhole)[state.positions.market[firstOpen(state)]!]!++,
    },
  ],
};
