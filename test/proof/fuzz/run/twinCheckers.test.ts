import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { resolveCase } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { checkRestored, listRestarts } from "../../../../src/proof/fuzz/run/repeat.ts";
import { twinCheckers } from "../../../../src/proof/fuzz/run/twinCheckers.ts";
import { signatureOf } from "../../../../src/proof/fuzz/shrink/signature.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { restoreVenue } from "../../../../src/venue/simulation/restoreVenue.ts";

const { genesis, blocks } = resolveCase(drawCase(new Random([1, 2, 3, 4]), { profile: "uniform", length: 150 }));

const addUnit = ({ accounts: { collateral } }: State): void => {
  const row = 0 as AccountRow;
  collateral[row] = (collateral[row]! + 1) as never;
};

/** Report of a checker for a venue that restarts at a height and is then damaged. */
function check(restartAt: number, damage: (state: State) => void, openAt = 0) {
  let state = createVenue(genesis);
  let checker = twinCheckers().open(state);
  for (const block of blocks) {
    const height = block.height - 1;
    if (height === restartAt) {
      state = restoreVenue(state, "image");
      damage(state);
    }
    if (height === openAt) checker = twinCheckers().open(state, checker.keep!() as State);
    const result = applyBlock(state, block);
    const [found] = checker.check(state, block, result);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe("checkers with a twin that never restarts", () => {
  test("report nothing if a restart loses nothing", () => {
    expect(blocks.length).toBeGreaterThan(10);
    expect(check(5, () => undefined)).toBeUndefined();
  });

  // A unit of collateral changes the root at once, but no event until it moves.
  test("find a difference of the root, in the block after the restart", () => {
    const found = check(5, addUnit);
    expect(found).toMatchObject({ invariant: "restoredGoesOn", height: 6 });
    expect(found!.observed).toMatch(/^root 0x/);
  });

  test("find a difference of the events", () => {
    const found = check(5, (state) => void state.consumed++);
    expect(found!.height).toBeGreaterThanOrEqual(6);
  });

  test("resume from the memory of another checker, also right at the restart", () => {
    for (const openAt of [3, 5]) expect(check(5, addUnit, openAt)?.height).toBe(6);
    expect(check(5, addUnit, 8)?.height).toBe(6);
    expect(check(5, () => undefined, 8)).toBeUndefined();
  });
});

test("a replay and the checkers report the same failure", () => {
  const heads = blocks.map(() => `0x${"1".repeat(64)}` as const);
  const ofReplay = checkRestored({ genesis, blocks: [...blocks], heads, root: undefined })!;
  const ofCheckers = check(5, (state) => void state.chain.base.fill(1))!;
  expect(signatureOf(ofReplay)).toBe(signatureOf(ofCheckers));
});

test("the restarts of a replay are crashes, one to a height", () => {
  const crashes = listRestarts(blocks);
  expect(crashes.map(({ way }) => way)).toEqual(["snapshot", "image", "image", "snapshot"]);
  expect(new Set(crashes.map(({ height }) => height)).size).toBe(4);
});
