import { describe, expect, test } from "vitest";
import { CANCEL_CAUSE } from "../../../../src/protocol/events.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

const open = (options: VenueOptions = {}) =>
  new TestVenue({
    accounts: { alice: "100000", "alice/1": "100000", bob: "100000", carol: "100000", dave: "100000" },
    house: { house: "0" },
    prices: { TEST: "100" },
    ...options,
  });
const market = (texts: Record<string, string>, more: VenueOptions = {}) => open({ markets: { TEST: texts }, ...more });

describe("price and time (ORD-1, ORD-6)", () => {
  test("better prices first, then older orders, each at the maker's price", () => {
    const v = open();
    v.do(v.sell("bob", "5", "102"), v.sell("carol", "5", "101"), v.sell("bob", "5", "101"), v.sell("dave", "5", "101"));
    const story = v.do(v.buy("alice", "17", "105"));
    expect(v.fills(story)).toEqual(["5@101 carol>alice", "5@101 bob>alice", "5@101 dave>alice", "2@102 bob>alice"]);
    expect(v.cost("alice")).toBe(15 * 101e6 + 2 * 102e6);
    expect(v.book()).toEqual(["sell 3@102 bob"]);
  });

  test("the rest of a limit order rests at its price, crossing nothing", () => {
    const v = open();
    v.do(v.sell("bob", "5", "101"), v.sell("bob", "5", "103"), v.buy("alice", "8", "102"));
    expect(v.book()).toEqual(["buy 3@102 alice", "sell 5@103 bob"]);
  });

  test("a market order takes to its bound and no further, and never rests", () => {
    const v = open();
    v.do(v.sell("bob", "5", "101"), v.sell("bob", "5", "103"));
    const story = v.do(v.order("alice", "buy", "9", undefined, { type: "market", slippage: "0.02" }));
    expect(v.fills(story)).toEqual(["5@101 bob>alice"]);
    expect(v.cancels(story, CANCEL_CAUSE.timeInForce)).toEqual(["4 alice"]);
    expect(story.receipts[0]!.results).toMatchObject([{ status: "partiallyFilled" }]);
    v.do(v.order("alice", "buy", "9", "103", { type: "market" }));
    expect(v.lots("alice")).toBe(10);
    expect(v.book()).toEqual([]);
  });
});

describe("amending (ORD-4)", () => {
  const queue = () => {
    const v = open();
    const first = v.place(v.buy("alice", "5", "99"));
    v.do(v.buy("bob", "5", "99"));
    return { v, first };
  };

  test("a smaller size at the same price keeps its place", () => {
    const { v, first } = queue();
    v.do(v.amend("alice", first, { size: "2" }));
    expect(v.book()).toEqual(["buy 2@99 alice", "buy 5@99 bob"]);
  });

  test.each([
    ["a larger size", { size: "6" }, ["buy 5@99 bob", "buy 6@99 alice"]],
    ["another price", { price: "98" }, ["buy 5@99 bob", "buy 5@98 alice"]],
    ["a smaller size at another price", { size: "1", price: "98" }, ["buy 5@99 bob", "buy 1@98 alice"]],
  ])("%s goes to the end of its level", (_why, change, book) => {
    const { v, first } = queue();
    v.do(v.amend("alice", first, change));
    expect(v.book()).toEqual(book);
    // Under its old id.
    expect(v.try(v.cancel("alice", first))).toBe("applied");
  });

  test("a price that crosses takes, keeps its client id for the rest, and releases it when filled", () => {
    const v = open();
    v.do(v.sell("bob", "3", "101"));
    const id = v.place(v.buy("alice", "5", "99", { client: "mine" }));
    const story = v.do(v.amend("alice", 0, { client: "mine", price: "101" }));
    expect(v.fills(story)).toEqual(["3@101 bob>alice"]);
    expect(v.book()).toEqual(["buy 2@101 alice"]);
    expect(v.try(v.buy("alice", "1", "90", { client: "mine" }))).toBe("CLIENT_ORDER_ID_USED");
    v.do(v.sell("bob", "2", "101"));
    expect(v.try(v.cancel("alice", id))).toBe("ORDER_NOT_FOUND");
    expect(v.try(v.buy("alice", "1", "90", { client: "mine" }))).toBe("applied");
  });
});

describe("time in force (ORD-2)", () => {
  test("IOC fills the available lots and cancels the rest", () => {
    const v = open();
    v.do(v.sell("bob", "3", "100"));
    const story = v.do(v.buy("alice", "5", "100", { tif: "IOC" }));
    expect([v.fills(story), v.cancels(story), v.book()]).toEqual([["3@100 bob>alice"], ["2 alice"], []]);
  });

  test("FOK takes all of it, over several makers and prices", () => {
    const v = open();
    v.do(v.sell("bob", "3", "100"), v.sell("carol", "3", "101"));
    expect(v.fills(v.do(v.buy("alice", "6", "101", { tif: "FOK" })))).toHaveLength(2);
  });

  test("FOK that is a lot short is applied, cancelled, and touches no other account", () => {
    const v = open();
    v.do(v.sell("bob", "3", "100"), v.sell("carol", "3", "101"), v.sell("dave", "3", "102"));
    const story = v.do(v.buy("alice", "7", "101", { tif: "FOK" }));
    expect(story.receipts[0]!.results).toMatchObject([{ status: "cancelled" }]);
    expect(v.cancels(story)).toEqual(["7 alice"]);
    expect(v.book()).toHaveLength(3);
  });
});

// Goal: a fill-or-kill never fills in part, whatever becomes of makers while it matches. Each story has makers that
// look as if they could fill, and are cancelled, trimmed or stopped on the way.
describe("FOK is all or nothing", () => {
  const kinds = {
    "own orders under cancelTaker": () => {
      const v = open();
      v.do(v.sell("bob", "3", "100"), v.sell("alice", "3", "101"));
      return { v, step: v.buy("alice", "6", "101", { tif: "FOK" }), fills: false };
    },
    "own orders under cancelMaker, others after them": () => {
      const v = open();
      v.do(v.sell("alice", "3", "100"), v.sell("bob", "6", "101"));
      return { v, step: v.buy("alice", "6", "101", { tif: "FOK", selfTrade: "cancelMaker" }), fills: true };
    },
    "own orders under cancelMaker, not enough after them": () => {
      const v = open();
      v.do(v.sell("alice", "3", "100"), v.sell("bob", "5", "101"));
      return { v, step: v.buy("alice", "6", "101", { tif: "FOK", selfTrade: "cancelMaker" }), fills: false };
    },
    "a maker's reduce-only order that an earlier fill trims": () => {
      const v = open();
      v.do(v.sell("dave", "10", "100"), v.buy("bob", "10", "100"));
      v.do(v.sell("bob", "10", "101"), v.sell("bob", "10", "102", { reduceOnly: true }));
      return { v, step: v.buy("alice", "20", "102", { tif: "FOK" }), fills: false };
    },
    "two subaccounts of one owner that share a position limit": () => {
      const v = market({ positionLimit: "5" });
      v.do(v.sell("alice", "5", "101"), v.sell("alice/1", "5", "102"));
      return { v, step: v.buy("bob", "5", "102", { tif: "FOK" }), fills: true };
    },
    "two subaccounts that share a limit, for a house": () => {
      const v = market({ positionLimit: "5" });
      v.do(v.sell("alice", "5", "101"), v.sell("alice/1", "5", "102"));
      return { v, step: v.buy("house", "10", "102", { tif: "FOK" }), fills: false };
    },
    "a maker whose margin bears one of its orders, not both": () => {
      const v = open({ accounts: { alice: "100000", bob: "1500" } });
      v.do(v.sell("bob", "60", "100"), v.sell("bob", "60", "101"));
      v.do(v.price("115"));
      return { v, step: v.buy("alice", "120", "105", { tif: "FOK" }), fills: false };
    },
    "open interest": () => {
      const v = market({ openInterestLimit: "9" });
      v.do(v.sell("bob", "10", "100"));
      return { v, step: v.buy("alice", "10", "100", { tif: "FOK" }), fills: false };
    },
    "the taker's own position limit": () => {
      const v = market({ positionLimit: "9" });
      v.do(v.sell("house", "10", "100"));
      return { v, step: v.buy("alice", "10", "100", { tif: "FOK" }), fills: false };
    },
    "reduce-only, less is bid than the position": () => {
      const v = open();
      v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"), v.buy("bob", "4", "100"));
      return { v, step: v.sell("alice", "6", "100", { tif: "FOK", reduceOnly: true }), fills: false };
    },
    "reduce-only, the whole position": () => {
      const v = open();
      v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"), v.buy("carol", "9", "100"));
      return { v, step: v.sell("alice", "5", "100", { tif: "FOK", reduceOnly: true }), fills: true };
    },
    "makers outside the band by now": () => {
      const v = open();
      v.do(v.sell("bob", "5", "100"), v.sell("carol", "5", "119"));
      v.do(v.price("140"));
      return { v, step: v.buy("alice", "10", "119", { tif: "FOK" }), fills: false };
    },
  };

  test.each(Object.entries(kinds))("%s", (_why, story) => {
    const { v, step, fills } = story();
    const before = v.lots(step.who);
    const result = v.do(step).receipts[0]!.results![0]!;
    expect(["filled", "cancelled"]).toContain(result.status);
    expect(result.status === "filled").toBe(fills);
    if (!fills) expect(v.lots(step.who)).toBe(before);
  });
});

describe("self-trade prevention (ORD-3)", () => {
  const meet = (
    scope: "account" | "owner",
    who: string,
    selfTrade: "cancelTaker" | "cancelMaker" | "cancelBoth" | "decrement",
    taker = "5",
  ) => {
    const v = open();
    v.do(v.sell("bob", "1", "100"), v.sell("alice", "3", "100"), v.sell("carol", "9", "100"));
    const story = v.do(v.buy(who, taker, "100", { selfTrade, scope }));
    return { fills: v.fills(story), cancels: v.cancels(story, CANCEL_CAUSE.selfTrade), book: v.book() };
  };
  const rest = ["sell 3@100 alice", "sell 9@100 carol"];

  for (const [scope, who] of [
    ["account", "alice"],
    ["owner", "alice/1"],
    ["owner", "alice"],
  ] as const) {
    describe(`scope ${scope}, taker ${who}`, () => {
      test("cancelTaker stops the taker, the maker stays", () => {
        expect(meet(scope, who, "cancelTaker")).toEqual({
          fills: [`1@100 bob>${who}`],
          cancels: [`4 ${who}`],
          book: rest,
        });
      });

      test("cancelMaker cancels the maker and continues", () => {
        expect(meet(scope, who, "cancelMaker")).toEqual({
          fills: [`1@100 bob>${who}`, `4@100 carol>${who}`],
          cancels: ["3 alice"],
          book: ["sell 5@100 carol"],
        });
      });

      test("cancelBoth ends both", () => {
        expect(meet(scope, who, "cancelBoth")).toEqual({
          fills: [`1@100 bob>${who}`],
          cancels: ["3 alice", `4 ${who}`],
          book: ["sell 9@100 carol"],
        });
      });

      test("decrement takes the smaller off both: a smaller maker goes, and the taker continues", () => {
        expect(meet(scope, who, "decrement")).toEqual({
          fills: [`1@100 bob>${who}`, `1@100 carol>${who}`],
          cancels: ["3 alice"],
          book: ["sell 8@100 carol"],
        });
      });

      test("decrement takes the smaller off both: a smaller taker goes, and the maker stays with the rest", () => {
        expect(meet(scope, who, "decrement", "3")).toEqual({
          fills: [`1@100 bob>${who}`],
          cancels: [],
          book: ["sell 1@100 alice", "sell 9@100 carol"],
        });
      });
    });
  }

  test("with scope account, subaccounts of one owner trade with each other", () => {
    expect(meet("account", "alice/1", "cancelTaker").fills).toEqual([
      "1@100 bob>alice/1",
      "3@100 alice>alice/1",
      "1@100 carol>alice/1",
    ]);
  });
});

describe("reduce-only (ORD-2)", () => {
  const long = (lots = "10", options: VenueOptions = {}) => {
    const v = open(options);
    v.do(v.sell("bob", lots, "100"), v.buy("alice", lots, "100"));
    return v;
  };
  const trimming = { markets: { TEST: { reduceOnlyResting: "trim" } } };

  test("a taker closes at most its position", () => {
    const v = long();
    v.do(v.buy("carol", "30", "100"));
    const story = v.do(v.sell("alice", "15", "100", { reduceOnly: true }));
    expect([v.lots("alice"), v.cancels(story)]).toEqual([0, ["5 alice"]]);
  });

  test("trimmed, resting orders never sum to more than the position: the newest are cut first", () => {
    const v = long("10", trimming);
    v.do(v.sell("alice", "6", "101", { reduceOnly: true }), v.sell("alice", "3", "102", { reduceOnly: true }));
    v.do(v.sell("alice", "5", "103", { reduceOnly: true }));
    expect(v.book()).toEqual(["sellr 6@101 alice", "sellr 3@102 alice", "sellr 1@103 alice"]);
    // Selling 2 elsewhere leaves 8: the newest goes, the next is cut.
    v.do(v.buy("carol", "2", "100"), v.sell("alice", "2", "100"));
    expect(v.book()).toEqual(["sellr 6@101 alice", "sellr 2@102 alice"]);
  });

  test("trimmed, an order for which no position is left to close is cancelled at once, and its receipt says so", () => {
    const v = long("10", trimming);
    v.do(v.sell("alice", "10", "101", { reduceOnly: true }));
    const story = v.do(v.sell("alice", "4", "102", { reduceOnly: true }));
    expect(v.book()).toEqual(["sellr 10@101 alice"]);
    expect(v.cancels(story, CANCEL_CAUSE.reduceOnly)).toEqual(["4 alice"]);
    const numbers = { lots: 4, filled: 0, resting: 0, cancelled: 4, position: 10, others: 10 };
    expect(story.receipts[0]!.results).toMatchObject([{ status: "cancelled", code: "REDUCE_ONLY_CUT", numbers }]);
  });

  test("all go when the position flips, as maker and as taker", () => {
    const v = long();
    v.do(v.sell("alice", "10", "105", { reduceOnly: true }), v.sell("alice", "15", "101"));
    v.do(v.buy("carol", "15", "101"));
    expect([v.lots("alice"), v.book()]).toEqual([-5, []]);
    v.do(v.buy("alice", "5", "95", { reduceOnly: true }));
    v.do(v.sell("carol", "9", "99"), v.buy("alice", "9", "99"));
    expect([v.lots("alice"), v.book()]).toEqual([4, []]);
  });

  test("they reserve nothing, whatever their number", () => {
    const v = long();
    const before = v.health("alice").initial;
    v.do(v.sell("alice", "10", "110", { reduceOnly: true }));
    expect(v.health("alice").initial).toBe(before);
  });
});

describe("post-only (ORD-2)", () => {
  test("a tick from the other side rests", () => {
    const v = open();
    v.do(v.sell("bob", "1", "101"), v.buy("alice", "1", "100", { postOnly: true }));
    v.do(v.sell("carol", "1", "101", { postOnly: true }));
    expect(v.book()).toEqual(["buy 1@100 alice", "sell 1@101 bob", "sell 1@101 carol"]);
  });
});

describe("makers are checked again when they are met (ORD-5, ORD-6)", () => {
  test("one outside the band is cancelled, and matching continues", () => {
    const v = open();
    v.do(v.sell("bob", "5", "81"), v.sell("carol", "5", "110"));
    v.do(v.price("102"));
    const story = v.do(v.buy("alice", "5", "112"));
    expect(v.cancels(story, CANCEL_CAUSE.priceBand)).toEqual(["5 bob"]);
    expect(v.fills(story)).toEqual(["5@110 carol>alice"]);
  });

  test("one that the fill would leave below its fill margin is cancelled", () => {
    // Midway between 5 % and 10 %: 75 for ten at 100. Bob has 76 when his order enters, and 74 after withdrawing is
    // refused, so the mark moves instead: selling ten at 100 when they are worth 104 costs 40.
    const v = open({ accounts: { alice: "100000", bob: "115", carol: "100000" } });
    v.do(v.sell("bob", "10", "100"), v.sell("carol", "10", "105"));
    // At 103.6: equity 115 - 36 = 79 and the fill margin 77.7; at 103.8: 77 and 77.85.
    v.do(v.price("103.6"));
    expect(v.fills(v.do(v.buy("alice", "1", "100")))).toEqual(["1@100 bob>alice"]);
    v.do(v.price("104"));
    const story = v.do(v.buy("alice", "9", "105"));
    expect(v.cancels(story, CANCEL_CAUSE.margin)).toEqual(["9 bob"]);
    expect(v.fills(story)).toEqual(["9@105 carol>alice"]);
  });

  test("one that only reduces fills even if its account is below", () => {
    const v = open({ accounts: { alice: "100000", bob: "101", carol: "100000" } });
    v.do(v.sell("carol", "10", "100"), v.buy("bob", "10", "100"));
    v.do(v.sell("bob", "10", "96"));
    v.do(v.price("95.5"));
    // Equity 56, maintenance 47.75, the fill margin 71.6.
    expect(v.fills(v.do(v.buy("alice", "4", "96")))).toEqual(["4@96 bob>alice"]);
  });

  test("one at its position limit is cancelled, one near it fills to the limit first", () => {
    const v = market({ positionLimit: "7" });
    v.do(v.sell("bob", "5", "100"), v.buy("house", "5", "100"));
    v.do(v.sell("bob", "5", "100"), v.sell("carol", "5", "100"));
    const story = v.do(v.buy("alice", "7", "100"));
    expect(v.fills(story)).toEqual(["2@100 bob>alice", "5@100 carol>alice"]);
    expect(v.cancels(story, CANCEL_CAUSE.positionLimit)).toEqual(["3 bob"]);
  });
});

describe("caps of the taker (ORD-5)", () => {
  test("between subaccounts of one owner nothing is capped: the owner's position stays as it is", () => {
    const v = market({ positionLimit: "7" });
    v.do(v.sell("house", "7", "100"), v.buy("alice", "7", "100"));
    v.do(v.buy("alice/1", "6", "100"));
    expect(v.fills(v.do(v.sell("alice", "6", "100")))).toEqual(["6@100 alice/1>alice"]);
    v.do(v.sell("alice/1", "6", "100"));
    expect(v.fills(v.do(v.buy("alice", "6", "100")))).toEqual(["6@100 alice/1>alice"]);
  });

  test("its owner's subaccounts count together, and lots beyond the cap are cancelled", () => {
    const v = market({ positionLimit: "7" });
    v.do(v.sell("house", "50", "100"), v.buy("alice", "4", "100"));
    const story = v.do(v.buy("alice/1", "4", "100"));
    expect([v.lots("alice/1"), v.cancels(story, CANCEL_CAUSE.positionLimit)]).toEqual([3, ["1 alice/1"]]);
    // Reducing is free, and so is growing the other way.
    v.do(v.buy("house", "50", "99"));
    v.do(v.sell("alice", "4", "99"), v.sell("alice", "7", "99"));
    expect(v.lots("alice")).toBe(-7);
  });

  test("the open interest limit stops lots that would raise it, and lets positions change hands", () => {
    const v = market({ openInterestLimit: "10" });
    v.do(v.sell("bob", "20", "100"), v.buy("alice", "9", "100"));
    const story = v.do(v.buy("carol", "3", "100"));
    expect([v.lots("carol"), v.cancels(story, CANCEL_CAUSE.openInterest)]).toEqual([1, ["2 carol"]]);
    // Carol buys from alice: neither adds.
    v.do(v.cancelAll("bob"), v.sell("alice", "5", "100"), v.buy("carol", "5", "100"));
    expect([v.lots("alice"), v.lots("carol")]).toEqual([4, 6]);
  });
});

describe("fees (ORD-7)", () => {
  const fees = (taker: string, maker: string, lots: string, at: string) => {
    const v = market({ takerFee: taker, makerFee: maker, tickSize: "0.01", lotSize: "0.0001", minSize: "0.0001" });
    const [fill] = v.do(v.sell("bob", lots, at), v.buy("alice", lots, at)).of("fill");
    expect(v.total("fees")).toBe(BigInt(fill!.takerFee + fill!.makerFee));
    expect(v.units("alice")).toBe(1e11 - fill!.takerFee);
    expect(v.units("bob")).toBe(1e11 - fill!.makerFee);
    return [fill!.takerFee, fill!.makerFee];
  };

  test("fees round up, for both sides", () => {
    // 0.0001 * 100.01 = 10,001 units.
    expect(fees("0.00045", "0.00015", "0.0001", "100.01")).toEqual([5, 2]);
    expect(fees("0.0001", "0", "0.0001", "100")).toEqual([1, 0]);
  });

  test("a rebate rounds down", () => {
    expect(fees("0.00045", "-0.00015", "0.0001", "100.01")).toEqual([5, -1]);
    expect(fees("0.00045", "-0.00009", "0.0001", "100.01")).toEqual([5, 0]);
  });

  test("the house pays fees like any account", () => {
    const v = market({ takerFee: "0.001", makerFee: "0.0005" });
    v.do(v.sell("house", "10", "100"), v.buy("alice", "10", "100"));
    expect([v.usd("house"), v.usd("alice")]).toEqual(["-0.5", "99999"]);
  });
});

// The fee is rounded up once for all fills of an order, and what rests stays charged what the fills left of the whole:
// an order that just meets its initial margin ends exactly on it, however it is cut.
test("the fees of many fills add up to the fee of the whole, to the unit", () => {
  const texts = { takerFee: "0.000333", lotSize: "0.0001", minSize: "0.0001", tickSize: "0.01" };
  // 0.1 at 100.01: initial margin 1.0001; fee of 10.001: 0.003330333, up to 0.003331.
  for (const [size, fills] of [
    ["0.1", 100],
    ["0.05", 50],
  ] as const) {
    const v = market(texts, { accounts: { alice: "1.003431", bob: "100000" }, prices: { TEST: "100.01" } });
    for (let order = 0; order < fills; order++) v.do(v.sell("bob", "0.001", "100.01"));
    const story = v.do(v.buy("alice", "0.1", "100.01"));
    const { equity, initial } = v.health("alice");
    expect(story.of("fill"), size).toHaveLength(fills);
    expect(equity - initial, size).toBe(0);
  }
});

// Found by a flow: room for one lot, which a fill within the owner never uses up, made nine million fills of one lot.
test("a fill between subaccounts of one owner needs no room under the owner's cap", () => {
  const v = new TestVenue({
    markets: { TEST: { positionLimit: "10" } },
    accounts: { alice: "10000", "alice/1": "10000", bob: "10000" },
    prices: { TEST: "100" },
  });
  v.do(v.buy("bob", "9", "100"), v.sell("alice", "9", "100"));
  v.do(v.sell("alice/1", "9", "100"));
  const story = v.do(v.buy("alice", "9", "100"));
  expect(v.fills(story)).toEqual(["9@100 alice/1>alice"]);
  expect([v.lots("alice"), v.lots("alice/1")]).toEqual([0, -9]);
});
