import { expect, test } from "vitest";
import { createIdentity } from "../../../src/server/devnet/identity.ts";

test("a venue in memory has a salt and an epoch that no other start has", () => {
  const identities = Array.from({ length: 20 }, () => createIdentity());
  expect(new Set(identities.map(({ salt }) => salt)).size).toBe(20);
  expect(new Set(identities.map(({ epoch }) => epoch)).size).toBe(20);
  for (const { salt, epoch } of identities) {
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    // An identity that is fixed begins at epoch 0: a position of its streams holds in no venue with a random one.
    expect(epoch).toBeGreaterThan(0);
  }
});

test("a network salt fixes both, and an empty one is a genesis without a salt", () => {
  expect(createIdentity("golden-1")).toEqual({ salt: "golden-1", epoch: 0 });
  expect(createIdentity("")).toEqual({ salt: undefined, epoch: 0 });
});
