import { describe, expect, test } from "vitest";
import { NONE } from "../../../src/ground/collections/table.ts";
import type { Amount } from "../../../src/ground/math/fixed.ts";
import type { Address } from "../../../src/protocol/fields.ts";
import { viewBalance } from "../../../src/server/face/views/balances.ts";
import { viewSide } from "../../../src/server/face/views/book.ts";
import { listOpenPositions, viewPosition } from "../../../src/server/face/views/positions.ts";
import type { AccountRow } from "../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { computeCostToFill } from "../../../src/venue/formulas/costToFill.ts";
import { readMarket } from "../../../src/venue/formulas/market.ts";
import * as engine from "../../../src/venue/index.ts";
import { addressOf, subaccountOf } from "../../../src/venue/reads/rows.ts";
import { createVenueDriver } from "../../../src/venue/simulation/driver/venueDriver.ts";
import { hostOfFlow } from "../../server/helpers/flowHost.ts";

const STRANGER = { address: `0x${"99".repeat(20)}` } as const;

function accountsOf(state: State): AccountRow[] {
  return Array.from({ length: state.accounts.rows.high }, (_, row) => row as AccountRow);
}

function nameOf(state: State, account: AccountRow): { address: Address; subaccount: number } {
  return { address: addressOf(state, account), subaccount: subaccountOf(state, account) };
}

describe("a venue with orders and positions of all kinds reads as the service shows it", () => {
  const states = [7, 8, 9].map((seed) => hostOfFlow(seed, 150).host.state);

  test("positions and accounts", () => {
    let open = 0;
    for (const state of states) {
      for (const account of accountsOf(state)) {
        const name = nameOf(state, account);
        const positions = listOpenPositions(state, account).map((at) => viewPosition(state, at));
        const read = engine.listPositions(state, name);
        expect(positions).toMatchObject(read);
        expect(read).toHaveLength(positions.length);
        for (const position of read) expect(engine.getPosition(state, name, position.market)).toEqual(position);
        open += positions.length;
        const { collateral, role } = viewBalance(state, account, true);
        expect(engine.getAccount(state, name)).toMatchObject({ ...name, collateral, role });
      }
    }
    expect(open).toBeGreaterThan(3);
  });

  test("orders by account and by id, and books", () => {
    let resting = 0;
    for (const state of states) {
      const ids: string[] = [];
      for (const account of accountsOf(state)) {
        const name = nameOf(state, account);
        const orders = engine.listOrders(state, name);
        for (const order of orders) {
          expect(order).toMatchObject(name);
          expect(engine.getOrder(state, order.orderId)).toEqual(order);
          expect(engine.listOrders(state, name, order.market)).toContainEqual(order);
        }
        ids.push(...orders.map(({ orderId }) => orderId));
      }
      expect(new Set(ids).size).toBe(state.orderIndex.count);
      resting += ids.length;
      for (const [market, row] of state.marketRows) {
        const book = engine.getBook(state, market)!;
        const pairs = (side: "bids" | "asks") =>
          viewSide(state, row, side, 1_000).map(([price, size]) => [price, size]);
        expect(book).toEqual({ market, bids: pairs("bids"), asks: pairs("asks") });
        expect(engine.getBook(state, market, 1)!.bids).toEqual(book.bids.slice(0, 1));
      }
    }
    expect(resting).toBeGreaterThan(3);
  });

  test("markets, in the order of their creation", () => {
    for (const state of states) {
      expect(engine.listMarkets(state).map(({ market }) => market)).toEqual(state.marketNames);
      for (const view of engine.listMarkets(state)) expect(engine.getMarket(state, view.market)).toEqual(view);
    }
  });
});

test("an unknown item is undefined, and an unknown list is empty", () => {
  const { state } = createVenueDriver({ markets: { TEST: { preset: "minimal" } } });
  expect(engine.getAccount(state, STRANGER)).toBeUndefined();
  expect(engine.getPosition(state, STRANGER, "TEST")).toBeUndefined();
  expect(engine.listPositions(state, STRANGER)).toEqual([]);
  expect(engine.listOrders(state, STRANGER)).toEqual([]);
  expect(engine.getOrder(state, "64")).toBeUndefined();
  expect(engine.getOrder(state, NONE)).toBeUndefined();
  expect(engine.getBook(state, "OTHER")).toBeUndefined();
  expect(engine.getMarket(state, "OTHER")).toBeUndefined();
  expect(engine.getMarket(state, "TEST")).toMatchObject({ status: "active", mark: null, last: null, bestBid: null });
});

test("an account is liquidatable from the mark on at which its equity is below maintenance margin", () => {
  const venue = createVenueDriver({
    markets: { TEST: { preset: "minimal", markMethod: "reported" } },
    accounts: { alice: "1000", bob: "100000" },
  });
  venue.setPrice("100");
  venue.updateMarket({ parameters: [{ name: "pauseLiquidate", value: "on" }] });
  venue.account("bob").placeOrder({ side: "sell", size: "90", price: "100" });
  venue.account("alice").placeOrder({ side: "buy", size: "90", price: "100" });
  venue.block();
  const seen = ["93.567252", "93.567251"].map((price) => {
    venue.setPrice(price);
    venue.block();
    const { equity, maintenanceMargin, isLiquidatable } = venue.getAccount("alice")!;
    expect(isLiquidatable).toBe(Number(equity) < Number(maintenanceMargin));
    return isLiquidatable;
  });
  expect(seen).toEqual([false, true]);
  expect(venue.getAccount("bob")).toMatchObject({ isLiquidatable: false });
});

// Goal: an account that owes and holds nothing has no position that could be liquidated (LIQ).
test("an account without a position is not liquidatable, although it is in debt", () => {
  const { state } = createVenueDriver({ markets: { TEST: { preset: "minimal" } }, accounts: { alice: "1000" } });
  const alice = accountsOf(state).find((account) => state.accounts.collateral[account] === 1_000_000_000)!;
  state.accounts.collateral[alice] = -1 as Amount;
  const account = engine.getAccount(state, nameOf(state, alice));
  expect(account).toMatchObject({ equity: "-0.000001", maintenanceMargin: "0", isLiquidatable: false });
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
