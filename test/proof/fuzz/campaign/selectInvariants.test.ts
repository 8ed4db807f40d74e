import { expect, test } from "vitest";
import { selectInvariants } from "../../../../src/proof/fuzz/campaign/selectInvariants.ts";

const ALL = [
  { id: "conservation", catalogue: ["G01"] },
  { id: "openInterest", catalogue: ["G04", "P03"] },
  { id: "solventPays", catalogue: ["L13"] },
  { id: "mine" },
];
const ids = (text: string) => selectInvariants(ALL, text).map(({ id }) => id);

test("patterns match invariants by id and by number, with * for any letters", () => {
  expect(ids("")).toEqual(["conservation", "openInterest", "solventPays", "mine"]);
  expect(ids("G*")).toEqual(["conservation", "openInterest"]);
  expect(ids("P03,mine")).toEqual(["openInterest", "mine"]);
  expect(ids("*e*t*")).toEqual(["conservation", "openInterest", "solventPays"]);
});

test("a pattern that begins with - excludes", () => {
  expect(ids("-G*")).toEqual(["solventPays", "mine"]);
  expect(ids("G*, -G04")).toEqual(["conservation"]);
});

test("a pattern that matches none is an error, whether it includes or excludes", () => {
  for (const text of ["X*", "-X01", "conserv", "G*,openinterest", "G0."]) {
    expect(() => ids(text), text).toThrow(expect.objectContaining({ code: "INVARIANT_UNKNOWN" }));
  }
});
