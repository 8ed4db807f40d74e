import { expect, test } from "vitest";
import { LockStep } from "../../../src/proof/fuzz/differential/lockStep.ts";
import { Flow } from "../../../src/proof/fuzz/flow/flow.ts";
import { copyState } from "../../../src/proof/model/copyState.ts";

/** Places whose objects the model replaces and never changes: a copy may share them. */
const SHARED =
  /^\.(genesis|refusal|emitted\.\d+|lanes\..*)$|\.(parameters|reports\.\d+)$|grants?\.(0x\w+\.)?(scopes|markets|subaccounts)$/;

/**
 * Walks two object graphs in the same order. Returns the first place at which they differ: in a value, or in which
 * places name the same object. Each object is walked once, since most are named from many places.
 *
 * @param mayShare whether both may have the object at a place in common; by default they have none
 */
function findDifference(one: unknown, other: unknown, mayShare: (place: string) => boolean = () => false) {
  const twins = new Map<object, object>();
  const walk = (a: unknown, b: unknown, place: string): string | undefined => {
    if (typeof a !== "object" || a === null || typeof b !== "object" || b === null)
      return Object.is(a, b) ? undefined : `${place}: ${String(a)} and ${String(b)}`;
    if (a === b) return mayShare(place) ? undefined : `${place}: shared`;
    const known = twins.get(a);
    if (known !== undefined) return known === b ? undefined : `${place}: another object`;
    twins.set(a, b);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return `${place}: another kind`;
    const [ours, theirs] = [partsOf(a), partsOf(b)];
    if (ours.length !== theirs.length) return `${place}: ${ours.length} and ${theirs.length} parts`;
    for (const [at, [name, value]] of ours.entries()) {
      const [otherName, otherValue] = theirs[at]!;
      if (name !== otherName) return `${place}: ${name} and ${otherName}`;
      const found = walk(value, otherValue, `${place}.${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(one, other, "");
}

function partsOf(object: object): (readonly [string, unknown])[] {
  if (object instanceof Map) return [...object].map(([key, value]) => [String(key), value]);
  if (object instanceof Set) return [...object].map((value, at) => [String(at), value]);
  return Object.entries(object);
}

// Goal: a copy has the same values and the same links between its objects, and nothing that changes in common with its
// source. Method: models that followed generated flows, with every kind of object in them.
test("a copy of a model's state has its values and links, and shares nothing that changes", () => {
  const reached = { orders: 0, intents: 0, grants: 0, isolated: 0, volumes: 0, paid: 0 };
  for (let seed = 1; seed <= 12; seed++) {
    const flow = new Flow(seed);
    const both = new LockStep(flow.genesis);
    for (let count = 0; count < 10; count++) {
      both.apply(flow.next(both.venue));
      const { tools: _tools, ...state } = both.model.state;
      // Flows hardly ever need the fund.
      if (count === 9) state.cover.paid.set("0/0", 1n);
      expect(
        findDifference(state, copyState(state), (place) => SHARED.test(place)),
        `seed ${seed}, block ${count}`,
      ).toBeUndefined();
      reached.orders += state.orders.size;
      reached.intents += state.intents.size;
      reached.grants += [...state.orders.values()].filter(({ grant }) => grant !== undefined).length;
      for (const { positions } of state.accounts)
        for (const { mode } of positions.values()) if (mode === "isolated") reached.isolated++;
      reached.volumes += state.volumes.size;
      reached.paid += state.cover.paid.size;
    }
  }
  for (const [what, count] of Object.entries(reached)) expect(count, what).toBeGreaterThan(0);
});

test("what happens to a model later does not change a copy of its state", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const flow = new Flow(seed);
    const both = new LockStep(flow.genesis);
    for (let count = 0; count < 6; count++) both.apply(flow.next(both.venue));
    const { tools: _tools, ...state } = both.model.state;
    const copy = copyState(state);
    const plain = structuredClone(state);
    for (let count = 0; count < 6; count++) both.apply(flow.next(both.venue));
    expect(findDifference(plain, copy)).toBeUndefined();
  }
});
