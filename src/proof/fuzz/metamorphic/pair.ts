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
 * Two chains that must have the same result, without a statement about which result is right: they differ in something
 * that must not matter. Pairs find faults that no check of a single state can find.
 */
export interface MetamorphicPair {
  readonly id: Oracle;
  /** What must not matter, as a sentence. */
  readonly sentence: string;
  readonly rules: readonly string[];
  /** The first difference; undefined if there is none, or if the chain has nothing to change. */
  check(original: Original): FuzzViolation | undefined;
}

/** A chain from which pairs are made. The script is read and played once for all pairs. */
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

  /** The chain as its script replays it. */
  get plain(): Chronicle {
    this.#plain ??= playScript(this.script, this.apply).chronicle;
    return this.#plain;
  }
}

export function violate(invariant: Oracle, height: number, observed: string): FuzzViolation {
  return { kind: "metamorphic", invariant, height, observed };
}

/** Compares two chains block by block. */
export function compare(id: Oracle, first: Chronicle, second: Chronicle, apply: Apply): FuzzViolation | undefined {
  const [one, two] = [createVenue(first.genesis), createVenue(second.genesis)];
  for (const [at, block] of first.blocks.entries()) {
    const other = second.blocks[at];
    if (other === undefined) return violate(id, block.height, "the other chain ends before it");
    const found = findDifference(describeBlock(one, block, apply), describeBlock(two, other, apply));
    if (found !== undefined) return violate(id, block.height, found);
  }
  return undefined;
}

/** The first difference between the descriptions of two blocks, in words. */
export function findDifference(before: readonly string[], after: readonly string[]): string | undefined {
  const place = before.findIndex((words, index) => words !== after[index]);
  if (place < 0 && before.length === after.length) return undefined;
  const index = place < 0 ? before.length : place;
  return `${before[index] ?? "nothing"}, the other time ${after[index] ?? "nothing"}`;
}

/**
 * True if a number was rejected for the bound of storable numbers (NUM-3). The bound applies to single quantities, not
 * to their sum or difference, so two equivalent chains may meet it at different places.
 */
export function meetsBound({ receipts, events, from, to }: BlockResult): boolean {
  for (let index = 0; index < receipts.count; index++) if (receipts.codes[index] === BOUND) return true;
  return readEvents(events, from, to).some(
    (event) =>
      (event.kind === "orderCancelled" && event.cause === CANCEL_CAUSE.numericLimit) ||
      ((event.kind === "intentFailed" || event.kind === "intentSliced") && event.code === BOUND),
  );
}

/** `NUMERIC_LIMIT` as receipts and events encode it. */
const BOUND = 1 + REJECTION_PLACES.NUMERIC_LIMIT;

/** Units of fields that identify an object, not an outcome. */
export const NAMES: ReadonlySet<string> = new Set(["word32", "order", "intent", "text", "grant", "authorization"]);
/** Events about nonces and new addresses. */
export const SILENT: ReadonlySet<string> = new Set(["nonceAdvanced", "nonceUsed"]);

function describeBlock(state: State, block: Block, apply: Apply): string[] {
  const { events, from, to } = apply(state, block);
  const described: string[] = [];
  for (const event of readEvents(events, from, to)) if (!SILENT.has(event.kind)) described.push(describeEvent(event));
  return described;
}

/** Describes an event without identifiers. */
export function describeEvent(event: VenueEvent, leaves?: (field: string, unit: string) => boolean): string {
  const fields = EVENTS[event.kind].fields as Readonly<Record<string, string>>;
  const values = event as unknown as Readonly<Record<string, number>>;
  const parts: string[] = [];
  for (const [name, unit] of Object.entries(fields)) {
    if (!NAMES.has(unit) && leaves?.(name, unit) !== true) parts.push(`${name} ${values[name]}`);
  }
  return `${event.kind}: ${parts.join(", ")}`;
}
