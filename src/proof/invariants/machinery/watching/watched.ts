import type { State } from "../../../../venue/engine/state/state.ts";
import { invariants } from "../../list.ts";
import type { Invariant } from "../defineInvariant.ts";
import { KindSet } from "../ledger/fieldsOf.ts";
import type { Tally } from "../tally.ts";

/** An invariant with the watch's data for it. */
export interface Watched {
  readonly invariant: Invariant;
  /** Its functions. Invariants have many shapes, so to find a function of one of them is slow. */
  readonly start: Invariant["start"];
  readonly event: Invariant["event"];
  readonly touched: Invariant["touched"];
  readonly sweep: Invariant["sweep"];
  readonly kinds: KindSet | undefined;
  readonly sweepKinds: KindSet | undefined;
  /** Its sweeps start from scratch after blocks that they did not see. */
  readonly restarts: boolean;
  /** Its memory is carried from moment to moment. */
  readonly followsMoments: boolean;
  /** Written by a user: the watch verifies that it only reads. */
  readonly isFromUser: boolean;
  memory: never;
  /**
   * How often a step watch had been set to a venue when the memory was made. The memory is made again when a check
   * first needs it.
   */
  madeAt: number;
  met: number;
  /** The least distance from broken that its checks reported, and the block. */
  least: number;
  leastHeight: number;
  /** Height of the last block that it swept. */
  swept: number;
}

const KNOWN: ReadonlySet<Invariant> = new Set(invariants);

export function createWatched(invariant: Invariant, state: State): Watched {
  const { kinds, sweepKinds } = invariant;
  return {
    invariant,
    start: own(invariant, invariant.start),
    event: own(invariant, invariant.event),
    touched: own(invariant, invariant.touched),
    sweep: own(invariant, invariant.sweep),
    kinds: kinds === undefined ? undefined : KindSet.of(kinds),
    sweepKinds: sweepKinds === undefined ? undefined : KindSet.of(sweepKinds),
    restarts: invariant.start !== undefined && invariant.lasting !== true && !looksAtMoments(invariant),
    followsMoments: invariant.start !== undefined && looksAtMoments(invariant),
    isFromUser: !KNOWN.has(invariant),
    memory: invariant.start?.(state) as never,
    madeAt: 0,
    met: 0,
    least: Number.POSITIVE_INFINITY,
    leastHeight: state.height,
    swept: state.height,
  };
}

/** A function of an invariant. Those of users may refer to the invariant as `this`. */
function own<Call extends ((...args: never[]) => unknown) | undefined>(invariant: Invariant, call: Call): Call {
  return KNOWN.has(invariant) ? call : (call?.bind(invariant) as Call);
}

/** Whether its sweep has something to check after a block with events of these kinds. */
export function isDueAfter({ sweepKinds }: Watched, kinds: KindSet): boolean {
  return sweepKinds === undefined || sweepKinds.meets(kinds);
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
