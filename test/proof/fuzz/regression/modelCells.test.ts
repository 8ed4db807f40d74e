import { expect, test } from "vitest";
import { LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import { cellOfReceipt, cellsOfEvents, cellsOfState } from "../../../../src/proof/fuzz/regression/modelCells.ts";
import type { EmittedEvent } from "../../../../src/proof/model/emitted.ts";
import { AccountKey } from "../../../../src/protocol/accountKey.ts";
import type { ActionName } from "../../../../src/protocol/actions/index.ts";
import { actions } from "../../../../src/protocol/actions/index.ts";
import { decodePayload } from "../../../../src/protocol/codec.ts";
import { completePayload } from "../../../../src/protocol/completePayload.ts";
import { createTransaction } from "../../../../src/protocol/createTransaction.ts";
import { CANCEL_CAUSES, type VenueEvent } from "../../../../src/protocol/events.ts";
import { createGenesis, DEVELOPMENT_AUTHORITIES } from "../../../../src/protocol/genesis.ts";
import type { Block } from "../../../../src/protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../../src/venue/engine/applyBlock.ts";
import { readEvents } from "../../../../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { addressOfName, Names } from "../../../../src/venue/simulation/accountNames.ts";

const names = new Names();
for (const name of ["alice", "bob"]) names.declare(name);

function sign(name: string, action: ActionName, nonce: number, json: object) {
  const address = action === "oracleUpdate" ? DEVELOPMENT_AUTHORITIES.oracle : addressOfName(name);
  const payload = decodePayload(action, completePayload(actions[action].fields, json) as never) as never;
  return createTransaction({ action, account: new AccountKey(address, 0), nonce, payload });
}

/** A trade, an order that rests, and a rejected withdrawal, on a venue and a model. */
function trade(): { state: State; both: LockStep; block: Block; result: BlockResult; events: VenueEvent[] } {
  const order = { market: "TEST", price: "100", size: "2" };
  const block: Block = {
    height: 1,
    timeMs: 1000,
    transactions: [
      sign("", "oracleUpdate", 0, { market: "TEST", price: "100" }),
      sign("alice", "placeOrder", 0, { ...order, side: "buy" }),
      sign("bob", "placeOrder", 0, { ...order, side: "sell", size: "1" }),
      sign("bob", "withdraw", 0, { amount: "5000" }),
    ],
  };
  const genesis = createGenesis({
    markets: [{ name: "TEST", preset: "minimal", parameters: {} }],
    accounts: ["alice", "bob"].map((name) => ({
      address: addressOfName(name),
      subaccount: 0,
      role: "normal",
      balance: "1000",
    })),
  });
  const state = createVenue(genesis);
  const both = new LockStep(genesis, "block", state);
  const result = applyBlock(state, block, both.probe);
  expect(both.check(state, block)).toBeUndefined();
  return { state, both, block, result, events: readEvents(result.events, result.from, result.to) };
}

test("nothing is expected if venue and model agree", () => {
  const { state, both, block, result, events } = trade();
  const { model, receipts } = both;
  expect(cellsOfState(state, model.state, names)).toEqual({});
  expect(cellsOfEvents(state, events, model.state.emitted, names, result.texts, () => 0)).toEqual({});
  for (const [index, receipt] of receipts)
    expect(cellOfReceipt(state, block.transactions[index]!, result.receipts.at(index), receipt)).toBeUndefined();
});

test("values that differ are expected as in the model, in traders' units", () => {
  const { state, both } = trade();
  const [alice, bob] = [0 as never, 1 as never];
  state.accounts.collateral[bob]!--;
  state.positions.signedLots[alice]!++;
  state.positions.cost[alice]!++;
  state.markets.mark[0 as never]!++;
  state.markets.dust[0 as never]!++;
  state.totals.add(0, 5 as never);
  expect(cellsOfState(state, both.model.state, names)).toEqual({
    accounts: { bob: { collateral: "1000" } },
    positions: { alice: { TEST: { size: "1", cost: "100" } } },
    prices: { TEST: { mark: "100" } },
    markets: { TEST: { dust: "0" } },
    venue: { insurance: "0" },
  });
});

test("events that differ or are missing are expected as the model emits them", () => {
  const { state, both, result, events } = trade();
  const { emitted } = both.model.state;
  const cellsWith = (venue: readonly VenueEvent[], model = emitted) =>
    cellsOfEvents(state, venue, model, names, result.texts, () => 0);
  const wrong = events.map((event) => (event.kind === "fill" ? { ...event, price: event.price + 1 } : event));
  expect(cellsWith(wrong)).toMatchObject({
    fill: [{ market: "TEST", price: "100", size: "1", value: "100", takerSide: "sell", makerAccount: "alice" }],
  });
  const silent = events.filter(({ kind }) => kind !== "orderOpened");
  expect(cellsWith(silent)).toMatchObject({ orderOpened: [{ account: "alice", side: "buy", price: "100" }] });
  const without = emitted.filter(({ kind }) => kind !== "fill");
  expect(cellsWith(events, without)).toEqual({ fill: "none" });
});

test("events of kinds without a prescribed order are expected in the venue's order", () => {
  const { state, result } = trade();
  const cancel = (order: number, cause: number) =>
    ({ kind: "orderCancelled", order, account: 0, market: 0, remaining: 1, cause }) as VenueEvent;
  const emitted = (order: bigint, cause: string) => ({ kind: "orderCancelled" as const, fields: { order, cause } });
  const cellsWith = (venue: readonly VenueEvent[], model: readonly EmittedEvent[]) =>
    cellsOfEvents(state, venue, model, names, result.texts, () => 0);
  const [expired, scheduled] = [CANCEL_CAUSES.indexOf("expired"), CANCEL_CAUSES.indexOf("scheduled")];
  expect(
    cellsWith([cancel(9, expired), cancel(8, scheduled)], [emitted(8n, "scheduled"), emitted(9n, "expired")]),
    "the same events in another order",
  ).toEqual({});
  expect(
    cellsWith(
      [cancel(9, scheduled), cancel(8, scheduled)],
      [emitted(7n, "owner"), emitted(8n, "scheduled"), emitted(9n, "expired")],
    ),
  ).toEqual({
    orderCancelled: [
      { order: "9", cause: "expired" },
      { order: "8", cause: "scheduled" },
      { order: "7", cause: "owner" },
    ],
  });
});

test("an outcome contains its code, and its results or numbers only if these differ", () => {
  const { state, both, block, result } = trade();
  const cellOf = (index: number, change: object) =>
    cellOfReceipt(state, block.transactions[index]!, result.receipts.at(index), {
      ...both.receipts.get(index)!,
      ...change,
    });
  expect(cellOf(3, { code: "WITHDRAWALS_PAUSED" })).toBe("rejected WITHDRAWALS_PAUSED");
  expect(cellOf(3, { numbers: { amount: 5_000_000_000n, free: 7n } })).toEqual({
    rejected: "INSUFFICIENT_FREE_COLLATERAL",
    amount: "5000",
    free: "0.000007",
  });
  expect(cellOf(2, { results: [{ orderId: 192, status: "rejected", code: "OFF_LOT" }] })).toEqual({
    applied: ["rejected OFF_LOT"],
  });
  // A number that is not storable is reported as the bound.
  expect(cellOf(3, { numbers: { free: 2n ** 60n } })).toBeUndefined();
});
