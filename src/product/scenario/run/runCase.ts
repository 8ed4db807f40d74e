import type { Invariant } from "../../../proof/invariants/statements.ts";
import { invariants, Watch } from "../../../proof/invariants/statements.ts";
import { isEngineError } from "../../../protocol/engineError.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { marketsOfBlock } from "../../../venue/simulation/explain/marketsOfBlock.ts";
import { rulesOf } from "../../../venue/simulation/explain/numberText.ts";
import { readResults } from "../../../venue/simulation/explain/receiptText.ts";
import type { Case, PlannedBlock, PlannedStep } from "../compile/plan.ts";
import { hasChange } from "../expect/compare.ts";
import { eventWords, NOTICED } from "../expect/events.ts";
import { type EventText, readEventText } from "../expect/eventText.ts";
import type { Failure, Moment, Outcome } from "../expect/expectation.ts";
import { fillWords } from "../expect/fills.ts";
import { EXPECTATIONS } from "../expect/list.ts";
import { checkOutcome, describeWithNumbers } from "../expect/receipts.ts";
import { type Cell, getCell, textOf } from "../parse/cell.ts";
import type { ReadText } from "../parse/include.ts";
import { CaseRun, type Digest, openVenue, stepsOf } from "./caseRun.ts";
import { type CaseCourse, CourseRecorder, type CourseStep } from "./course.ts";
import { findGoldenDifference } from "./goldenState.ts";
import type { BlockStory, CaseResult, RunFailure } from "./result.ts";
import { describeBlock } from "./story.ts";

export interface RunCaseOptions {
  readonly digest: Digest;
  /** Reads the state of a golden root. */
  readonly readText: ReadText;
  /** Describe every block, not only those in which something failed. */
  readonly describeAll?: boolean;
  /** Record the effects of the case on its venue. */
  readonly hasCourse?: boolean;
  /** Invariants of the user's own. */
  readonly invariants?: readonly Invariant[];
}

/** Runs one case: every block with every invariant and its expectations, then all blocks again without checks. */
export function runCase(plan: Case, options: RunCaseOptions): Omit<CaseResult, "durationMs"> {
  return new Runner(plan, options).run();
}

/** A block that was applied. */
interface Applied {
  readonly state: State;
  readonly transactions: Block["transactions"];
  readonly result: BlockResult;
}

class Runner {
  readonly #plan: Case;
  readonly #options: RunCaseOptions;
  readonly #failures: RunFailure[] = [];
  readonly #stories: BlockStory[] = [];
  readonly #blocks: Block[] = [];
  readonly #heads: string[] = [];
  readonly #steps: CourseStep[] = [];
  #course: CaseCourse | undefined;
  #block = "";

  constructor(plan: Case, options: RunCaseOptions) {
    this.#plan = plan;
    this.#options = options;
  }

  run(): Omit<CaseResult, "durationMs"> {
    const run = new CaseRun(this.#plan, this.#options.digest);
    const own = (this.#options.invariants ?? []).filter((one) => !invariants.includes(one));
    const watch = new Watch(run.state, {
      invariants: [...invariants, ...own].filter(({ id }) => !this.#plan.disabled.includes(id)),
    });
    this.#checkStart(run);
    for (const planned of this.#plan.blocks) {
      this.#block = planned.name;
      if (!this.#runBlock(run, watch, planned)) break;
    }
    this.#block = "";
    const { state } = run;
    if (this.#plan.end !== undefined && this.#failures.length === 0)
      this.#check(this.#moment(run, [], []), this.#plan.end);
    const root = computeRoot(state);
    this.#runAgain(root);
    this.#checkGolden(root, state);
    return {
      name: this.#plan.name,
      status: this.#failures.length === 0 ? "passed" : "failed",
      failures: this.#failures,
      blocks: this.#blocks.length,
      transactions: this.#blocks.reduce((sum, { transactions }) => sum + transactions.length, 0),
      root,
      stories: this.#stories,
      ...(this.#course === undefined ? {} : { course: this.#course }),
    };
  }

  /** Expectations of the stored venue before the first block. */
  #checkStart(run: CaseRun): void {
    const expect = this.#plan.start?.expect;
    if (expect === undefined) return;
    this.#block = "start";
    this.#check(this.#moment(run, [], []), expect);
  }

  /** Returns false if the case cannot continue. */
  #runBlock(run: CaseRun, watch: Watch, planned: PlannedBlock): boolean {
    const before = this.#failures.length;
    const events: EventText[] = [];
    const outcomes: Outcome[] = [];
    const seen = this.#observeBefore(run, planned.expect);
    for (let round = 0; round < planned.repeat; round++) {
      const block = run.build(planned);
      const consumed = run.state.consumed;
      let result: BlockResult;
      try {
        result = applyBlock(run.state, block, watch.probe);
      } catch (error) {
        if (!isEngineError(error, "INVALID_BLOCK")) throw error;
        if (planned.refused) return true;
        this.#add(
          "unexpected",
          { place: planned.place, what: "the block", expected: "a valid block", observed: error.message },
          block.height,
        );
        return false;
      }
      this.#blocks.push(block);
      run.remember(planned, block, result, consumed);
      const { state } = run;
      const scope = { state, names: this.#plan.names, texts: result.texts, marketOf: marketsOfBlock(state, result) };
      for (const event of readEvents(result.events, result.from, result.to)) {
        events.push(readEventText(scope, event));
      }
      const applied = { state: run.state, transactions: block.transactions, result };
      this.#checkReceipts(run, planned, stepsOf(planned), applied, outcomes, block.height);
      for (const { invariant, observed } of watch.check(run.state, block, result)) {
        this.#add(
          "invariant",
          { place: planned.place, what: `invariant ${invariant}`, expected: "holds", observed },
          block.height,
        );
      }
      this.#heads.push(getHead(run.state));
    }
    if (planned.refused) {
      this.#add(
        "unexpected",
        { place: planned.place, what: "the block", expected: "INVALID_BLOCK", observed: "applied" },
        run.state.height,
      );
    }
    this.#steps.push({ name: planned.name, note: planned.note, height: run.state.height });
    const moment = this.#moment(run, outcomes, events);
    if (planned.expect !== undefined) this.#check({ ...moment, before: seen }, planned.expect);
    this.#checkUnnoticed(planned, events, run.state.height);
    if (this.#failures.length > before || this.#options.describeAll === true) {
      const all = [...planned.prices, ...planned.markets].map((step) => step.words);
      const described = describeBlock(run.state, this.#plan, planned, outcomes, events);
      this.#stories.push({
        ...described,
        transactions: [
          ...planned.restart.map((written) => ({ words: `start again from the ${written}`, outcome: "restored" })),
          ...all.map((words) => ({ words, outcome: "applied" })),
          ...described.transactions,
        ],
      });
    }
    return (
      this.#failures.length === before ||
      this.#failures.every(({ kind }) => kind === "expectation" || kind === "unexpected")
    );
  }

  /** Outcomes that nothing mentions must be `applied`. */
  #checkReceipts(
    run: CaseRun,
    planned: PlannedBlock,
    steps: readonly PlannedStep[],
    { state, transactions, result }: Applied,
    outcomes: Outcome[],
    height: number,
  ): void {
    const isListed = getCell(planned.expect, "receipts") !== undefined;
    const byStep = new Map(
      steps.map((step, index): [PlannedStep, Outcome] => {
        const receipt = result.receipts.at(index);
        const rules = rulesOf(state, transactions[index]!, receipt.numbers);
        const events = () => readEvents(result.events, receipt.eventsFrom, receipt.eventsTo);
        const results = () => readResults(state, transactions[index]!, receipt, events());
        return [step, { step, receipt, rules, results }];
      }),
    );
    for (const [step, outcome] of byStep) {
      if (planned.steps.includes(step)) continue;
      if (outcome.receipt.status !== "applied") this.#addRejected(step, describeWithNumbers(outcome), height);
    }
    for (const step of planned.steps) {
      const outcome = byStep.get(step)!;
      outcomes.push(outcome);
      if (step.expect !== undefined) {
        const fail = (failure: Failure) => this.#add("expectation", failure, height);
        const idOf: Moment["idOf"] = (label, unit) => run.idOf(label, unit);
        checkOutcome({ fail, idOf }, outcome, step.expect);
      } else if (!isListed && outcome.receipt.status !== "applied") {
        this.#addRejected(step, describeWithNumbers(outcome), height);
      }
    }
  }

  #addRejected(step: PlannedStep, observed: string, height: number): void {
    const hint = "if it is intended, expect it: expect: rejected CODE";
    this.#add(
      "unexpected",
      { place: step.place, what: `outcome of ${step.words}`, expected: "applied", observed, hint },
      height,
    );
  }

  /** Fills of a block with expectations, and events that must never happen unnoticed. */
  #checkUnnoticed(planned: PlannedBlock, events: readonly EventText[], height: number): void {
    const { expect, place } = planned;
    const fill = events.find(({ kind }) => kind === "fill");
    const named = getCell(expect, "events");
    if (textOf(named) === "any") return;
    if (
      expect !== undefined &&
      fill !== undefined &&
      getCell(expect, "fills") === undefined &&
      getCell(named, "fill") === undefined
    ) {
      const hint = "name the fills of a block that expects something, or write fills: any";
      this.#add("unexpected", { place, what: "fills", expected: "none", observed: fillWords(fill), hint }, height);
    }
    for (const kind of NOTICED) {
      const event = events.find((candidate) => candidate.kind === kind);
      if (event === undefined || getCell(named, kind) !== undefined) continue;
      const hint = `name it: expect: { events: { ${kind}: … } }`;
      this.#add("unexpected", { place, what: kind, expected: "none", observed: eventWords(event), hint }, height);
    }
  }

  /** The value before a block of each cell of which it expects a change. */
  #observeBefore(run: CaseRun, expect: Cell | undefined): ReadonlyMap<Cell, string> {
    const seen = new Map<Cell, string>();
    if (expect === undefined || !hasChange(expect)) return seen;
    const record = (cell: Cell, observed: string) => void seen.set(cell, observed);
    this.#check({ ...this.#moment(run, [], []), fail: () => {}, record }, expect);
    return seen;
  }

  #check(moment: Moment, expect: Cell): void {
    for (const [name, { check }] of Object.entries(EXPECTATIONS)) {
      const cell = getCell(expect, name);
      if (cell !== undefined) check(moment, cell);
    }
  }

  #moment(run: CaseRun, outcomes: readonly Outcome[], events: readonly EventText[]): Moment {
    const { state } = run;
    return {
      state,
      names: this.#plan.names,
      market: this.#plan.market,
      outcomes,
      events,
      idOf: (label, unit) => run.idOf(label, unit),
      fail: (failure) => this.#add("expectation", failure, state.height),
    };
  }

  /** The same blocks give the same heads and the same root, on a venue that never starts again. */
  #runAgain(root: string): void {
    const twin = openVenue(this.#plan);
    const course = this.#options.hasCourse === true ? new CourseRecorder() : undefined;
    course?.start(twin);
    for (const [at, block] of this.#blocks.entries()) {
      const result = applyBlock(twin, block);
      course?.record(twin, block, result);
      const observed = getHead(twin);
      if (observed === this.#heads[at]) continue;
      this.#addUnlike("head of the effects chain", this.#heads[at]!, observed, block.height);
      return;
    }
    this.#course = course?.finish(twin, this.#steps);
    const observed = computeRoot(twin);
    if (observed !== root) this.#addUnlike("state root", root, observed, twin.height);
  }

  #addUnlike(what: string, expected: string, observed: string, height: number): void {
    const { place } = this.#plan.blocks[0]!;
    this.#add("determinism", { place, what: `${what} of a second run`, expected, observed }, height);
  }

  #checkGolden(root: string, state: State): void {
    const { golden } = this.#plan;
    const { height } = state;
    if (golden === undefined || this.#failures.length > 0 || textOf(golden) === root) return;
    const first = findGoldenDifference(golden.place.file, state, this.#options.readText);
    const what = first === undefined ? "" : `the first difference is ${first}; `;
    const hint = `${what}if the change is meant, run with --update and review the difference`;
    this.#add(
      "golden",
      { place: golden.place, what: "state root", expected: textOf(golden) ?? "", observed: root, hint },
      height,
    );
  }

  #add(kind: RunFailure["kind"], failure: Failure, height: number): void {
    this.#failures.push({ kind, ...failure, block: this.#block, height });
  }
}
