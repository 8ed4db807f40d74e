import { describe, expect, test } from "vitest";
import { Flow } from "../../../src/proof/fuzz/flow/flow.ts";
import {
  defineInvariant,
  type Invariant,
  invariants,
  type Violation,
  Watch,
} from "../../../src/proof/invariants/index.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";

/** The findings of a watch with one more invariant in some blocks. */
function watchWith(own: Invariant): { found: Violation[]; met: number } {
  const flow = new Flow(5);
  const state = createVenue(flow.genesis);
  const watch = new Watch(state, { invariants: [...invariants, own], heavyEvery: 0 });
  const found: Violation[] = [];
  for (let count = 0; count < 10 && found.length === 0; count++) {
    const block = flow.next(state);
    found.push(...watch.check(state, block, applyBlock(state, block, watch.probe)));
  }
  return { found, met: watch.met.get(own.id)! };
}

const base = { id: "mine", sentence: "The user's statement holds.", rules: [], when: "block" } as const;

describe("an invariant of a user", () => {
  test("is checked with the others, and counted", () => {
    const { found, met } = watchWith(
      defineInvariant({
        ...base,
        sweep(state, step) {
          step.met += state.accounts.rows.count;
          return undefined;
        },
      }),
    );
    expect(found).toEqual([]);
    expect(met).toBeGreaterThan(10);
  });

  test("that does not hold is a violation under its name, with the object that it names", () => {
    const { found } = watchWith(
      defineInvariant({ ...base, touched: ({ actor }) => (actor >= 0 ? `account ${actor} acted` : undefined) }),
    );
    expect(found[0]).toMatchObject({ invariant: "mine", entity: expect.stringMatching(/^account \d+$/) });
    expect(found[0]!.broken).toBeUndefined();
  });

  test.each(["touched", "sweep"] as const)("whose %s throws is reported as broken, and the run continues", (hook) => {
    const { found } = watchWith(
      defineInvariant({
        ...base,
        [hook]() {
          throw new Error("oops");
        },
      }),
    );
    expect(found[0]).toMatchObject({ invariant: "mine", broken: "threw", observed: expect.stringContaining("oops") });
  });

  test("that changes the venue after a transaction is reported as broken", () => {
    const { found } = watchWith(
      defineInvariant({
        ...base,
        touched({ state, actor }) {
          if (actor >= 0) state.accounts.collateral[actor]!++;
          return undefined;
        },
      }),
    );
    expect(found[0]).toMatchObject({ invariant: "mine", broken: "changedVenue" });
  });

  test("that changes the venue in a sweep is reported as broken", () => {
    const { found } = watchWith(
      defineInvariant({
        ...base,
        sweep(state) {
          state.markets.last[0 as never]!++;
          return undefined;
        },
      }),
    );
    expect(found[0]).toMatchObject({ invariant: "mine", broken: "changedVenue" });
  });
});
