import { expect, test } from "vitest";
import { compileScenario } from "../../../../../src/product/scenario/compile/compileScenario.ts";
import { expandAlphabet, labelOf } from "../../../../../src/proof/fuzz/explore/world/alphabet.ts";
import { TRADERS } from "./worldHelpers.ts";

const { explore } = compileScenario("world.yaml", () => TRADERS).cases[0]!;
const { alphabet: blocks, alike } = explore!;

test("an alphabet has each block once for every exchange of accounts that are alike", () => {
  const { letters, exchanges } = expandAlphabet(blocks, alike, new Map());
  expect(exchanges.map((exchange) => [...exchange.values()])).toEqual([
    ["alice", "bob"],
    ["bob", "alice"],
  ]);
  const who = letters.map(({ block, planned }) => `${blocks[block]!.name} by ${planned.steps[0]?.who ?? "none"}`);
  expect(who).toEqual([
    "bids by alice",
    "bids by bob",
    "takes by alice",
    "takes by bob",
    "cancels by alice",
    "cancels by bob",
    "fills in part by maker",
    "never allowed by alice",
    "never allowed by bob",
    "the price falls by none",
  ]);
});

test("an exchange leads from each block to one block, and twice to itself", () => {
  const { exchanged, letters } = expandAlphabet(blocks, alike, new Map());
  const [same, other] = exchanged;
  expect(same).toEqual(letters.map((_, at) => at));
  expect(other!.map((at) => other![at])).toEqual(same);
  expect(other!.slice(0, 2)).toEqual([1, 0]);
});

test("each of two accounts has labels of its own, and a block needs what it uses", () => {
  const { letters, exchangeLabel } = expandAlphabet(blocks, alike, new Map([["ask", "maker"]]));
  expect(letters.slice(0, 2).flatMap(({ planned }) => planned.steps[0]!.labels)).toEqual(["bid--alice", "bid--bob"]);
  expect(letters.filter(({ needs }) => needs.length > 0).map(({ name, needs }) => [name.slice(0, 7), needs])).toEqual([
    ["cancels", ["bid--alice"]],
    ["cancels", ["bid--bob"]],
  ]);
  expect([exchangeLabel("bid--alice", 1), exchangeLabel("ask--maker", 1)]).toEqual(["bid--bob", "ask--maker"]);
  expect(labelOf("bid", "alice/1")).toBe("bid--alice_1");
});

test("without accounts that are alike an alphabet stays as it is", () => {
  const { letters, exchanges, hasNonces } = expandAlphabet(blocks, [], new Map());
  expect(letters.map(({ name }) => name)).toEqual(blocks.map(({ name }) => name));
  expect([exchanges.length, hasNonces]).toEqual([1, false]);
});
