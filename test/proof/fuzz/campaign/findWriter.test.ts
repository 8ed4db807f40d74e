import { afterEach, describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { findWriter } from "../../../../src/proof/fuzz/campaign/findWriter.ts";
import type { FuzzCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { ContributorProbe } from "../../../../src/proof/fuzz/feedback/contributorProbe.ts";
import { Feedback } from "../../../../src/proof/fuzz/feedback/feedback.ts";
import { type RunOptions, runCase } from "../../../../src/proof/fuzz/run/runCase.ts";
import type { FuzzViolation } from "../../../../src/proof/fuzz/run/violation.ts";
import { invariants } from "../../../../src/proof/invariants/list.ts";
import { ACTION_CODES } from "../../../../src/protocol/actions/index.ts";
import { HANDLERS } from "../../../../src/venue/engine/actions/index.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { loose } from "../../../helpers/loose.ts";

const SAMPLED = { sweepEvery: 10, heavyEvery: 50 };

const undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.splice(0)) one();
});

/** Replaces a method until the end of the test. */
function replace(owner: object, method: string, by: (old: (...args: unknown[]) => unknown) => unknown): void {
  const methods = owner as Record<string, (...args: unknown[]) => unknown>;
  const old = methods[method]!;
  methods[method] = by(old.bind(owner)) as typeof old;
  undo.push(() => {
    methods[method] = old;
  });
}

const give = (state: State) => void loose(state.accounts.collateral)[0]!++;
const findInvariant = (id: string) => invariants.find((invariant) => invariant.id === id)!;

/** The first case that fails, and its violation. */
function search(options: RunOptions = {}): { readonly given: FuzzCase; readonly violation: FuzzViolation } {
  for (let number = 1; number <= 80; number++) {
    const given = drawCase(Random.ofSeed([number, 3, 1, 4]), { profile: "uniform", length: 120 });
    const { violation } = runCase(given, { oracles: { watch: SAMPLED }, feedback: new Feedback(), ...options });
    if (violation !== undefined) return { given, violation };
  }
  throw new Error("no case fails");
}

// Goal: whatever only reads the venue is named if it writes, and not the invariant that notices the change. Method:
// each kind of reader writes now and then, so that the samples of a search seldom meet it.
describe("a writer is named:", () => {
  test("a check of the whole venue", () => {
    let sweeps = 0;
    replace(findInvariant("netZero"), "sweep", (old) => (state: State, step: unknown, memory: unknown) => {
      if (++sweeps % 3 === 2) give(state);
      return old(state, step, memory);
    });
    const { given, violation } = search();
    sweeps = 0;
    expect(findWriter(given, violation, { invariants, model: false })).toMatchObject({
      invariant: "netZero",
      broken: "changedVenue",
    });
  });

  test.each([
    ["marginAfterAction", "touched"],
    ["fillAtMakersPrice", "event"],
  ])("the check %s of a moment, by its %s", (id, method) => {
    replace(findInvariant(id), method, (old) => (moment: { state: State }, at: unknown, memory: unknown) => {
      if (moment.state.height > 4) loose(moment.state.accounts.nonceRisk)[0]!++;
      return old(moment, at, memory);
    });
    const { given, violation } = search();
    expect(findWriter(given, violation, { invariants, model: false })).toMatchObject({
      invariant: id,
      observed: expect.stringContaining("the check changed the venue"),
    });
  });

  test("the source of the blocks, whose trial of an action pays", () => {
    replace(HANDLERS[ACTION_CODES.withdraw]!, "check", (old) => (state: State, context: object, payload: unknown) => {
      const isTrial = (context as { transaction?: unknown }).transaction === undefined;
      if (isTrial && state.height > 4) give(state);
      return old(state, context, payload);
    });
    const { given, violation } = search();
    expect(findWriter(given, violation, { invariants, model: false })).toMatchObject({
      invariant: "casesRun",
      observed: expect.stringContaining("the source of the next block changed the venue"),
    });
  });

  test("a probe that counts what a search reached", () => {
    const { beforeBlock } = ContributorProbe.prototype;
    undo.push(() => {
      ContributorProbe.prototype.beforeBlock = beforeBlock;
    });
    ContributorProbe.prototype.beforeBlock = function (this: ContributorProbe, state, block, from) {
      if (block.height % 9 === 5) give(state);
      beforeBlock.call(this, state, block, from);
    };
    const { given, violation } = search();
    expect(findWriter(given, violation, { invariants, model: false })).toMatchObject({
      invariant: "casesRun",
      observed: expect.stringContaining("a probe of the search changed the venue"),
    });
  });

  test("and a fault of the venue has none", () => {
    const { given, violation } = search({ plant: give });
    expect(findWriter(given, violation, { invariants, model: false })).toBeUndefined();
  });
});
