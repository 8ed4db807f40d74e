import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Payloads } from "../../../../src/protocol/actions/index.ts";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import type { Transaction } from "../../../../src/protocol/transaction.ts";
import { buildBlock } from "../../../../src/venue/simulation/pool/buildBlock.ts";
import { laneOf } from "../../../../src/venue/simulation/pool/lanes.ts";
import { PendingPool } from "../../../../src/venue/simulation/pool/pendingPool.ts";
import { readPolicy } from "../../../../src/venue/simulation/pool/policy.ts";
import { Simulation } from "../../../../src/venue/simulation/simulation.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const NAMES = ["alice", "bob", "carol"] as const;
const idOf = (number: number): Bytes32 => `0x${number.toString(16).padStart(64, "0")}`;

function open() {
  const accounts = { alice: "1000000", bob: "1000000", carol: "1000000" };
  const venue = new TestVenue({ accounts, prices: { TEST: "1000" } });
  const pool = new PendingPool();
  const simulation = new Simulation(venue.state);
  let count = 0;
  const nonces = new Map<string, number>();
  return {
    venue,
    /** Offers a transaction under the next nonce of its lane. */
    offer(step: Step): void {
      const [first] = venue.toTransactions([step]) as [Transaction];
      const lane = laneOf(first);
      const nonce = nonces.get(lane) ?? first.header.nonce;
      nonces.set(lane, nonce + 1);
      const [transaction] = venue.toTransactions([{ ...step, header: { ...step.header, nonce } }]) as [Transaction];
      expect(pool.add(venue.state, transaction, idOf(++count))).toMatchObject({ accepted: true });
    },
    build(operationsMost?: number, policy = "cancels-first") {
      const bound = operationsMost === undefined ? {} : { operationsMost };
      const timeMs = venue.state.timeMs + 1000;
      return buildBlock(venue.state, pool, { timeMs, policy: readPolicy(policy)!, ...bound });
    },
    commit(block: ReturnType<typeof buildBlock>): void {
      simulation.apply(block);
      expect(pool.settle(venue.state, block)).toEqual([]);
    },
    pool,
  };
}

const orders = (venue: TestVenue, name: string, count: number): Step =>
  venue.batch(name, "each", ...Array.from({ length: count }, () => venue.buy(name, "1", "900")));

/** Cancels `count` orders by order id, and `named` more by client order id. */
const cancels = (venue: TestVenue, name: string, count: number, named = 0): Step =>
  venue.act(name, "cancelOrders", {
    orderIds: Array.from({ length: count }, (_, at) => at + 1),
    clientOrderIds: Array.from({ length: named }, (_, at) => `order-${at}`),
  } as unknown as Payloads["cancelOrders"]);

/** Accounts and actions of a block, such as `a:placeOrders`. */
const contents = ({ transactions }: { readonly transactions: readonly Transaction[] }) =>
  transactions.map(
    ({ header, action }) => `${String.fromCharCode(Number.parseInt(header.account.address.slice(2, 4), 16))}:${action}`,
  );

describe("a block ends at its bound of order operations", () => {
  test("200 batches of 50 orders are a block, and a further one is the next", () => {
    const { venue, offer, build, commit, pool } = open();
    for (let batch = 0; batch < 201; batch++) offer(orders(venue, NAMES[batch % 3]!, 50));
    const block = build();
    expect(block.transactions).toHaveLength(200);
    commit(block);
    expect(build().transactions).toHaveLength(1);
    expect(pool.size).toBe(1);
  });

  test("each of several cancels, each leg of a group and each order of a cancel-all counts", () => {
    const { venue, offer, build, commit } = open();
    for (let order = 0; order < 5; order++) venue.run(venue.buy("alice", "1", "900"));
    offer(cancels(venue, "bob", 3));
    const legs = [
      { kind: "stop" as const, trigger: "900" },
      { kind: "takeProfit" as const, trigger: "1100" },
    ];
    offer(venue.intent("carol", "otoco", { size: "1", orderType: "limit", price: "900", legs }));
    offer(venue.cancelAll("alice"));
    offer(venue.cancelAll("bob"));
    expect(contents(build(5))).toEqual(["b:cancelOrders", "a:cancelAll", "c:placeIntent"]);
    expect(contents(build(6))).toEqual(["b:cancelOrders", "a:cancelAll", "b:cancelAll", "c:placeIntent"]);
    expect(contents(build(4))).toEqual(["b:cancelOrders", "a:cancelAll"]);
    commit(build(4));
    expect(contents(build(4))).toEqual(["b:cancelAll", "c:placeIntent"]);
  });

  test("an order that is cancelled by its client order id counts as one by its order id", () => {
    const { venue, offer, build } = open();
    offer(cancels(venue, "alice", 1, 2));
    offer(cancels(venue, "bob", 0, 3));
    offer(cancels(venue, "carol", 3));
    expect(build(5).transactions).toHaveLength(1);
    expect(build(8).transactions).toHaveLength(2);
    expect(build(9).transactions).toHaveLength(3);
  });

  test("a second cancel-all of a block counts only what the first leaves", () => {
    const { venue, offer, build } = open();
    for (let order = 0; order < 5; order++) venue.run(venue.buy("alice", "1", "900"));
    for (let again = 0; again < 3; again++) offer(venue.cancelAll("alice"));
    offer(venue.cancelAll("bob"));
    expect(build(8).transactions).toHaveLength(4);
  });

  test("a full block of orders keeps out neither a close, a cancel-all nor a price", () => {
    const { venue, offer, build } = open();
    for (let batch = 0; batch < 3; batch++) offer(orders(venue, "alice", 4));
    offer(venue.price("1001"));
    offer(venue.cancelAll("bob"));
    offer(venue.close("carol", { slippage: "0.01" }));
    expect(contents(build(4)).map((text) => text.slice(2))).toEqual([
      "oracleUpdate",
      "cancelAll",
      "placeOrders",
      "closePosition",
    ]);
  });

  test("a small transaction does not overtake a batch that does not fit", () => {
    const { venue, offer, build, commit } = open();
    offer(orders(venue, "alice", 3));
    offer(orders(venue, "bob", 3));
    offer(venue.buy("carol", "1", "900"));
    const block = build(5, "fifo");
    expect(contents(block)).toEqual(["a:placeOrders"]);
    commit(block);
    expect(contents(build(5, "fifo"))).toEqual(["b:placeOrders", "c:placeOrder"]);
  });

  test("a transaction above the whole bound has a block of its own", () => {
    const { venue, offer, build, commit } = open();
    offer(venue.buy("alice", "1", "900"));
    offer(orders(venue, "bob", 9));
    offer(venue.buy("carol", "1", "900"));
    for (const expected of [["a:placeOrder"], ["b:placeOrders"], ["c:placeOrder"]]) {
      const block = build(4, "fifo");
      expect(contents(block)).toEqual(expected);
      commit(block);
    }
  });
});

// Goal: whatever is pending, under every policy, no block is above the bound in either room, and the blocks together
// carry every transaction, lane by lane in the order of nonces and room by room in the order of a block without a
// bound.
test("under any arrivals no block passes the bound, and nothing is lost or reordered", () => {
  const arrival = fc.record({
    name: fc.constantFrom(...NAMES),
    kind: fc.constantFrom("orders", "cancels", "order", "close", "price"),
    count: fc.integer({ min: 1, max: 6 }),
    /** How many of several cancels are by client order id. */
    named: fc.integer({ min: 0, max: 6 }),
  });
  const isUsers = ({ header }: Transaction) => header.nonceDomain === "trading";
  const costOf = ({ payload }: Transaction) => {
    const { orders, orderIds, clientOrderIds } = payload as Readonly<Record<string, readonly unknown[] | undefined>>;
    const lists = [orders, orderIds, clientOrderIds].filter(Array.isArray);
    return lists.length === 0 ? 1 : lists.flat().length;
  };
  fc.assert(
    fc.property(
      fc.array(arrival, { maxLength: 40 }),
      fc.constantFrom("cancels-first", "fifo"),
      fc.integer({ min: 6, max: 20 }),
      (arrivals, policy, most) => {
        const { venue, offer, build, commit, pool } = open();
        for (const { name, kind, count, named } of arrivals) {
          if (kind === "orders") offer(orders(venue, name, count));
          else if (kind === "cancels") offer(cancels(venue, name, Math.max(0, count - named), Math.min(count, named)));
          else if (kind === "order") offer(venue.buy(name, "1", "900"));
          else if (kind === "close") offer(venue.close(name, { slippage: "0.01" }));
          else offer(venue.price("1000"));
        }
        const whole = build(1_000, policy).transactions;
        expect(whole).toHaveLength(arrivals.length);
        const carried: Transaction[] = [];
        while (pool.size > 0) {
          const block = build(most, policy);
          for (const domain of ["trading", "risk"]) {
            const room = block.transactions.filter(({ header }) => header.nonceDomain === domain);
            expect(room.reduce((sum, transaction) => sum + costOf(transaction), 0)).toBeLessThanOrEqual(most);
          }
          expect(block.transactions.length).toBeGreaterThan(0);
          carried.push(...block.transactions);
          commit(block);
        }
        expect(carried).toHaveLength(whole.length);
        for (const lane of new Set(whole.map(laneOf))) {
          const ofLane = (all: readonly Transaction[]) => all.filter((transaction) => laneOf(transaction) === lane);
          expect(ofLane(carried)).toEqual(ofLane(whole));
        }
        expect(carried.filter(isUsers)).toEqual(whole.filter(isUsers));
        expect(carried.filter((transaction) => !isUsers(transaction))).toHaveLength(
          whole.filter((transaction) => !isUsers(transaction)).length,
        );
      },
    ),
    { numRuns: 60 },
  );
});
