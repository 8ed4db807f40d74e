/** Of two faults, the one that a receipt reports. */
import { describe, expect, test } from "vitest";
import { REJECTION_NAMES, type RejectionCode } from "../../../../src/protocol/rejections.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import type { TestVenue } from "../../../helpers/venue.ts";
import { flow, frozen, halt, noPrice, open, refused, status } from "./stage.ts";

// Goal: of several faults the receipt reports the first of the table (ACT-2). Method: transactions with two faults.
describe("precedence: of two faults the first in the table is reported", () => {
  const pairs: [string, (v: TestVenue) => Step, RejectionCode[], (() => TestVenue)?][] = [
    ["closed and no price", (v) => v.buy("alice", "1", "0"), ["MARKET_CLOSED", "PRICE_REQUIRED"], status("halted")],
    ["no mark and size zero", (v) => v.buy("alice", "0", "100"), ["PRICE_UNAVAILABLE", "SIZE_NOT_POSITIVE"], noPrice],
    ["no price and size zero", (v) => v.buy("alice", "0", "0"), ["PRICE_REQUIRED", "SIZE_NOT_POSITIVE"]],
    [
      "slippage and lot",
      (v) => v.order("alice", "buy", "0.5", undefined, { type: "market", slippage: "0.5" }),
      ["SLIPPAGE_TOO_LARGE", "OFF_LOT"],
    ],
    ["lot and tick", (v) => v.buy("alice", "0.5", "100.5"), ["OFF_LOT", "OFF_TICK"]],
    ["limit and size", (v) => v.buy("alice", "9000000", "1000"), ["NUMERIC_LIMIT", "SIZE_TOO_LARGE"]],
    ["size and band", (v) => v.buy("alice", "20000", "150"), ["SIZE_TOO_LARGE", "PRICE_OUT_OF_BAND"]],
    [
      "band and client id",
      (v) => {
        v.do(v.buy("alice", "1", "90", { client: "x" }));
        return v.buy("alice", "1", "150", { client: "x" });
      },
      ["PRICE_OUT_OF_BAND", "CLIENT_ORDER_ID_USED"],
    ],
    [
      "reduce-only and post-only",
      (v) => v.buy("alice", "1", "100", { reduceOnly: true, postOnly: true, tif: "IOC" }),
      ["REDUCE_ONLY_WOULD_INCREASE", "POST_ONLY_WITH_TAKING"],
    ],
    ["frozen and margin", (v) => v.buy("alice", "9000", "100"), ["EXPOSURE_FROZEN", "INSUFFICIENT_MARGIN"], frozen],
    [
      "transfer to oneself of too much",
      (v) => v.transfer("alice", "alice", "5000"),
      ["INSUFFICIENT_FREE_COLLATERAL", "SAME_ACCOUNT"],
    ],
    ["transfer to oneself of nothing", (v) => v.transfer("alice", "alice", "0"), ["NOTHING_TO_DO", "SAME_ACCOUNT"]],
    [
      "house flow of no house in a closed market",
      (v) => flow(v, [[9, 0, 0, 0]], "TEST", "alice"),
      ["NOT_HOUSE", "STEPS_MALFORMED"],
      status("halted"),
    ],
    [
      "malformed steps in a closed market",
      (v) => flow(v, [[9, 0, 0, 0]]),
      ["STEPS_MALFORMED", "MARKET_CLOSED"],
      status("halted"),
    ],
    ["amend off the lot in a closed market", (v) => halt(v, "halted", { size: "2.5" }), ["MARKET_CLOSED", "OFF_LOT"]],
    [
      "amend to the same in a closed market",
      (v) => halt(v, "halted", { size: "2" }),
      ["MARKET_CLOSED", "NOTHING_TO_DO"],
    ],
    [
      "leverage that is the present one and is too much by now",
      (v) => {
        v.do(v.leverage("alice", 10));
        v.do(v.update({ tier1: "0 0.2 0.1" }));
        return v.leverage("alice", 10);
      },
      ["NOTHING_TO_DO", "LEVERAGE_OUT_OF_RANGE"],
    ],
    [
      "faucet and amount",
      (v) => v.mint("alice", "0"),
      ["FEATURE_DISABLED", "NOTHING_TO_DO"],
      () => open({ genesis: { features: { faucet: false } } }),
    ],
  ];
  test.each(pairs)("%s", (_why, story, [first, second], start = open) => {
    expect(REJECTION_NAMES.indexOf(first!)).toBeLessThan(REJECTION_NAMES.indexOf(second!));
    const v = start();
    refused(v, story(v), first!);
  });
});
