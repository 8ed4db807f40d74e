import { readImage, writeImage } from "../engine/commitment/image.ts";
import { readSnapshot, writeSnapshot } from "../engine/commitment/snapshot.ts";
import type { State } from "../engine/state/state.ts";

/** What a venue writes of itself, to start again from. */
export const WRITTEN = ["image", "snapshot"] as const;
export type Written = (typeof WRITTEN)[number];

/** The venue that starts again where one stopped. */
export function restoreVenue(state: State, from: Written): State {
  return from === "image" ? readImage(writeImage(state)) : readSnapshot(writeSnapshot(state));
}
