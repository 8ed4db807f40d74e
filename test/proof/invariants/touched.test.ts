import { describe, expect, test } from "vitest";
import { invariants } from "../../../src/proof/invariants/list.ts";
import { findPlanted } from "../../helpers/moments.ts";
import { admissionPlants } from "./touched/admission.ts";
import { chainPlants } from "./touched/chain.ts";
import { fundingPlants } from "./touched/funding.ts";
import { intentPlants } from "./touched/intents.ts";
import { liquidationPlants } from "./touched/liquidation.ts";
import { marginPlants } from "./touched/margin.ts";
import { orderPlants } from "./touched/orders.ts";
import type { Plants } from "./touched/plant.ts";
import { positionPlants } from "./touched/positions.ts";
import { pricePlants } from "./touched/prices.ts";

/** What no flow comes to has a test of its own. */
const ELSEWHERE = ["twinsInOrder"];

/** Faults by the id of the invariant that sees them right after the transaction or step. */
const plants: Plants = {
  ...chainPlants,
  ...orderPlants,
  ...intentPlants,
  ...positionPlants,
  ...marginPlants,
  ...fundingPlants,
  ...liquidationPlants,
  ...admissionPlants,
  ...pricePlants,
};

describe("a planted fault is seen right after the transaction or step", () => {
  for (const [id, list] of Object.entries(plants)) {
    const invariant = invariants.find((candidate) => candidate.id === id)!;
    for (const { fault, ...planted } of list) {
      test(`${id}: ${fault}`, () => {
        expect(findPlanted(planted, [invariant])[0]).toMatchObject({ invariant: id });
      });
    }
  }

  test("and every invariant has one, if it looks there", () => {
    const touched = invariants.filter(({ touched: moment, event }) => moment !== undefined || event !== undefined);
    expect([...Object.keys(plants), ...ELSEWHERE].sort()).toEqual(touched.map(({ id }) => id).sort());
  });
});
