import type { VenueEvent } from "../../../../protocol/events.ts";

/** An event contradicts the events before it. */
export class FoldError extends Error {
  override readonly name = "FoldError";
}

/** @throws FoldError always */
export function fail(event: VenueEvent, fault: string): never {
  throw new FoldError(`${JSON.stringify(event)}: ${fault}`);
}
