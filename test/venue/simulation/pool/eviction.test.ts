import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import type { GenesisInit } from "../../../../src/protocol/genesis.ts";
import { buildBlock } from "../../../../src/venue/simulation/pool/buildBlock.ts";
import { PendingPool, type PoolOptions } from "../../../../src/venue/simulation/pool/pendingPool.ts";
import { Simulation } from "../../../../src/venue/simulation/simulation.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { addressOf } from "../../../helpers/venue/values.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const idOf = (number: number): Bytes32 => `0x${number.toString(16).padStart(64, "0")}`;

const ACCOUNTS = {
  alice: "1000000",
  "alice/1": "1000",
  "alice/2": "1000",
  bob: "1000000",
  carol: "1000000",
  poor: "0.000001",
};

function open(options: PoolOptions, genesis: GenesisInit = {}, accounts: Readonly<Record<string, string>> = ACCOUNTS) {
  const venue = new TestVenue({ genesis, accounts, prices: { TEST: "1000" } });
  const pool = new PendingPool(options);
  let count = 0;
  const noop = (name: string): Step => ({ who: name, action: "noop", payload: {}, header: {} });
  return {
    venue,
    pool,
    noop,
    /** Offers a transaction of this nonce, by default one that the next block can carry. */
    offer(step: Step | string, nonce: number, header: Step["header"] = {}) {
      const made = typeof step === "string" ? noop(step) : step;
      const transaction = venue.toTransactions([{ ...made, header: { ...made.header, ...header, nonce } }])[0]!;
      const id = idOf(++count);
      return { id, ...pool.add(venue.state, transaction, id) };
    },
    /** Range of heights that begins so many blocks after the next one. */
    from(blocks: number) {
      const validFrom = venue.state.height + 1 + blocks;
      return { validFrom, validUntil: validFrom + 10 };
    },
    commit() {
      const block = buildBlock(venue.state, pool, { timeMs: venue.state.timeMs + 1000 });
      new Simulation(venue.state).apply(block);
      pool.settle(venue.state, block);
      return block;
    },
  };
}

describe("ranges of heights", () => {
  test("a range that begins after it ends is refused at once, and its nonce stays free", () => {
    const { venue, offer } = open({});
    const { height } = venue.state;
    expect(offer("alice", 0, { validFrom: height + 5, validUntil: height + 4 })).toMatchObject({
      accepted: false,
      code: "VALIDITY_EMPTY",
    });
    expect(offer("alice", 0).accepted).toBe(true);
  });

  test("a range may begin as far ahead as the longest validity reaches, and no further", () => {
    const { venue, offer } = open({}, { validityMax: 50 });
    const { height } = venue.state;
    expect(offer("alice", 0, { validFrom: height + 51, validUntil: height + 60 })).toMatchObject({
      accepted: false,
      code: "VALIDITY_TOO_FAR",
    });
    expect(offer("alice", 0, { validFrom: height + 50, validUntil: height + 60 }).accepted).toBe(true);
    expect(offer("bob", 0, { validFrom: 2 ** 53 - 10, validUntil: 2 ** 53 - 1 })).toMatchObject({ accepted: false });
  });
});

describe("which transaction is dropped from a full lane", () => {
  test("the last nonce gives way to the one that the lane waits for", () => {
    const { pool, offer } = open({ lanesMost: 3 });
    const far = [5, 6, 7].map((nonce) => offer("alice", nonce).id);
    expect(offer("alice", 8)).toMatchObject({ accepted: false, code: "LANE_FULL", waitingHelps: false });
    expect(offer("alice", 0)).toMatchObject({ accepted: true, evicted: [far[2]] });
    expect(pool.size).toBe(3);
  });

  test("if no nonce is missing, waiting helps", () => {
    const { offer } = open({ lanesMost: 2 });
    offer("alice", 0);
    offer("alice", 1);
    expect(offer("alice", 2)).toMatchObject({ accepted: false, code: "LANE_FULL", waitingHelps: true });
  });
});

describe("which transaction of an owner is dropped", () => {
  test("all subaccounts and domains count together, the risk domain apart", () => {
    const { venue, offer } = open({ ownersMost: 3, ownersRiskMost: 1 });
    offer("alice", 0);
    offer("alice/1", 0);
    offer("alice", 0, { nonceDomain: "funds" });
    expect(offer("alice/2", 0)).toMatchObject({ accepted: false, code: "OWNER_FULL", waitingHelps: true });
    expect(offer(venue.cancelAll("alice"), 0).accepted).toBe(true);
    expect(offer(venue.cancelAll("alice/1"), 0)).toMatchObject({ accepted: false, code: "OWNER_FULL" });
    expect(offer("bob", 0).accepted).toBe(true);
  });

  test("one that the next block can carry replaces one that waits", () => {
    const { offer, from } = open({ ownersMost: 2 });
    const near = offer("alice", 0, from(1));
    const far = offer("alice/1", 0, from(9));
    expect(near.accepted).toBe(true);
    expect(offer("alice/2", 0)).toMatchObject({ accepted: true, evicted: [far.id] });
  });

  test("where nonces are missing everywhere, waiting does not help", () => {
    const { offer } = open({ ownersMost: 2 });
    offer("alice", 1);
    offer("alice/1", 1);
    expect(offer("alice/2", 9)).toMatchObject({ accepted: false, code: "OWNER_FULL", waitingHelps: false });
  });

  test("an agent that fills the owner's share does not keep the owner out", () => {
    const { venue, offer } = open({ ownersMost: 3 });
    const authorization = venue.authorize("alice", "bob");
    const agent = { signer: addressOf("bob"), authorization };
    for (let nonce = 0; nonce < 3; nonce++) expect(offer("alice", nonce, agent).accepted).toBe(true);
    const own = offer(venue.revoke("alice", authorization), venue.nextNonce("alice", "admin"));
    expect(own).toMatchObject({ accepted: true, evicted: [expect.any(String)] });
  });
});

describe("which transaction is dropped from a full pool", () => {
  test("waiting transactions are dropped for those that the next block can carry, the furthest first", () => {
    const { offer, from } = open({ most: 3 });
    const near = offer("alice", 0, from(1));
    const gap = offer("bob", 40);
    const far = offer("carol", 0, from(20));
    expect(offer("alice/1", 0)).toMatchObject({ accepted: true, evicted: [gap.id] });
    expect(offer("bob", 0)).toMatchObject({ accepted: true, evicted: [far.id] });
    expect(near.accepted).toBe(true);
  });

  test("waiting transactions are dropped for those that the next block can carry, however much collateral their owner has", () => {
    const { offer, from } = open({ most: 1 });
    const far = offer("alice", 0, from(1));
    expect(offer("poor", 0)).toMatchObject({ accepted: true, evicted: [far.id] });
  });

  test("of several waiting transactions, those of owners with little collateral are dropped first, then the furthest", () => {
    const { offer, from } = open({ most: 4 });
    for (const nonce of [0, 1, 2]) offer("alice", nonce, from(1));
    offer("bob", 0, from(9));
    expect(offer("poor", 0, from(1))).toMatchObject({ accepted: false, code: "POOL_FULL", waitingHelps: true });
    expect(offer("poor", 1)).toMatchObject({ accepted: false, code: "POOL_FULL", waitingHelps: false });
    expect(offer("carol", 0, from(5))).toMatchObject({ accepted: true, evicted: [idOf(4)] });
    expect(offer("carol", 1, from(1))).toMatchObject({ accepted: false, code: "POOL_FULL" });
  });

  test("transactions that the next block can carry are shared out by collateral, however many accounts there are", () => {
    const dust = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`d${at}`, "0.000001"]));
    const { pool, offer } = open({ most: 20 }, {}, { ...dust, alice: "1000" });
    for (const name of Object.keys(dust)) expect(offer(name, 0).accepted).toBe(true);
    for (let nonce = 0; nonce < 20; nonce++) {
      expect(offer("alice", nonce)).toMatchObject({ accepted: true, evicted: [expect.any(String)] });
    }
    expect(offer("d3", 0)).toMatchObject({ accepted: false, code: "POOL_FULL", waitingHelps: true });
    expect(pool.size).toBe(20);
  });

  test("places are reserved for the risk domain and for authorities", () => {
    const { venue, offer } = open({ most: 2, riskMost: 1 });
    offer("alice", 0);
    offer("bob", 0);
    expect(offer("alice", 1)).toMatchObject({ accepted: false, code: "POOL_FULL" });
    expect(offer(venue.cancelAll("alice"), 0).accepted).toBe(true);
    expect(offer(venue.fund("5"), venue.nextNonce("operator", "system")).accepted).toBe(true);
    expect(offer(venue.price("1001"), venue.nextNonce("oracle", "system")).accepted).toBe(true);
  });

  test("no-ops in the risk domain are dropped for a cancel-all that the next block can carry", () => {
    const { venue, offer } = open({ riskMost: 2 });
    offer("alice", 7, { nonceDomain: "risk" });
    offer("bob", 7, { nonceDomain: "risk" });
    expect(offer(venue.cancelAll("carol"), 0)).toMatchObject({ accepted: true, evicted: [expect.any(String)] });
    expect(offer(venue.cancelAll("bob"), 0)).toMatchObject({ accepted: true });
  });

  test("transactions of the block that is being made durable stay", () => {
    const { pool, offer } = open({ most: 1 }, {}, ACCOUNTS);
    const poor = offer("poor", 0);
    pool.inBlock = new Set([poor.id]);
    expect(offer("alice", 0)).toMatchObject({ accepted: false, code: "POOL_FULL" });
    pool.inBlock = new Set();
    expect(offer("alice", 0)).toMatchObject({ accepted: true, evicted: [poor.id] });
  });
});

test("in a lane with a window, a transaction within reach does not wait", () => {
  const { offer } = open({ most: 2 }, { nonces: { trading: "window:5" } });
  const inside = offer("alice", 4);
  const outside = offer("bob", 6);
  expect(offer("carol", 0)).toMatchObject({ accepted: true, evicted: [outside.id] });
  expect(inside.accepted).toBe(true);
});

test("a pool that was restored is brought within its bounds and ranges", () => {
  const wide = open({});
  const far = wide.venue.toTransactions([
    { ...wide.noop("carol"), header: { nonce: 0, validFrom: 1e9, validUntil: 1e9 + 5 } },
  ])[0]!;
  for (let nonce = 0; nonce < 6; nonce++) wide.offer("alice", nonce);
  wide.offer("bob", 3);
  wide.offer("bob", 0);
  const pool = new PendingPool({ most: 4, lanesMost: 4 });
  for (const { id, transaction, sinceHeight } of wide.pool.inOrder()) {
    pool.restore(id, transaction, undefined, sinceHeight);
  }
  pool.restore(idOf(99), far, undefined, 0);
  const removed = pool.trim(wide.venue.state).map(({ transaction }) => {
    const { account, nonce } = transaction.header;
    return `${String.fromCharCode(Number.parseInt(account.address.slice(2, 4), 16))}${nonce}`;
  });
  expect(removed).toEqual(["c0", "a4", "a5", "b3", "a3"]);
  expect(pool.trim(wide.venue.state)).toEqual([]);
});

// Goal: whatever is offered, no bound is passed, no sequential lane loses a nonce below one that it keeps by an
// eviction, and what the next block can carry is refused only where nothing waits.
test("under any submissions every bound holds, and no waiting transaction keeps out one that can commit", () => {
  const arrival = fc.record({
    name: fc.constantFrom("alice", "alice/1", "alice/2", "bob", "carol", "poor"),
    nonce: fc.nat(6),
    blocks: fc.constantFrom(0, 0, 0, 1, 7),
    domain: fc.constantFrom("trading", "funds", "risk"),
  });
  const bounds = { most: 6, riskMost: 3, ownersMost: 4, ownersRiskMost: 2, lanesMost: 3 };
  fc.assert(
    fc.property(fc.array(arrival, { maxLength: 60 }), (arrivals) => {
      const { pool, offer, from, commit, venue } = open(bounds);
      for (const [at, { name, nonce, blocks, domain }] of arrivals.entries()) {
        if (at % 20 === 19) commit();
        const before = new Set(pool.inOrder().map(({ id }) => id));
        const outcome = offer(name, nonce, { ...from(blocks), nonceDomain: domain });
        const pending = pool.inOrder();
        const after = new Set(pending.map(({ id }) => id));
        const lost = [...before].filter((id) => !after.has(id));
        expect(lost).toEqual(outcome.accepted ? outcome.evicted : []);
        const counts = new Map<string, number>();
        for (const { transaction } of pending) {
          const { account, nonceDomain } = transaction.header;
          const room = nonceDomain === "risk" ? "risk" : "main";
          for (const key of [room, `${room} ${account.address}`]) counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        for (const [key, count] of counts) {
          const [room, owner] = key.split(" ");
          const most =
            owner === undefined ? [bounds.most, bounds.riskMost] : [bounds.ownersMost, bounds.ownersRiskMost];
          expect(count, key).toBeLessThanOrEqual(most[room === "risk" ? 1 : 0]!);
        }
        for (const lane of pool.lanes()) expect(lane.size).toBeLessThanOrEqual(bounds.lanesMost);
        if (outcome.accepted || outcome.code !== "POOL_FULL" || blocks > 0) continue;
        const { state } = venue;
        if (nonce > 0) continue;
        const waits = pending.filter(
          ({ transaction: { header } }) =>
            (header.nonceDomain === "risk") === (domain === "risk") && header.validFrom > state.height + 1,
        );
        expect(waits).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});
