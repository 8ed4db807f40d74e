/** Grants to agents (AUT): what they allow, to the unit and the millisecond, and what they never allow. */
import { describe, expect, test } from "vitest";
import type { Payloads } from "../../../../src/protocol/actions/index.ts";
import { AUTHORIZATION_STATUS } from "../../../../src/protocol/words.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../../../src/venue/engine/commitment/snapshot.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { addressOf } from "../../../helpers/venue/values.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

type Terms = Partial<Payloads["grantAuthorization"]>;
const DAY = 86_400_000;
const ZERO = `0x${"0".repeat(64)}` as const;

const open = (options: VenueOptions = {}) =>
  new TestVenue({
    markets: { TEST: {}, MORE: {} },
    accounts: { alice: "100000", "alice/1": "1000", bob: "100000" },
    prices: { TEST: "100", MORE: "100" },
    ...options,
  });

const statusOf = (v: TestVenue, row = 0) => v.state.authorizations.status[row as never];

/** A venue with a grant of alice to a bot, and what the bot's step comes to. */
function withGrant(terms: Terms = {}) {
  const v = open();
  const id = v.authorize("alice", "bot", terms);
  const bot = (step: Step) => v.by("bot", id, step);
  return { v, id, bot, try: (step: Step) => v.try(bot(step)) };
}

describe("an agent acts for the owner", () => {
  test("within its grant, on nonces of its own, in every subaccount that is listed", () => {
    const { v, bot } = withGrant();
    v.do(bot(v.buy("alice", "1", "90")), bot(v.buy("alice/1", "1", "91")), v.buy("alice", "1", "92"));
    expect(v.book()).toEqual(["buy 1@92 alice", "buy 1@91 alice/1", "buy 1@90 alice"]);
    expect([v.nextNonce("alice", "trading"), v.nextNonce("alice", "trading", addressOf("bot"))]).toEqual([1, 1]);
    v.do(bot(v.cancelAll("alice")), bot(v.leverage("alice", 3)), bot(v.transfer("alice", "alice/1", "5")));
    expect(v.lots("alice")).toBe(0);
  });

  test("an order remembers its grant, also when it is amended", () => {
    const { v, bot } = withGrant({ maxOpenOrders: "1" });
    const order = v.place(bot(v.buy("alice", "2", "90")));
    expect(v.try(bot(v.buy("alice", "1", "89")))).toBe("AUTHORIZATION_OPEN_ORDERS");
    v.do(bot(v.amend("alice", order, { price: "91" })), v.amend("alice", order, { size: "1" }));
    expect(v.try(bot(v.buy("alice", "1", "89")))).toBe("AUTHORIZATION_OPEN_ORDERS");
    v.do(v.cancel("alice", order), bot(v.buy("alice", "1", "89")));
  });
});

describe("transactions of a key that is no agent, or no longer one, change nothing", () => {
  test("no grant, an unknown one, another's agent, another owner's grant, an owner who names one", () => {
    const { v, id } = withGrant();
    const before = computeRoot(v.state);
    const order = v.buy("alice", "1", "90");
    expect(v.try(v.by("bot", ZERO, order))).toBe("AUTHORIZATION_MISSING");
    expect(v.try(v.by("bot", `0x${"1".repeat(64)}`, order))).toBe("AUTHORIZATION_MISSING");
    expect(v.try(v.by("mallory", id, order))).toBe("AUTHORIZATION_FOREIGN");
    expect(v.try(v.by("bot", id, v.buy("bob", "1", "90")))).toBe("AUTHORIZATION_FOREIGN");
    expect(v.try({ ...order, header: { authorization: id } })).toBe("AUTHORIZATION_FOREIGN");
    expect([v.state.lanes.rows.count, v.nextNonce("alice", "trading")]).toEqual([0, 0]);
    expect(before).not.toBe(computeRoot(v.state)); // height and time advanced
  });

  test("before it is valid, and from the millisecond at which it ends", () => {
    const v = open();
    const now = v.state.timeMs;
    const id = v.authorize("alice", "bot", { validFrom: now + 5_000, expiresAt: now + 9_000 });
    const at = (offset: number) => v.runAt(now + offset, v.by("bot", id, v.act("alice", "noop", {})));
    expect(at(4_999).outcomes).toEqual(["AUTHORIZATION_NOT_YET_VALID"]);
    const start = at(5_000);
    expect(start.outcomes).toEqual(["applied"]);
    expect(start.of("authorizationChanged")).toMatchObject([{ status: AUTHORIZATION_STATUS.active }]);
    expect(at(8_999).outcomes).toEqual(["applied"]);
    const end = at(9_000);
    expect(end.outcomes).toEqual(["AUTHORIZATION_EXPIRED"]);
    expect(end.of("authorizationChanged")).toMatchObject([{ status: AUTHORIZATION_STATUS.expired }]);
  });

  test("after revocation, in the same block, for ever, also under a new grant, whose nonces continue", () => {
    const { v, id, bot } = withGrant();
    v.do(bot(v.buy("alice", "1", "90")));
    const story = v.run(v.revoke("alice", id), bot(v.buy("alice", "1", "91")));
    expect(story.outcomes).toEqual(["applied", "AUTHORIZATION_REVOKED"]);
    expect(v.book()).toEqual(["buy 1@90 alice"]);
    expect(v.try(v.revoke("alice", id))).toBe("NOTHING_TO_DO");
    const again = v.authorize("alice", "bot");
    expect(again).not.toBe(id);
    expect(
      v.try({
        ...v.by("bot", again, v.buy("alice", "1", "91")),
        header: { signer: addressOf("bot"), authorization: again, nonce: 0 },
      }),
    ).toBe("NONCE_TOO_LOW");
    expect(v.try(v.by("bot", again, v.buy("alice", "1", "91")))).toBe("applied");
    expect(v.try(bot(v.buy("alice", "1", "92")))).toBe("AUTHORIZATION_REVOKED");
  });

  test("an agent revokes itself, and its orders with it, in every subaccount; others' stay", () => {
    const { v, id, bot } = withGrant();
    v.do(bot(v.buy("alice", "1", "90")), bot(v.buy("alice/1", "1", "91")), v.buy("alice", "1", "92"));
    const other = v.authorize("alice", "bot2");
    expect(v.try(bot(v.revoke("alice", other)))).toBe("AUTHORIZATION_SCOPE");
    v.do(bot(v.revoke("alice", id, true)));
    expect(v.book()).toEqual(["buy 1@92 alice"]);
  });

  test("used up on its last day, with nothing but trading granted", () => {
    const v = open();
    const id = v.authorize("alice", "bot", {
      scopes: "trade",
      maxDailyNotional: "180",
      expiresAt: v.state.timeMs + 9_000,
    });
    v.do(v.by("bot", id, v.buy("alice", "2", "90")));
    expect(statusOf(v)).toBe(AUTHORIZATION_STATUS.exhausted);
    expect(v.try(v.by("bot", id, v.buy("alice", "1", "90")))).toBe("AUTHORIZATION_EXHAUSTED");
  });
});

describe("actions that the grant does not cover are committed rejections", () => {
  test.each([
    ["trade", ["applied", "AUTHORIZATION_SCOPE", "AUTHORIZATION_SCOPE", "AUTHORIZATION_SCOPE"]],
    ["cancel", ["AUTHORIZATION_SCOPE", "applied", "AUTHORIZATION_SCOPE", "AUTHORIZATION_SCOPE"]],
    ["margin", ["AUTHORIZATION_SCOPE", "AUTHORIZATION_SCOPE", "applied", "AUTHORIZATION_SCOPE"]],
    ["transfer", ["AUTHORIZATION_SCOPE", "AUTHORIZATION_SCOPE", "AUTHORIZATION_SCOPE", "applied"]],
    ["", ["AUTHORIZATION_SCOPE", "AUTHORIZATION_SCOPE", "AUTHORIZATION_SCOPE", "AUTHORIZATION_SCOPE"]],
  ])("scope %s", (scopes, outcomes) => {
    const { v, bot } = withGrant({ scopes });
    const steps = [
      v.buy("alice", "1", "90"),
      v.cancelAll("alice"),
      v.leverage("alice", 3),
      v.transfer("alice", "alice/1", "1"),
    ];
    expect(v.run(...steps.map(bot)).outcomes).toEqual(outcomes);
    expect(v.nextNonce("alice", "trading", addressOf("bot"))).toBe(1);
  });

  test("reducing is covered by reduce and by trade; reduce covers nothing else", () => {
    for (const scopes of ["reduce", "trade"]) {
      const { v, bot } = withGrant({ scopes });
      v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"));
      v.do(bot(v.sell("alice", "1", "110", { reduceOnly: true })));
      expect(v.try(bot(v.close("alice", { slippage: "0.01" })))).toBe("applied");
      expect(v.try(bot(v.sell("alice", "1", "110")))).toBe(scopes === "trade" ? "applied" : "AUTHORIZATION_SCOPE");
    }
  });

  test("an agent never withdraws, never grants, and sends nothing to others", () => {
    const { v, bot } = withGrant();
    expect(v.try(bot(v.withdraw("alice", "1")))).toBe("AUTHORIZATION_SCOPE");
    expect(v.try(bot(v.grant("alice", "bot2")))).toBe("AUTHORIZATION_SCOPE");
    expect(v.try(bot(v.transfer("alice", "bob", "1")))).toBe("AUTHORIZATION_SCOPE");
  });

  test("markets: by name, by order, by batch; actions on all need a grant for all", () => {
    const { v, bot } = withGrant({ markets: "TEST" });
    const mine = v.place(v.buy("alice", "1", "90"));
    const more = v.place(v.buy("alice", "1", "90", { market: "MORE", client: "more" }));
    v.do(bot(v.amend("alice", mine, { size: "2" })));
    for (const step of [
      v.buy("alice", "1", "90", { market: "MORE" }),
      v.amend("alice", more, { size: "2" }),
      v.cancel("alice", more),
      v.act("alice", "cancelOrder", { orderId: 0, clientOrderId: "more" } as Payloads["cancelOrder"]),
      v.act("alice", "cancelOrders", {
        orderIds: [mine, more],
        clientOrderIds: [],
      } as unknown as Payloads["cancelOrders"]),
      v.cancelAll("alice"),
      v.leverage("alice", 3, "MORE"),
    ]) {
      expect(v.try(bot(step))).toBe("AUTHORIZATION_MARKET");
    }
    v.do(bot(v.cancelAll("alice", "TEST")));
    expect(v.try(bot(v.cancel("alice", 4711)))).toBe("ORDER_NOT_FOUND");
  });

  test("subaccounts, of the acting and of the receiving side", () => {
    const { v, bot } = withGrant({ subaccounts: "0" });
    expect(v.try(bot(v.buy("alice/1", "1", "90")))).toBe("AUTHORIZATION_SUBACCOUNT");
    expect(v.try(bot(v.transfer("alice", "alice/1", "1")))).toBe("AUTHORIZATION_SUBACCOUNT");
    expect(v.try(bot(v.buy("alice", "1", "90")))).toBe("applied");
  });
});

describe("limits hold to the unit", () => {
  test("value of an order; nothing at 0; reduce-only is free of it", () => {
    const { v, bot } = withGrant({ maxOrderNotional: "270" });
    expect(v.run(bot(v.buy("alice", "3", "90")), bot(v.buy("alice", "3", "91"))).outcomes).toEqual([
      "applied",
      "AUTHORIZATION_ORDER_LIMIT",
    ]);
    expect(v.lastStory!.receipts[1]!.numbers).toEqual({ notional: 273_000_000, most: 270_000_000 });
    const none = withGrant({ maxOrderNotional: "0" });
    expect(none.try(none.v.buy("alice", "1", "90"))).toBe("AUTHORIZATION_ORDER_LIMIT");
  });

  test("value of position and resting orders at the mark; orders that reduce it are free", () => {
    const { v, bot } = withGrant({ maxPositionNotional: "500" });
    v.do(v.sell("bob", "3", "100"), bot(v.buy("alice", "3", "100")), bot(v.buy("alice", "2", "90")));
    expect(v.try(bot(v.buy("alice", "1", "90")))).toBe("AUTHORIZATION_POSITION_LIMIT");
    expect(v.try(bot(v.sell("alice", "8", "110")))).toBe("applied");
    expect(v.try(bot(v.sell("alice", "1", "110")))).toBe("AUTHORIZATION_POSITION_LIMIT");
    // The owner is bound by nothing.
    v.do(v.buy("alice", "50", "90"));
  });

  test("value of a day's orders, amendments by what they add, reset at midnight", () => {
    const v = open();
    const id = v.authorize("alice", "bot", { maxDailyNotional: "300", expiresAt: 10 * DAY });
    const bot = (step: Step) => v.by("bot", id, step);
    const order = v.place(bot(v.buy("alice", "2", "90")));
    expect(v.try(bot(v.amend("alice", order, { size: "4" })))).toBe("AUTHORIZATION_DAILY_LIMIT");
    v.do(bot(v.amend("alice", order, { size: "3" })), bot(v.cancel("alice", order)));
    expect(v.try(bot(v.buy("alice", "1", "31")))).toBe("PRICE_OUT_OF_BAND");
    expect(v.try(bot(v.buy("alice", "1", "90")))).toBe("AUTHORIZATION_DAILY_LIMIT");
    expect(v.state.authorizations.used[0 as never]).toBe(270_000_000);
    expect(v.runAt(DAY - 1, bot(v.buy("alice", "1", "90"))).outcomes).toEqual(["AUTHORIZATION_DAILY_LIMIT"]);
    expect(v.runAt(DAY, bot(v.buy("alice", "3", "100"))).outcomes).toEqual(["applied"]);
  });

  test("a batch counts its legs one after the other, and an undone one nothing", () => {
    const { v, bot } = withGrant({ maxDailyNotional: "200", maxOpenOrders: "5" });
    const [first] = v.toTransactions([v.buy("alice", "1", "90")]);
    const leg = first!.payload;
    const batch = (mode: number, count: number) =>
      bot(
        v.act("alice", "placeOrders", {
          mode,
          orders: Array.from({ length: count }, () => leg),
        } as Payloads["placeOrders"]),
      );
    const before = v.state.authorizations.used[0 as never];
    const all = v.run(batch(0, 3));
    expect([all.outcomes, v.state.authorizations.used[0 as never]]).toEqual([["AUTHORIZATION_DAILY_LIMIT"], before]);
    expect(v.state.authorizations.openOrders[0 as never]).toBe(0);
    const each = v.run(batch(1, 3));
    expect(each.receipts[0]!.results!.map(({ status }) => status)).toEqual(["resting", "resting", "rejected"]);
    expect(v.state.authorizations.openOrders[0 as never]).toBe(2);
  });
});

describe("a grant is refused", () => {
  test.each([
    ["agent", { agent: addressOf("alice") }],
    ["agent", { agent: `0x${"0".repeat(40)}` }],
    ["scopes", { scopes: "trade withdraw" }],
    ["scopes", { scopes: "owner" }],
    ["scopes", { scopes: "trade  cancel" }],
    ["scopes", { scopes: "trade trade" }],
    ["markets", { markets: "TEST NONE" }],
    ["subaccounts", { subaccounts: "01" }],
    ["subaccounts", { subaccounts: "4294967296" }],
    ["maxOrderNotional", { maxOrderNotional: "1.0000001" }],
    ["maxPositionNotional", { maxPositionNotional: "-1" }],
    ["maxDailyNotional", { maxDailyNotional: "" }],
    ["maxOpenOrders", { maxOpenOrders: "1.5" }],
    ["expiresAt", { expiresAt: 0 }],
    ["expiresAt", { validFrom: 9e12, expiresAt: 9e12 }],
  ] as [string, Terms][])("for its %s: %o", (field, terms) => {
    const v = open();
    const story = v.run(v.grant("alice", "bot", terms));
    expect(story.outcomes).toEqual(["GRANT_INVALID"]);
    expect(story.receipts[0]!.numbers).toEqual({ field });
  });

  test("where genesis has no agents; and no account revokes another's grant", () => {
    const v = open({ genesis: { features: { agents: false } } });
    expect(v.try(v.grant("alice", "bot"))).toBe("FEATURE_DISABLED");
    const { v: w, id } = withGrant();
    expect(w.try(w.revoke("bob", id))).toBe("GRANT_NOT_FOUND");
    expect(w.try(w.revoke("alice", ZERO))).toBe("GRANT_NOT_FOUND");
  });
});

// Goal: grants, lanes, orders under grants and what was used survive both byte forms and a fork.
test("a restored venue and a fork continue as the original", () => {
  const { v, bot } = withGrant({ maxDailyNotional: "1000", maxOpenOrders: "3", markets: "TEST", subaccounts: "0" });
  v.do(bot(v.buy("alice", "1", "90")), bot(v.buy("alice", "1", "91")));
  const copies = [forkState(v.state), readSnapshot(writeSnapshot(v.state))];
  for (const copy of copies) {
    expect(computeRoot(copy)).toBe(computeRoot(v.state));
    const twin = open();
    twin.state = copy;
    const steps = [
      bot(twin.buy("alice", "1", "92")),
      bot(twin.buy("alice", "1", "93")),
      bot(twin.cancelAll("alice", "TEST")),
    ];
    expect(twin.run(...steps).outcomes).toEqual(["applied", "AUTHORIZATION_OPEN_ORDERS", "applied"]);
  }
});

describe("an agent's intent", () => {
  const stop = (v: TestVenue) =>
    v.intent("alice", "stop", { side: "buy", size: "1", trigger: "110", clientIntentId: "mine" });
  const fired = (v: TestVenue) => {
    v.do(v.price("111", { mark: "111" }));
    const failed = v.lastStory!.of("intentFailed").length;
    return failed === 0 ? v.lastStory!.of("intentTriggered").length : -failed;
  };

  test("fires under its grant, whose limits its order meets", () => {
    const { v, bot } = withGrant({ maxDailyNotional: "150" });
    v.do(bot(stop(v)));
    expect(fired(v)).toBe(1);
    expect(v.state.authorizations.used[0 as never]).toBeGreaterThan(0);
  });

  test("fails once the grant has ended or its limit is used up, and is cancelled by a revocation with cancelOrders", () => {
    const { v, id, bot } = withGrant();
    v.do(bot(stop(v)), v.revoke("alice", id));
    expect(fired(v)).toBe(-1);
    const used = withGrant({ maxDailyNotional: "100" });
    used.v.do(used.bot(stop(used.v)));
    expect(fired(used.v)).toBe(-1);
    const gone = withGrant();
    gone.v.do(gone.bot(stop(gone.v)), gone.v.revoke("alice", gone.id, true));
    expect(gone.v.lastStory!.of("intentCancelled")).toHaveLength(1);
    expect(fired(gone.v)).toBe(0);
  });

  test("is cancelled by agents whose grant covers the market and the scope", () => {
    const { v, bot } = withGrant({ markets: "MORE" });
    v.do(stop(v));
    const cancel = v.act("alice", "cancelIntent", { intent: 0, clientIntentId: "mine" } as Payloads["cancelIntent"]);
    expect(v.try(bot(cancel))).toBe("AUTHORIZATION_MARKET");
    const other = v.authorize("alice", "bot", { markets: "TEST", scopes: "cancel" });
    expect(v.try(v.by("bot", other, cancel))).toBe("applied");
  });

  test("that only reduces does not let an entry order in that adds", () => {
    const { v, bot } = withGrant({ scopes: "reduce" });
    const entry = { side: "buy", size: "1", reduceOnly: true, orderType: "limit", price: "90" } as const;
    const group = v.intent("alice", "oto", { ...entry, legs: [{ kind: "stop", trigger: "80" }] });
    expect(v.try(bot(group))).toBe("AUTHORIZATION_SCOPE");
    expect(v.try(group)).toBe("applied");
  });
});
