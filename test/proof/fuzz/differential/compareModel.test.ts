import { expect, test } from "vitest";
import { compareModel } from "../../../../src/proof/fuzz/differential/compareModel.ts";
import { LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import { AccountKey } from "../../../../src/protocol/accountKey.ts";
import { actions } from "../../../../src/protocol/actions/index.ts";
import { decodePayload } from "../../../../src/protocol/codec.ts";
import { completePayload } from "../../../../src/protocol/completePayload.ts";
import { createTransaction } from "../../../../src/protocol/createTransaction.ts";
import { createGenesis } from "../../../../src/protocol/genesis.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

const address = "0x00000000000000000000000000000000000000aa";
const genesis = createGenesis({
  markets: [{ name: "TEST", preset: "minimal", parameters: {} }],
  accounts: [{ address, subaccount: 0, role: "normal", balance: "100" }],
});

function withdraw(amount: string, nonce: number) {
  const payload = decodePayload("withdraw", { amount });
  return createTransaction({ action: "withdraw", account: new AccountKey(address, 0), nonce, payload });
}

test("a venue and a model that applied the same blocks agree", () => {
  const both = new LockStep(genesis, "step");
  const transactions = [withdraw("40", 0), withdraw("61", 1), withdraw("60", 1), withdraw("60", 2)];
  expect(both.apply({ height: 1, timeMs: 1, transactions })).toBeUndefined();
  expect(both.model.state.accounts[0]?.collateral).toBe(0n);
});

test("the first difference is reported in words, with both values", () => {
  const both = new LockStep(genesis);
  both.model.state.accounts[0]!.collateral += 1n;
  const found = both.apply({ height: 1, timeMs: 1, transactions: [] });
  expect(found).toEqual({
    height: 1,
    after: "the block",
    difference: "account 0's collateral: venue 100000000, model 100000001",
    sides: [{ what: "account 0's collateral", venue: "100000000", model: "100000001" }],
  });
  const named = compareModel(both.venue, both.model.state, () => "alice");
  expect(named).toBe("alice's collateral: venue 100000000, model 100000001");
});

test("a receipt that differs is reported with its transaction", () => {
  const both = new LockStep(genesis);
  both.model.state.accounts[0]!.collateral -= 1n;
  const found = both.apply({ height: 1, timeMs: 1, transactions: [withdraw("100", 0)] });
  expect(found).toEqual({
    height: 1,
    after: "transaction 0 (withdraw)",
    index: 0,
    difference: "receipt: venue applied, model rejected INSUFFICIENT_FREE_COLLATERAL",
    sides: [
      { what: "receipt", venue: "applied", model: "rejected INSUFFICIENT_FREE_COLLATERAL" },
      { what: "account 0's collateral", venue: "0", model: "99999999" },
      { what: "total withdrawals", venue: "100000000", model: "0" },
      { what: "outflow of the hour (MRG-5), used", venue: "100000000", model: "0" },
      { what: "outflow of the day (MRG-5), used", venue: "100000000", model: "0" },
    ],
  });
});

test("a venue that the caller drives is compared in the same way, also after a restart", () => {
  const venue = createVenue(genesis);
  const both = new LockStep(genesis, "block", venue);
  const first = { height: 1, timeMs: 1, transactions: [withdraw("40", 0), withdraw("61", 1)] };
  applyBlock(venue, first, both.probe);
  expect(both.check(venue, first)).toBeUndefined();
  const restored = forkState(venue);
  const second = { height: 2, timeMs: 2, transactions: [withdraw("60", 2)] };
  applyBlock(restored, second, both.probe);
  expect(both.check(restored, second)).toBeUndefined();
  expect(both.model.state.accounts[0]?.collateral).toBe(0n);
  restored.accounts.collateral[0 as never] = 1 as never;
  expect(both.check(restored, second)?.difference).toBe("account 0's collateral: venue 1, model 0");
});

test("an error in the model counts as a difference", () => {
  const both = new LockStep(genesis);
  both.model.state.accounts.length = 0;
  both.model.state.markets[0]!.parameters = undefined as never;
  const found = both.apply({ height: 1, timeMs: 1, transactions: [withdraw("1", 0)] });
  expect(found?.difference).toMatch(/^the model failed: TypeError/);
});

// Values outside of tables, each with its own fault.
test.each([
  [
    "hour",
    "outflow of the hour (MRG-5), used: venue 7, model 0",
    (venue: State): unknown => (venue.outflow.windows[0]!.used += 7n),
  ],
  [
    "day",
    "outflow of the day (MRG-5), begin: venue 1, model 0",
    (venue: State): unknown => (venue.outflow.windows[1]!.startMs = 1),
  ],
  [
    "cap",
    "outflow of the day (MRG-5), cap: venue 1, model 50000000",
    (venue: State): unknown => (venue.outflow.windows[1]!.base = 2n),
  ],
  [
    "deficit",
    "deficits of the block (MRG-5): venue 9, model 0",
    (venue: State): unknown => venue.outflow.addUncovered(1, 9),
  ],
  [
    "cover",
    "paid by the fund (LIQ-4), of the block: venue 5, model 0",
    (venue: State): unknown => venue.insured.add(0, 1, 0 as never, 0, 5 as never),
  ],
  [
    "payment of nothing",
    "paid by the fund (LIQ-4), accounts that were paid: venue 1, model 0",
    (venue: State): unknown => venue.insured.add(0, 1, 0 as never, 0, 0 as never),
  ],
] as const)("withdrawal limits and fund payments are compared: %s", (_name, emitted, change) => {
  const gated = createGenesis({
    accounts: [{ address, subaccount: 0, role: "normal", balance: "100" }],
    outflow: { hourly: { amount: "50" }, daily: { share: "0.5" }, deficitThreshold: "1", deficitBlocks: 3 },
  });
  const both = new LockStep(gated);
  expect(both.apply({ height: 1, timeMs: 1, transactions: [] })).toBeUndefined();
  change(both.venue);
  expect(compareModel(both.venue, both.model.state)).toBe(emitted);
});

test("the numbers of a result are compared if the model has them", () => {
  const both = new LockStep(genesis);
  const payload = decodePayload("cancelOrders", { orderIds: ["7", "9"], clientOrderIds: ["bid"] });
  const block = {
    height: 1,
    timeMs: 1,
    transactions: [
      createTransaction({ action: "cancelOrders", account: new AccountKey(address, 0), nonce: 0, payload }),
    ],
  };
  applyBlock(both.venue, block, {
    ...both.probe,
    afterTransaction(state, index) {
      const results = state.receipts.results.get(index)!;
      expect(results.map(({ numbers }) => numbers)).toEqual([{ orderId: 7 }, { orderId: 9 }, { clientOrderId: "bid" }]);
      state.receipts.results.set(
        index,
        results.map((result, place) => (place === 1 ? { ...result, numbers: { orderId: 8 } } : result)),
      );
      both.probe.afterTransaction(state, index);
    },
  });
  expect(both.check(both.venue, block)?.difference).toBe("receipt, orderId (ACT-2), result 2: venue 8, model 9");
});

test("the numbers of a rejection are compared if the model has them", () => {
  const both = new LockStep(genesis);
  both.model.state.accounts[0]!.collateral -= 1n;
  const found = both.apply({ height: 1, timeMs: 1, transactions: [withdraw("101", 0)] });
  expect(found?.difference).toBe("receipt, free (ACT-2): venue 100000000, model 99999999");
});

test("a group that is rejected for its entry has the entry's numbers", () => {
  const both = new LockStep(
    createGenesis({
      markets: [
        { name: "TEST", preset: "minimal", parameters: { tickSize: "0.001", lotSize: "0.001", maxSize: "1000000" } },
      ],
      accounts: [{ address, subaccount: 0, role: "normal", balance: "100" }],
    }),
  );
  const { oracle } = both.venue.genesis.authorities;
  const priced = createTransaction({
    action: "oracleUpdate",
    account: new AccountKey(oracle, 0),
    nonce: 0,
    payload: decodePayload(
      "oracleUpdate",
      completePayload(actions.oracleUpdate.fields, { market: "TEST", price: "1000" }),
    ),
  });
  expect(both.apply({ height: 1, timeMs: 1, transactions: [priced] })).toBeUndefined();
  const leg = (kind: string) => ({ kind, trigger: "2000000", price: "80000000" });
  const group = {
    kind: "otoco",
    market: "TEST",
    side: "buy",
    price: "1000000",
    legs: [leg("takeProfit"), leg("stop")],
  };
  const payload = decodePayload("placeIntent", completePayload(actions.placeIntent.fields, { ...group, size: "9000" }));
  const placed = createTransaction({ action: "placeIntent", account: new AccountKey(address, 0), nonce: 0, payload });
  expect(both.apply({ height: 2, timeMs: 2, transactions: [placed] })).toBeUndefined();
  const numbers = both.venue.receipts.numbers.get(0);
  expect([both.venue.receipts.code(0), numbers]).toEqual([
    "NUMERIC_LIMIT",
    { value: 9_000_000_000_000_000, limit: 2.25e15 },
  ]);
});

test("without an oracle price the band is around the index alone, in venue and model (ORD-5)", () => {
  const both = new LockStep(
    createGenesis({
      markets: [{ name: "TEST", preset: "minimal", parameters: { markMethod: "reported" } }],
      accounts: [
        { address, subaccount: 0, role: "normal", balance: "1000" },
        { address, subaccount: 1, role: "normal", balance: "1000" },
      ],
    }),
  );
  const { oracle } = both.venue.genesis.authorities;
  const send = <Name extends "oracleUpdate" | "placeOrder">(
    action: Name,
    account: AccountKey,
    nonce: number,
    given: object,
  ) =>
    createTransaction({
      ...{ action, account, nonce },
      payload: decodePayload(action, completePayload(actions[action].fields, given)) as never,
    });
  const mark = (price: string, nonce: number) =>
    send("oracleUpdate", new AccountKey(oracle, 0), nonce, { market: "TEST", mark: price });
  const order = (subaccount: number, side: string, price: string) =>
    send("placeOrder", new AccountKey(address, subaccount), 0, { market: "TEST", side, size: "1", price });
  expect(both.apply({ height: 1, timeMs: 1, transactions: [mark("1", 0), order(0, "sell", "1")] })).toBeUndefined();
  expect(both.apply({ height: 2, timeMs: 2, transactions: [mark("100", 1), order(1, "buy", "100")] })).toBeUndefined();
  expect(both.venue.books[0]!.bestAsk).toBe(0);
});

test("a liquidation record that the venue lacks is reported", () => {
  const both = new LockStep(genesis);
  both.model.state.accounts[0]!.record = 65_536;
  const found = both.apply({ height: 1, timeMs: 1, transactions: [] });
  const emitted = "liquidationStage 1 (EVT-3): venue none, model liquidation 65536 account 0 stage completed";
  expect(found?.difference).toContain(emitted);
});
