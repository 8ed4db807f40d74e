/** What a block did, for tests to look at. */
import type { EventKind, EventOf, VenueEvent } from "../../../src/protocol/events.ts";
import type { Receipt } from "../../../src/protocol/receipt.ts";
import type { InvalidCode, RejectionCode } from "../../../src/protocol/rejections.ts";

export type Outcome = "applied" | RejectionCode | InvalidCode;

/** What a block did, decoded. */
export interface Story {
  readonly receipts: readonly Receipt[];
  readonly outcomes: readonly Outcome[];
  readonly events: readonly VenueEvent[];
  readonly texts: readonly string[];
  of<K extends EventKind>(kind: K): EventOf<K>[];
}
