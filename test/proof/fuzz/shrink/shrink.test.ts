import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { countGenes, type FuzzCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import type { Chronicle } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { compareWithModel, MODEL_CHECKERS } from "../../../../src/proof/fuzz/run/modelCheckers.ts";
import { mergeOrders } from "../../../../src/proof/fuzz/shrink/passes/mergeOrders.ts";
import { type Apply, readScript } from "../../../../src/proof/fuzz/shrink/readScript.ts";
import { playScript } from "../../../../src/proof/fuzz/shrink/runner.ts";
import type { Script, TransactionLine } from "../../../../src/proof/fuzz/shrink/script.ts";
import { Search } from "../../../../src/proof/fuzz/shrink/search.ts";
import { shrinkCase } from "../../../../src/proof/fuzz/shrink/shrinkCase.ts";
import { shrinkChronicle, shrinkScript } from "../../../../src/proof/fuzz/shrink/shrinkScript.ts";
import type { Failure } from "../../../../src/proof/fuzz/shrink/signature.ts";
import { invariants } from "../../../../src/proof/invariants/list.ts";
import {
  defineInvariant,
  type Invariant,
  type Step,
} from "../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { Watch } from "../../../../src/proof/invariants/machinery/watching/watch.ts";
import type { EventKind } from "../../../../src/protocol/events.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { readEvents } from "../../../../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

/** A venue that creates a unit from nothing at every event of a kind. */
function giveAt(kind: EventKind): Apply {
  return (state, block, probe) => {
    const result = applyBlock(state, block, probe);
    const found = readEvents(result.events, result.from, result.to).some((event) => event.kind === kind);
    if (found) state.accounts.collateral[0 as never]!++;
    return result;
  };
}

/** Runs a flow until an invariant breaks. */
function findFailure(seed: number, apply: Apply, invariant: string): { chronicle: Chronicle; failure: Failure } {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const watch = new Watch(state, { invariants: invariants.filter(({ id }) => id === invariant) });
  const blocks: Chronicle["blocks"][number][] = [];
  for (let count = 0; count < 600; count++) {
    const block = flow.next(state);
    blocks.push(block);
    const [failure] = watch.check(state, block, apply(state, block, watch.probe));
    if (failure !== undefined) return { chronicle: { genesis: flow.genesis, blocks }, failure };
  }
  throw new Error(`seed ${seed} does not get there`);
}

/** Blocks of a flow, each drawn from the current venue. */
function* drawUntil(flow: Flow, state: State, blocks: Chronicle["blocks"][number][]) {
  for (let count = 0; count < 600; count++) {
    blocks.push(flow.next(state));
    yield blocks.at(-1)!;
  }
}

const actionsOf = (script: { readonly lines: readonly object[] }) =>
  script.lines.flatMap((line) => ("action" in line ? [line.action] : []));

describe("a chronicle shrinks", () => {
  test("down to a trade between two accounts with round numbers", () => {
    const apply = giveAt("fill");
    const { chronicle, failure } = findFailure(1, apply, "conservation");
    const shrunk = shrinkChronicle(chronicle, failure, { apply })!;
    expect(shrunk.isDone).toBe(true);
    expect(shrunk.failure.invariant).toBe("conservation");
    expect(shrunk.transactions).toBeLessThanOrEqual(4);
    expect(actionsOf(shrunk.script).filter((action) => action === "placeOrder").length).toBeGreaterThan(0);
    expect(shrunk.script.genesis.markets.length).toBeLessThanOrEqual(1);
    // The chronicle that comes with it fails at the reported height.
    const state = createVenue(shrunk.chronicle.genesis);
    const watch = new Watch(state, { invariants: invariants.filter(({ id }) => id === "conservation") });
    const found = shrunk.chronicle.blocks.flatMap((block) => watch.check(state, block, apply(state, block)));
    expect(found.map(({ height }) => height)).toEqual([shrunk.failure.height]);
  });

  test("if only the model sees the failure, resuming mid-chain with the saved model", () => {
    const apply = giveAt("intentTriggered");
    const check = (blocks: Iterable<Chronicle["blocks"][number]>, state: State): Failure | undefined => {
      const both = new LockStep(state.genesis, "block", state);
      for (const block of blocks) {
        apply(state, block, both.probe);
        const failure = compareWithModel(both, state, block);
        if (failure !== undefined) return failure;
      }
      return undefined;
    };
    const flow = new Flow(1);
    const state = createVenue(flow.genesis);
    const blocks: Chronicle["blocks"][number][] = [];
    const failure = check(drawUntil(flow, state, blocks), state)!;
    const chronicle = { genesis: flow.genesis, blocks };
    const shrunk = shrinkChronicle(chronicle, failure, { apply, checkers: MODEL_CHECKERS })!;
    expect(shrunk.isDone).toBe(true);
    expect(shrunk.failure).toMatchObject({ kind: "model", invariant: "venueEqualsModel" });
    expect(shrunk.transactions).toBeLessThanOrEqual(6);
    // Running each candidate as a whole gives the same result at a greater cost.
    const whole = shrinkChronicle(chronicle, failure, {
      apply,
      run: (candidate) => check(candidate.blocks, createVenue(candidate.genesis)),
    })!;
    expect(shrunk.script).toEqual(whole.script);
    expect(shrunk.applied).toBeLessThan(whole.applied);
  });

  test("together with an order that a later transaction cancels", () => {
    const apply = giveAt("orderCancelled");
    const { chronicle, failure } = findFailure(4, apply, "conservation");
    const { script } = shrinkChronicle(chronicle, failure, { apply })!;
    expect(actionsOf(script).length).toBeLessThanOrEqual(4);
  });

  test("with collateral and markets in genesis, and prices that the oracle reports", () => {
    const apply = giveAt("fill");
    const moved: readonly unknown[] = [
      "deposit",
      "faucetMint",
      "transfer",
      "devnetSet",
      "createMarket",
      "updateMarket",
      "fundInsurance",
    ];
    for (const seed of [2, 5, 7]) {
      const { chronicle, failure } = findFailure(seed, apply, "conservation");
      const { script } = shrinkChronicle(chronicle, failure, { apply })!;
      expect(
        actionsOf(script).filter((action) => moved.includes(action)),
        `seed ${seed}`,
      ).toEqual([]);
      expect(script.genesis.features.devnet).toBe(false);
    }
  });

  test("in the same way each time, and from a budget that ended on", () => {
    const apply = giveAt("orderAmended");
    const { chronicle, failure } = findFailure(2, apply, "conservation");
    const options = { apply, candidates: 400 };
    const one = shrinkChronicle(chronicle, failure, options)!;
    const other = shrinkChronicle(chronicle, failure, options)!;
    expect(JSON.stringify(other.script)).toBe(JSON.stringify(one.script));
    const few = shrinkChronicle(chronicle, failure, { apply, candidates: 30 })!;
    expect(few.isDone).toBe(false);
    expect(few.candidates).toBeLessThanOrEqual(32);
    const rest = shrinkScript(few.script, few.failure, { apply })!;
    expect(rest.transactions).toBeLessThanOrEqual(few.transactions);
    expect(rest.isDone).toBe(true);
  });

  test("up to a number of transactions, and further from there", () => {
    const apply = giveAt("orderAmended");
    const { chronicle, failure } = findFailure(2, apply, "conservation");
    const few = shrinkChronicle(chronicle, failure, { apply, transactions: 10 })!;
    expect(few.isDone).toBe(false);
    const rest = shrinkScript(few.script, few.failure, { apply })!;
    expect(rest.isDone).toBe(true);
    expect(rest.transactions).toBeLessThanOrEqual(few.transactions);
  });

  test("with any other way to detect the failure", () => {
    const { chronicle } = findFailure(1, giveAt("fill"), "conservation");
    const failure: Failure = { kind: "model", invariant: "venueEqualsModel", height: 1, observed: "cost 1, cost 2" };
    const run = ({ blocks, genesis }: Chronicle): Failure | undefined => {
      const state = createVenue(genesis);
      for (const block of blocks) {
        const { events, from, to, height } = applyBlock(state, block);
        const fill = readEvents(events, from, to).find(({ kind }) => kind === "fill");
        if (fill !== undefined) return { ...failure, height };
      }
      return undefined;
    };
    const shrunk = shrinkChronicle(chronicle, { ...failure, height: chronicle.blocks.length }, { run })!;
    expect(shrunk.transactions).toBeLessThanOrEqual(4);
    expect(shrunk.failure.kind).toBe("model");
  });

  test("not at all if it does not fail in that way", () => {
    const { chronicle, failure } = findFailure(1, giveAt("fill"), "conservation");
    expect(shrinkChronicle(chronicle, failure)).toBeUndefined();
    expect(shrinkChronicle(chronicle, { ...failure, invariant: "unknown" }, { apply: giveAt("fill") })).toBeUndefined();
  });

  test("to the transaction that throws, for an exception", () => {
    const { chronicle } = findFailure(1, giveAt("fill"), "conservation");
    const apply: Apply = (state, block, probe) => {
      if (block.transactions.some(({ action }) => action === "placeOrder")) throw new TypeError("row -1 is not there");
      return applyBlock(state, block, probe);
    };
    const observed = "TypeError: row -1 is not there";
    const failure: Failure = { kind: "throw", invariant: "nothingThrows", height: chronicle.blocks.length, observed };
    const { script } = shrinkChronicle(chronicle, failure, { apply })!;
    expect(actionsOf(script)).toEqual(["placeOrder"]);
    expect(script.genesis.accounts.length).toBe(0);
  });
});

test("two orders of one account become one of both sizes", () => {
  const { chronicle } = findFailure(1, giveAt("fill"), "conservation");
  const order = readScript(chronicle).lines.find(
    (line): line is TransactionLine => line.kind === "transaction" && line.action === "placeOrder",
  )!;
  const sized = (number: number, size: number) => ({ ...order, number, payload: { ...order.payload, size } });
  const end = { kind: "block", afterMs: 1000 } as const;
  const script = { genesis: chronicle.genesis, lines: [sized(1, 30), end, sized(2, 12), sized(3, 5), end] };
  const sum = ({ lines }: Script) =>
    lines.reduce((size, line) => size + (line.kind === "block" ? 0 : (line.payload as { size: number }).size), 0);
  const failure: Failure = { invariant: "conservation", height: 2, observed: "47" };
  const run = (candidate: Script) =>
    sum(candidate) === 47 ? { failure, lines: candidate.lines.length, line: undefined } : undefined;
  const trial = { applied: 0, prepare: () => undefined, run, startAgain: run };
  const search = new Search(script, run(script)!, trial, {});
  mergeOrders(search);
  expect(search.best.lines.length).toBe(3);
  expect(sum(search.best)).toBe(47);
});

test("an empty script plays no block", () => {
  const { genesis } = findFailure(1, giveAt("fill"), "conservation").chronicle;
  expect(readScript({ genesis, blocks: [] }).lines).toEqual([]);
});

describe("an invariant with memory", () => {
  /** Runs a flow and shrinks its failure; then checks the result from genesis. */
  function shrinkBy(invariant: Invariant): {
    readonly before: number;
    readonly after: number;
    readonly fails: boolean;
  } {
    const flow = new Flow(5);
    const state = createVenue(flow.genesis);
    const watch = new Watch(state, { invariants: [invariant] });
    const blocks: Chronicle["blocks"][number][] = [];
    for (let found: readonly Failure[] = []; ; ) {
      const block = flow.next(state);
      blocks.push(block);
      found = watch.check(state, block, applyBlock(state, block, watch.probe));
      if (found[0] === undefined || blocks.length < 20) continue;
      const shrunk = shrinkChronicle({ genesis: flow.genesis, blocks }, found[0], { invariants: [invariant] })!;
      const twin = createVenue(shrunk.chronicle.genesis);
      const again = new Watch(twin, { invariants: [invariant] });
      const seen = shrunk.chronicle.blocks.flatMap((one) => again.check(twin, one, applyBlock(twin, one, again.probe)));
      return { before: shrunk.transactionsBefore, after: shrunk.transactions, fails: seen.length > 0 };
    }
  }

  const hasFill = (step: Step) => step.events.some(({ kind }) => kind === "fill");

  test("that needs the whole chain is always attached at genesis", () => {
    const { before, after, fails } = shrinkBy(
      defineInvariant({
        ...PLAIN,
        start: ({ height }: State) => ({ height }),
        sweep: (state, step, { height }) =>
          height === 0 && state.height >= 20 && hasFill(step) ? "a fill" : undefined,
      }),
    );
    expect(fails).toBe(true);
    expect(after).toBeLessThan(before);
  });

  test("and without, whose message starts with the account, shrinks like any other", () => {
    const sweep: Invariant["sweep"] = (state, step) =>
      state.height >= 20 && hasFill(step) ? "account 3 in market 0: a fill" : undefined;
    const { after, fails } = shrinkBy(defineInvariant({ ...PLAIN, sweep }));
    expect(fails).toBe(true);
    expect(after).toBeLessThanOrEqual(5);
  });

  test("that checks single events is used as well", () => {
    const { after, fails } = shrinkBy(
      defineInvariant({
        ...PLAIN,
        when: "events",
        kinds: ["fill"],
        start: () => ({ fills: 0 }),
        event: ({ state }, _at, memory) => (++memory.fills > 3 && state.height >= 20 ? "a fill" : undefined),
      }),
    );
    expect(fails).toBe(true);
    expect(after).toBeLessThanOrEqual(12);
  });

  test("that reports too much mid-chain is finally attached at genesis", () => {
    const { fails } = shrinkBy(
      defineInvariant({
        ...PLAIN,
        start: ({ height }: State) => ({ height, fills: 0 }),
        sweep(state, step, memory) {
          if (!hasFill(step)) return undefined;
          memory.fills++;
          return memory.height > 0 || (memory.fills > 3 && state.height > 9) ? "a fill" : undefined;
        },
      }),
    );
    expect(fails).toBe(true);
  });
});

const PLAIN = {
  id: "planted",
  sentence: "Planted.",
  rules: ["POS-4"],
  catalogue: ["G01"],
  when: "block",
} as const;

describe("a case shrinks as a case", () => {
  test("to the genes that it needs, with zeros elsewhere", () => {
    const random = new Random([1, 2, 3, 4]);
    const given = drawCase(random, { profile: "uniform", length: 200 });
    const apply = giveAt("orderOpened");
    const run = (candidate: FuzzCase): Failure | undefined => {
      const runner = new CaseRunner(candidate);
      const watch = new Watch(runner.state, { invariants: invariants.filter(({ id }) => id === "conservation") });
      for (let block = runner.next(); block !== undefined; block = runner.next()) {
        const [failure] = watch.check(runner.state, block, apply(runner.state, block, watch.probe));
        if (failure !== undefined) return failure;
      }
      return undefined;
    };
    const failure = run(given)!;
    const shrunk = shrinkCase(given, failure, run, { candidates: 1500 });
    expect(shrunk.failure.invariant).toBe("conservation");
    expect(run(shrunk.case)).toEqual(shrunk.failure);
    expect(countGenes(shrunk.case)).toBeLessThanOrEqual(5);
    expect([...shrunk.case.profile].filter((choice) => choice !== 0).length).toBeLessThan(10);
  });
});

test("crashes are read, replayed at the same blocks, and dropped if the failure does not need them", () => {
  const apply = giveAt("fill");
  const { chronicle, failure } = findFailure(1, apply, "conservation");
  const crashes = [
    { height: 1, way: "image" },
    { height: 2, way: "snapshot" },
  ] as const;
  const crashed = { ...chronicle, crashes };
  expect(playScript(readScript(crashed)).chronicle.crashes).toEqual(crashes);
  const { script } = shrinkChronicle(crashed, failure, { apply })!;
  expect(script.lines.filter((line) => line.kind === "block" && line.crash !== undefined)).toEqual([]);
});
