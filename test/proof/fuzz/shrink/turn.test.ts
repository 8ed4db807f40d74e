import { expect, test } from "vitest";
import { shrinkChronicle } from "../../../../src/proof/fuzz/shrink/shrinkScript.ts";
import { defineInvariant } from "../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { openWorld, TRADERS } from "../explore/world/worldHelpers.ts";

// Goal: a violation of a check that sees a part of its cases is found again. Method: the check fails at one turn alone,
// which no height is.
test("a violation is shrunk at the turn that found it", () => {
  const odd = defineInvariant({
    id: "odd",
    sentence: "Nothing is odd.",
    rules: [],
    when: "block",
    heavy: true,
    sweep: (_state, { turn }) => (turn === 1000 ? "account 0 is odd" : undefined),
  });
  const { plan, blocks } = openWorld(TRADERS).starts[0]!;
  const chronicle = { genesis: plan.genesis, blocks, crashes: [] };
  const failure = { invariant: "odd", height: blocks.length, observed: "account 0 is odd", entity: "account 0" };
  const options = { invariants: [odd], candidates: 50 };
  expect(shrinkChronicle(chronicle, failure, options)).toBeUndefined();
  expect(shrinkChronicle(chronicle, { ...failure, turn: 1000 }, options)?.failure.invariant).toBe("odd");
});
