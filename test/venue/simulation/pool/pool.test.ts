import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import type { GenesisInit } from "../../../../src/protocol/genesis.ts";
import type { Transaction } from "../../../../src/protocol/transaction.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { buildBlock } from "../../../../src/venue/simulation/pool/buildBlock.ts";
import { laneOf } from "../../../../src/venue/simulation/pool/lanes.ts";
import { PendingPool } from "../../../../src/venue/simulation/pool/pendingPool.ts";
import {
  type BuilderPolicy,
  cancelsFirst,
  delayTakers,
  fifo,
  readPolicy,
} from "../../../../src/venue/simulation/pool/policy.ts";
import { Simulation } from "../../../../src/venue/simulation/simulation.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const idOf = (number: number): Bytes32 => `0x${number.toString(16).padStart(64, "0")}`;

function open(genesis: GenesisInit = {}) {
  const venue = new TestVenue({
    genesis,
    accounts: { alice: "1000000", bob: "1000000", carol: "1000000" },
    prices: { TEST: "1000" },
  });
  const pool = new PendingPool();
  const simulation = new Simulation(venue.state);
  let count = 0;
  return {
    venue,
    pool,
    /** A transaction with this nonce, not yet offered. */
    make(step: Step, nonce: number, header: Step["header"] = {}): Transaction {
      return venue.toTransactions([{ ...step, header: { ...step.header, ...header, nonce } }])[0]!;
    },
    offer(transaction: Transaction) {
      const id = idOf(++count);
      return { id, ...pool.add(venue.state, transaction, id) };
    },
    build(policy?: BuilderPolicy, most?: number) {
      const timeMs = venue.state.timeMs + 1000;
      return buildBlock(venue.state, pool, {
        timeMs,
        ...(policy === undefined ? {} : { policy }),
        ...(most === undefined ? {} : { most }),
      });
    },
    commit(block: ReturnType<typeof buildBlock>) {
      const result = simulation.apply(block);
      return {
        lapsed: pool.settle(venue.state, block),
        receipts: block.transactions.map((_, at) => result.receipts.at(at)),
      };
    },
  };
}

const who = ({ header, action }: Transaction) =>
  `${String.fromCharCode(Number.parseInt(header.account.address.slice(2, 4), 16))}:${action}`;

describe("transactions that the pool accepts", () => {
  test("one that the next block can carry, and one that waits for an earlier nonce", () => {
    const { venue, make, offer, build, commit } = open();
    expect(offer(make(venue.buy("alice", "1", "900"), 1)).accepted).toBe(true);
    expect(build().transactions).toHaveLength(0);
    expect(offer(make(venue.buy("alice", "1", "901"), 0)).accepted).toBe(true);
    const block = build();
    expect(block.transactions.map(({ header }) => header.nonce)).toEqual([0, 1]);
    expect(commit(block).receipts.map(({ status }) => status)).toEqual(["applied", "applied"]);
  });

  test("in a lane with a window, a gap delays none; nonces that the block itself makes admissible are included", () => {
    const { venue, make, offer, build, commit } = open({ nonces: { trading: "window:3" } });
    for (const nonce of [5, 2, 6, 1, 12])
      expect(offer(make(venue.buy("alice", "1", "900"), nonce)).accepted).toBe(true);
    const block = build();
    expect(block.transactions.map(({ header }) => header.nonce)).toEqual([1, 2, 5, 6]);
    const { receipts, lapsed } = commit(block);
    expect(receipts.map(({ status }) => status)).toEqual(["applied", "applied", "applied", "applied"]);
    expect(lapsed).toEqual([]);
    expect(offer(make(venue.buy("alice", "1", "901"), 5))).toMatchObject({ reason: "NONCE_USED" });
    expect(offer(make(venue.buy("alice", "1", "901"), 3))).toMatchObject({ reason: "NONCE_TOO_LOW" });
    expect(offer(make(venue.buy("alice", "1", "901"), 4)).accepted).toBe(true);
    expect(build().transactions.map(({ header }) => header.nonce)).toEqual([4]);
  });

  test("not one whose nonce is used, whose validity has lapsed, or whose signature is bad", () => {
    const { venue, make, offer } = open();
    venue.run(venue.buy("alice", "1", "900"));
    expect(offer(make(venue.buy("alice", "1", "900"), 0))).toMatchObject({
      code: "NOT_ADMISSIBLE",
      reason: "NONCE_TOO_LOW",
    });
    const late = make(venue.buy("bob", "1", "900"), 0, { validFrom: 0, validUntil: venue.state.height });
    expect(offer(late)).toMatchObject({ code: "NOT_ADMISSIBLE", reason: "EXPIRED" });
    const bad = make(venue.buy("bob", "1", "900"), 0, { verdict: false });
    expect(offer(bad)).toMatchObject({ code: "NOT_ADMISSIBLE", reason: "INVALID_SIGNATURE" });
  });

  test("one that becomes valid later waits until then: the next height is what counts", () => {
    const { venue, make, offer, build, commit } = open();
    const next = venue.state.height + 1;
    expect(offer(make(venue.buy("alice", "1", "900"), 0, { validFrom: next + 1 })).accepted).toBe(true);
    expect(build().transactions).toHaveLength(0);
    commit(build());
    expect(build().transactions).toHaveLength(1);
    expect(offer(make(venue.buy("bob", "1", "900"), 0, { validFrom: 0, validUntil: next + 1 })).accepted).toBe(true);
  });

  test("the same transaction once", () => {
    const { venue, pool, make } = open();
    const transaction = make(venue.buy("alice", "1", "900"), 0);
    expect(pool.add(venue.state, transaction, idOf(1)).accepted).toBe(true);
    expect(pool.add(venue.state, transaction, idOf(1))).toMatchObject({ code: "ALREADY_PENDING" });
    expect(pool.size).toBe(1);
  });

  test("no more than it and a lane may hold", () => {
    const { venue, make } = open();
    const pool = new PendingPool({ most: 3, lanesMost: 2 });
    const add = (name: string, nonce: number, id: number) =>
      pool.add(venue.state, make(venue.buy(name, "1", "900"), nonce), idOf(id));
    expect(add("alice", 0, 1).accepted).toBe(true);
    expect(add("alice", 1, 2).accepted).toBe(true);
    expect(add("alice", 2, 3)).toMatchObject({ code: "LANE_FULL" });
    expect(add("bob", 0, 4).accepted).toBe(true);
    expect(add("bob", 1, 5)).toMatchObject({ code: "POOL_FULL", waitingHelps: true });
  });
});

describe("replacement", () => {
  test("a transaction takes the place of the pending one that it names, and only of that", () => {
    const { venue, pool, make, offer, build } = open();
    const first = offer(make(venue.buy("alice", "1", "900"), 0));
    const other = make(venue.buy("alice", "2", "900"), 0);
    expect(offer(other)).toMatchObject({ code: "NONCE_PENDING", pending: first.id });
    expect(offer(make(venue.buy("alice", "2", "900"), 0, { replaces: idOf(99) }))).toMatchObject({
      code: "REPLACES_UNKNOWN",
    });
    expect(offer(make(venue.buy("alice", "2", "900"), 1, { replaces: first.id }))).toMatchObject({
      code: "REPLACES_UNKNOWN",
    });
    const second = offer(make(venue.buy("alice", "2", "900"), 0, { replaces: first.id }));
    expect(second).toMatchObject({ accepted: true, replaced: first.id });
    expect(pool.get(first.id)).toBeUndefined();
    expect(build().transactions).toHaveLength(1);
  });

  test("a replacement goes to the end of the order of arrival", () => {
    const { venue, make, offer, build } = open();
    const first = offer(make(venue.buy("alice", "1", "900"), 0));
    offer(make(venue.buy("bob", "1", "900"), 0));
    offer(make(venue.buy("alice", "2", "900"), 0, { replaces: first.id }));
    expect(build(fifo).transactions.map(who)).toEqual(["b:placeOrder", "a:placeOrder"]);
  });

  test("a transaction that the block did not carry and that can no longer commit is dropped with the reason", () => {
    const { venue, pool, make, offer, commit, build } = open();
    const next = venue.state.height + 1;
    const stays = offer(make(venue.buy("alice", "1", "900"), 1, { validFrom: 0, validUntil: next + 5 }));
    const goes = offer(make(venue.buy("bob", "1", "900"), 1, { validFrom: 0, validUntil: next }));
    const { lapsed } = commit(build());
    expect(lapsed.map(({ pending, reason }) => [pending.id, reason])).toEqual([[goes.id, "EXPIRED"]]);
    expect(pool.get(stays.id)).toBeDefined();
  });
});

describe("the order of a block", () => {
  test("system transactions first, oracle updates before the others", () => {
    const { venue, make, offer, build, commit } = open();
    offer(make(venue.buy("alice", "1", "900"), 0));
    offer(make(venue.fund("5"), venue.nextNonce("operator", "system")));
    offer(make(venue.price("1001"), venue.nextNonce("oracle", "system")));
    const block = build();
    expect(block.transactions.map(({ action }) => action)).toEqual(["oracleUpdate", "fundInsurance", "placeOrder"]);
    expect(commit(block).receipts.every(({ status }) => status === "applied")).toBe(true);
  });

  test("cancels-first: cancels, then post-only orders, then the rest in order of arrival", () => {
    const { venue, make, offer, build } = open();
    offer(make(venue.buy("alice", "1", "900"), 0));
    offer(make(venue.sell("bob", "1", "1100", { postOnly: true }), 0));
    offer(make(venue.cancelAll("carol"), 0));
    expect(build().transactions.map(who)).toEqual(["c:cancelAll", "b:placeOrder", "a:placeOrder"]);
    expect(build(fifo).transactions.map(who)).toEqual(["a:placeOrder", "b:placeOrder", "c:cancelAll"]);
  });

  test("a cancel after an order of its lane waits with it; one in the risk lane does not", () => {
    const { venue, make, offer, build } = open();
    offer(make(venue.buy("bob", "1", "900"), 0));
    offer(make(venue.buy("alice", "1", "901"), 0));
    offer(make(venue.cancel("alice", 64), 1));
    expect(build().transactions.map(who)).toEqual(["b:placeOrder", "a:placeOrder", "a:cancelOrder"]);
    offer(make(venue.cancelAll("alice"), 0));
    expect(build().transactions.map(who)[0]).toBe("a:cancelAll");
  });

  test("delay: takers wait, makers and cancels do not, and transactions after a taker in its lane wait with it", () => {
    const { venue, make, offer, build, commit } = open();
    offer(make(venue.buy("alice", "1", "1000"), 0));
    offer(make(venue.sell("alice", "1", "1100", { postOnly: true }), 1));
    offer(make(venue.sell("bob", "1", "1100", { postOnly: true }), 0));
    const policy = delayTakers(2);
    const first = build(policy);
    expect(first.transactions.map(who)).toEqual(["b:placeOrder"]);
    commit(first);
    const second = build(policy);
    expect(second.transactions).toHaveLength(0);
    commit(second);
    expect(build(policy).transactions.map(who)).toEqual(["a:placeOrder", "a:placeOrder"]);
  });

  test("a full block leaves the rest for the next one", () => {
    const { venue, make, offer, build, commit } = open();
    for (let nonce = 0; nonce < 5; nonce++) offer(make(venue.buy("alice", "1", "900"), nonce));
    const block = build(cancelsFirst, 3);
    expect(block.transactions.map(({ header }) => header.nonce)).toEqual([0, 1, 2]);
    commit(block);
    expect(build(cancelsFirst, 3).transactions.map(({ header }) => header.nonce)).toEqual([3, 4]);
  });

  test("policies have names, and unknown names are refused", () => {
    expect(readPolicy("cancels-first")).toBe(cancelsFirst);
    expect(readPolicy("fifo")).toBe(fifo);
    expect(readPolicy("delay:3")?.name).toBe("delay:3");
    for (const name of ["delay", "delay:-1", "delay:01", "lifo", ""]) expect(readPolicy(name)).toBeUndefined();
  });
});

// Goal: whatever arrives in whatever order, under every policy, a block carries each lane in the order of its nonces,
// every transaction of it commits, and nothing that could commit waits for ever.
test("any arrivals become blocks in which everything commits, lane by lane in order", () => {
  const arrival = fc.record({
    name: fc.constantFrom("alice", "bob", "carol"),
    nonce: fc.nat(5),
    kind: fc.constantFrom("take", "rest", "cancel", "cancelAll"),
  });
  fc.assert(
    fc.property(
      fc.array(arrival, { maxLength: 40 }),
      fc.constantFrom("cancels-first", "fifo", "delay:2"),
      (arrivals, name) => {
        const { venue, pool, make, offer, build, commit } = open();
        const policy = readPolicy(name)!;
        for (const { name: account, nonce, kind } of arrivals) {
          const step =
            kind === "cancelAll"
              ? venue.cancelAll(account)
              : kind === "cancel"
                ? venue.cancel(account, 1)
                : venue.buy(account, "1", "900", { postOnly: kind === "rest" });
          offer(make(step, nonce));
        }
        const committed = new Map<string, number>();
        for (let block = 0; block < 10; block++) {
          const root = computeRoot(venue.state);
          const built = build(policy);
          expect(computeRoot(venue.state)).toBe(root);
          for (const transaction of built.transactions) {
            const lane = laneOf(transaction);
            expect(transaction.header.nonce).toBe(committed.get(lane) ?? 0);
            committed.set(lane, transaction.header.nonce + 1);
          }
          for (const receipt of commit(built).receipts) expect(receipt.nonceConsumed).toBe(true);
        }
        // What is left waits for a nonce that never came.
        for (const lane of pool.lanes()) {
          expect(lane.get(committed.get(lane.key) ?? 0)).toBeUndefined();
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("after a transaction that acts for a user, those of its authority wait for the next block", () => {
  const { venue, make, offer, build, commit } = open();
  const operator = venue.nextNonce("operator", "system");
  offer(make(venue.fund("1"), operator));
  offer(make(venue.impersonate(venue.buy("alice", "1", "900")), operator + 1));
  offer(make(venue.fund("2"), operator + 2));
  offer(make(venue.buy("bob", "1", "900"), 0));
  const first = build();
  expect(first.transactions.map(({ action }) => action)).toEqual(["fundInsurance", "devnetImpersonate", "placeOrder"]);
  commit(first);
  expect(build().transactions.map(({ action }) => action)).toEqual(["fundInsurance"]);
});
