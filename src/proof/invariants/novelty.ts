import { EVENT_KINDS, type EventKind, events } from "../../protocol/events.ts";

/** What nearly every case tells of in its first blocks: a sweep of its own for each would cost more than it finds. */
const EVERYDAY: ReadonlySet<EventKind> = new Set<EventKind>([
  ...(["accountCreated", "nonceAdvanced", "nonceUsed", "deposited", "minted", "withdrawn", "transferred"] as const),
  ...(["orderOpened", "fill", "positionChanged", "volumeCounted", "oracleUpdated", "sourceReported"] as const),
  ...([
    "pricesMoved",
    "restartChanged",
    "fundingSampled",
    "fundingAccrued",
    "fundingSettled",
    "premiumsCleared",
  ] as const),
  ...(["marketChanged", "initialRateChanged"] as const),
]);
/**
 * Place of the field of each kind that says which of several things happened: a cause, a stage, a way; 0 for none, and -1
 * for kinds that are no news.
 */
const DETAIL: readonly number[] = EVENT_KINDS.map((kind) =>
  EVERYDAY.has(kind) ? -1 : Object.values(events[kind].fields).indexOf("word") + 1,
);
/** More than any of those fields has values. */
const VALUES = 32;

/** What a venue told of so far: kinds of events, each by its cause or stage. */
export class Novelty {
  readonly #reported: Uint8Array = new Uint8Array(EVENT_KINDS.length * VALUES);
  /** Something was told for the first time since `forget`. */
  found = false;

  /** Notes the event that starts at a place. */
  add(data: Float64Array, at: number): void {
    const code = data[at]!;
    const detail = DETAIL[code]!;
    if (detail < 0) return;
    const key = code * VALUES + (detail === 0 ? 0 : data[at + detail]! & (VALUES - 1));
    if (this.#reported[key] !== 0) return;
    this.#reported[key] = 1;
    this.found = true;
  }

  forget(): void {
    this.found = false;
  }
}
