import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDigester } from "../../../../src/protocol/typedDataDigest.ts";
import { explainLog, readSubject } from "../../../../src/venue/simulation/explain/explainLog.ts";
import { BlockLog } from "../../../../src/venue/simulation/log/blockLog.ts";
import { BlockLogReader } from "../../../../src/venue/simulation/log/readBlockLog.ts";
import { signingDomainOf } from "../../../../src/venue/simulation/signatures.ts";
import { Simulation } from "../../../../src/venue/simulation/simulation.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-explain-"));
const log = join(folder, "story.log");
afterAll(() => rmSync(folder, { recursive: true }));

// alice buys 1 at 1000 with 150; bob's second order is beyond his means; at 860 alice is liquidated.
beforeAll(() => {
  const venue = new TestVenue({
    accounts: { alice: "150", bob: "2000", carol: "100000" },
    insurance: "500",
    genesis: { timeMs: 1_000 },
  });
  const blocks: Step[][] = [
    [venue.price("1000")],
    [venue.sell("bob", "1", "1000"), venue.buy("alice", "1", "1000"), venue.buy("bob", "30", "1000")],
    [venue.price("860"), venue.buy("carol", "5", "855")],
    [venue.price("860"), venue.buy("carol", "1", "850")],
    [venue.buy("bob", "3", "800", { reduceOnly: true })],
  ];
  const simulation = new Simulation(venue.state, [new BlockLog(log)]);
  for (const steps of blocks) {
    const { state } = venue;
    const transactions = venue.toTransactions(steps);
    simulation.apply({ height: state.height + 1, timeMs: state.timeMs + 1000, transactions });
  }
  simulation.end();
});

describe("a transaction", () => {
  test("that was rejected: code, meaning, the numbers compared, and an account that did not change", () => {
    const found = explainLog(log, { kind: "transaction", height: 2, index: 2 });
    expect(found).toMatchObject({
      kind: "transaction",
      action: "placeOrder",
      status: "rejected",
      code: "INSUFFICIENT_MARGIN",
      numbers: { equity: "2000 USD", required: "2900 USD" },
    });
    if (found.kind !== "transaction") throw new Error();
    expect(found.after).toEqual(found.before);
    expect(found.payload).toMatchObject({ market: "TEST", side: "buy", size: "30" });
  });

  test("with an order that was cut at entry: what the code of the result means, with its numbers", () => {
    const found = explainLog(log, { kind: "transaction", height: 5, index: 0 });
    if (found.kind !== "transaction") throw new Error();
    expect(found.results).toMatchObject([
      {
        status: "resting",
        code: "REDUCE_ONLY_CUT",
        meaning: expect.stringContaining("cancelled at entry"),
        numbers: { lots: "3", filled: "0", resting: "1", cancelled: "2", position: "-1", others: "0" },
      },
    ]);
  });

  test("that applied: its events in words, and the account before and after", () => {
    const found = explainLog(log, { kind: "transaction", height: 2, index: 1 });
    if (found.kind !== "transaction") throw new Error();
    expect(found.events.find(({ kind }) => kind === "fill")?.fields).toMatchObject({
      price: "1000",
      size: "1",
      value: "1000",
    });
    expect(found.before).toMatchObject([{ marginAccount: "cross", equity: "150", positions: [] }]);
    // Maintenance 5 % of 1000; long 1 with 150: p = (150 - 1000) / (0.05 - 1) = 894.73…
    expect(found.after).toMatchObject([
      { equity: "150", maintenance: "50", initial: "100", free: "50", positions: [{ size: "1", entryPrice: "1000" }] },
    ]);
    expect(found.after[0]?.positions[0]?.liquidationPrice).toMatch(/^894\.7368/);
    expect(found.markets).toMatchObject([{ market: "TEST", mark: "1000", markMethod: "reported" }]);
  });

  test("is found by its id", () => {
    const reader = new BlockLogReader(log);
    const digester = createDigester(signingDomainOf(reader.genesis));
    for (const record of reader) {
      if (record.kind !== "block") continue;
      for (const [index, transaction] of record.block.transactions.entries()) {
        const id = digester.digestOf(transaction);
        expect(explainLog(log, { kind: "txId", id })).toMatchObject({ height: record.block.height, index });
      }
    }
    reader.close();
  });
});

test("acting for others: the action that was carried, whose it is, and the numbers that it met", () => {
  const path = join(folder, "devnet.log");
  const venue = new TestVenue({ accounts: { alice: "1000" }, genesis: { features: { devnet: true } } });
  const simulation = new Simulation(venue.state, [new BlockLog(path)]);
  const transactions = venue.toTransactions([venue.impersonate(venue.withdraw("alice", "1000.5"))]);
  simulation.apply({ height: 1, timeMs: venue.state.timeMs + 1000, transactions });
  simulation.end();
  const found = explainLog(path, { kind: "transaction", height: 1, index: 0 });
  expect(found).toMatchObject({
    action: "devnetImpersonate",
    code: "INSUFFICIENT_FREE_COLLATERAL",
    numbers: { amount: "1000.5 USD", free: "1000 USD" },
    payload: { action: "withdraw", payload: { amount: "1000.5" } },
    before: [{ marginAccount: "cross", equity: "1000" }],
  });
});

test("a liquidation: equity and maintenance, marks before and then, bankruptcy price, stages, and who paid", () => {
  const found = explainLog(log, { kind: "liquidation", height: 3, place: 0 });
  if (found.kind !== "liquidation") throw new Error();
  expect(found).toMatchObject({ id: "L-3-0", equity: "10", maintenance: "43" });
  expect(found.markets).toMatchObject([{ before: { mark: "1000" }, at: { mark: "860" } }]);
  expect(found.before).toMatchObject([{ equity: "150", positions: [{ size: "1" }] }]);
  // No order bids above 850 in the risk pass: closed at the bankruptcy price, 850, against bob.
  const kinds = found.events.map(({ kind, fields }) => (kind === "liquidationStage" ? fields["stage"] : kind));
  expect(kinds[0]).toBe("bookClosing");
  expect(found.events[0]?.fields["bankruptcyPrice"]).toBe("850");
});

// A fifth at 94 in block 4, after thirty seconds another, then alice closes what is left; two blocks have no turn.
test("a liquidation in chunks: its steps in later blocks, and how it ended", () => {
  const path = join(folder, "chunks.log");
  const venue = new TestVenue({
    markets: { TEST: { liquidationWhole: "500", liquidationChunk: "0.05" } },
    accounts: { alice: "10000", bob: "100000", carol: "100000" },
    genesis: { timeMs: 1_000 },
  });
  const blocks: [afterMs: number, ...Step[]][] = [
    [1000, venue.price("100")],
    [1000, venue.sell("bob", "1000", "100"), venue.buy("alice", "1000", "100"), venue.buy("carol", "1000", "94")],
    [1000, venue.price("93.5")],
    [1000],
    [29_000],
    [1000, venue.sell("alice", "902", "94")],
    [1000],
    [1000],
  ];
  const simulation = new Simulation(venue.state, [new BlockLog(path)]);
  for (const [afterMs, ...steps] of blocks) {
    const { state } = venue;
    const transactions = venue.toTransactions(steps);
    simulation.apply({ height: state.height + 1, timeMs: state.timeMs + afterMs, transactions });
  }
  simulation.end();
  const found = explainLog(path, { kind: "liquidation", height: 3, place: 0 });
  if (found.kind !== "liquidation") throw new Error();
  expect(found).toMatchObject({ id: "L-3-0", end: "completed", before: [{ positions: [{ size: "1000" }] }] });
  expect(found.events.find(({ kind }) => kind === "fill")?.fields).toMatchObject({ size: "50" });
  expect(found.later.map(({ height }) => height)).toEqual([5, 7]);
  expect(found.later[0]!.events.find(({ kind }) => kind === "fill")?.fields).toMatchObject({ size: "48" });
  expect(found.later[1]!.events).toMatchObject([{ kind: "liquidationStage", fields: { stage: "completed" } }]);
  expect(found.after).toMatchObject([{ positions: [] }]);
});

describe("unknown subjects", () => {
  test.each([
    [{ kind: "transaction", height: 2, index: 9 } as const, "SUBJECT_NOT_FOUND"],
    [{ kind: "transaction", height: 99, index: 0 } as const, "LOG_HEIGHT"],
    [{ kind: "liquidation", height: 2, place: 0 } as const, "SUBJECT_NOT_FOUND"],
    [{ kind: "txId", id: `0x${"0".repeat(64)}` } as const, "SUBJECT_NOT_FOUND"],
  ])("%j is %s", (subject, code) => {
    expect(() => explainLog(log, subject)).toThrow(expect.objectContaining({ code }));
  });
});

test("subjects are written in three ways", () => {
  expect(readSubject("L-120-3")).toEqual({ kind: "liquidation", height: 120, place: 3 });
  expect(readSubject("120-3")).toEqual({ kind: "transaction", height: 120, index: 3 });
  expect(readSubject(`0x${"ab".repeat(32)}`)).toMatchObject({ kind: "txId" });
  for (const text of ["", "120", "L-1", "0xab", "1-2-3", "-1-2"]) expect(readSubject(text)).toBeUndefined();
});
