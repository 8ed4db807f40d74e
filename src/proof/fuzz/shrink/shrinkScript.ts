import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { invariants as known } from "../../invariants/list.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import { type CheckerFactory, checkersFor } from "./checker.ts";
import { type Cuts, FirstPass } from "./firstPass.ts";
import { dropActors, dropGroups, mergeActors, rename } from "./passes/actors.ts";
import { plainAccounts, plainGenesis, plainMarkets } from "./passes/genesis.ts";
import {
  dropCrashes,
  dropFromEnds,
  dropLines,
  dropPairs,
  dropRefused,
  joinBlocks,
  keepEnd,
  LONG,
  plainTimes,
} from "./passes/lines.ts";
import { mergeOrders } from "./passes/mergeOrders.ts";
import { rebuild } from "./passes/rebuild.ts";
import { sayInGenesis } from "./passes/sayInGenesis.ts";
import { plainFields, plainHeaders, roundNumbers, sendDirectly } from "./passes/values.ts";
import { Player } from "./player.ts";
import { type Apply, readScript } from "./readScript.ts";
import { highestNumber, playScript, Runner, type Trial, WholeRunner } from "./runner.ts";
import { countTransactions, type Line, type Script } from "./script.ts";
import { type Budget, Search } from "./search.ts";
import type { Failure } from "./signature.ts";

export interface ShrinkOptions extends Budget {
  /** Applies a block, for example on a venue with a fault. */
  readonly apply?: Apply;
  /** Checkers that see the failure if no invariant of the list does. */
  readonly checkers?: CheckerFactory;
  /** Invariants among which the broken one is found. Default: all. */
  readonly invariants?: readonly Invariant[];
  /**
   * Runs a whole chronicle and returns its failure, for failures that no check of single blocks finds. Without it, a
   * chronicle runs with the broken invariant only, or with `checkers`, and candidates resume where they differ.
   */
  readonly run?: (chronicle: Chronicle) => Failure | undefined;
}

/** The smallest chronicle found that fails in the same way. */
export interface Shrunk {
  readonly script: Script;
  readonly chronicle: Chronicle;
  readonly failure: Failure;
  readonly transactions: number;
  /** Transactions of the original chronicle. */
  readonly transactionsBefore: number;
  /** Scripts that were run, and their transactions. */
  readonly candidates: number;
  readonly applied: number;
  /** True if no candidate was left to try; otherwise the budget ended, and it may shrink further. */
  readonly isDone: boolean;
}

/**
 * Shrinks a failing chronicle as far as possible while it fails in the same way. That is the same invariant with the
 * same message, except numbers and names. The result depends only on the chronicle, the failure and the number of
 * candidates.
 *
 * @returns undefined if the chronicle, read as a script, does not fail in that way
 */
export function shrinkChronicle(
  chronicle: Chronicle,
  failure: Failure,
  options: ShrinkOptions = {},
): Shrunk | undefined {
  const { apply = applyBlock } = options;
  // Blocks after the failure do not matter.
  const blocks = chronicle.blocks.slice(0, failure.height);
  // Restarts are played by a script, but not while it is read.
  const crashes = chronicle.crashes?.length ?? 0;
  const [checkers] = options.run === undefined ? listCheckers(failure, options) : [];
  const pass = crashes > 0 ? undefined : new FirstPass(blocks.length, failure, checkers);
  return shrinkFrom(readScript({ ...chronicle, blocks }, apply, pass), failure, options, pass);
}

/** As `shrinkChronicle`, for a script. */
export function shrinkScript(script: Script, failure: Failure, options: ShrinkOptions = {}): Shrunk | undefined {
  return shrinkFrom(script, failure, options, undefined);
}

function shrinkFrom(
  script: Script,
  failure: Failure,
  options: ShrinkOptions,
  pass: FirstPass | undefined,
): Shrunk | undefined {
  const { apply = applyBlock } = options;
  const trials = createTrials(script, failure, options);
  let trial = trials[0]!;
  let finding = pass?.finding;
  if (finding === undefined) {
    for (trial of trials) {
      finding = trial.run(script);
      if (finding !== undefined) break;
    }
  }
  if (finding === undefined) return undefined;
  const given = { ...script, lines: script.lines.slice(0, finding.lines) };
  let search = new Search(given, finding, trial, options);
  const cuts = pass !== undefined && pass.cuts.length > 0 ? pass : undefined;
  shrink(search, apply, cuts);
  if (trial.startAgain(search.best) === undefined) {
    if (search.best === given) return undefined;
    // Only a checker attached mid-chain saw it.
    search = new Search(given, finding, trial, { ...options, spent: search.candidates });
    shrink(search, apply, cuts);
  }
  const { chronicle } = playScript(search.best, apply);
  // A slower trial may identify the failing transaction.
  const exact = trials.map((other) => other.run(search.best)).find((found) => found?.failure.index !== undefined);
  return {
    script: search.best,
    chronicle,
    failure: (exact ?? search.finding).failure,
    transactions: countTransactions(search.best),
    transactionsBefore: countTransactions(script),
    candidates: search.candidates,
    applied: trial.applied,
    isDone: !search.isOver,
  };
}

/** Ways to detect the failure, the fastest first. */
function createTrials(script: Script, failure: Failure, options: ShrinkOptions): Trial[] {
  const { apply = applyBlock, run } = options;
  if (run !== undefined) return [new WholeRunner(failure, run, apply)];
  const most = highestNumber(script.lines);
  return listCheckers(failure, options).map((checkers) => new Runner(most, failure, checkers, apply));
}

/** Checkers that may see a failure, the fastest first. */
function listCheckers(failure: Failure, { checkers, invariants = known }: ShrinkOptions): readonly CheckerFactory[] {
  if (checkers !== undefined) return [checkers];
  return checkersFor(
    invariants.find(({ id }) => id === failure.invariant),
    failure.turn,
  );
}

/** Runs all passes until none of the later ones makes progress. */
function shrink(search: Search, apply: Apply, cuts: Cuts | undefined): void {
  const given = search.best;
  const isRefused = (of: Script) => findRefused(of, apply);
  const drop = () =>
    dropLines(search, () => {
      dropRefused(search, isRefused);
      dropGroups(search);
      joinBlocks(search);
    });
  dropCrashes(search);
  if (search.best.lines.length > LONG) rebuild(search, apply, search.best === given ? cuts : undefined);
  keepEnd(search);
  if (search.best.lines.length > LONG) {
    dropRefused(search, isRefused);
    dropFromEnds(search);
  }
  drop();
  dropActors(search);
  let before: string;
  do {
    before = JSON.stringify(search.best);
    plainGenesis(search);
    plainMarkets(search);
    plainHeaders(search);
    dropActors(search);
    mergeActors(search);
    dropCrashes(search);
    joinBlocks(search);
    plainTimes(search);
    plainFields(search);
    sendDirectly(search);
    sayInGenesis(search);
    plainAccounts(search);
    roundNumbers(search);
    drop();
    mergeOrders(search);
    dropPairs(search);
  } while (JSON.stringify(search.best) !== before && !search.isOver);
  search.finish(() => rename(search));
}

/** Lines whose transactions the venue did not apply. */
function findRefused(script: Script, apply: Apply): Set<Line> {
  const refused = new Set<Line>();
  const state = createVenue(script.genesis);
  const player = new Player(highestNumber(script.lines));
  for (let at = 0; at < script.lines.length; ) {
    const played = player.build(state, script.lines, at);
    at = played.next;
    try {
      const result = apply(state, played.block);
      player.note(state, played, result);
      for (const [index, line] of played.lines.entries()) if (result.receipts.codes[index] !== 0) refused.add(line);
    } catch {
      break;
    }
  }
  return refused;
}
