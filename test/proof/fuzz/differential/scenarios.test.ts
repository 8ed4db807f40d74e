import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { chainOf } from "../../../../src/product/scenario/run/chainOf.ts";
import { LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import { EngineError } from "../../../../src/protocol/engineError.ts";

const folder = fileURLToPath(new URL("../../../../scenarios/", import.meta.url));

/** Undefined if the scenario is about a block that the venue refuses as a whole. */
function readChain(file: string): ReturnType<typeof chainOf> | undefined {
  try {
    return chainOf(file);
  } catch (error) {
    if (error instanceof EngineError && error.code === "INVALID_BLOCK") return undefined;
    throw error;
  }
}

// Goal: venue and model agree on every scenario. Method: the blocks of its first case run in lock step with the model.
test("venue and model agree on every scenario", () => {
  const differences: string[] = [];
  let blocks = 0;
  for (const file of globSync("**/*.yaml", { cwd: folder }).sort()) {
    const chain = readChain(`${folder}${file}`);
    if (chain === undefined) continue;
    const both = new LockStep(chain.genesis, "step");
    for (const block of chain.blocks) {
      const difference = both.apply(block);
      blocks++;
      if (difference === undefined) continue;
      differences.push(`${file}: ${JSON.stringify(difference)}`);
      break;
    }
  }
  expect(differences).toEqual([]);
  expect(blocks).toBeGreaterThan(2_000);
});
