import { textOf } from "../../../../product/scenario/parse/cell.ts";
import { CaseRun, type FixedPayloads, stepsOf } from "../../../../product/scenario/run/caseRun.ts";
import { idOfLabel, type Labelled } from "../../../../product/scenario/run/ids.ts";
import type { Bytes32 } from "../../../../protocol/fields.ts";
import type { Block } from "../../../../protocol/transaction.ts";
import { applyBlock } from "../../../../venue/engine/applyBlock.ts";
import { forkState } from "../../../../venue/engine/state/forkState.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { invariants } from "../../../invariants/list.ts";
import type { Invariant } from "../../../invariants/machinery/defineInvariant.ts";
import type { Chronicle } from "../../case/resolveCase.ts";
import type { FuzzViolation } from "../../run/violation.ts";
import type { Apply } from "../../shrink/readScript.ts";
import { signatureOf } from "../../shrink/signature.ts";
import { Trial, type Tried } from "../trial.ts";
import type { Letter } from "./alphabet.ts";
import { digestHidden } from "./hiddenState.ts";
import { listNodes, Path } from "./path.ts";
import { type LabelIds, StateKeys } from "./stateKey.ts";
import type { Start } from "./worlds.ts";

export interface ExploreOptions {
  readonly depth: number;
  /** Default: all. */
  readonly invariants?: readonly Invariant[];
  /** Applies a block, for example on a venue with a planted fault. */
  readonly apply?: Apply;
  /** One of this many merged pairs is tried for the same future. Default: 64. */
  readonly mergesEvery?: number;
  /**
   * Heavy invariants run on every new state of the last depth, and on one of this many new states of the depths before.
   * Default: `HEAVY_EVERY`.
   */
  readonly heavyEvery?: number;
  /** Called with each check of the heavy invariants, which it runs: it may measure what they cost. */
  readonly runHeavy?: <Found>(check: () => Found) => Found;
  readonly onProgress?: (transitions: number, states: number, findings: number) => void;
  /**
   * Called with each violation as it is found. What it throws ends the exploration, and so does what `onProgress`
   * throws.
   */
  readonly onFinding?: (finding: WorldFinding) => void;
}

/** Of so many new states before the last depth, the first has the heavy invariants. */
export const HEAVY_EVERY = 16;

/** A violation, with the blocks of the alphabet that lead to it. */
export interface WorldFinding {
  readonly path: readonly string[];
  readonly violation: FuzzViolation;
  readonly chronicle: Chronicle;
  /** Number of further sequences with the same violation. */
  more: number;
}

/** Two states with one key that do not have the same future: a fault of the venue, or of the key. */
export interface Unequal {
  readonly first: readonly string[];
  readonly second: readonly string[];
  readonly after: string;
  readonly difference: string;
}

/** Outcomes of a block of the alphabet. */
export interface LetterCount {
  tried: number;
  /** Blocks in which every transaction was applied. */
  applied: number;
  /** By transaction: how often it had its outcome; that is applied, or the one that the world expects of it. */
  readonly asExpected: number[];
}

/** What an exploration from one start showed. */
export interface StartReport {
  readonly start: string;
  readonly depth: number;
  /** New states at each depth, the start itself first. */
  readonly statesAt: readonly number[];
  readonly states: number;
  /** New states with heavy invariants: those of the last depth, and the sampled ones of the depths before. */
  readonly heavyAtLast: number;
  readonly heavyBefore: number;
  readonly transitions: number;
  /** Blocks of refused transactions that changed nothing, hidden state included; and those that left a trace. */
  readonly unchanged: number;
  readonly traces: number;
  /** Blocks that led to a known state, and pairs of those that were tried for the same future. */
  readonly merged: number;
  readonly pairsTried: number;
  /** By block of the alphabet, in its order. */
  readonly blocks: readonly LetterCount[];
  readonly met: ReadonlyMap<string, number>;
  readonly findings: readonly WorldFinding[];
  readonly unequal: readonly Unequal[];
}

/** Tries all sequences of up to `depth` blocks of the alphabet from a start. States with the same key count once. */
export function exploreStart(start: Start, options: ExploreOptions): StartReport {
  return new Explorer(start, options).run();
}

type Labels = ReadonlyMap<string, Labelled>;

/** A state by the sequence that first led to it. */
interface Node {
  readonly parent: Node | undefined;
  readonly letter: number;
  readonly block: Block | undefined;
  readonly labels: Labels;
  readonly key: string;
}

interface LeastKey {
  readonly key: string;
  readonly exchange: number;
}

class Explorer {
  readonly #start: Start;
  readonly #options: ExploreOptions;
  readonly #apply: Apply;
  readonly #trial: Trial;
  readonly #path: Path<Node>;
  /** Leads to the known states of merged pairs, without the model. */
  readonly #knownPath: Path<Node>;
  /** Memory for the futures of merged pairs. */
  #spare: State | undefined;
  readonly #seen = new Map<string, Node>();
  readonly #runHeavy: NonNullable<ExploreOptions["runHeavy"]>;
  readonly #counts: LetterCount[];
  readonly #findings = new Map<string, WorldFinding>();
  readonly #unequal: Unequal[] = [];
  readonly #keys = new StateKeys();
  /** By the key without an exchange. */
  readonly #least = new Map<string, LeastKey>();
  readonly #ids = new Map<Labelled, LabelIds>();
  readonly #payloads: FixedPayloads = new Map();
  readonly #statesAt: number[] = [1];
  /** New states so far of the last depth, and of the depths before. */
  #newAtLast = 0;
  #newBefore = 0;
  #heavyBefore = 0;
  #transitions = 0;
  #unchanged = 0;
  #traces = 0;
  #merged = 0;
  #pairsTried = 0;

  constructor(start: Start, options: ExploreOptions) {
    this.#start = start;
    this.#options = options;
    this.#apply = options.apply ?? applyBlock;
    this.#trial = new Trial(start.point.state, { invariants: options.invariants ?? invariants, apply: options.apply });
    this.#path = new Path(start.point, options.apply);
    this.#runHeavy = options.runHeavy ?? ((check) => check());
    this.#knownPath = new Path({ state: start.point.state, model: undefined }, options.apply);
    this.#counts = (start.plan.explore?.alphabet ?? []).map(() => ({ tried: 0, applied: 0, asExpected: [] }));
  }

  run(): StartReport {
    const { depth } = this.#options;
    const { point, labels } = this.#start;
    const key = this.#keyOf(point.state, labels).key;
    let level: Node[] = [{ parent: undefined, letter: -1, block: undefined, labels, key }];
    this.#seen.set(key, level[0]!);
    for (let at = 1; at <= depth; at++) {
      const next: Node[] = [];
      for (const node of level) this.#expand(node, next, at === depth);
      this.#statesAt.push(next.length);
      level = next;
    }
    return {
      start: this.#start.name,
      depth,
      statesAt: this.#statesAt,
      states: this.#seen.size,
      heavyAtLast: this.#newAtLast,
      heavyBefore: this.#heavyBefore,
      transitions: this.#transitions,
      unchanged: this.#unchanged,
      traces: this.#traces,
      merged: this.#merged,
      pairsTried: this.#pairsTried,
      blocks: this.#counts,
      met: this.#trial.met,
      findings: [...this.#findings.values()],
      unequal: this.#unequal,
    };
  }

  /** Tries every block of the alphabet on a state. */
  #expand(node: Node, next: Node[], isLast: boolean): void {
    const point = this.#path.reach(node);
    let hidden: string | undefined;
    this.#start.alphabet.letters.forEach((letter, at) => {
      const block = this.#build(point.state, node.labels, letter);
      if (block === undefined) return;
      const { consumed } = point.state;
      const tried = this.#trial.try(point, block, false);
      if (tried === undefined) return;
      this.#transitions++;
      this.#options.onProgress?.(this.#transitions, this.#seen.size, this.#findings.size);
      if (tried.violation !== undefined) {
        this.#add(node, at, block, tried.violation);
        return;
      }
      const isRefused = this.#count(letter, block, tried);
      const labels = this.#label(node.labels, letter, block, tried, consumed);
      let { key } = this.#keyOf(tried.state, labels);
      if (isRefused && key === node.key) {
        hidden ??= digestHidden(point.state);
        const after = digestHidden(tried.state);
        if (after === hidden) {
          this.#unchanged++;
          return;
        }
        this.#traces++;
        key = `${key} ${after}`;
      }
      const child: Node = { parent: node, letter: at, block, labels, key };
      const known = this.#seen.get(key);
      if (known !== undefined) {
        this.#merge(known, child, tried.state);
        return;
      }
      this.#seen.set(key, child);
      const violation = this.#isHeavy(isLast) ? this.#runHeavy(tried.checkHeavy) : undefined;
      if (violation === undefined) next.push(child);
      else this.#add(node, at, block, violation);
    });
  }

  /** Whether a new state has the heavy invariants. */
  #isHeavy(isLast: boolean): boolean {
    if (isLast) this.#newAtLast++;
    else if (this.#newBefore++ % (this.#options.heavyEvery ?? HEAVY_EVERY) === 0) this.#heavyBefore++;
    else return false;
    return true;
  }

  /** Undefined if the block needs a label that no sequence so far has made. */
  #build(state: State, labels: Labels, { planned, needs }: Letter): Block | undefined {
    if (!needs.every((label) => labels.has(label))) return undefined;
    const { plan, digest } = this.#start;
    const from = { state, labels: labels as Map<string, Labelled> };
    return new CaseRun(plan, digest, from, this.#payloads).build(planned);
  }

  /** Counts the outcomes of a block. Returns true if the venue refused every transaction. */
  #count({ block: place, planned }: Letter, { transactions }: Block, { result }: Tried): boolean {
    const count = this.#counts[place]!;
    count.tried++;
    let applied = 0;
    for (const [index, step] of stepsOf(planned).entries()) {
      const { receipts } = result;
      if (receipts.codes[index] === 0) applied++;
      const isExpected = isOutcome(`${receipts.status(index)} ${receipts.code(index) ?? ""}`, textOf(step.expect));
      count.asExpected[index] = (count.asExpected[index] ?? 0) + (isExpected ? 1 : 0);
    }
    if (applied === transactions.length) count.applied++;
    return transactions.length > 0 && applied === 0;
  }

  /** Labels after a block: those of transactions that were applied are new. */
  #label(labels: Labels, { planned }: Letter, block: Block, { state, result }: Tried, consumed: number): Labels {
    if (planned.steps.every((step) => step.labels.length === 0)) return labels;
    const { plan, digest } = this.#start;
    const run = new CaseRun(plan, digest, { state, labels: new Map() });
    run.remember(planned, block, result, consumed);
    const made = [...run.labels].filter(([, { receipt }]) => receipt.status === "applied");
    return new Map([...labels, ...made]);
  }

  /**
   * The least key among all exchanges of accounts that are alike, and its exchange. States whose keys are equal without
   * an exchange are equal in all of them.
   */
  #keyOf(state: State, labels: Labels): LeastKey {
    const plain = this.#keyAfter(0, state, labels);
    const exchanges = this.#start.places.length;
    if (exchanges === 1) return { key: plain, exchange: 0 };
    let least = this.#least.get(plain);
    if (least === undefined) {
      least = { key: plain, exchange: 0 };
      for (let exchange = 1; exchange < exchanges; exchange++) {
        const key = this.#keyAfter(exchange, state, labels);
        if (key < least.key) least = { key, exchange };
      }
      this.#least.set(plain, least);
    }
    return least;
  }

  #keyAfter(exchange: number, state: State, labels: Labels): string {
    const { alphabet, places } = this.#start;
    return this.#keys.compute(state, {
      places: places[exchange]!,
      labels: labels.size === 0 ? [] : this.#nameLabels(labels, exchange, state),
      withNonces: alphabet.hasNonces,
    });
  }

  /** Labels by the names that they have after an exchange, in the order of those. */
  #nameLabels(labels: Labels, exchange: number, state: State): [string, LabelIds][] {
    const { exchangeLabel } = this.#start.alphabet;
    const named = [...labels].map(([name, made]): [string, LabelIds] => [
      exchangeLabel(name, exchange),
      this.#idsOf(made, state),
    ]);
    return named.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #idsOf(made: Labelled, state: State): LabelIds {
    let ids = this.#ids.get(made);
    if (ids === undefined) {
      const isGrant = made.events.some(({ kind }) => kind === "authorizationGranted");
      ids = {
        order: Number(idOfLabel(made, "order") ?? 0),
        intent: Number(idOfLabel(made, "intent") ?? 0),
        grant: isGrant ? state.grants.find(made.txId() as Bytes32) : -1,
      };
      this.#ids.set(made, ids);
    }
    return ids;
  }

  /** Counts a merged pair; some are tried for the same future. */
  #merge(known: Node, child: Node, state: State): void {
    const { mergesEvery = 64 } = this.#options;
    if (this.#merged++ % mergesEvery !== 0) return;
    this.#pairsTried++;
    const before = this.#knownPath.reach(known).state;
    const difference = this.#findOtherFuture(before, known, state, child);
    if (difference !== undefined) {
      this.#unequal.push({ first: this.#namesOf(known), second: this.#namesOf(child), ...difference });
    }
  }

  /** Tries every block of the alphabet on both states of a pair. */
  #findOtherFuture(
    one: State,
    known: Node,
    other: State,
    child: Node,
  ): Pick<Unequal, "after" | "difference"> | undefined {
    const { exchanged, letters } = this.#start.alphabet;
    const [by, byOther] = [this.#keyOf(one, known.labels).exchange, this.#keyOf(other, child.labels).exchange];
    for (const [at, letter] of letters.entries()) {
      const twin = letters[exchanged[byOther]!.indexOf(exchanged[by]![at]!)]!;
      const [first, second] = [this.#outcomeOf(one, known.labels, letter), this.#outcomeOf(other, child.labels, twin)];
      if (first.codes !== second.codes)
        return { after: letter.name, difference: `outcomes ${first.codes} and ${second.codes}` };
      if (first.key !== second.key) return { after: letter.name, difference: "the states after it differ" };
    }
    return undefined;
  }

  #outcomeOf(state: State, labels: Labels, letter: Letter): { codes: string; key: string } {
    const block = this.#build(state, labels, letter);
    if (block === undefined) return { codes: "none", key: "" };
    const after = forkState(state, state.genesis, this.#spare);
    this.#spare = after;
    const result = this.#apply(after, block);
    const tried = { state: after, result } as Tried;
    const codes = block.transactions.map((_, index) => result.receipts.codes[index]).join(" ");
    return { codes, key: this.#keyOf(after, this.#label(labels, letter, block, tried, state.consumed)).key };
  }

  #add(node: Node, letter: number, block: Block, violation: FuzzViolation): void {
    const signature = signatureOf(violation);
    const known = this.#findings.get(signature);
    if (known !== undefined) {
      known.more++;
      return;
    }
    const { plan, blocks, crashes, alphabet } = this.#start;
    const chronicle = { genesis: plan.genesis, blocks: [...blocks, ...blocksOf(node), block], crashes };
    const path = [...this.#namesOf(node), alphabet.letters[letter]!.name];
    const finding: WorldFinding = { path, violation, chronicle, more: 0 };
    this.#findings.set(signature, finding);
    this.#options.onFinding?.(finding);
  }

  #namesOf(node: Node): string[] {
    return listNodes(node).map(({ letter }) => this.#start.alphabet.letters[letter]!.name);
  }
}

/** Whether an outcome is the expected one: its status, with its code if the world names one. */
function isOutcome(outcome: string, expected = "applied"): boolean {
  return outcome === expected || outcome.startsWith(`${expected} `);
}

/** Blocks from the start to a node. */
function blocksOf(node: Node): Block[] {
  return listNodes(node).map(({ block }) => block!);
}
