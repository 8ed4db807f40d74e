import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { findMissing } from "../../../../src/proof/fuzz/campaign/expected.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import type { Shape } from "../../../../src/proof/fuzz/draw/shapes.ts";
import {
  CONTRIBUTOR_NAMES,
  type ContributorName,
  nameOfContributor,
} from "../../../../src/proof/fuzz/feedback/contributors.ts";
import { Coverage } from "../../../../src/proof/fuzz/feedback/coverage.ts";
import { Feedback } from "../../../../src/proof/fuzz/feedback/feedback.ts";
import { runCase } from "../../../../src/proof/fuzz/run/runCase.ts";

const NO_CHECKS = { watch: false } as const;

/** Runs cases of a recipe, or of all, and returns the sums that a second contributor decided. */
function search(shape: Shape | undefined, transactions: number, sought: readonly ContributorName[]) {
  const feedback = new Feedback();
  const coverage = new Coverage();
  let count = 0;
  const has = (name: ContributorName) => coverage.named().has(nameOfContributor(name));
  for (let number = 0; count < transactions && !sought.every(has); number++) {
    const random = Random.ofSeed([number, 77, 5, 9]);
    const length = [120, 400, 1_200, 3_000][number % 4]!;
    const profile = number % 2 === 0 ? "uniform" : "swarm";
    const given = drawCase(random, { profile, length, ...(shape === undefined ? {} : { shape }) });
    const run = runCase(given, { oracles: NO_CHECKS, feedback, slack: false });
    expect(run.violation).toBeUndefined();
    count += run.transactions;
    coverage.merge(run.reached);
  }
  return { named: coverage.named(), found: CONTRIBUTOR_NAMES.filter(has) };
}

const AGENTS: readonly ContributorName[] = [
  "grantOrdersOfMarkets",
  "grantOrdersOfSubaccounts",
  "grantDayOfMarkets",
  "grantDayOfDays",
  "grantPositionOfOrders",
];
const FUND: readonly ContributorName[] = [
  "fundOwnerOfSubaccounts",
  "fundMarketOfAccounts",
  "fundBlockOfAccounts",
  "fundShareOfPayments",
  "fundOfDays",
];

test("each recipe reaches the sums that it is for", () => {
  expect(search("agentOfManyMarkets", 20_000, AGENTS).found).toEqual(expect.arrayContaining([...AGENTS]));
  expect(search("cappedFund", 60_000, FUND).found).toEqual(expect.arrayContaining([...FUND]));
  expect(search("ownerOfMany", 20_000, ["positionOfSubaccounts"]).found).toContain("positionOfSubaccounts");
  expect(search("backstopOfTwo", 20_000, ["backstopOfMarkets"]).found).toContain("backstopOfMarkets");
  expect(search("lossOfTwo", 20_000, ["lossOfMarkets"]).found).toContain("lossOfMarkets");
  expect(search("settledOfTwo", 20_000, ["settledOfMarkets"]).found).toContain("settledOfMarkets");
  expect(search("smallDeficits", 20_000, ["deficitsOfAccounts"]).found).toContain("deficitsOfAccounts");
});

// Goal: a search whose recipes were removed reports it. Method: the same number of transactions of another recipe.
test("a long search without the recipes of agents and of the fund misses their sums, and names them", () => {
  const { named, found } = search("depth", 20_000, AGENTS);
  for (const name of [...AGENTS, ...FUND]) expect(found, name).not.toContain(name);
  expect(findMissing(named, 50_000_000)).toEqual(expect.arrayContaining(AGENTS.map(nameOfContributor)));
  expect(findMissing(named, 49_999_999)).not.toContain(nameOfContributor("grantDayOfDays"));
});
