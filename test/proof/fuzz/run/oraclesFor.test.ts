import { expect, test } from "vitest";
import { oraclesFor } from "../../../../src/proof/fuzz/run/oraclesFor.ts";
import { FAILURE_KINDS } from "../../../../src/proof/fuzz/shrink/signature.ts";

test("a failure is checked only by the oracles that can see its kind", () => {
  const on = FAILURE_KINDS.map((kind) => {
    const { watch = true, ...others } = oraclesFor(kind);
    return [kind, Object.entries({ watch, ...others }).flatMap(([name, is]) => (is === false ? [] : [name]))];
  });
  expect(Object.fromEntries(on)).toEqual({
    invariant: ["watch"],
    model: ["model"],
    throw: [],
    determinism: ["again", "restored"],
    metamorphic: ["metamorphic"],
  });
});
