import { expect, test } from "vitest";
import { type Difference, keepModel, LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import type { KeptModel } from "../../../../src/proof/model/copyState.ts";
import { createModel } from "../../../../src/proof/model/createModel.ts";
import type { ModelTools } from "../../../../src/proof/model/state.ts";
import type { Block } from "../../../../src/protocol/transaction.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import type { Probe } from "../../../../src/venue/engine/probe.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

const SEEDS = 6;
const BLOCKS = 16;

/** All values of a model, with the ids of the objects that others name. */
function textOf({ genesis: _genesis, ...state }: KeptModel): string {
  const idOf = (value: unknown) => {
    const { id, ordinal } = value as { readonly id?: unknown; readonly ordinal?: unknown };
    return id ?? ordinal;
  };
  return JSON.stringify(state, (name, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`;
    if (value instanceof Map || value instanceof Set) return [...value];
    if (typeof value !== "object" || value === null) return value;
    if (name === "account" || name === "market" || name === "grant") return idOf(value);
    return name === "bids" || name === "asks" ? (value as unknown[]).map(idOf) : value;
  });
}

/** A block at a venue, with the model there. */
interface Attempt {
  readonly from: KeptModel;
  readonly before: State;
  readonly block: Block;
}

type Wrap = (probe: Probe) => Probe;

/** Tries blocks one after the other, and returns their differences and the last model. */
function tryAll(attempts: readonly Attempt[], open: (state: State, from: KeptModel) => LockStep, wrap: Wrap) {
  const differences: (Difference | undefined)[] = [];
  let model = "";
  for (const { from, before, block } of attempts) {
    const state = forkState(before);
    const both = open(state, from);
    applyBlock(state, block, wrap(both.probe));
    differences.push(both.check(state, block));
    model = textOf(keepModel(both.model));
  }
  return { differences, model };
}

/** Tries blocks with one lock step, which shares beginnings, and with a lock step for each. */
function compareWays(attempts: readonly Attempt[], both: LockStep, wrap: Wrap = (probe) => probe) {
  const shared = tryAll(
    attempts,
    (state, from) => {
      both.startAgain(state, from);
      return both;
    },
    wrap,
  );
  const apart = tryAll(attempts, (state, from) => new LockStep(state.genesis, "block", state, from), wrap);
  return { shared, apart };
}

/**
 * Visits the blocks of flows. Before each one come blocks without transactions: from the state before at the same time,
 * from the same state at another time, and from the same state at the same time. Only the last has the same beginning.
 */
function forEachBlock(visit: (attempts: readonly Attempt[], both: LockStep) => void): void {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const flow = new Flow(seed);
    const main = new LockStep(flow.genesis);
    const tried = new LockStep(flow.genesis);
    let older: Omit<Attempt, "block"> | undefined;
    for (let count = 0; count < BLOCKS; count++) {
      const at = { from: keepModel(main.model), before: forkState(main.venue) };
      const block = flow.next(main.venue);
      const { height, timeMs } = block;
      const empty = { height, timeMs, transactions: [] };
      visit(
        [
          ...(older === undefined ? [] : [{ ...older, block: { ...empty, height: height - 1 } }]),
          { ...at, block: { ...empty, timeMs: timeMs + 60_000 } },
          { ...at, block: empty },
          { ...at, block },
        ],
        tried,
      );
      older = at;
      main.apply(block);
    }
  }
}

const isPlain = ({ transactions }: Block) =>
  transactions.every(({ header }) => header.nonceDomain !== "system") && transactions.length > 0;

// Goal: a beginning that is shared changes no result. Method: blocks of flows, after others that share their beginning
// or must not; the twin starts each time with a copy of the state.
test("a model after a shared beginning is the model that ran the whole block", () => {
  let plain = 0;
  forEachBlock((attempts, both) => {
    const { shared, apart } = compareWays(attempts, both);
    expect(shared.differences).toEqual(attempts.map(() => undefined));
    expect(shared.model).toBe(apart.model);
    if (isPlain(attempts.at(-1)!.block)) plain++;
  });
  expect(plain).toBeGreaterThan(20);
});

// Goal: a difference within a shared beginning is described as without sharing: with the values at its step.
// Method: the venue emits a trade that never happened. The description lists all differences at that moment. A model
// at a later step than the venue would have more of them.
test("a difference within a shared beginning is described at its step", () => {
  let plain = 0;
  const wrap: Wrap = (probe) => ({
    ...probe,
    afterStep(state, step) {
      if (step === "pricesMoved")
        state.events.printed({ market: 0 as never, side: 0 as never, price: 1 as never, size: 1 as never });
      probe.afterStep?.(state, step);
    },
  });
  forEachBlock((attempts, both) => {
    const { shared, apart } = compareWays(attempts, both, wrap);
    expect(shared.differences).toEqual(apart.differences);
    for (const difference of shared.differences) expect(difference?.after).toBe("pricesMoved");
    if (isPlain(attempts.at(-1)!.block)) plain++;
  });
  expect(plain).toBeGreaterThan(20);
});

// Goal: the steps before the users' transactions depend on the state and the time alone. Method: the model's tools, by
// which it reads the venue or the block, must not be called in them.
test("the steps before the users' transactions use no tool of the model", () => {
  let isBefore = false;
  const check = <Answer>(answer: Answer): Answer => {
    expect(isBefore).toBe(false);
    return answer;
  };
  let used = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const flow = new Flow(seed);
    const both = new LockStep(flow.genesis);
    const { tools } = both.model.state;
    const watched: ModelTools = {
      txId: (transaction) => {
        used++;
        return check(tools.txId(transaction));
      },
      isKilled: (order) => check(tools.isKilled(order)),
      draftCarried: (payload, height) => check(tools.draftCarried(payload, height)),
    };
    const model = createModel(flow.genesis, watched);
    for (let count = 0; count < BLOCKS; count++) {
      const block = flow.next(both.venue);
      expect(both.apply(block)).toBeUndefined();
      const steps = model.beginBlock(block);
      isBefore = true;
      for (let stop = steps.next(); stop !== undefined; stop = steps.next()) {
        if (stop.step === "riskPassed") isBefore = false;
      }
    }
  }
  expect(used).toBeGreaterThan(0);
});
