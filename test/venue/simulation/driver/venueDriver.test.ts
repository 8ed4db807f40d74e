import { describe, expect, test } from "vitest";
import { foldEvents, startFold } from "../../../../src/proof/invariants/machinery/fold/foldEvents.ts";
import type { FoldedVenue } from "../../../../src/proof/invariants/machinery/fold/folded.ts";
import { Watch } from "../../../../src/proof/invariants/machinery/watching/watch.ts";
import { ACTION_NAMES, actions } from "../../../../src/protocol/actions/index.ts";
import { encodePayload } from "../../../../src/protocol/codec.ts";
import { formatHex } from "../../../../src/protocol/codecHex.ts";
import { createPayload } from "../../../../src/protocol/createPayload.ts";
import { isValidationError } from "../../../../src/protocol/errors.ts";
import { createDigester } from "../../../../src/protocol/typedDataDigest.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { type DriverErrorCode, isDriverError } from "../../../../src/venue/simulation/driver/errors.ts";
import { createVenueDriver, type VenueDriver } from "../../../../src/venue/simulation/driver/venueDriver.ts";
import type { Observer } from "../../../../src/venue/simulation/observer.ts";
import { signingDomainOf } from "../../../../src/venue/simulation/signatures.ts";

function createTwo(observers: readonly Observer[] = []): VenueDriver {
  return createVenueDriver({
    markets: { "BTC-PERP": { preset: "minimal" } },
    accounts: { alice: "10000", bob: "10000" },
    observers,
  });
}

function codeOf(make: () => unknown): DriverErrorCode | undefined {
  try {
    make();
  } catch (error) {
    if (!isDriverError(error)) throw error;
    return error.code;
  }
  return undefined;
}

test("a first trade: receipts, events and reads as plain objects", () => {
  const venue = createTwo();
  const [alice, bob] = [venue.account("alice"), venue.account("bob")];
  const price = venue.setPrice("60000");
  const ask = alice.placeOrder({ side: "sell", size: "0.5", price: "60000" });
  const bid = bob.placeOrder({ side: "buy", size: "0.75", price: "60000" });
  const { height, timeMs, receipts, events } = venue.block();
  expect([height, timeMs]).toEqual([1, 1000]);
  expect(receipts).toEqual([price.receipt, ask.receipt, bid.receipt]);
  expect(receipts.map(({ account, action, status }) => `${account} ${action} ${status}`)).toEqual([
    "oracle oracleUpdate applied",
    "alice placeOrder applied",
    "bob placeOrder applied",
  ]);
  expect(ask.receipt.results).toEqual([
    { orderId: ask.orderId, status: "resting", filled: "0", code: null, numbers: null },
  ]);
  expect(bid.receipt.results).toEqual([
    { orderId: bid.orderId, status: "resting", filled: "0.5", code: null, numbers: null },
  ]);
  expect(events.find(({ kind }) => kind === "fill")).toMatchObject({
    market: "BTC-PERP",
    price: "60000",
    size: "0.5",
    value: "30000",
    makerOrder: ask.orderId,
    makerAccount: "alice",
    takerOrder: bid.orderId,
    takerAccount: "bob",
  });
  expect(venue.getPosition("bob")).toMatchObject({ side: "long", size: "0.5", cost: "30000", initialMargin: "3000" });
  expect(venue.listPositions("alice")).toMatchObject([{ side: "short", size: "-0.5" }]);
  expect(venue.getOrder(bid.orderId)).toMatchObject({ side: "buy", price: "60000", filled: "0.5", remaining: "0.25" });
  expect(venue.getBook()).toEqual({ market: "BTC-PERP", bids: [["60000", "0.25"]], asks: [] });
  expect(venue.getAccount("alice")).toMatchObject({ equity: "10000", notional: "30000", isLiquidatable: false });
});

describe("nonces", () => {
  test("count by account, signer and domain, also where one was rejected or used none", () => {
    const venue = createTwo();
    const alice = venue.account("alice");
    venue.setPrice("60000");
    venue.block();
    alice.placeOrder({ side: "buy", size: "0.1", price: "50000" });
    alice.placeOrder({ side: "buy", size: "100", price: "50000" });
    alice.withdraw({ amount: "100" });
    alice.cancelAll({}, { validFrom: 9 });
    alice.placeOrder({ side: "buy", size: "0.1", price: "50100" });
    alice.closePosition({});
    const { receipts } = venue.block();
    expect(receipts.map(({ status, code }) => code ?? status)).toEqual([
      "applied",
      "INSUFFICIENT_MARGIN",
      "applied",
      "NOT_YET_VALID",
      "applied",
      "POSITION_NOT_FOUND",
    ]);
    expect(receipts[1]!.numbers).toMatchObject({ required: expect.any(String) });
  });

  test("of an agent, of a subaccount and of what an operator carries", () => {
    const venue = createVenueDriver({
      markets: { TEST: { preset: "minimal" } },
      accounts: { alice: "1000", "alice/1": "1000" },
      genesis: { features: { devnet: true } },
    });
    const [alice, sub] = [venue.account("alice"), venue.account("alice/1")];
    venue.setPrice("100");
    const grant = alice.grantAuthorization({
      agent: "robot",
      scopes: "trade",
      markets: "*",
      subaccounts: "*",
      maxOrderNotional: "*",
      maxPositionNotional: "*",
      maxDailyNotional: "*",
      maxOpenOrders: "*",
      expiresAt: 100_000,
    });
    venue.block();
    expect(grant.receipt).toMatchObject({ status: "applied", txId: grant.txId });
    const json = JSON.stringify(encodePayload("cancelAll", createPayload("cancelAll", {})));
    const carried = formatHex(new TextEncoder().encode(json));
    const by = { agent: "robot", authorization: grant.txId };
    alice.placeOrder({ side: "buy", size: "1", price: "90" }, by);
    alice.placeOrder({ side: "buy", size: "1", price: "91" }, by);
    alice.placeOrder({ side: "buy", size: "1", price: "92" });
    sub.placeOrder({ side: "buy", size: "1", price: "93" });
    venue.devnetImpersonate({ account: "alice/1", action: "cancelAll", payload: carried });
    sub.placeOrder({ side: "buy", size: "1", price: "94" });
    const { receipts } = venue.block();
    expect(receipts.map(({ status, code, numbers }) => [code ?? status, numbers])).toEqual(
      Array(6).fill(["applied", null]),
    );
    expect(venue.listOrders("alice").map(({ price }) => price)).toEqual(["90", "91", "92"]);
    expect(venue.listOrders("alice/1").map(({ price }) => price)).toEqual(["94"]);
  });
});

test("a transaction has the id that its signature would sign, and the genesis of the options", () => {
  const venue = createTwo();
  const deposit = venue.deposit({ to: "carol/2", amount: "50" });
  const { receipts } = venue.block();
  expect(receipts[0]).toMatchObject({ account: "operator", status: "applied", txId: deposit.txId });
  expect(receipts[0]!.events).toContainEqual(expect.objectContaining({ kind: "deposited", account: "carol/2" }));
  expect(venue.getAccount("carol/2")).toMatchObject({ subaccount: 2, collateral: "50" });
  expect(createDigester(signingDomainOf(venue.genesis)).domainSeparator).toMatch(/^0x/);
});

test("every action has one call: on accounts those that an account signs, on the venue those of authorities", () => {
  const venue = createTwo();
  const alice = venue.account("alice") as unknown as Record<string, unknown>;
  for (const action of ACTION_NAMES) {
    const isSystem = actions[action].scope === "authority";
    expect(typeof alice[action], action).toBe(isSystem ? "undefined" : "function");
    expect(typeof (venue as unknown as Record<string, unknown>)[action], action).toBe(
      isSystem ? "function" : "undefined",
    );
  }
});

test("oracle updates come first, then other system transactions, then those of accounts", () => {
  const venue = createTwo();
  venue.account("alice").placeOrder({ side: "buy", size: "1", price: "100" });
  venue.updateMarket({ parameters: [{ name: "takerFee", value: "0.001" }] });
  venue.setPrice("100");
  expect(venue.block().receipts.map(({ action }) => action)).toEqual(["oracleUpdate", "updateMarket", "placeOrder"]);
});

test("a price is the mark, too, where the market takes a reported mark", () => {
  const venue = createVenueDriver({
    markets: { REPORTED: { preset: "minimal", markMethod: "reported" }, OWN: { preset: "minimal" } },
    accounts: { alice: "1000" },
  });
  venue.oracleUpdate({ market: "REPORTED", price: "100", mark: "90" });
  venue.setPrice("100", "OWN");
  venue.block();
  expect(venue.getMarket("REPORTED")).toMatchObject({ oracle: "100", mark: "90" });
  for (const market of ["REPORTED", "OWN"]) venue.setPrice("150", market);
  const { receipts } = venue.block();
  expect(receipts.map(({ code }) => code)).toEqual([null, null]);
  expect(venue.getMarket("REPORTED")).toMatchObject({ oracle: "150", mark: "150" });
  expect(venue.getMarket("OWN")).toMatchObject({ oracle: "150" });
});

test("the same calls give the same root; observers see every block", () => {
  const run = () => {
    const heights: number[] = [];
    const venue = createTwo([{ onBlock: (_, { height }) => void heights.push(height) }]);
    venue.setPrice("60000");
    venue.block();
    venue.account("bob").placeOrder({ side: "buy", size: "1", price: "59000" });
    venue.block({ afterMs: 60_000 });
    venue.block({ timeMs: 100_000 });
    expect(heights).toEqual([1, 2, 3]);
    expect(venue.state.timeMs).toBe(100_000);
    return computeRoot(venue.state);
  };
  expect(run()).toBe(run());
});

test("observers that are made for the venue: the invariants, and a fold of its events", () => {
  let folded: FoldedVenue | undefined;
  let watch: Watch | undefined;
  const venue = createVenueDriver({
    markets: { TEST: { preset: "minimal" } },
    accounts: { alice: "1000", bob: "1000" },
    observers(state) {
      const fold = startFold(state);
      watch = new Watch(state);
      folded = fold;
      return [watch, { onBlock: (_, __, result) => foldEvents(fold, result) }];
    },
  });
  venue.setPrice("100");
  venue.account("alice").placeOrder({ side: "sell", size: "2", price: "100" });
  venue.account("bob").placeOrder({ side: "buy", size: "2", price: "100" });
  venue.block();
  expect(Math.max(...watch!.met.values())).toBeGreaterThan(0);
  expect(
    folded!.accounts.map(({ positions }) => [...positions.values()].map(({ signedLots }) => Math.sign(signedLots))),
  ).toEqual([[-1], [1]]);
});

describe("unknown names and values", () => {
  test("a market that is not named, where there is none or more than one", () => {
    const none = createVenueDriver({ accounts: { alice: "1" } });
    expect(codeOf(() => none.getBook())).toBe("MARKET_MISSING");
    const two = createVenueDriver({ markets: { A: {}, B: {} }, accounts: { alice: "1" } });
    expect(codeOf(() => two.account("alice").placeOrder({ side: "buy", size: "1", price: "1" }))).toBe(
      "MARKET_MISSING",
    );
    expect(two.getBook("B")).toEqual({ market: "B", bids: [], asks: [] });
    expect(two.getBook("C")).toBeUndefined();
  });

  test("a text that is no name", () => {
    expect(codeOf(() => createTwo().account("Alice!"))).toBe("ACCOUNT_NAME");
    expect(codeOf(() => createVenueDriver({ accounts: { "0x12": "1" } }))).toBe("ACCOUNT_NAME");
    expect(
      codeOf(() =>
        createTwo()
          .account("alice")
          .grantAuthorization({ agent: "bot/1" } as never),
      ),
    ).toBe("ACCOUNT_NAME");
  });

  test("a value that is known only after the block, and an order that was never created", () => {
    const venue = createTwo();
    const order = venue.account("alice").placeOrder({ side: "buy", size: "1", price: "1" });
    expect(codeOf(() => order.receipt)).toBe("NOT_IN_BLOCK");
    venue.block();
    expect(order.receipt.code).toBe("PRICE_UNAVAILABLE");
    expect(codeOf(() => order.orderId)).toBe("NO_ORDER");
  });

  test("a field that is missing or no decimal text is named at the call, and nothing is queued", () => {
    const venue = createTwo();
    const pathOf = (make: () => unknown) => {
      try {
        return make();
      } catch (error) {
        if (!isValidationError(error)) throw error;
        return `${error.fault} ${error.path}`;
      }
    };
    const alice = venue.account("alice");
    expect(pathOf(() => alice.placeOrder({ size: "1", price: "1" } as never))).toBe("missingField placeOrder.side");
    expect(pathOf(() => alice.placeOrder({ side: "buy", size: 0.1, price: "1" } as never))).toBe(
      "wrongType placeOrder.size",
    );
    expect(venue.block().receipts).toEqual([]);
  });
});

test("a block whose time does not grow is refused, and keeps the queue", () => {
  const venue = createTwo();
  venue.setPrice("100");
  expect(() => venue.block({ timeMs: 0 })).toThrow(/time/);
  expect(venue.block().receipts).toHaveLength(1);
});

test("a batch reports the outcome of each leg, with the numbers of the rejected one", () => {
  const venue = createTwo();
  venue.setPrice("100");
  const leg = { market: "BTC-PERP", side: "buy", size: "1", price: "90" } as const;
  const batch = venue.account("alice").placeOrders({
    mode: "each",
    orders: [leg, { ...leg, size: "100000" }, { ...leg, price: "1000" }],
  });
  venue.block();
  expect(batch.receipt.results).toHaveLength(3);
  const [first, ...others] = batch.receipt.results;
  expect(first).toMatchObject({ status: "resting", filled: "0", code: null, numbers: null });
  for (const result of others) {
    expect(result).toMatchObject({ status: "rejected", filled: "0", code: expect.any(String) });
    expect(Object.keys(result.numbers ?? {}).length).toBeGreaterThan(0);
  }
});

test("an option that the driver does not have is refused, with those that it has", () => {
  const venue = createTwo();
  const unknown: (() => unknown)[] = [
    () => createVenueDriver({ market: {} } as object),
    () => createVenueDriver({ genesis: { accounts: [] } as object }),
    () => venue.block({ after: 5 } as object),
    () => venue.account("alice").cancelAll({}, { grant: "0x" } as object),
  ];
  expect(unknown.map(codeOf)).toEqual(unknown.map(() => "FIELD_UNKNOWN"));
  expect(() => venue.block({ after: 5 } as object)).toThrow(
    "block.after: unknown field; leave it out; known are afterMs, timeMs",
  );
  expect(venue.state.height).toBe(0);
});
