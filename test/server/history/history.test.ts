import { expect, test } from "vitest";
import { INSURANCE_CAUSE } from "../../../src/protocol/events.ts";
import type { Whom } from "../../../src/server/devnet/control.ts";
import { createDevnet } from "../../../src/server/devnet/createDevnet.ts";
import { History } from "../../../src/server/history/history.ts";
import { HISTORY_LIMITS } from "../../../src/server/history/limits.ts";
import type { VenueHost } from "../../../src/server/host/host.ts";
import type { PositionRow } from "../../../src/venue/engine/state/schema.ts";
import { TOTAL } from "../../../src/venue/engine/state/totals.ts";
import { type FlowHost, hostOfFlow } from "../helpers/flowHost.ts";
import { intentsOfState, liquidationsOfState, ordersOfState } from "../helpers/historyTwin.ts";
import { TwinChain } from "../twin/chain.ts";

function openOrders(history: History, host: FlowHost) {
  const { orders } = history.read();
  const list = [];
  for (let account = 0; account < host.state.accounts.rows.high; account++) {
    for (const order of orders.ofAccount(account)) if (order.closedHeight === undefined) list.push(order);
  }
  return list
    .map(
      ({
        id,
        account,
        market,
        side,
        client,
        ticks,
        remaining,
        filled,
        reduceOnly,
        postOnly,
        selfTrade,
        selfTradeScope,
        goodTilHeight,
        goodTilTime,
      }) => ({
        id,
        account,
        market,
        side,
        client,
        ticks,
        remaining,
        filled,
        reduceOnly,
        postOnly,
        selfTrade,
        selfTradeScope,
        goodTilHeight,
        goodTilTime,
      }),
    )
    .sort((a, b) => a.id - b.id);
}

function openIntents(history: History, host: FlowHost) {
  const { intents } = history.read();
  const list = [];
  for (let account = 0; account < host.state.accounts.rows.high; account++) {
    for (const intent of intents.ofAccount(account)) if (intent.endedHeight === undefined) list.push(intent);
  }
  return list.map(({ client, values }) => ({ client, values })).sort((a, b) => a.values.id - b.values.id);
}

function openLiquidations(history: History): number[] {
  return [...history.read().liquidations.newestFirst()]
    .filter(({ endedHeight }) => endedHeight === undefined)
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}

function compare(history: History, host: FlowHost): void {
  const { state } = host;
  expect(openOrders(history, host)).toEqual(ordersOfState(state));
  expect(openIntents(history, host)).toEqual(intentsOfState(state));
  const { insurance, asOf } = history.read();
  const newest = [...insurance.list.newestFirst()][0];
  if (newest !== undefined) expect(insurance.start + newest.sum).toBe(state.totals.get(TOTAL.insurance));
  expect(asOf.height).toBe(state.height);
}

// Goal: what the history follows by events is what the venue has. Method: flows, compared every few blocks with the
// tables.
test.each([11, 12, 13, 14, 15, 16])("open orders, intents and liquidations follow the venue, seed %i", (seed) => {
  const { host, flow } = hostOfFlow(seed, 0);
  const history = new History(host.asHost, HISTORY_LIMITS);
  for (let round = 0; round < 20; round++) {
    for (let count = 0; count < 8; count++) host.apply(flow.next(host.state));
    compare(history, host);
    expect(openLiquidations(history)).toEqual(liquidationsOfState(host.state));
  }
});

test("a history that starts in the middle of a chain, or from scratch after a revert, follows the venue as well", () => {
  for (const seed of [21, 22, 23]) {
    const { host, flow } = hostOfFlow(seed, 90);
    host.prune(61);
    const limits = seed === 22 ? { transactions: 40 } : { blocks: 20 };
    const history = new History(host.asHost, { ...HISTORY_LIMITS, ...limits });
    for (let round = 0; round < 10; round++) {
      compare(history, host);
      host.apply(flow.next(host.state));
    }
    host.raiseEpoch("revert");
    compare(history, host);
  }
});

test("a history that missed blocks since pruned starts from scratch with those that are kept", () => {
  const { host, flow } = hostOfFlow(24, 30);
  const deaf = Object.create(host.asHost, { onBlock: { value: () => () => {} } }) as VenueHost;
  const history = new History(deaf, HISTORY_LIMITS);
  compare(history, host);
  for (let count = 0; count < 30; count++) host.apply(flow.next(host.state));
  host.prune(50);
  compare(history, host);
  expect(history.read().oldest).toBe(50);
});

test("filled, remaining and cancelled size add up to the size of the order (ORD-8)", () => {
  let closed = 0;
  for (const seed of [31, 32, 33, 34]) {
    const { host } = hostOfFlow(seed, 150);
    const { orders } = new History(host.asHost, HISTORY_LIMITS).read();
    for (let account = 0; account < host.state.accounts.rows.high; account++) {
      for (const order of orders.ofAccount(account)) {
        const { asked, filled, remaining, cancelled } = order;
        expect(Math.min(filled, remaining, cancelled)).toBeGreaterThanOrEqual(0);
        if (asked === undefined) continue;
        expect(filled + remaining + cancelled, JSON.stringify(order)).toBe(asked);
        if (order.closedHeight === undefined) continue;
        closed++;
        expect(remaining).toBe(0);
        if (order.status === "filled") expect(filled).toBeGreaterThan(0);
      }
    }
  }
  expect(closed).toBeGreaterThan(150);
});

test("memory is bounded: all open items are kept, and only the newest of the ended ones", () => {
  const { host } = hostOfFlow(12, 150);
  const most = { closedOrders: 10, endedIntents: 3, trades: 8, fundingRates: 2, liquidations: 2, insuranceChanges: 4 };
  const history = new History(host.asHost, { ...HISTORY_LIMITS, ...most });
  compare(history, host);
  const { orders, intents, trades, insurance } = history.read();
  let closed = 0;
  let ended = 0;
  let kept = 0;
  for (let account = 0; account < host.state.accounts.rows.high; account++) {
    for (const order of orders.ofAccount(account)) closed += order.closedHeight === undefined ? 0 : 1;
    for (const intent of intents.ofAccount(account)) ended += intent.endedHeight === undefined ? 0 : 1;
  }
  for (let market = 0; market < host.state.markets.rows.high; market++) kept += trades.ofMarket(market).length;
  expect(closed).toBeLessThanOrEqual(10);
  expect(ended).toBeLessThanOrEqual(3);
  expect(kept).toBe(8);
  expect(insurance.list.length).toBeLessThanOrEqual(4);
});

test("payments of liquidations add up to the income and payments of the insurance fund (LIQ)", () => {
  let paid = 0;
  for (let seed = 1; paid <= 3 && seed <= 24; seed++) {
    const { host } = hostOfFlow(seed, 150);
    const { liquidations, insurance } = new History(host.asHost, HISTORY_LIMITS).read();
    const records = [...liquidations.newestFirst()];
    const sum = (pick: (record: (typeof records)[number]) => bigint) =>
      records.reduce((total, record) => total + pick(record), 0n);
    const caused = (cause: keyof typeof INSURANCE_CAUSE) => insurance.byCause.get(INSURANCE_CAUSE[cause]) ?? 0n;
    expect(sum(({ fee }) => fee)).toBe(caused("liquidationFee"));
    expect(sum((record) => record.insurance)).toBeLessThanOrEqual(-(caused("cover") + caused("deficit")));
    paid += records.filter(({ fee }) => fee > 0n).length;
  }
  expect(paid).toBeGreaterThan(3);
});

test("positions have the height of their opening and what they realised since", () => {
  // Twin: sizes after every block; a position that was flat or on the other side before was opened there.
  for (const seed of [41, 42, 43]) {
    const { host, flow } = hostOfFlow(seed, 0);
    const history = new History(host.asHost, HISTORY_LIMITS);
    const opened = new Map<string, number>();
    for (let count = 0; count < 120; count++) {
      host.apply(flow.next(host.state));
      const { positions } = host.state;
      const open = new Set<string>();
      for (let at = 0; at < positions.rows.high; at++) {
        const row = at as PositionRow;
        if (!positions.rows.isLive(at) || positions.signedLots[row] === 0) continue;
        const key = `${positions.account[row]} ${positions.market[row]} ${positions.signedLots[row]! > 0}`;
        open.add(key);
        if (!opened.has(key)) opened.set(key, host.state.height);
        const past = history.read().positions.find(positions.account[row]!, positions.market[row]!)!;
        // Within a block a position may be closed and opened again on the same side.
        expect(past.openedHeight).toBeGreaterThanOrEqual(opened.get(key)!);
        expect(past.openedHeight).toBeLessThanOrEqual(host.state.height);
      }
      for (const key of opened.keys()) if (!open.has(key)) opened.delete(key);
    }
  }
});

// Twin: the events of all blocks, each order by the last of them that names it. Slices of a schedule trade under one
// id, one after another, so such an order ends again and again.
test("an ended order has the height of its end and its fills, by all the events that name it", () => {
  let ended = 0;
  let again = 0;
  for (const seed of [1, 6, 14, 18, 32, 58, 157]) {
    const { host, flow } = hostOfFlow(seed, 0);
    const history = new History(host.asHost, HISTORY_LIMITS);
    const chain = new TwinChain(() => host.state);
    const endings = new Map<number, number>();
    for (let count = 0; count < 150; count++) {
      chain.add(host.apply(flow.next(host.state)));
      const { orders } = history.read();
      for (const [id, trace] of chain.orders) {
        const order = orders.find(id);
        if (trace.lastHeight !== host.state.height || order === undefined) continue;
        const described = JSON.stringify(order);
        expect(order.filled, described).toBe(trace.filled);
        expect(order.updatedHeight, described).toBe(trace.lastHeight);
        if (order.closedHeight === undefined) continue;
        expect(order.closedHeight, described).toBe(trace.lastHeight);
        ended++;
        if (endings.has(id)) again++;
        endings.set(id, order.closedHeight);
      }
    }
  }
  expect(ended).toBeGreaterThan(500);
  expect(again).toBeGreaterThan(5);
});

test("the order of a schedule ends with every slice that is filled, and begins again with the next", async () => {
  const devnet = await createDevnet();
  const [maker, taker] = devnet.accounts.map(({ address }) => ({ account: address })) as [Whom, Whom];
  const market = "BTC-PERP";
  await devnet.impersonate(maker, "placeOrder", {
    ...{ market, side: "sell", orderType: "limit", size: "1", price: "60000" },
  });
  await devnet.impersonate(taker, "placeIntent", {
    ...{ kind: "twap", market, side: "buy", size: "0.3", orderType: "market", price: "61000" },
    ...{ duration: 30_000, interval: 10_000 },
  });
  const ordersOf = async () => {
    const path = `/api/v1/accounts/${taker.account}/orders?includeClosed=true`;
    const { body } = await devnet.endpoint.request({ method: "GET", path });
    return JSON.parse(body).data as Record<string, unknown>[];
  };
  const seen: [unknown, unknown][] = [];
  for (let count = 0; count < 6; count++) {
    await devnet.advance(5_000);
    const [order, ...others] = await ordersOf();
    expect(others).toEqual([]);
    const { height } = devnet.host.state;
    if (order !== undefined && order["updatedHeight"] === height) {
      expect(order).toMatchObject({ status: "filled", remaining: "0", cancelled: "0", closedHeight: height });
      seen.push([order["filled"], order["size"]]);
    }
  }
  expect(seen).toEqual([
    ["0.1", "0.1"],
    ["0.2", "0.2"],
    ["0.3", "0.3"],
  ]);
});
