import { expect, test } from "vitest";
import { NONE } from "../../../../src/ground/collections/table.ts";
import { findAccount, searchAccount } from "../../../../src/venue/engine/state/accounts.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { keyOf } from "../../../helpers/venue/values.ts";
import { TestVenue } from "../../../helpers/venue.ts";

// Goal: what a key keeps of one venue is never used in another. Method: the same keys in venues in which their rows
// differ, in which one is missing, and in a fork that goes its own way.
test("a key finds its account in every venue that it is used in", () => {
  const [first, second] = [
    new TestVenue({ accounts: { alice: "1", bob: "1" } }),
    new TestVenue({ accounts: { carol: "1", bob: "1", alice: "1" } }),
  ];
  const keys = ["alice", "bob", "carol", "dave"].map(keyOf);
  const states = [first.state, second.state, forkState(first.state)];
  for (let turn = 0; turn < 3; turn++) {
    for (const state of states) {
      for (const key of keys) expect(findAccount(state, key)).toBe(searchAccount(state, key));
    }
  }
  expect(keys.map((key) => findAccount(first.state, key))).not.toEqual(
    keys.map((key) => findAccount(second.state, key)),
  );
});

test("a key that was not found is found once its account exists", () => {
  const venue = new TestVenue({ accounts: { alice: "10" }, prices: { TEST: "100" } });
  const fork = forkState(venue.state);
  const key = keyOf("dave");
  expect(findAccount(venue.state, key)).toBe(NONE);
  venue.do(venue.transfer("alice", "dave", "1"));
  expect(findAccount(venue.state, key)).toBe(searchAccount(venue.state, key));
  expect(findAccount(venue.state, key)).not.toBe(NONE);
  expect(findAccount(fork, key)).toBe(NONE);
});
