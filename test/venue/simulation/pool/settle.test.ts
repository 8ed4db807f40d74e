import fc from "fast-check";
import { expect, test } from "vitest";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import type { Transaction } from "../../../../src/protocol/transaction.ts";
import { buildBlock } from "../../../../src/venue/simulation/pool/buildBlock.ts";
import { MAY_WAIT } from "../../../../src/venue/simulation/pool/lanes.ts";
import { checkPending, PendingPool } from "../../../../src/venue/simulation/pool/pendingPool.ts";
import { Simulation } from "../../../../src/venue/simulation/simulation.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { addressOf } from "../../../helpers/venue/values.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const ACCOUNTS = { alice: "1000", "alice/1": "1000", bob: "1000", carol: "1000" };
const noop = (who: string): Step => ({ who, action: "noop", payload: {}, header: {} });

function open(nonces: "sequential" | "window:3" = "sequential") {
  const venue = new TestVenue({
    genesis: { features: { devnet: true }, nonces: { trading: nonces } },
    accounts: ACCOUNTS,
    prices: { TEST: "1000" },
  });
  const pool = new PendingPool();
  let count = 0;
  return {
    venue,
    pool,
    offer(step: Step, header: Step["header"] = {}): Transaction {
      const [transaction] = venue.toTransactions([{ ...step, header: { ...step.header, ...header } }]);
      const id: Bytes32 = `0x${(++count).toString(16).padStart(64, "0")}`;
      pool.add(venue.state, transaction!, id);
      return transaction!;
    },
    commit() {
      const block = buildBlock(venue.state, pool, { timeMs: venue.state.timeMs + 1000 });
      new Simulation(venue.state).apply(block);
      return { block, lapsed: pool.settle(venue.state, block) };
    },
  };
}

test("after any block pending transactions may still commit, and dropped ones may not", () => {
  const traders = ["alice", "alice/1", "bob", "carol"];
  const arrival = fc.record({
    kind: fc.constantFrom("own", "own", "agent", "agent", "revoke", "impersonate"),
    who: fc.constantFrom(...traders),
    grant: fc.nat(1),
    nonce: fc.nat(4),
    waits: fc.nat(2),
    lasts: fc.nat(4),
  });
  fc.assert(
    fc.property(
      fc.array(fc.array(arrival, { maxLength: 8 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom("sequential" as const, "window:3" as const),
      (blocks, nonces) => {
        const { venue, pool, offer, commit } = open(nonces);
        const grants = [venue.authorize("alice", "bob"), venue.authorize("alice", "bob")];
        for (const arrivals of blocks) {
          for (const { kind, who, grant, nonce, waits, lasts } of arrivals) {
            const authorization = grants[grant]!;
            const validFrom = venue.state.height + 1 + waits;
            const range = { validFrom, validUntil: validFrom + lasts };
            if (kind === "own") offer(noop(who), { nonce, ...range });
            else if (kind === "agent") {
              offer(noop(who === "bob" ? "alice/1" : "alice"), {
                signer: addressOf("bob"),
                authorization,
                nonce,
                ...range,
              });
            } else if (kind === "revoke") {
              offer(venue.revoke("alice", authorization), { nonce: venue.nextNonce("alice", "admin") });
            } else offer(venue.impersonate(noop(who)), { nonce: venue.nextNonce("operator", "system") });
          }
          const before = pool.inOrder();
          const { block, lapsed } = commit();
          for (const { transaction } of pool.inOrder()) {
            const reason = checkPending(venue.state, transaction);
            expect(reason === undefined || MAY_WAIT.has(reason)).toBe(true);
          }
          for (const { pending, reason } of lapsed) expect(checkPending(venue.state, pending.transaction)).toBe(reason);
          expect(pool.size).toBe(before.length - block.transactions.length - lapsed.length);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("a nonce that the operator used for an account is forgotten in the account's lane", () => {
  const { venue, pool, offer, commit } = open();
  const waiting = offer(noop("bob"), { nonce: 1 });
  commit();
  const operator = venue.nextNonce("operator", "system");
  for (const place of [0, 1]) offer(venue.impersonate(noop("bob")), { nonce: operator + place });
  const { lapsed } = commit();
  expect(lapsed.map(({ pending, reason }) => [pending.transaction, reason])).toEqual([[waiting, "NONCE_TOO_LOW"]]);
  expect(pool.size).toBe(0);
});

test("a block checks no transaction of a lane in which nothing happened", () => {
  const { venue, pool, offer, commit } = open();
  const waiting = [1, 2, 3].map((nonce) => offer(noop("bob"), { nonce }));
  commit();
  let looks = 0;
  for (const transaction of waiting.slice(1)) {
    const { header } = transaction;
    Object.defineProperty(transaction, "header", {
      get() {
        looks++;
        return header;
      },
    });
  }
  offer(noop("alice"), { nonce: 0 });
  for (let block = 0; block < 5; block++) commit();
  expect([pool.size, looks]).toEqual([3, 0]);
  expect(venue.nextNonce("alice", "trading")).toBe(1);
});
