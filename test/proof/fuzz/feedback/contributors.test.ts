import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { chainOf } from "../../../../src/product/scenario/run/chainOf.ts";
import { EXPECTED } from "../../../../src/proof/fuzz/campaign/expected.ts";
import { ContributorProbe } from "../../../../src/proof/fuzz/feedback/contributorProbe.ts";
import {
  CONTRIBUTOR_NAMES,
  type ContributorName,
  nameOfContributor,
  placeOfContributor,
} from "../../../../src/proof/fuzz/feedback/contributors.ts";
import { CoverageMap } from "../../../../src/proof/fuzz/feedback/coverageMap.ts";
import { NAMED_PLACES } from "../../../../src/proof/fuzz/feedback/namedPlaces.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";

const folder = fileURLToPath(new URL("../../../../scenarios/", import.meta.url));

/** Sums that a second contributor decides in the first case of a scenario. */
function findDecided(file: string): ContributorName[] {
  const { genesis, blocks } = chainOf(`${folder}${file}.yaml`);
  const map = new CoverageMap();
  const probe = new ContributorProbe(map);
  const state = createVenue(genesis);
  for (const block of blocks) applyBlock(state, block, probe);
  return CONTRIBUTOR_NAMES.filter((name) => map.counts[placeOfContributor(name)] !== 0);
}

test("every sum has a place of its own, and a long search must reach it", () => {
  const names = CONTRIBUTOR_NAMES.map(nameOfContributor);
  expect(NAMED_PLACES.filter(({ name }) => name.startsWith("second ")).map(({ name }) => name)).toEqual(names);
  expect(new Set(CONTRIBUTOR_NAMES.map(placeOfContributor)).size).toBe(names.length);
  expect(EXPECTED.filter(({ name }) => name.startsWith("second ")).map(({ name }) => name)).toEqual(names);
});

describe("a scenario in which the second contributor decides is counted", () => {
  const cases: readonly (readonly [ContributorName, string])[] = [
    ["maintenanceOfMarkets", "liquidation/larger-maintenance-first"],
    ["grantDayOfDays", "agents/daily-limit"],
    ["grantPositionOfOrders", "agents/position-limit-lets-reduce"],
    ["positionOfSubaccounts", "together/a-limit-between-subaccounts"],
    ["reduceOnlyOfOrders", "orders/a-cut-at-entry-says-so"],
    ["volumeOfOldestDay", "orders/volume-of-thirty-days"],
    ["outflowOfAccounts", "margin/outflow-caps"],
    ["outflowOfHours", "margin/outflow-caps"],
    ["outflowOfDays", "margin/outflow-caps"],
    ["fundOwnerOfSubaccounts", "liquidation/caps-are-renewed-at-midnight"],
    ["lossOfHolders", "liquidation/shared-pro-rata"],
    ["lossOfMarkets", "regressions/a-deficit-of-a-position-that-another-step-closed"],
    ["haircutOfGainers", "markets/settlement-haircut"],
    ["fundingOfIntervals", "funding/excess-is-paid-later"],
  ];
  test.each(cases)("%s in %s", (name, file) => expect(findDecided(file)).toContain(name));
});

// Goal: a limit alone is no second contributor. Method: scenarios in which one account, market or order meets a limit.
test("a limit that one contributor meets by itself is not counted", () => {
  for (const file of ["liquidation/caps-of-the-fund", "agents/open-orders-limit", "agents/order-limit"]) {
    expect(findDecided(file), file).toEqual([]);
  }
});
