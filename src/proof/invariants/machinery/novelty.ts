import { EVENT_KINDS, type EventKind, events } from "../../../protocol/events.ts";

/** Kinds that nearly every case emits in its first blocks: extra sweeps for them would cost more than they find. */
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
/** By kind: index of the field with a cause, a stage or a way; 0 if it has none, and -1 for kinds that are not news. */
const DETAIL: readonly number[] = EVENT_KINDS.map((kind) =>
  EVERYDAY.has(kind) ? -1 : Object.values(events[kind].fields).indexOf("word") + 1,
);
/** More values than any of those fields has. */
const VALUES = 32;

/** Event kinds that a venue has emitted so far, each by its cause or stage. */
export class Novelty {
  readonly #reported: Uint8Array = new Uint8Array(EVENT_KINDS.length * VALUES);
  /** An event was the first of its kind since `forget`. */
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
