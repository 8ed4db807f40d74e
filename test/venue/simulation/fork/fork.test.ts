import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ByteWriter } from "../../../../src/ground/collections/byteWriter.ts";
import type { Amount, PriceE8 } from "../../../../src/ground/math/fixed.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { Watch } from "../../../../src/proof/invariants/machinery/watching/watch.ts";
import { AccountKey } from "../../../../src/protocol/accountKey.ts";
import type { Authority } from "../../../../src/protocol/action.ts";
import type { ActionName, Payloads } from "../../../../src/protocol/actions/index.ts";
import { writeTransaction } from "../../../../src/protocol/codecBinary.ts";
import { createTransaction } from "../../../../src/protocol/createTransaction.ts";
import type { Transaction } from "../../../../src/protocol/transaction.ts";
import { computeRoot, getHead } from "../../../../src/venue/engine/commitment/root.ts";
import { forkVenue } from "../../../../src/venue/engine/forkRecord.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { TOTAL } from "../../../../src/venue/engine/state/totals.ts";
import { listOrders } from "../../../../src/venue/engine/state/walk.ts";
import { forkLog, type Injection } from "../../../../src/venue/simulation/fork/forkLog.ts";
import { BlockLog } from "../../../../src/venue/simulation/log/blockLog.ts";
import type { SealedBlock } from "../../../../src/venue/simulation/observer.ts";
import { diffVenues } from "../../../../src/venue/simulation/outcome/diffVenues.ts";
import { OutcomeRecorder } from "../../../../src/venue/simulation/outcome/recordOutcome.ts";
import { Simulation } from "../../../../src/venue/simulation/simulation.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { price } from "../../../helpers/venue/values.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-fork-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function writeLog(state: State, blocks: (state: State) => Iterable<SealedBlock>): { path: string; state: State } {
  const path = join(folder, `${++files}.log`);
  const simulation = new Simulation(state, [new BlockLog(path)]);
  simulation.run(blocks(state));
  return { path, state };
}

/** Whether the wire can carry a transaction: flows also draw values that decoding would refuse. */
function isOnWire(transaction: Transaction): boolean {
  try {
    writeTransaction(new ByteWriter(256), transaction);
    return true;
  } catch {
    return false;
  }
}

/** The log of a generated flow. */
function writeFlow(seed: number, count: number): { path: string; state: State } {
  const flow = new Flow(seed);
  return writeLog(createVenue(flow.genesis), function* (state) {
    for (let made = 0; made < count; made++) {
      const block = flow.next(state);
      yield { ...block, transactions: block.transactions.filter(isOnWire) };
    }
  });
}

/** A system transaction in addition to the recorded ones. */
function inject<A extends ActionName>(
  height: number,
  authority: Authority,
  action: A,
  payload: Payloads[A],
): Injection {
  return {
    height,
    make(fork) {
      const account = new AccountKey(fork.genesis.authorities[authority], 0);
      return createTransaction({ action, account, payload, nonce: 0, validFrom: height });
    },
  };
}

const fundNothing = (height: number) => inject(height, "operator", "fundInsurance", { amount: 0 as Amount });

/** alice is long with little margin, bob sold to her and bids far below; the price stays, block after block. */
function writeStory(): { path: string; state: State } {
  const venue = new TestVenue({
    markets: { TEST: { takerFee: "0.001", insuranceSlippage: "0.005" } },
    accounts: { alice: "150", bob: "100000", carol: "100000" },
    insurance: "500",
    genesis: { timeMs: 1_000 },
  });
  const blocks: Step[][] = [
    [venue.price("1000")],
    [venue.sell("bob", "1", "1000"), venue.buy("alice", "1", "1000"), venue.buy("carol", "5", "960")],
    [venue.price("1000")],
    [venue.price("1000")],
  ];
  return writeLog(venue.state, function* (state) {
    for (const steps of blocks) {
      const transactions = venue.toTransactions(steps);
      yield { height: state.height + 1, timeMs: state.timeMs + 1000, transactions };
    }
  });
}

describe("a fork of a log", () => {
  test("without a change ends with the recorded state, from any height", () => {
    for (const seed of [11, 23]) {
      const { path, state } = writeFlow(seed, 100);
      for (const at of [0, 1, 60, 100]) {
        const { base, fork } = forkLog(path, { at });
        expect([getHead(base), getHead(fork)]).toEqual([getHead(state), getHead(state)]);
        expect(computeRoot(fork)).toBe(computeRoot(state));
        expect(diffVenues(base, fork)).toMatchObject({ accounts: [], marks: [] });
      }
    }
  });

  // Goal: recorded transactions mean the same in the fork, though nonces and order ids have moved there.
  // Method: injected transactions that are rejected use up nonces and order ids and change nothing else.
  test("carries recorded nonces and order ids over an injected transaction", () => {
    for (const seed of [3, 11, 56, 85]) {
      const { path, state } = writeFlow(seed, 120);
      const { base, fork, injected } = forkLog(path, { at: 2, inject: [5, 5, 20, 77].map(fundNothing) });
      expect(injected.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
      expect(fork.consumed).toBe(base.consumed + 4);
      expect(diffVenues(base, fork)).toMatchObject({ accounts: [], marks: [] });
      expect(base.consumed).toBe(state.consumed);
      const ids = (venue: State) =>
        listOrders(venue)
          .map((order) => venue.orders.id[order]!)
          .sort((a, b) => a - b);
      const shifts = new Set(ids(base).map((id, place) => ids(fork)[place]! - id));
      for (const shift of shifts) expect([0, 64, 128, 192, 256]).toContain(shift);
    }
  });

  test("keeps every invariant in the fork", () => {
    const { path } = writeFlow(23, 80);
    let watch: Watch | undefined;
    forkLog(path, {
      at: 40,
      changes: [{ parameters: { makerFee: "0", takerFee: "0.002", tier1: "0 0.5 0.3", tier2: "", tier3: "" } }],
      observeFork: [
        {
          onStart: (state) => {
            watch = new Watch(state, { moments: false });
          },
          onBlock: (state, block, result) => watch!.onBlock(state, block, result),
        },
      ],
    });
    expect(watch).toBeDefined();
  });

  test("shows the effect of an injected price that was not recorded", () => {
    const { path } = writeStory();
    const recorders = { base: new OutcomeRecorder(), fork: new OutcomeRecorder() };
    const payload: Payloads["oracleUpdate"] = {
      ...({ market: "TEST", sources: [], fundingRate: 0, settleFunding: false } as unknown as Payloads["oracleUpdate"]),
      price: price("860") as PriceE8,
      mark: 0 as PriceE8,
    };
    const { base, fork } = forkLog(path, {
      at: 2,
      inject: [inject(3, "oracle", "oracleUpdate", payload)],
      observeBase: [recorders.base],
      observeFork: [recorders.fork],
    });
    expect(recorders.base.result(base).liquidations).toMatchObject({ liquidationSteps: 0, accounts: 0, bookValue: 0n });
    // alice: 150 - 1 fee, long 1 at 1000; at 860 her equity is 9, below 43. carol's bid at 960 takes all of it.
    const after = recorders.fork.result(fork);
    expect(after.liquidations).toMatchObject({
      liquidationSteps: 1,
      accounts: 1,
      bookValue: 960_000_000n,
      deleveragedValue: 0n,
    });
    expect(after.insurance.end - after.insurance.start).toBe(fork.totals.get(TOTAL.insurance) - 500_000_000n);
    const { accounts } = diffVenues(base, fork);
    expect(accounts.map(({ positions }) => positions[0]?.size)).toContainEqual({ base: 1, fork: 0 });
  });

  test("is refused where a parameter does not exist, may not change, or breaks a rule of markets", () => {
    const { path, state } = writeStory();
    for (const [market, parameters, place] of [
      ["TEST", { takersFee: "0" }, "TEST.takersFee"],
      ["TEST", { tickSize: "0.5" }, "TEST.tickSize"],
      ["TEST", { tier1: "0 0.1 0.2" }, "TEST.tier1"],
      ["BEST", { takerFee: "0" }, "BEST"],
    ] as const) {
      expect(() => forkVenue(state, [{ market, parameters }])).toThrow(
        expect.objectContaining({ code: "INVALID_FORK", details: expect.objectContaining({ parameter: place }) }),
      );
    }
    expect(() => forkLog(path, { at: 99 })).toThrow(expect.objectContaining({ code: "LOG_HEIGHT" }));
    expect(() => forkLog(path, { at: 2, inject: [fundNothing(99)] })).toThrow(
      expect.objectContaining({ code: "LOG_HEIGHT" }),
    );
  });

  test("writes changes without a transaction into its effects chain, and leaves the original unchanged", () => {
    const { state } = writeStory();
    const root = computeRoot(state);
    const head = getHead(state);
    const fork = forkVenue(state, [{ market: "TEST", parameters: { takerFee: "0.003" } }]);
    expect([computeRoot(state), getHead(state)]).toEqual([root, head]);
    expect(getHead(fork)).not.toBe(head);
    expect(getHead(forkVenue(state, [{ market: "TEST", parameters: { takerFee: "0.003" } }]))).toBe(getHead(fork));
    expect(getHead(forkVenue(state, [{ market: "TEST", parameters: { takerFee: "0.004" } }]))).not.toBe(getHead(fork));
    expect(getHead(forkVenue(state, [], { liquidationsMax: 3 }))).not.toBe(head);
    expect(getHead(forkVenue(state))).toBe(head);
  });
});
