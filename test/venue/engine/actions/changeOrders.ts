/** Orders that rest: made another, and taken back, now or later. */
import { describe, expect, test } from "vitest";
import type { Payloads } from "../../../../src/protocol/actions/index.ts";
import { cancelMany, frozen, halt, limits, long, open, refusals } from "./stage.ts";

refusals("amendOrder", [
  ["ORDER_NOT_FOUND", "no such id", (v) => v.amend("alice", 999, { size: "1" })],
  ["ORDER_NOT_FOUND", "no such client id", (v) => v.amend("alice", 0, { client: "none", size: "1" })],
  ["ORDER_NOT_FOUND", "named by nothing", (v) => v.amend("alice", 0, { size: "1" })],
  ["NOT_ORDER_OWNER", "another's", (v) => v.amend("alice", v.place(v.buy("bob", "2", "90")), { size: "1" })],
  [
    "NOT_ORDER_OWNER",
    "another subaccount's of the same owner",
    (v) => {
      v.do(v.transfer("alice", "alice/1", "100"));
      return v.amend("alice", v.place(v.buy("alice/1", "2", "90")), { size: "1" });
    },
  ],
  ["MARKET_CLOSED", "to a larger size in a halted market", (v) => halt(v, "halted", { size: "3" })],
  [
    "OPERATION_PAUSED",
    "to a larger size while trading is paused",
    (v) => {
      const id = v.place(v.buy("alice", "2", "90"));
      v.do(v.update({ pauseTrade: "on" }));
      return v.amend("alice", id, { size: "3" });
    },
  ],
  [
    "NOTHING_TO_DO",
    "to what it is",
    (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { size: "2", price: "90" }),
  ],
  ["NOTHING_TO_DO", "to nothing", (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), {})],
  ["OFF_LOT", "half a lot", (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { size: "1.5" })],
  ["OFF_TICK", "half a tick", (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { price: "90.5" })],
  [
    "NUMERIC_LIMIT",
    "value beyond what is storable",
    (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { size: "90000000" }),
  ],
  [
    "SIZE_TOO_SMALL",
    "below the smallest",
    (v) => v.amend("alice", v.place(v.buy("alice", "3", "90")), { size: "1" }),
    limits({ minSize: "2" }),
  ],
  [
    "SIZE_TOO_LARGE",
    "above the largest",
    (v) => v.amend("alice", v.place(v.buy("alice", "3", "90")), { size: "7" }),
    limits({ maxSize: "6" }),
  ],
  [
    "NOTIONAL_TOO_SMALL",
    "below the smallest",
    (v) => v.amend("alice", v.place(v.buy("alice", "4", "100")), { size: "2" }),
    limits({ minNotional: "300" }),
  ],
  [
    "PRICE_OUT_OF_BAND",
    "above the band",
    (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { price: "121" }),
  ],
  [
    "EXPOSURE_FROZEN",
    "while the oracle runs away",
    (v) => v.amend("bob", v.state.orders.id[0 as never]!, { size: "2" }),
    frozen,
  ],
  [
    "INSUFFICIENT_MARGIN",
    "a lot too many",
    (v) => v.amend("alice", v.place(v.buy("alice", "100", "100")), { size: "101" }),
  ],
]);

refusals("cancelOrder", [
  ["ORDER_NOT_FOUND", "no such id", (v) => v.cancel("alice", 4711)],
  [
    "ORDER_NOT_FOUND",
    "cancelled before",
    (v) => {
      const id = v.place(v.buy("alice", "1", "90"));
      v.do(v.cancel("alice", id));
      return v.cancel("alice", id);
    },
  ],
  ["NOT_ORDER_OWNER", "another's", (v) => v.cancel("alice", v.place(v.buy("bob", "1", "90")))],
]);

refusals("cancelOrders", [["NOTHING_TO_DO", "of none", (v) => cancelMany(v, [])]]);

refusals("cancelAll", [["MARKET_NOT_FOUND", "no such market", (v) => v.cancelAll("alice", "NONE")]]);

refusals("scheduleCancel", [
  ["NOTHING_TO_DO", "nothing to take back", (v) => v.schedule("alice", 0)],
  ["TIME_TOO_SOON", "a millisecond less than 5 s ahead", (v) => v.schedule("alice", v.state.timeMs + 1000 + 4_999)],
]);

describe("an action is applied", () => {
  test("orders rest, cancel by id, by client id, several at once, and all", () => {
    const v = open();
    const ids = ["90", "91", "92", "93"].map((at) => v.place(v.buy("alice", "1", at, { client: `at${at}` })));
    v.do(v.cancel("alice", ids[0]!));
    v.do(v.act("alice", "cancelOrder", { orderId: 0, clientOrderId: "at91" } as Payloads["cancelOrder"]));
    const other = v.place(v.buy("bob", "1", "80"));
    const story = v.do(cancelMany(v, [ids[2]!, ids[2]!, other], ["at93", "none"]));
    expect(story.receipts[0]!.results).toEqual([
      { orderId: ids[2], status: "cancelled" },
      { orderId: ids[2], status: "rejected", code: "ORDER_NOT_FOUND", numbers: { orderId: ids[2] } },
      { orderId: other, status: "rejected", code: "NOT_ORDER_OWNER", numbers: { orderId: other } },
      { orderId: ids[3], status: "cancelled" },
      { orderId: 0, status: "rejected", code: "ORDER_NOT_FOUND", numbers: { clientOrderId: "none" } },
    ]);
    v.do(v.buy("alice", "1", "90"), v.sell("alice", "1", "110"), v.cancelAll("alice"));
    expect(v.book()).toEqual(["buy 1@80 bob"]);
    v.do(v.cancelAll("alice"), v.cancelAll("alice", "TEST"));
    // A client order id is free again once its order is gone, and each subaccount has its own.
    v.do(v.transfer("alice", "alice/1", "500"));
    v.do(v.buy("alice", "1", "90", { client: "at90" }), v.buy("alice/1", "1", "90", { client: "at90" }));
  });

  test("cancelAll of one market leaves the other alone", () => {
    const v = open({ markets: { TEST: {}, MORE: {} }, prices: { TEST: "100", MORE: "10" } });
    v.do(v.buy("alice", "1", "90"), v.buy("alice", "1", "9", { market: "MORE" }), v.cancelAll("alice", "TEST"));
    expect([v.book("TEST"), v.book("MORE")]).toEqual([[], ["buy 1@9 alice"]]);
  });

  test("orders may be cancelled later", () => {
    const v = open();
    v.do(v.buy("alice", "1", "98"), v.schedule("alice", v.state.timeMs + 6000));
    expect(v.book()).toEqual(["buy 1@98 alice"]);
    v.runAt(v.state.timeMs + 6000);
    expect(v.book()).toEqual([]);
  });

  test("in any status an order may be cancelled, or made smaller in its place", () => {
    const v = long();
    const id = v.place(v.buy("alice", "3", "90"));
    v.do(v.status("halted"));
    v.do(v.amend("alice", id, { size: "2" }), v.cancel("alice", id));
  });
});
