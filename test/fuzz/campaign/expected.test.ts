import { expect, test } from "vitest";
import { EXPECTED, findMissing, USUAL } from "../../../src/fuzz/campaign/expected.ts";
import { NAMED_PLACES } from "../../../src/fuzz/feedback/layout.ts";

test("what is expected has a name in the map, whole or without its cause", () => {
  const partsOf = (name: string) => [name.split(" ", 2).join(" "), name.split(" ")[1], name.replace(/^event /, "")];
  const names = new Set(NAMED_PLACES.flatMap(({ name }) => partsOf(name)));
  for (const { name } of EXPECTED) expect(names.has(name), name).toBe(true);
});

test("only a search that was long enough misses something", () => {
  expect(findMissing(new Map(), USUAL - 1)).toEqual([]);
  const missing = findMissing(
    new Map([
      ["event orderCancelled owner", 1],
      ["noop NONCE_GAP", 2],
    ]),
    USUAL,
  );
  expect(missing).toContain("placeOrder applied");
  expect(missing).not.toContain("event orderCancelled");
  expect(missing).not.toContain("NONCE_GAP");
  expect(missing).toContain("NONCE_TOO_LOW");
  expect(missing).not.toContain("event badDebtChanged");
  expect(findMissing(new Map([["event orderCancelled owner", 1]]), 1e9)).not.toContain("orderCancelled owner");
  expect(findMissing(new Map(), 1e9)).toContain("orderCancelled owner");
  expect(findMissing(new Map(), 1_000_000_000)).toHaveLength(EXPECTED.length);
});
