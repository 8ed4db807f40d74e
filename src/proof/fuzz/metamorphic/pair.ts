import { CANCEL_CAUSE, events as EVENTS, type VenueEvent } from "../../../protocol/events.ts";
import { REJECTION_PLACES } from "../../../protocol/rejections.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import type { FuzzViolation, Oracle } from "../run/violation.ts";
import { type Apply, readScript } from "../shrink/readScript.ts";
import { playScript } from "../shrink/runner.ts";
import type { Script } from "../shrink/script.ts";

/**
 * Two chains that must come to the same, though neither says what is right: what changes between them is something that
 * must not matter. Pairs find what no look at a single state can.
 */
export interface MetamorphicPair {
  readonly id: Oracle;
  /** What must not matter, as a sentence. */
  readonly sentence: string;
  readonly rules: readonly string[];
  /** What the two differ in; undefined where they do not, or where the chain has nothing to change. */
  check(original: Original): FuzzViolation | undefined;
}

/** A chain that pairs are made of, and what several of them need of it: it is read and played once. */
export class Original {
  readonly chronicle: Chronicle;
  readonly apply: Apply;
  #script: Script | undefined;
  #plain: Chronicle | undefined;

  constructor(chronicle: Chronicle, apply: Apply = applyBlock) {
    this.chronicle = chronicle;
    this.apply = apply;
  }

  get script(): Script {
    this.#script ??= readScript(this.chronicle, this.apply);
    return this.#script;
  }

  /** The chain as its script gives it. */
  get plain(): Chronicle {
    this.#plain ??= playScript(this.script, this.apply).chronicle;
    return this.#plain;
  }
}

export function violate(invariant: Oracle, height: number, observed: string): FuzzViolation {
  return { kind: "metamorphic", invariant, height, observed };
}

/** What happened in two chains, block by block. */
export function compare(id: Oracle, first: Chronicle, second: Chronicle, apply: Apply): FuzzViolation | undefined {
  const [one, two] = [createVenue(first.genesis), createVenue(second.genesis)];
  for (const [at, block] of first.blocks.entries()) {
    const other = second.blocks[at];
    if (other === undefined) return violate(id, block.height, "the other chain ends before it");
    const found = findDifference(tell(one, block, apply), tell(two, other, apply));
    if (found !== undefined) return violate(id, block.height, found);
  }
  return undefined;
}

/** The first place in which what two blocks told differs, in words. */
export function findDifference(before: readonly string[], after: readonly string[]): string | undefined {
  const place = before.findIndex((words, index) => words !== after[index]);
  if (place < 0 && before.length === after.length) return undefined;
  const index = place < 0 ? before.length : place;
  return `${before[index] ?? "nothing"}, the other time ${after[index] ?? "nothing"}`;
}

/**
 * Whether something was refused for the bound of what is storable (NUM-3). Single quantities are held to it, not their sum or
 * their difference, so that two ways to the same may meet it at different places.
 */
export function meetsBound({ receipts, events, from, to }: BlockResult): boolean {
  for (let index = 0; index < receipts.count; index++) if (receipts.codes[index] === BOUND) return true;
  return readEvents(events, from, to).some(
    (event) =>
      (event.kind === "orderCancelled" && event.cause === CANCEL_CAUSE.numericLimit) ||
      ((event.kind === "intentFailed" || event.kind === "intentSliced") && event.code === BOUND),
  );
}

/** `NUMERIC_LIMIT` as receipts and events code it. */
const BOUND = 1 + REJECTION_PLACES.NUMERIC_LIMIT;

/** Units of fields that name what was made, not what happened. */
export const NAMES: ReadonlySet<string> = new Set(["word32", "order", "intent", "text", "grant", "authorization"]);
/** Events that tell of nonces, and of addresses that came to be. */
export const SILENT: ReadonlySet<string> = new Set(["nonceAdvanced", "nonceUsed"]);

function tell(state: State, block: Block, apply: Apply): string[] {
  const { events, from, to } = apply(state, block);
  return readEvents(events, from, to).flatMap((event) => (SILENT.has(event.kind) ? [] : [describeEvent(event)]));
}

/** An event in words, without the names in it. */
export function describeEvent(event: VenueEvent, leaves?: (field: string, unit: string) => boolean): string {
  const fields = EVENTS[event.kind].fields as Readonly<Record<string, string>>;
  const values = event as unknown as Readonly<Record<string, number>>;
  const parts = Object.entries(fields).flatMap(([name, unit]) =>
    NAMES.has(unit) || leaves?.(name, unit) === true ? [] : [`${name} ${values[name]}`],
  );
  return `${event.kind}: ${parts.join(", ")}`;
}
