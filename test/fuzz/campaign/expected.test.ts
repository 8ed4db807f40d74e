import { expect, test } from "vitest";
import { EXPECTED, findMissing } from "../../../src/fuzz/campaign/expected.ts";
import { NAMED_PLACES } from "../../../src/fuzz/feedback/layout.ts";

test("what is expected has a name in the map, whole or without its cause", () => {
  const names = new Set(NAMED_PLACES.flatMap(({ name }) => [name, name.split(" ", 2).join(" ")]));
  for (const { name } of EXPECTED) expect(names.has(name), name).toBe(true);
});

test("only a search that was long enough misses something", () => {
  expect(findMissing(new Map(), 99_999)).toEqual([]);
  const missing = findMissing(new Map([["event orderCancelled owner", 1]]), 100_000);
  expect(missing).toContain("placeOrder applied");
  expect(missing).not.toContain("event orderCancelled");
  expect(missing).not.toContain("event badDebtChanged");
  expect(findMissing(new Map(), 5_000_000)).toHaveLength(EXPECTED.length);
});
