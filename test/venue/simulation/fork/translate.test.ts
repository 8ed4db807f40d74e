/** What recorded transactions name by number or by id means the same in a fork that went its own way. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import { createGenesis } from "../../../../src/protocol/genesis.ts";
import { readCanonical, writeCanonical } from "../../../../src/venue/engine/commitment/canonical.ts";
import { forkVenue } from "../../../../src/venue/engine/forkRecord.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { digestOf } from "../../../../src/venue/engine/state/digest.ts";
import { computeGenesisHash } from "../../../../src/venue/engine/state/genesisHash.ts";
import { forkLog, type Injection } from "../../../../src/venue/simulation/fork/forkLog.ts";
import { BlockLog } from "../../../../src/venue/simulation/log/blockLog.ts";
import { Simulation } from "../../../../src/venue/simulation/simulation.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-translate-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

const open = (genesis: VenueOptions["genesis"] = {}) =>
  new TestVenue({ accounts: { alice: "1000", bob: "1000" }, prices: { TEST: "100" }, genesis });

/** Runs blocks on a venue from its genesis, with the first prices in block 1, and writes their log. */
function record(venue: TestVenue, blocks: readonly ((v: TestVenue) => readonly Step[])[]): string {
  const path = join(folder, `${++files}.log`);
  venue.state = createVenue(venue.genesis);
  const simulation = new Simulation(venue.state, [new BlockLog(path)]);
  for (const steps of [() => [venue.price("100")], ...blocks]) {
    const { state } = venue;
    const transactions = venue.toTransactions(steps(venue));
    simulation.apply({ height: state.height + 1, timeMs: state.timeMs + 1000, transactions });
  }
  simulation.end();
  return path;
}

/** A step added to a fork, which gives it its nonce. */
const inject = (venue: TestVenue, height: number, step: Step): Injection => ({
  height,
  make: () => venue.toTransactions([{ ...step, header: { ...step.header, nonce: 0, validFrom: height } }])[0]!,
});

/** The book of a venue in the words of the helper. */
const bookOf = (venue: TestVenue, state: TestVenue["state"]) => {
  venue.state = state;
  return venue.book();
};
const at = (step: Step, nonce: number): Step => ({ ...step, header: { nonce } });

describe("nonces out of order", () => {
  // 3 and 1 are in the record before the injection takes the next one; 2 and 0 come late and find theirs free.
  test("find free ones in a fork that used up another of the lane", () => {
    const venue = open({ nonces: { trading: "window:8" } });
    const path = record(venue, [
      (v) => [at(v.buy("alice", "1", "90"), 3), at(v.buy("alice", "1", "91"), 1)],
      (v) => [at(v.buy("alice", "1", "92"), 2)],
      (v) => [at(v.buy("alice", "1", "93"), 0), at(v.buy("alice", "1", "94"), 4)],
      (v) => [at(v.buy("alice", "1", "95"), 11), at(v.buy("alice", "1", "96"), 4), at(v.buy("alice", "1", "97"), 20)],
    ]);
    const { base, fork, injected } = forkLog(path, {
      at: 2,
      inject: [inject(venue, 3, venue.buy("alice", "1", "80"))],
    });
    expect(injected).toMatchObject([{ status: "applied" }]);
    const recorded = bookOf(venue, base);
    expect(recorded).toHaveLength(6);
    expect(bookOf(venue, fork)).toEqual([...recorded, "buy 1@80 alice"]);
  });

  test("stay as they are where nothing came between", () => {
    const venue = open({ nonces: { trading: "window:8" } });
    const path = record(venue, [
      (v) => [at(v.buy("alice", "1", "90"), 3)],
      (v) => [at(v.buy("alice", "1", "91"), 1), at(v.buy("alice", "1", "92"), 3)],
    ]);
    const { fork } = forkLog(path, { at: 1, inject: [inject(venue, 2, venue.buy("bob", "1", "80"))] });
    venue.state = fork;
    expect(fork.ownerNonces.has(venue.row("alice"), 1)).toBe(true);
    expect(fork.accounts.nonceTrading[venue.row("alice")]).toBe(4);
  });
});

describe("acting for others", () => {
  const devnet = { features: { devnet: true } };

  test("uses up two nonces and two places of order ids, in the record and in the fork", () => {
    const venue = open(devnet);
    const path = record(venue, [
      (v) => [v.buy("alice", "1", "90"), v.impersonate(v.buy("alice", "1", "91")), at(v.buy("alice", "1", "92"), 2)],
      (v) => [v.buy("alice", "1", "93"), v.impersonate(v.cancelAll("bob"))],
      (v) => [v.buy("bob", "1", "85")],
      (v) => [v.cancel("alice", v.state.orders.id[0 as never]!), v.cancel("alice", v.state.orders.id[1 as never]!)],
    ]);
    const step = venue.impersonate(venue.buy("alice", "1", "80"));
    const { base, fork, injected } = forkLog(path, { at: 1, inject: [inject(venue, 2, step), inject(venue, 4, step)] });
    expect(injected).toMatchObject([{ status: "applied" }, { status: "applied" }]);
    expect(fork.consumed).toBe(base.consumed + 4);
    const recorded = bookOf(venue, base);
    expect(recorded).toHaveLength(3);
    const others = bookOf(venue, fork).filter((line) => !line.includes("@80"));
    expect(others).toEqual(recorded);
  });

  test("names the orders that it meant", () => {
    const venue = open(devnet);
    const path = record(venue, [
      (v) => [v.buy("alice", "1", "90"), v.buy("alice", "1", "91")],
      (v) => [v.impersonate(v.cancel("alice", v.state.orders.id[0 as never]!))],
    ]);
    const { base, fork } = forkLog(path, { at: 1, inject: [inject(venue, 2, venue.fund("0"))] });
    const left = ["buy 1@91 alice"];
    expect([bookOf(venue, base), bookOf(venue, fork)]).toEqual([left, left]);
  });
});

// The agent's order is not admitted in the fork; its id there would be that of bob's, which comes after it.
test("an order that a fork never had is not taken for another", () => {
  const venue = open();
  const ids: Bytes32[] = [];
  const path = record(venue, [
    (v) => [v.grant("alice", "bot")],
    (v) => {
      ids.push(...v.state.grants.rows.keys());
      return [v.by("bot", ids[0]!, v.buy("alice", "1", "90")), v.buy("bob", "1", "91")];
    },
    (v) => [v.cancel("alice", v.state.orders.id[0 as never]!)],
  ]);
  const codes: (string | undefined)[] = [];
  const { base, fork } = forkLog(path, {
    at: 1,
    inject: [inject(venue, 2, venue.revoke("alice", ids[0]!))],
    observeFork: [{ onBlock: (_state, _block, { receipts }) => void codes.push(receipts.at(0).code) }],
  });
  expect(codes).toEqual([undefined, "AUTHORIZATION_REVOKED", "ORDER_NOT_FOUND"]);
  const left = ["buy 1@91 bob"];
  expect([bookOf(venue, base), bookOf(venue, fork)]).toEqual([left, left]);
});

describe("grants", () => {
  test("that have another nonce in the fork are still those that agents and owners name", () => {
    const venue = open();
    const idOf = (v: TestVenue) => [...v.state.grants.rows.keys()].at(-1)!;
    const path = record(venue, [
      (v) => [v.grant("alice", "bot")],
      (v) => [v.by("bot", idOf(v), v.buy("alice", "1", "90"))],
      (v) => [v.revoke("alice", idOf(v))],
      (v) => [v.by("bot", idOf(v), v.buy("alice", "1", "91"))],
    ]);
    const first = inject(venue, 1, venue.grant("alice", "rob", { expiresAt: 86_400_000 }));
    const { base, fork } = forkLog(path, { at: 0, inject: [first] });
    expect([...fork.grants.rows.keys()]).not.toContain([...base.grants.rows.keys()][0]);
    expect([bookOf(venue, base), bookOf(venue, fork)]).toEqual([["buy 1@90 alice"], ["buy 1@90 alice"]]);
    expect(fork.authorizations.status[1 as never]).toBe(base.authorizations.status[0 as never]);
  });

  test("of a fork with another genesis have the ids of the network, and so in its forms", () => {
    const venue = open();
    const fork = forkVenue(venue.state, [], { liquidationsMax: 3 });
    const [transaction] = venue.toTransactions([venue.grant("alice", "bot")]);
    const id = digestOf(venue.state, transaction!);
    expect(digestOf(fork, transaction!)).toBe(id);
    const restored = readCanonical(writeCanonical(fork).slice());
    expect(digestOf(restored, transaction!)).toBe(id);
    expect(computeGenesisHash(restored.genesis)).toBe(computeGenesisHash(venue.genesis));
    const again = forkVenue(restored, [], { validityMax: 7 });
    expect(digestOf(again, transaction!)).toBe(id);
  });

  test("and no chain starts from the genesis of a fork", () => {
    const genesis = { ...createGenesis(), origin: `0x${"ab".repeat(32)}` as const };
    expect(() => createVenue(genesis)).toThrow(expect.objectContaining({ code: "INVALID_GENESIS" }));
  });
});
