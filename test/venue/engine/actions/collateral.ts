/** Collateral that comes, goes, and moves between accounts. */
import { describe, expect, test } from "vitest";
import { open, paused, refusals, restarting, stale, uncovered } from "./stage.ts";

refusals("transfer", [
  ["OPERATION_PAUSED", "withdrawals are paused", (v) => v.transfer("alice", "bob", "1"), paused("pauseWithdraw")],
  ["NOTHING_TO_DO", "nothing", (v) => v.transfer("alice", "bob", "0")],
  ["SAME_ACCOUNT", "to itself", (v) => v.transfer("alice", "alice", "1")],
  [
    "NUMERIC_LIMIT",
    "beyond what an account may hold",
    (v) => v.transfer("alice", "bob", "1"),
    () => open({ accounts: { alice: "10", bob: "2250000000" } }),
  ],
  ["INSUFFICIENT_FREE_COLLATERAL", "a unit too much", (v) => v.transfer("alice", "bob", "1000.000001")],
]);

refusals("withdraw", [
  ["OPERATION_PAUSED", "withdrawals are paused", (v) => v.withdraw("alice", "1"), paused("pauseWithdraw")],
  ["MARKET_RESTARTING", "a market of the account waits for a fresh price", (v) => v.withdraw("alice", "1"), restarting],
  ["PRICE_NOT_VALID", "the price of a market of the account is stale", (v) => v.withdraw("alice", "1"), stale],
  ["NOTHING_TO_DO", "nothing", (v) => v.withdraw("alice", "0")],
  ["INSUFFICIENT_FREE_COLLATERAL", "a unit too much", (v) => v.withdraw("alice", "1000.000001")],
  [
    "OUTFLOW_LIMIT",
    "a unit more than may leave the venue",
    (v) => v.withdraw("alice", "5.000001"),
    () => open({ genesis: { outflow: { hourly: { amount: "5" } } } }),
  ],
  ["WITHDRAWALS_PAUSED", "a deficit was not covered", (v) => v.withdraw("bob", "1"), uncovered],
]);

refusals("deposit", [
  ["NOTHING_TO_DO", "nothing", (v) => v.deposit("alice", "0")],
  ["NUMERIC_LIMIT", "beyond what an account may hold", (v) => v.deposit("alice", "2249999000.000001")],
]);

refusals("faucetMint", [
  [
    "FEATURE_DISABLED",
    "no faucet",
    (v) => v.mint("alice", "1"),
    () => open({ genesis: { features: { faucet: false } } }),
  ],
  ["NOTHING_TO_DO", "nothing", (v) => v.mint("alice", "0")],
  ["NUMERIC_LIMIT", "beyond what an account may hold", (v) => v.mint("alice", "2249999000.000001")],
]);

refusals("fundInsurance", [["NOTHING_TO_DO", "nothing", (v) => v.fund("0")]]);

describe("an action is applied", () => {
  test("money in, money out, to oneself, to others, to accounts that come into being by it", () => {
    const v = open();
    const story = v.do(v.deposit("carol", "5", "wire 7"), v.mint("carol", "2"), v.fund("3"));
    expect(story.texts).toEqual(["wire 7"]);
    v.do(v.transfer("alice", "alice/1", "400"), v.transfer("alice", "dave", "1"), v.withdraw("alice", "599"));
    expect(["alice", "alice/1", "carol", "dave"].map((name) => v.usd(name))).toEqual(["0", "400", "7", "1"]);
    expect([v.total("insurance"), v.total("withdrawals")]).toEqual([3_000_000n, 599_000_000n]);
  });

  // Subaccounts are 32 bits without a sign.
  test("the last subaccount is an account like any other", () => {
    const v = open();
    v.do(v.transfer("alice", "alice/4294967295", "1"), v.transfer("alice", "alice/4294967295", "2"));
    expect(v.usd("alice/4294967295")).toBe("3");
    v.do(v.withdraw("alice/4294967295", "3"));
    expect(v.state.accounts.rows.count).toBe(5);
  });
});
