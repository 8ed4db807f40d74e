import type { State } from "../../../../venue/engine/state/state.ts";
import { invariants } from "../../list.ts";
import type { Invariant } from "../defineInvariant.ts";
import { KindSet } from "../ledger/fieldsOf.ts";
import type { Tally } from "../tally.ts";

/** An invariant with the watch's data for it. */
export interface Watched {
  readonly invariant: Invariant;
  readonly kinds: KindSet | undefined;
  /** Its sweeps start from scratch after blocks that they did not see. */
  readonly restarts: boolean;
  /** Written by a user: the watch verifies that it only reads. */
  readonly isFromUser: boolean;
  memory: never;
  /** Of a watch that was set to another venue: the memory is made for that venue when a check first needs it. */
  isStale: boolean;
  met: number;
  /** The least distance from broken that its checks reported, and the block. */
  least: number;
  leastHeight: number;
  /** Height of the last block that it swept. */
  swept: number;
}

const KNOWN: ReadonlySet<Invariant> = new Set(invariants);

export function createWatched(invariant: Invariant, state: State): Watched {
  return {
    invariant,
    kinds: invariant.kinds === undefined ? undefined : KindSet.of(invariant.kinds),
    restarts: invariant.start !== undefined && invariant.lasting !== true && !looksAtMoments(invariant),
    isFromUser: !KNOWN.has(invariant),
    memory: invariant.start?.(state) as never,
    isStale: false,
    met: 0,
    least: Number.POSITIVE_INFINITY,
    leastHeight: state.height,
    swept: state.height,
  };
}

/** Whether its memory is carried from moment to moment instead of from sweep to sweep. */
export function looksAtMoments({ touched, event }: Invariant): boolean {
  return touched !== undefined || event !== undefined;
}

/** Adds the statistics of a check. */
export function note(watched: Watched, tally: Tally, height: number): void {
  watched.met += tally.met;
  // Most checks report no distance.
  if (tally.least === Number.POSITIVE_INFINITY) return;
  if (tally.least < watched.least) {
    watched.least = tally.least;
    watched.leastHeight = height;
  }
  tally.least = Number.POSITIVE_INFINITY;
}
