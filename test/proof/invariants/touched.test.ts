import { describe, expect, test } from "vitest";
import { invariants } from "../../../src/proof/invariants/list.ts";
import { findPlaces, findPlanted } from "../../helpers/moments.ts";
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

/** Invariants whose case no flow reaches have a test of their own. */
const ELSEWHERE = ["twinsInOrder"];

/** Faults by the id of the invariant that finds them right after the transaction or step. */
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

// The flows run once, for all faults; then each fault is planted where it first can be.
const places = findPlaces(Object.values(plants).flat());

describe("a planted fault is found right after the transaction or step", () => {
  for (const [id, list] of Object.entries(plants)) {
    const invariant = invariants.find((candidate) => candidate.id === id)!;
    for (const plant of list) {
      test(`${id}: ${plant.fault}`, () => {
        const place = places.get(plant);
        expect(place, "no flow comes to such an instant").toBeDefined();
        expect(findPlanted(plant, [invariant], place!)[0]).toMatchObject({ invariant: id });
      });
    }
  }

  test("and every invariant has one, if it checks there", () => {
    const touched = invariants.filter(({ touched: check, event }) => check !== undefined || event !== undefined);
    expect([...Object.keys(plants), ...ELSEWHERE].sort()).toEqual(touched.map(({ id }) => id).sort());
  });
});
