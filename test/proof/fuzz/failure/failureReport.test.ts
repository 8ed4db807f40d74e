import { beforeAll, describe, expect, test } from "vitest";
import type { Chronicle } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { moveOf } from "../../../../src/proof/fuzz/failure/cells.ts";
import { createFailureReport } from "../../../../src/proof/fuzz/failure/createFailureReport.ts";
import { FAILURE_FORMATS } from "../../../../src/proof/fuzz/failure/formats.ts";
import type { FailureReport } from "../../../../src/proof/fuzz/failure/model.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { runCase } from "../../../../src/proof/fuzz/run/runCase.ts";
import { ORACLES } from "../../../../src/proof/fuzz/run/violation.ts";
import type { Apply } from "../../../../src/proof/fuzz/shrink/readScript.ts";
import { shrinkChronicle } from "../../../../src/proof/fuzz/shrink/shrinkScript.ts";
import type { Failure } from "../../../../src/proof/fuzz/shrink/signature.ts";
import { invariants } from "../../../../src/proof/invariants/list.ts";
import { Watch } from "../../../../src/proof/invariants/machinery/watching/watch.ts";
import type { Block } from "../../../../src/protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../../src/venue/engine/applyBlock.ts";
import { readEvents } from "../../../../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

/** A venue in which every taker receives a quote unit from nothing. */
const apply: Apply = (state, block, probe) => {
  const result = applyBlock(state, block, probe);
  for (const event of readEvents(result.events, result.from, result.to)) {
    if (event.kind === "fill") state.accounts.collateral[event.takerAccount as never]!++;
  }
  return result;
};

/** Shrinks a failure and creates its report. */
function reportFailure(more: Partial<Failure> = {}, sides: FailureReport["sides"] = []): FailureReport {
  const flow = new Flow(1);
  const state = createVenue(flow.genesis);
  const watch = new Watch(state, { invariants: invariants.filter(({ id }) => id === "conservation") });
  const blocks: Block[] = [];
  let failure: Failure | undefined;
  while (failure === undefined) {
    const block = flow.next(state);
    blocks.push(block);
    [failure] = watch.check(state, block, apply(state, block, watch.probe));
  }
  const shrunk = shrinkChronicle({ genesis: flow.genesis, blocks }, failure, { apply })!;
  return createFailureReport(shrunk.script, { ...shrunk.failure, ...more }, { apply, cost: shrunk, sides });
}

describe("a failure report", () => {
  let report: FailureReport;
  beforeAll(() => {
    report = reportFailure();
  });

  test("states what is broken and where, the expected rule and its ids", () => {
    expect(report.headline).toMatch(/^conservation is broken at block \d+: /);
    expect(report.sentence).toMatch(/^Collateral less cost/);
    expect(report.rules).toContain("POS-4");
    expect(report.command).toBe(`perplab scenario run scenarios/regressions/${report.scenario.name}`);
  });

  test("lists every moment with marks and accounts, and highlights the row and the cell", () => {
    const failing = report.timeline.filter(({ isFailing }) => isFailing);
    expect(failing).toHaveLength(1);
    expect(failing[0]!.accounts.filter((cells) => cells?.isMeant)).toHaveLength(1);
    const trade = report.timeline.find(({ fills }) => fills.length > 0)!;
    expect(trade.outcome).toMatch(/^applied/);
    const [short, long, ...others] = trade.accounts.map((cells) => cells?.positions).sort();
    expect([short, others]).toEqual([`-${long}`, []]);
    expect(long).toMatch(/^[0-9.]+ BTC-PERP$/);
    expect(report.timeline.at(-1)!.isFailing).toBe(true);
  });

  test("lists only the changes of values that the invariant reads", () => {
    const changed = report.changes.map(({ what }) => what.replace(/^\w+ /, ""));
    expect(changed).toContain("collateral");
    expect(changed).toContain("in BTC-PERP cost");
    // The invariant does not read sizes and orders.
    expect(changed.filter((what) => /size|nonce|remaining/.test(what))).toEqual([]);
    expect(report.changes.find(({ what }) => what.endsWith(" collateral"))!.by).toBe("+0.000001");
  });

  test("shows venue and model side by side, and two rankings with the rule", () => {
    const terms = [
      { name: "wanted order", value: "alice, bob" },
      { name: "found order", value: "bob, alice" },
    ];
    const other = reportFailure({ terms }, [{ what: "alice collateral", venue: "1000.000001", model: "1000" }]);
    expect(other.orders).toEqual({ rule: other.sentence, wanted: ["alice", "bob"], found: ["bob", "alice"] });
    const text = FAILURE_FORMATS.text([other]);
    expect(text).toMatch(/venue and model\n.*\n.*alice collateral +1000\.000001 +1000\n/);
    expect(text).toMatch(/two orders: .*\n.*\n +1 +alice +bob\n/);
    expect(FAILURE_FORMATS.html([other])).toContain("by the rule");
  });

  test.each(["text", "html", "json", "junit", "github"] as const)("has the same content as %s", (format) => {
    const page = FAILURE_FORMATS[format]([report]);
    expect(page).toContain("conservation is broken at block");
    expect(page).toContain(report.scenario.name);
  });

  test("is one HTML file that fetches nothing and escapes its content", () => {
    const page = FAILURE_FORMATS.html([{ ...report, headline: "<script>alert(1)</script>" }]);
    expect(page).not.toContain("<script>alert");
    expect(page).not.toMatch(/(?:src|href)="https?:/);
    expect(page).toContain("Content-Security-Policy");
  });

  test("next to another one has no element with the id of the other", () => {
    const idsOf = (page: string) => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    const both = idsOf(FAILURE_FORMATS.html([report, { ...report, headline: "another" }]));
    expect(new Set(both).size).toBe(both.length);
    const page = FAILURE_FORMATS.html([report]);
    for (const [, id] of page.matchAll(/href="#([^"]*)"/g)) expect(idsOf(page)).toContain(id);
  });

  test("is JSON that parses to the same report", () => {
    expect(JSON.parse(FAILURE_FORMATS.json([report]))).toEqual([JSON.parse(JSON.stringify(report))]);
  });
});

test("a venue that throws is reported up to the exception", () => {
  const breaks: Apply = (state, block, probe) => {
    if (block.transactions.some(({ action }) => action === "placeOrder")) throw new TypeError("row -1 is not there");
    return applyBlock(state, block, probe);
  };
  const flow = new Flow(1);
  const state = createVenue(flow.genesis);
  const blocks = Array.from({ length: 20 }, () => {
    const block = flow.next(state);
    applyBlock(state, block);
    return block;
  });
  const failure: Failure = {
    kind: "throw",
    invariant: "nothingThrows",
    height: blocks.length,
    observed: "TypeError: row -1 is not there",
  };
  const shrunk = shrinkChronicle({ genesis: flow.genesis, blocks }, failure, { apply: breaks })!;
  const report = createFailureReport(shrunk.script, shrunk.failure, { apply: breaks });
  expect(report.timeline.at(-1)).toMatchObject({ outcome: "thrown", isFailing: true });
  expect(report.sentence).toBe("Inside a valid block nothing throws.");
  expect(FAILURE_FORMATS.text([report])).toContain("TypeError: row -1 is not there");
});

test.each([
  ["1", "1.000001", "+0.000001"],
  ["2", "-3", "-5"],
  ["5", "5", "0"],
  ["", "x", ""],
])("from %s to %s is %s", (before, after, by) => {
  expect(moveOf(before, after)).toBe(by);
});

// Goal: the report of a model failure shows both values, with names, and no text of another oracle. Method: a venue
// that gives the taker a unit from nothing, in lock step with the model.
test("a failure of the model shows both sides at the moment of the first difference", () => {
  const flow = new Flow(1);
  const state = createVenue(flow.genesis);
  const blocks = Array.from({ length: 60 }, () => {
    const block = flow.next(state);
    applyBlock(state, block);
    return block;
  });
  const plant = (venue: State, result: BlockResult) => {
    for (const event of readEvents(result.events, result.from, result.to))
      if (event.kind === "fill") venue.accounts.collateral[event.takerAccount as never]!++;
  };
  const run = (chronicle: Chronicle) => runCase(chronicle, { oracles: { watch: false, model: true }, plant }).violation;
  const violation = run({ genesis: flow.genesis, blocks })!;
  expect(violation).toMatchObject({
    kind: "model",
    invariant: "venueEqualsModel",
    entity: expect.stringMatching(/^account \d+$/),
  });
  const shrunk = shrinkChronicle(
    { genesis: flow.genesis, blocks: blocks.filter(({ height }) => height <= violation.height) },
    violation,
    { run, candidates: 400 },
  )!;
  const report = createFailureReport(shrunk.script, shrunk.failure, { apply });
  expect(report.sentence).toBe(ORACLES.venueEqualsModel);
  expect(report.terms).toEqual([]);
  const [side] = report.sides;
  expect(report.sides).toHaveLength(1);
  expect(side!.what).toMatch(/^[a-z]+'s collateral$/);
  expect(BigInt(side!.venue) - BigInt(side!.model)).toBe(1n);
  expect(FAILURE_FORMATS.json([report])).toContain(JSON.stringify(side!.what));
  expect(FAILURE_FORMATS.text([report])).toContain(`${side!.what}  ${side!.venue}`);
  expect(FAILURE_FORMATS.html([report])).toContain("<h2>Venue and model</h2>");
});
