import { readImage, writeImage } from "../../engine/commitment/image.ts";
import { readSnapshot, writeSnapshot } from "../../engine/commitment/snapshot.ts";
import type { State } from "../../engine/state/state.ts";

/** A venue that stopped after a height and was restored from what it had written. */
export interface Crash {
  readonly height: number;
  readonly way: "image" | "snapshot";
}

/** The venue that starts again where one stopped. */
export function restoreVenue(state: State, way: Crash["way"]): State {
  return way === "image" ? readImage(writeImage(state)) : readSnapshot(writeSnapshot(state));
}
