/** Positions: closed, with more or less leverage, in a margin account of their own or not. */
import { describe, expect, test } from "vitest";
import { HOUSE_STEP } from "../../../../src/protocol/houseSteps.ts";
import type { RejectionCode } from "../../../../src/protocol/rejections.ts";
import { SIDE } from "../../../../src/protocol/words.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import type { TestVenue } from "../../../helpers/venue.ts";
import { flow, limits, long, open, paused, refusals, status } from "./stage.ts";

refusals("closePosition", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.close("alice", { market: "NONE", slippage: "0.01" })],
  ["MARKET_CLOSED", "halted", (v) => v.close("alice", { slippage: "0.01" }), status("halted")],
  ["OPERATION_PAUSED", "trading is paused", (v) => v.close("alice", { slippage: "0.01" }), paused("pauseTrade")],
  ["POSITION_NOT_FOUND", "no position", (v) => v.close("alice", { slippage: "0.01" })],
  ["PRICE_REQUIRED", "no bound", (v) => v.close("alice", {}), long],
  ["SLIPPAGE_TOO_LARGE", "above the market's most", (v) => v.close("alice", { slippage: "0.2" }), long],
  ["OFF_LOT", "half a lot", (v) => v.close("alice", { size: "0.5", slippage: "0.01" }), long],
  ["OFF_TICK", "half a tick", (v) => v.close("alice", { price: "99.5" }), long],
  [
    "NUMERIC_LIMIT",
    "price above 2^31 - 1 ticks",
    (v) => v.close("alice", { price: "21474836.48" }),
    limits({ tickSize: "0.01" }),
  ],
  ["PRICE_OUT_OF_BAND", "below the band", (v) => v.close("alice", { price: "70" }), long],
  [
    "CLIENT_ORDER_ID_USED",
    "of an open order",
    (v) => {
      v.do(v.sell("alice", "1", "110", { client: "mine" }));
      return v.close("alice", { slippage: "0.01", client: "mine" });
    },
    long,
  ],
  [
    "INSUFFICIENT_MARGIN",
    "would sell below what margin bears",
    (v) => {
      // 100 at 100 with 1,000; at 96, 600 is above maintenance 480: selling all at 87 would cost 900 more than the
      // mark.
      v.do(v.sell("bob", "100", "100"), v.buy("alice", "100", "100"));
      v.do(v.price("96"));
      return v.close("alice", { price: "87" });
    },
  ],
]);

refusals("setLeverage", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.leverage("alice", 2, "NONE")],
  [
    "NOTHING_TO_DO",
    "what it is",
    (v) => {
      v.do(v.leverage("alice", 3));
      return v.leverage("alice", 3);
    },
  ],
  ["LEVERAGE_OUT_OF_RANGE", "zero", (v) => v.leverage("alice", 0)],
  ["LEVERAGE_OUT_OF_RANGE", "one above the first tier's", (v) => v.leverage("alice", 11)],
  [
    "INSUFFICIENT_MARGIN",
    "needs more than there is",
    (v) => {
      v.do(v.sell("bob", "50", "100"), v.buy("alice", "50", "100"));
      return v.leverage("alice", 4);
    },
  ],
]);

refusals("setMarginMode", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.mode("alice", "isolated", "NONE")],
  ["MARGIN_MODE_FIXED", "of the house", (v) => v.mode("house", "isolated")],
  [
    "MARKET_IN_USE",
    "with an open order",
    (v) => {
      v.do(v.buy("alice", "1", "90"));
      return v.mode("alice", "isolated");
    },
  ],
  [
    "MARKET_IN_USE",
    "with an intent",
    (v) => {
      v.do(v.intent("alice", "stop", { side: "buy", size: "1", trigger: "120", slippage: "0.1" }));
      return v.mode("alice", "isolated");
    },
  ],
  ["NOTHING_TO_DO", "what it is", (v) => v.mode("alice", "cross")],
  [
    "INSUFFICIENT_FREE_COLLATERAL",
    "more than is free",
    (v) => {
      v.do(v.sell("bob", "100", "100"), v.buy("alice", "100", "100"));
      v.do(v.price("99.9"));
      return v.mode("alice", "isolated");
    },
  ],
  [
    "INSUFFICIENT_MARGIN",
    "back to a cross that could not carry it",
    (v) => {
      v.do(v.mode("alice", "isolated"));
      v.do(v.sell("bob", "100", "100"), v.buy("alice", "100", "100"));
      v.do(v.price("99.9"));
      return v.mode("alice", "cross");
    },
  ],
]);

refusals("adjustIsolatedMargin", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.adjust("alice", "add", "1", "NONE")],
  ["POSITION_NOT_ISOLATED", "no position", (v) => v.adjust("alice", "add", "1")],
  [
    "POSITION_NOT_ISOLATED",
    "isolated, but flat",
    (v) => {
      v.do(v.mode("alice", "isolated"));
      return v.adjust("alice", "add", "1");
    },
  ],
  ...(
    [
      ["NOTHING_TO_DO", "0"],
      ["NUMERIC_LIMIT", "3000000000"],
      ["INSUFFICIENT_FREE_COLLATERAL", "900.1"],
    ] as const
  ).map(([code, text]): [RejectionCode, string, (v: TestVenue) => Step] => [
    code,
    text,
    (v) => {
      v.do(v.mode("alice", "isolated"));
      v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
      return v.adjust("alice", "add", text);
    },
  ]),
]);

describe("an action is applied", () => {
  test("closePosition closes all, or part, within its bound, and takes own orders out of its way", () => {
    const v = long();
    v.do(v.buy("bob", "2", "99"), v.buy("bob", "9", "98"));
    v.do(v.close("alice", { size: "1", slippage: "0.01" }));
    expect(v.lots("alice")).toBe(4);
    v.do(v.sell("alice", "1", "105", { reduceOnly: true }));
    const story = v.do(v.close("alice", { price: "98" }));
    expect(v.fills(story)).toEqual(["1@99 bob>alice", "3@98 bob>alice"]);
    expect([v.lots("alice"), v.book()]).toEqual([0, ["buy 6@98 bob"]]);
  });

  test("closePosition of a short buys, and closes no more than there is", () => {
    const v = long();
    v.do(v.sell("alice", "9", "101"));
    v.do(v.close("bob", { size: "50", slippage: "0.05" }));
    expect([v.lots("bob"), v.lots("alice")]).toEqual([0, 0]);
  });

  test("the house closes whatever its equity is", () => {
    const v = open();
    v.do(flow(v, [[HOUSE_STEP.quote, 100, 50, SIDE.sell]]));
    v.do(v.buy("alice", "50", "100"));
    v.do(v.price("110"), v.sell("alice", "50", "110"));
    v.do(v.close("house", { slippage: "0.01" }));
    expect([v.lots("house"), v.usd("house")]).toEqual([0, "-500"]);
  });

  test("margin mode, and collateral to an isolated position and back", () => {
    const v = open();
    v.do(v.mode("alice", "isolated"));
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    v.do(v.adjust("alice", "add", "5"), v.adjust("alice", "remove", "3"));
    expect([v.usd("alice"), v.isolated("alice")]).toEqual(["898", "102"]);
    v.do(v.mode("alice", "cross"));
    expect(v.usd("alice")).toBe("1000");
  });
});
