import { join } from "node:path";
import { type FreezeOptions, type Frozen, freezeBlocks } from "../../../src/product/scenario/freeze/freezeBlocks.ts";
import type { ReadText } from "../../../src/product/scenario/parse/include.ts";
import { chainOf } from "../../../src/product/scenario/run/chainOf.ts";
import type { ScenarioResult } from "../../../src/product/scenario/run/result.ts";
import { runScenarioFile } from "../../../src/product/scenario/run/runScenario.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";
import { BlockLog } from "../../../src/venue/simulation/log/blockLog.ts";
import { Simulation } from "../../../src/venue/simulation/simulation.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";

/** Writes the chain of a scenario of this project as a block log, for one test. */
export function logOf(scenario: string): { readonly log: string; readonly last: number } {
  const log = join(createFolder(), "chain.log");
  return { log, last: writeLog(scenario, log) };
}

/** @returns height of the last block */
export function writeLog(scenario: string, log: string): number {
  const { genesis, blocks } = chainOf(join(projectRoot, "scenarios", scenario));
  const simulation = new Simulation(createVenue(genesis), [new BlockLog(log)]);
  for (const block of blocks) simulation.apply(block);
  simulation.end();
  return blocks.length;
}

export const FILE = "frozen.yaml";

export function freeze(log: string, from: number, to: number, more: Partial<FreezeOptions> = {}): Frozen {
  return freezeBlocks(log, { from, to, file: FILE, schema: "scenario.schema.json", ...more });
}

/** Reads the files of a frozen scenario, or others in their place. */
export function readFrozen({ text, snapshot }: Pick<Frozen, "text" | "snapshot">): ReadText {
  return (path) => {
    if (path === FILE) return text;
    if (path === snapshot.path) return snapshot.text;
    throw new Error(`no file ${path}`);
  };
}

export function runFrozen(frozen: Pick<Frozen, "text" | "snapshot">): ScenarioResult {
  return runScenarioFile(FILE, { readText: readFrozen(frozen) });
}
