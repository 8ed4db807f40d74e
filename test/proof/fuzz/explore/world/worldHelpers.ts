import type { JobEngine } from "../../../../../src/product/jobs/engine.ts";
import { createLocalJobs } from "../../../../../src/product/jobs/localJobs.ts";
import { compileScenario } from "../../../../../src/product/scenario/compile/compileScenario.ts";
import { readTexts } from "../../../../../src/product/scenario/run/texts.ts";
import {
  type ExploreWorldsOptions,
  exploreWorlds,
  type WorldReport,
} from "../../../../../src/proof/fuzz/explore/world/exploreWorlds.ts";
import { WORLD_KIND, worldKind } from "../../../../../src/proof/fuzz/explore/world/worldKind.ts";
import { openWorlds, type World } from "../../../../../src/proof/fuzz/explore/world/worlds.ts";

/** Explores a world from its text with all invariants, in this thread, as the command does. */
export async function exploreText(
  text: string,
  options: Omit<ExploreWorldsOptions, "shared">,
  engine: JobEngine = createLocalJobs({ [WORLD_KIND]: async () => worldKind }),
): Promise<WorldReport> {
  const files = [{ file: "world.yaml", texts: readTexts("world.yaml", () => text) }];
  const shared = { files, invariants: "", model: false, canary: null };
  const [report] = await exploreWorlds([openWorld(text)], engine, { ...options, shared });
  return report!;
}

/** A world from its text. */
export function openWorld(text: string, withModel = false): World {
  return openWorlds([compileScenario("world.yaml", () => text)], withModel)[0]!;
}

/** Two traders who are alike, and a maker with one order; each block of the alphabet has one transaction. */
export const TRADERS = `
# Two traders and a maker.
scenario: traders
markets:
  TEST: { preset: minimal }
prices: { TEST: "100" }
accounts:
  alice: { deposit: "1000" }
  bob: { deposit: "1000" }
  maker: { deposit: "5000" }
blocks:
  - name: quoted
    transactions: [{ maker: sell 3.07 @ 101 as ask }]
explore: { depth: 2, alike: [[alice, bob]], shows: [fillArithmetic] }
alphabet:
  - { name: bids, transactions: [{ alice: buy 2.11 @ 99 as bid }] }
  - { name: takes, transactions: [{ alice: buy 1.37 @ 101 }] }
  - { name: cancels, transactions: [{ alice: cancel $bid }] }
  - { name: fills in part, transactions: [{ maker: sell 0.71 @ 99 IOC }] }
  - { name: never allowed, transactions: [{ alice: withdraw 100000, expect: rejected INSUFFICIENT_FREE_COLLATERAL }] }
  - { name: the price falls, prices: { TEST: "97" } }
`;
