import { describe, expect, test } from "vitest";
import { NONE } from "../../../src/collections/table.ts";
import { computeCostToFill } from "../../../src/engine/formulas/costToFill.ts";
import { readMarket } from "../../../src/engine/formulas/market.ts";
import * as engine from "../../../src/engine/index.ts";
import type { AccountRow } from "../../../src/engine/state/schema.ts";
import { AccountKey, addressOfWords } from "../../../src/protocol/accountKey.ts";
import { viewBalance } from "../../../src/service/views/balances.ts";
import { viewSide } from "../../../src/service/views/book.ts";
import { listOpenPositions, viewPosition } from "../../../src/service/views/positions.ts";
import { createVenueDriver } from "../../../src/simulation/driver/venueDriver.ts";
import { hostOfFlow } from "../../service/helpers/flowHost.ts";

const NOBODY = { address: `0x${"99".repeat(20)}` } as const;

describe("a venue with orders and positions of all kinds reads as the service shows it", () => {
  const { state } = hostOfFlow(7, 250).host;

  test("positions and accounts", () => {
    let open = 0;
    for (let row = 0; row < state.accounts.rows.high; row++) {
      const account = row as AccountRow;
      const owner = state.accounts.owner[account]!;
      const { w0, w1, w2, w3, w4 } = state.owners;
      const address = addressOfWords(w0[owner]!, w1[owner]!, w2[owner]!, w3[owner]!, w4[owner]!);
      const name = new AccountKey(address, state.accounts.subaccount[account]! >>> 0);
      const positions = listOpenPositions(state, account).map((at) => viewPosition(state, at));
      const read = engine.listPositions(state, name);
      expect(positions).toMatchObject(read);
      expect(read).toHaveLength(positions.length);
      for (const position of read) expect(engine.getPosition(state, name, position.market)).toEqual(position);
      open += positions.length;
      const { collateral, role } = viewBalance(state, account, true);
      expect(engine.getAccount(state, name)).toMatchObject({ collateral, role, address, subaccount: name.subaccount });
    }
    expect(open).toBeGreaterThan(3);
  });

  test("orders by account and by id, and books", () => {
    const ids: string[] = [];
    for (let row = 0; row < state.accounts.rows.high; row++) {
      const account = row as AccountRow;
      const owner = state.accounts.owner[account]!;
      const { w0, w1, w2, w3, w4 } = state.owners;
      const address = addressOfWords(w0[owner]!, w1[owner]!, w2[owner]!, w3[owner]!, w4[owner]!);
      const name = { address, subaccount: state.accounts.subaccount[account]! >>> 0 };
      const orders = engine.listOrders(state, name);
      for (const order of orders) {
        expect(order).toMatchObject(name);
        expect(engine.getOrder(state, order.orderId)).toEqual(order);
        expect(engine.listOrders(state, name, order.market)).toContainEqual(order);
      }
      ids.push(...orders.map(({ orderId }) => orderId));
    }
    expect(new Set(ids).size).toBe(state.orderIndex.count);
    expect(ids.length).toBeGreaterThan(3);
    for (const [market, row] of state.marketRows) {
      const book = engine.getBook(state, market)!;
      const pairs = (side: "bids" | "asks") => viewSide(state, row, side, 1_000).map(([price, size]) => [price, size]);
      expect(book).toEqual({ market, bids: pairs("bids"), asks: pairs("asks") });
      expect(engine.getBook(state, market, 1)!.bids).toEqual(book.bids.slice(0, 1));
    }
  });

  test("markets, in the order of their creation", () => {
    expect(engine.listMarkets(state).map(({ market }) => market)).toEqual(state.marketNames);
    for (const view of engine.listMarkets(state)) expect(engine.getMarket(state, view.market)).toEqual(view);
  });
});

test("what there is not is undefined, or an empty list", () => {
  const { state } = createVenueDriver({ markets: { TEST: { preset: "minimal" } } });
  expect(engine.getAccount(state, NOBODY)).toBeUndefined();
  expect(engine.getPosition(state, NOBODY, "TEST")).toBeUndefined();
  expect(engine.listPositions(state, NOBODY)).toEqual([]);
  expect(engine.listOrders(state, NOBODY)).toEqual([]);
  expect(engine.getOrder(state, "64")).toBeUndefined();
  expect(engine.getOrder(state, NONE)).toBeUndefined();
  expect(engine.getBook(state, "OTHER")).toBeUndefined();
  expect(engine.getMarket(state, "OTHER")).toBeUndefined();
  expect(engine.getMarket(state, "TEST")).toMatchObject({ status: "active", mark: null, last: null, bestBid: null });
});

test("a book's levels are what the formulas take", () => {
  const venue = createVenueDriver({ markets: { TEST: { preset: "minimal" } }, accounts: { alice: "1000" } });
  venue.setPrice("100");
  venue.account("alice").placeOrder({ side: "sell", size: "1", price: "100" });
  venue.account("alice").placeOrder({ side: "sell", size: "2", price: "101" });
  venue.block();
  const { asks } = venue.getBook()!;
  expect(asks).toEqual([
    ["100", "1"],
    ["101", "2"],
  ]);
  expect(computeCostToFill(readMarket({}, "minimal"), "buy", "2", asks)).toMatchObject({ worstPrice: "101" });
});
