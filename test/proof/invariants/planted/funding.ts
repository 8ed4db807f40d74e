/** Funding. */

import { findMispredicted } from "../../../../src/proof/invariants/funding/predictedAsPaid.ts";
import { findDependence as findOrderDependence } from "../../../../src/proof/invariants/funding/settlingOrder.ts";
import type { Step } from "../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { getPredictedRate } from "../../../../src/venue/engine/funding/predictedRate.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { findMoment } from "../../../helpers/flows.ts";
import { loose } from "../../../helpers/loose.ts";
import { change, eventStep, type Plants } from "./plant.ts";

export const fundingPlants: Plants = {
  predictedAsPaid: [
    {
      fault: "a rate that no account pays",
      plant: () => {},
      check: (state, step) => findMispredicted(state, step, (venue, market) => getPredictedRate(venue, market) + 1),
    },
  ],
  settlingOrder: [
    {
      fault: "the first account pays more",
      plant: () => {},
      check(state, step) {
        let paid = 0;
        return findOrderDependence(state, step, (venue, position) => {
          loose(venue.accounts.collateral)[venue.positions.account[position]!]! -= ++paid;
        });
      },
    },
  ],
  fundingPool: [
    { fault: "more paid out than collected", plant: ({ markets }) => void (loose(markets.poolHigh)[0]! -= 1) },
    {
      fault: "a pool without open interest",
      plant({ markets }) {
        loose(markets.openInterest)[0] = 0;
        loose(markets.poolLow)[0] = 1e6;
      },
    },
  ],
  fundingArithmetic: (["payment", "fundingRemainder", "fundingLow"] as const).map((field) => ({
    fault: `a settlement with another ${field}`,
    at: () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "fundingSettled")),
    plant: (_state: State, step: Step) => eventStep(step, change(step, "fundingSettled", field, 1)),
  })),
  fundingRates: [
    ...(["sum", "sumHigh", "samples", "minuteSum", "minuteSamples"] as const).map((field) => ({
      fault: `a sample with another ${field}`,
      at: () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "fundingSampled")),
      plant: (_state: State, step: Step) => eventStep(step, change(step, "fundingSampled", field, 1)),
    })),
    ...(["rate", "due", "carry", "indexLow"] as const).map((field) => ({
      fault: `a payment with another ${field}`,
      at: () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "fundingAccrued")),
      plant: (_state: State, step: Step) => eventStep(step, change(step, "fundingAccrued", field, 1)),
    })),
    ...(["settledMs", "sampledMs", "due", "carry"] as const).map((field) => ({
      fault: `an interval that ends with another ${field}`,
      at: () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "premiumsCleared")),
      plant: (_state: State, step: Step) => eventStep(step, change(step, "premiumsCleared", field, 1)),
    })),
  ],
};
