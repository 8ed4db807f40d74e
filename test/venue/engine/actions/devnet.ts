/** What the operator of a devnet may do. */
import { expect, test } from "vitest";
import { devnet, refusals } from "./stage.ts";

refusals("devnetSet", [
  ["FEATURE_DISABLED", "no devnet", (v) => v.setCollateral("alice", "5")],
  ["MARKET_NOT_FOUND", "no such market", (v) => v.setPrice("100", "NONE"), devnet],
  [
    "MARKET_CLOSED",
    "prices are frozen",
    (v) => {
      v.do(v.status("settling"));
      return v.setPrice("100");
    },
    devnet,
  ],
  ["NOTHING_TO_DO", "as it is", (v) => v.setCollateral("alice", "1000"), devnet],
  ["PRICE_REQUIRED", "a price of nothing", (v) => v.setPrice("0"), devnet],
  ["NUMERIC_LIMIT", "a price that a full position could not be valued at", (v) => v.setPrice("89000000"), devnet],
  ["NUMERIC_LIMIT", "beyond what an account may hold", (v) => v.setCollateral("alice", "2250000000.000001"), devnet],
]);

refusals("devnetImpersonate", [
  ["FEATURE_DISABLED", "no devnet", (v) => v.impersonate(v.buy("alice", "1", "90"))],
  ["CARRIED_INVALID", "no JSON", (v) => v.impersonate(v.buy("alice", "1", "90"), "{"), devnet],
  ["CARRIED_INVALID", "a field is missing", (v) => v.impersonate(v.buy("alice", "1", "90"), "{}"), devnet],
  ["CARRIED_INVALID", "an authority's action", (v) => v.impersonate(v.fund("5")), devnet],
  ["CARRIED_INVALID", "an account that does not exist", (v) => v.impersonate(v.withdraw("zoe", "5")), devnet],
]);

test("the operator of a devnet sets collateral and acts for others", () => {
  const v = devnet();
  v.do(v.setCollateral("alice", "5"));
  v.do(v.impersonate(v.withdraw("alice", "5")));
  expect(v.usd("alice")).toBe("0");
});
