/** What the operator of a devnet may do beyond every rule, and what still holds then. */
import { describe, expect, test } from "vitest";
import { LIMIT } from "../../../src/ground/math/fixed.ts";
import { isEngineError } from "../../../src/protocol/engineError.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import type { Step } from "../../helpers/venue/traderSteps.ts";
import { TestVenue, type VenueOptions } from "../../helpers/venue.ts";

const open = (options: VenueOptions = {}) =>
  new TestVenue({
    accounts: { alice: "1000", bob: "1000" },
    prices: { TEST: "100" },
    genesis: { features: { devnet: true } },
    ...options,
  });

const numbersOf = (v: TestVenue, step: Step) => v.run(step).receipts[0]!.numbers;

describe("collateral is set", () => {
  test("up and down and for a new account, and counts as an inflow or outflow", () => {
    const v = open();
    v.do(v.setCollateral("alice", "1500.000001"), v.setCollateral("bob", "0"), v.setCollateral("carol/7", "5"));
    expect([v.usd("alice"), v.usd("bob"), v.usd("carol/7")]).toEqual(["1500.000001", "0", "5"]);
    expect([v.total("inflows"), v.total("withdrawals")]).toEqual([2_505_000_001n, 1_000_000_000n]);
  });

  test("even if a position needs it; the risk pass of the block then liquidates", () => {
    const v = open();
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    expect(v.do(v.setCollateral("alice", "50")).of("liquidationStarted")).toHaveLength(0);
    expect(v.do(v.setCollateral("alice", "49.999999")).of("liquidationStarted")).toHaveLength(1);
  });

  test("up to what an account may hold", () => {
    const v = open();
    const most = LIMIT / 4 / 1e6;
    expect(numbersOf(v, v.setCollateral("alice", `${most}.000001`))).toEqual({
      amount: LIMIT / 4 + 1,
      limit: LIMIT / 4,
    });
    v.do(v.setCollateral("alice", String(most)));
    expect(v.usd("alice")).toBe(String(most));
  });
});

describe("a price is set", () => {
  test.each(["reported", "oracle", "median"])("at once and beyond the clamp, where marks are %s", (markMethod) => {
    const v = open({ markets: { TEST: { markMethod } } });
    v.do(v.setPrice("61"));
    expect([v.mark(), v.index(), v.state.markets.oracle[v.marketRow()]]).toEqual([61e8, 61e8, 61e8]);
    v.run();
    expect([v.mark(), v.index()]).toEqual([61e8, 61e8]);
  });

  test("and accounts below maintenance margin are liquidated in the same block", () => {
    const v = open();
    v.do(v.sell("bob", "100", "100"), v.buy("alice", "100", "100"));
    expect(v.do(v.setPrice("94")).of("liquidationStarted")).toHaveLength(1);
  });
});

describe("an action of another account", () => {
  test("is carried out under the next nonce of its lane, and answers the receipt", () => {
    const v = open();
    v.do(v.buy("alice", "1", "90"));
    const [receipt] = v.do(v.impersonate(v.buy("alice", "2", "91"))).receipts;
    expect(receipt!.results).toMatchObject([{ status: "resting" }]);
    expect(v.book()).toEqual(["buy 2@91 alice", "buy 1@90 alice"]);
    expect(v.state.accounts.nonceTrading[v.row("alice")]).toBe(2);
    v.do(v.cancel("alice", receipt!.results![0]!.orderId!));
  });

  test("takes the nonce after the highest used one where lanes have a window", () => {
    const v = open({ genesis: { features: { devnet: true }, nonces: { trading: "window:4" } } });
    v.do({ ...v.buy("alice", "1", "90"), header: { nonce: 3 } }, v.impersonate(v.buy("alice", "1", "91")));
    expect(v.state.accounts.nonceTrading[v.row("alice")]).toBe(5);
    v.do({ ...v.buy("alice", "1", "92"), header: { nonce: 1 } });
  });

  test("is among the users', in any place, with its own and others' nonces in order", () => {
    const v = open();
    v.do(v.sell("bob", "1", "100"), v.impersonate(v.buy("alice", "1", "100")), v.sell("bob", "1", "101"));
    expect([v.lots("alice"), v.lots("bob")]).toEqual([1, -1]);
    const after = v.toTransactions([v.impersonate(v.buy("alice", "1", "90")), v.setCollateral("alice", "5")]);
    try {
      applyBlock(v.state, { height: v.state.height + 1, timeMs: v.state.timeMs + 1, transactions: after });
      expect.unreachable();
    } catch (error) {
      expect(isEngineError(error, "INVALID_BLOCK")).toBe(true);
    }
  });

  test("is refused as it would be, with its numbers, and uses both nonces", () => {
    const v = open();
    const { operator } = { operator: v.state.authorityNonces[2]! };
    const [receipt] = v.run(v.impersonate(v.withdraw("alice", "1000.000001"))).receipts;
    expect(receipt).toMatchObject({
      status: "rejected",
      code: "INSUFFICIENT_FREE_COLLATERAL",
      numbers: { amount: 1_000_000_001, free: 1_000_000_000 },
    });
    expect([v.state.accounts.nonceFunds[v.row("alice")], v.state.authorityNonces[2]]).toEqual([1, operator + 1]);
  });

  test("is malformed in every way without an error, and the account's nonce stays", () => {
    const v = open();
    const cancel = v.cancelAll("alice");
    for (const [text, path, fault] of [
      ["", "payload", "syntax"],
      ["{", "payload", "syntax"],
      ['{"market":"","market":"","intents":true}', "market", "duplicateKey"],
      ['{"market":"","intents":true} 1', "payload", "syntax"],
      ['{"market":""}', "payload.intents", "missingField"],
      ['{"market":"","intents":true,"more":1}', "payload.more", "unknownField"],
      ['{"market":"","intents":"yes"}', "payload.intents", "wrongType"],
      ['{"market":"\u00e9","intents":true}', "payload", "malformed"],
      [`{"market":"${" ".repeat(65_536)}"}`, "payload", "tooLarge"],
    ] as const) {
      expect(numbersOf(v, v.impersonate(cancel, text))).toEqual({ path, fault });
    }
    const unknown = { ...v.impersonate(cancel) };
    const named = (action: string): Step => ({ ...unknown, payload: { ...unknown.payload, action } as never });
    for (const action of ["fly", "toString", "fundInsurance", "devnetImpersonate", "devnetSet"]) {
      expect(numbersOf(v, named(action))).toEqual({ path: "action", fault: "unknownWord" });
    }
    expect(numbersOf(v, v.impersonate(v.cancelAll("zoe")))).toEqual({ path: "account", fault: "unknownAccount" });
    expect(v.state.accounts.nonceRisk[v.row("alice")]).toBe(0);
  });

  test("may be a batch, a grant, an intent", () => {
    const v = open();
    v.do(v.impersonate(v.batch("alice", "all", v.buy("", "1", "90"), v.buy("", "1", "91"))));
    v.do(v.impersonate(v.intent("alice", "stop", { size: "1", trigger: "80" })));
    v.do(v.impersonate(v.grant("alice", "bot")));
    expect([v.book().length, v.state.intents.rows.count, v.state.authorizations.rows.count]).toEqual([2, 1, 1]);
  });
});
