/** Markets: made, changed, priced and settled by the authorities. */
import { describe, expect, test } from "vitest";
import { open, refusals, status } from "./stage.ts";

refusals("oracleUpdate", [
  ["SOURCE_NOT_FOUND", "the market names no sources", (v) => v.report({ unknown: "100" })],
  [
    "PRICE_NOT_VALID",
    "a source reports nothing",
    (v) => v.report({ a: "0" }),
    () => {
      const v = open({ markets: { TEST: { sources: "a:1" } }, prices: {} });
      v.do(v.report({ a: "100" }));
      return v;
    },
  ],
  ["MARKET_NOT_FOUND", "no such market", (v) => v.price("100", { market: "NONE" })],
  ["NOTHING_TO_DO", "reports nothing", (v) => v.price("0")],
  ["NUMERIC_LIMIT", "a price that a full position could not be valued at", (v) => v.price("89000000")],
  ["NUMERIC_LIMIT", "a mark likewise", (v) => v.price("100", { mark: "89000000" })],
]);

refusals("createMarket", [
  ["MARKET_EXISTS", "its name is taken", (v) => v.create("TEST", "minimal")],
  ["PARAMETER_INVALID", "unknown preset", (v) => v.create("NEW", "none")],
  ["PARAMETER_INVALID", "unknown parameter", (v) => v.create("NEW", "minimal", { colour: "red" })],
  ["STATUS_NOT_REACHABLE", "begins halted", (v) => v.create("NEW", "minimal", { status: "halted" })],
]);

refusals("updateMarket", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.update({ takerFee: "0.001" }, "NONE")],
  ["NOTHING_TO_DO", "nothing", (v) => v.update({})],
  ["PARAMETER_INVALID", "an interval of funding beyond a month", (v) => v.update({ fundingInterval: "2678400001" })],
  ["PARAMETER_INVALID", "a fixed parameter", (v) => v.update({ tickSize: "2" })],
  ["STATUS_NOT_REACHABLE", "settled without a price", (v) => v.status("settled")],
  ["STATUS_NOT_REACHABLE", "halted to reduce-only", (v) => v.status("reduceOnly"), status("halted")],
  ["NUMERIC_LIMIT", "a position limit that the mark would not fit", (v) => v.update({ positionLimit: "89000000" })],
  [
    "NUMERIC_LIMIT",
    "a position limit below what is open, so that prices could grow beyond what it can be valued at",
    (v) => v.update({ positionLimit: "999" }),
    () => {
      const v = open({ accounts: { alice: "1000000", bob: "1000000" } });
      v.do(v.sell("bob", "1000", "100"), v.buy("alice", "1000", "100"));
      return v;
    },
  ],
]);

refusals("settleMarket", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.settle("100", "NONE")],
  [
    "STATUS_NOT_REACHABLE",
    "settled before",
    (v) => {
      v.do(v.settle("100"));
      return v.settle("100");
    },
  ],
  ["PRICE_REQUIRED", "at nothing", (v) => v.settle("0")],
  ["NUMERIC_LIMIT", "at a price that no position could be valued at", (v) => v.settle("89000000")],
]);

describe("an action is applied", () => {
  test("leverage, markets, parameters, status, noop", () => {
    const v = open();
    v.do(
      v.create("NEW", "minimal", { takerFee: "0.001" }),
      v.update({ makerFee: "0.0001" }, "NEW"),
      v.leverage("alice", 3),
      v.act("alice", "noop", {}),
    );
    v.do(v.leverage("alice", 10));
    expect(v.state.marketNames).toEqual(["TEST", "NEW"]);
    expect(v.state.parameters[1]).toMatchObject({ takerFee: 1000, makerFee: 100 });
  });
});

test("a market is settled, and those who gained pay for those who cannot", () => {
  const v = open({ accounts: { alice: "60", bob: "1000" } });
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"), v.buy("bob", "1", "90"));
  const story = v.do(v.settle("80"));
  expect(story.of("settlementHaircut")).toHaveLength(1);
  expect([v.usd("alice"), v.usd("bob")]).toEqual(["0", "1060"]);
});

test("a market that is funded in another way drops its samples", () => {
  const v = open();
  const story = v.do(v.update({ fundingMethod: "hyperliquid" }));
  expect(story.of("premiumsCleared")[0]).toMatchObject({ sampledMs: 0, due: 0 });
});
