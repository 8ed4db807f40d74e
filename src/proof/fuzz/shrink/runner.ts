import type { Genesis } from "../../../protocol/genesis.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { restoreVenue } from "../../../venue/simulation/restoreVenue.ts";
import type { Crash } from "../case/crash.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import { type CheckerFactory, NeedsBefore } from "./checker.ts";
import { Player } from "./player.ts";
import type { Apply } from "./readScript.ts";
import type { Line, Script, TransactionLine } from "./script.ts";
import { type Failure, signatureOf } from "./signature.ts";

/** Failure of a script. */
export interface Finding {
  readonly failure: Failure;
  /** Lines up to the end of the block in which it failed. */
  readonly lines: number;
  /** Line of the transaction that the failure names. */
  readonly line: TransactionLine | undefined;
}

/** Tests whether a script still fails in the same way. */
export interface Trial {
  run(script: Script): Finding | undefined;
  /** Receives a script that failed, before others with the same start are tried. */
  prepare(script: Script): void;
  /** As `run`, from genesis. If it does not fail in the same way, later runs start from genesis as well. */
  startAgain(script: Script): Finding | undefined;
  /** Transactions applied so far. */
  readonly applied: number;
}

/** A venue mid-script. */
interface Checkpoint {
  /** Lines before it. */
  readonly at: number;
  readonly state: State;
  /** Memory of the checker there. */
  readonly seen: unknown;
}

/** Maximum number of stored venues. */
const KEPT_MOST = 128;

/** Shorter scripts start from genesis: storing venues would cost more. */
const SHORT = 48;

/**
 * Runs scripts one after another and checks each block until the expected failure. A script that starts with the same
 * lines as the prepared one resumes from a stored venue. About the square root of the script's length lies between two
 * of them. So a candidate without one late line costs only the lines after it.
 */
export class Runner implements Trial {
  applied = 0;
  readonly #wanted: string;
  readonly #checkers: CheckerFactory;
  readonly #apply: Apply;
  #base: Script | undefined;
  #player: Player;
  #checkpoints: Checkpoint[] = [];
  #origin: State | undefined;
  #resumes = true;

  constructor(most: number, wanted: Failure, checkers: CheckerFactory, apply: Apply = applyBlock) {
    this.#wanted = signatureOf(wanted);
    this.#checkers = checkers;
    this.#apply = apply;
    this.#player = new Player(most);
  }

  prepare(script: Script): void {
    if (script.lines.length < SHORT || !this.#resumes) return;
    this.#run(script, Math.max(Math.ceil(Math.sqrt(script.lines.length)), Math.ceil(script.lines.length / KEPT_MOST)));
    // A checker with history may not see mid-chain what it saw from the start.
    if (!this.#checkers.forgets && this.run(script) === undefined) this.#startAgain();
  }

  startAgain(script: Script): Finding | undefined {
    const resumed = this.#resumes;
    this.#startAgain();
    const finding = this.run(script);
    if (finding !== undefined) this.#resumes = resumed;
    return finding;
  }

  #startAgain(): void {
    this.#resumes = false;
    this.#checkpoints = [];
  }

  run(script: Script): Finding | undefined {
    return this.#run(script, Number.POSITIVE_INFINITY);
  }

  /** @param step lines between two stored venues */
  #run(script: Script, step: number): Finding | undefined {
    const { lines } = script;
    const shared = this.#countShared(script);
    const kept = this.#checkpoints.filter(({ at }) => at <= shared);
    const start = kept.at(-1);
    const player = new Player(this.#player.bases.length - 1);
    if (start !== undefined) player.restore(lines, start.at, this.#player);
    let state: State;
    try {
      state = keep(start?.state ?? this.#open(script.genesis));
    } catch {
      return undefined; // invalid genesis
    }
    const checker = this.#checkers.open(state, start?.seen);
    let at = start?.at ?? 0;
    let last = at;
    const finding = (failure: Failure, next: number, of: readonly TransactionLine[]): Finding | undefined => {
      if (signatureOf(failure) !== this.#wanted) return undefined;
      this.#base = script;
      this.#player = player;
      this.#checkpoints = kept;
      return { failure, lines: next, line: failure.index === undefined ? undefined : of[failure.index] };
    };
    while (at < lines.length) {
      if (at - last >= step) {
        kept.push({ at, state: keep(state), seen: checker.keep?.() });
        last = at;
      }
      const played = player.build(state, lines, at);
      this.applied += played.lines.length;
      const { block } = played;
      let failures: readonly Failure[];
      try {
        const result = this.#apply(state, block, checker.probe);
        player.note(state, played, result);
        failures = checker.check(state, block, result);
      } catch (error) {
        if (error instanceof NeedsBefore) return this.#run(script, step);
        const { stack, message } = error as Error;
        const { height } = block;
        const thrown = { kind: "throw", invariant: "nothingThrows", height, observed: stack ?? message } as const;
        return finding(thrown, played.next, played.lines);
      }
      at = played.next;
      for (const failure of failures) {
        const found = finding(failure, at, played.lines);
        if (found !== undefined) return found;
      }
      if (played.crash !== undefined) state = restoreVenue(state, played.crash);
    }
    return undefined;
  }

  /** The venue of a genesis, created once while the genesis stays the same. */
  #open(genesis: Genesis): State {
    if (this.#origin?.genesis !== genesis) this.#origin = createVenue(genesis);
    return this.#origin;
  }

  /** Number of leading lines that a script shares with the last one that failed. */
  #countShared({ genesis, lines }: Script): number {
    const base = this.#base;
    if (base === undefined || base.genesis !== genesis) return 0;
    let shared = 0;
    while (shared < lines.length && lines[shared] === base.lines[shared]) shared++;
    return shared;
  }
}

/** Copies a venue with its hash caches. */
function keep(state: State): State {
  const kept = forkState(state);
  kept.digester = state.digester;
  return kept;
}

/**
 * Runs a whole chronicle in any way, for failures that need more than a check of each block: a model, a second run, a
 * twin.
 */
export class WholeRunner implements Trial {
  applied = 0;
  readonly prepare = (): void => undefined;
  readonly startAgain = (script: Script): Finding | undefined => this.run(script);
  readonly #wanted: string;
  readonly #run: (chronicle: Chronicle) => Failure | undefined;
  readonly #apply: Apply;

  constructor(wanted: Failure, run: (chronicle: Chronicle) => Failure | undefined, apply: Apply = applyBlock) {
    this.#wanted = signatureOf(wanted);
    this.#run = run;
    this.#apply = apply;
  }

  run(script: Script): Finding | undefined {
    let played: PlayedScript;
    try {
      played = playScript(script, this.#apply);
    } catch {
      return undefined;
    }
    const { chronicle, ends, lines } = played;
    for (const { transactions } of chronicle.blocks) this.applied += transactions.length;
    const failure = this.#run(chronicle);
    if (failure === undefined || signatureOf(failure) !== this.#wanted) return undefined;
    const place = failure.height - 1;
    return {
      failure,
      lines: ends[place] ?? script.lines.length,
      line: failure.index === undefined ? undefined : lines[place]?.[failure.index],
    };
  }
}

/** A script as explicit blocks. */
export interface PlayedScript {
  readonly chronicle: Chronicle;
  /** For each block: the number of lines up to its end, and the lines of its transactions. */
  readonly ends: readonly number[];
  readonly lines: readonly (readonly TransactionLine[])[];
}

/**
 * Plays the blocks of a script, up to one in which the venue throws.
 *
 * @throws EngineError INVALID_GENESIS
 */
export function playScript(script: Script, apply: Apply = applyBlock): PlayedScript {
  let state = createVenue(script.genesis);
  const player = new Player(highestNumber(script.lines));
  const crashes: Crash[] = [];
  const blocks: Chronicle["blocks"][number][] = [];
  const ends: number[] = [];
  const lines: (readonly TransactionLine[])[] = [];
  let at = 0;
  while (at < script.lines.length) {
    const played = player.build(state, script.lines, at);
    at = played.next;
    blocks.push(played.block);
    ends.push(at);
    lines.push(played.lines);
    try {
      player.note(state, played, apply(state, played.block));
    } catch {
      break;
    }
    if (played.crash === undefined) continue;
    state = restoreVenue(state, played.crash);
    crashes.push({ height: state.height, way: played.crash });
  }
  return { chronicle: { genesis: script.genesis, blocks, crashes }, ends, lines };
}

/** The highest number of a line; 0 if there is no transaction. */
export function highestNumber(lines: readonly Line[]): number {
  let most = 0;
  for (const line of lines) if (line.kind === "transaction" && line.number > most) most = line.number;
  return most;
}
