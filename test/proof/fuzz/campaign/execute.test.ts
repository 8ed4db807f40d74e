import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { createExecutor } from "../../../../src/proof/fuzz/campaign/execute.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";

async function countSweeps(genes: number): Promise<{ blocks: number; sweeps: number }> {
  const setup = { invariants: "roundTrip", userInvariants: [], model: false, slack: false };
  const execute = await createExecutor({ ...setup, sweepEvery: 16, heavyEvery: 512 });
  const given = drawCase(Random.ofSeed([1, 2, 3, 4]), { profile: "uniform", length: genes });
  const looks = { thorough: true, again: false, restored: false, metamorphic: false };
  const { blocks, met } = execute({ iteration: 0, given, ...looks });
  return { blocks, sweeps: met.find(([id]) => id === "roundTrip")?.[1] ?? 0 };
}

// Goal: no case holds up a round for a minute. Method: the sweeps of one expensive invariant; each meets one case.
test("a thorough case has its expensive checks after every block, and a long one about as many as a short one", async () => {
  const short = await countSweeps(400);
  expect(short.sweeps).toBe(short.blocks);
  const long = await countSweeps(4_000);
  expect(long.blocks).toBeGreaterThan(5 * short.blocks);
  expect(long.sweeps).toBeGreaterThan(short.sweeps / 4);
  expect(long.sweeps).toBeLessThan(long.blocks / 4);
});
