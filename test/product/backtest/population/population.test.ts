import { join } from "node:path";
import { expect, test } from "vitest";
import { recordPopulation } from "../../../../src/product/backtest/population/recordPopulation.ts";
import { openData } from "../../../../src/product/market-data/readSources.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { TOTAL } from "../../../../src/venue/engine/state/totals.ts";
import { compareRules } from "../../../../src/venue/simulation/compare/compareRules.ts";
import { ruleSetNames } from "../../../../src/venue/simulation/compare/ruleSets.ts";
import { OutcomeRecorder } from "../../../../src/venue/simulation/outcome/recordOutcome.ts";
import { Simulation } from "../../../../src/venue/simulation/simulation.ts";
import { renderBars, waves } from "../../../helpers/bars.ts";
import { createFolder, writeFiles } from "../../../helpers/project.ts";

async function record(seed: string, accounts = 60) {
  const folder = createFolder();
  writeFiles(folder, { "BTC-PERP-klines-1h.csv": renderBars(waves(150)) });
  const data = await openData([join(folder, "BTC-PERP-klines-1h.csv")]);
  try {
    return await recordPopulation({ data, accounts, seed });
  } finally {
    await data.close();
  }
}

/** Applies a chain from its genesis. */
function replay({ genesis, blocks }: Awaited<ReturnType<typeof record>>) {
  const recorder = new OutcomeRecorder();
  const simulation = new Simulation(createVenue(genesis), [recorder]);
  simulation.run(blocks);
  return { state: simulation.state, outcome: recorder.result(simulation.state) };
}

test("a crowd trades the same for the same seed, and differently for another", async () => {
  const [once, again, other] = [await record("1"), await record("1"), await record("2")];
  const root = computeRoot(replay(once).state);
  expect(computeRoot(replay(again).state)).toBe(root);
  expect(computeRoot(replay(other).state)).not.toBe(root);
});

test("a crowd opens, closes and is liquidated; what it sends is admissible", async () => {
  const chain = await record("3", 200);
  const { outcome, state } = replay(chain);
  expect(outcome.transactions.invalid).toBe(0);
  expect(outcome.transactions.applied).toBeGreaterThan(500);
  expect(outcome.liquidations.accounts).toBeGreaterThan(0);
  expect(outcome.fees).toBe(state.totals.get(TOTAL.fees));
  expect(outcome.insurance.path.at(-1)?.balance).toBe(outcome.insurance.end);
});

test("one chain under several rules: each set is a run of its own, and the recorded one is as it was", async () => {
  const chain = await record("3", 200);
  const alone = replay(chain).outcome;
  const { recorded, sets, blocks } = compareRules(chain.genesis, chain.blocks);
  expect(recorded).toEqual(alone);
  expect(blocks).toBe(chain.blocks.length);
  expect(sets.map(({ name }) => name)).toEqual(ruleSetNames());
  const [single] = compareRules(chain.genesis, chain.blocks, { presets: ["perplab"] }).sets;
  expect(single).toEqual(sets.find(({ name }) => name === "perplab"));
});

test("an unknown preset is refused with the known ones", async () => {
  const chain = await record("1", 1);
  expect(() => compareRules(chain.genesis, chain.blocks, { presets: ["lighter"] })).toThrow(
    expect.objectContaining({ code: "INVALID_FORK" }),
  );
});

test("the path of the insurance fund is short, keeps its low, and ends where the fund does", async () => {
  const { outcome } = replay(await record("5", 400));
  const { path, least, end } = outcome.insurance;
  expect(path.length).toBeGreaterThan(2);
  expect(path.length).toBeLessThanOrEqual(513);
  expect(path.map(({ balance }) => balance)).toContain(least);
  expect(path.at(-1)?.balance).toBe(end);
  expect(path.every(({ timeMs }, place) => place === 0 || timeMs > path[place - 1]!.timeMs)).toBe(true);
});

test("positions that a policy closes against the other side count as deleveraged, at any price", async () => {
  const { genesis, blocks } = await record("3", 200);
  const { sets } = compareRules(genesis, blocks);
  for (const { name, outcome } of sets) {
    const { deleveragedValue, closedOutValue } = outcome.liquidations;
    expect(deleveragedValue + closedOutValue > 0n, name).toBe(outcome.fairness.accounts > 0);
  }
});
