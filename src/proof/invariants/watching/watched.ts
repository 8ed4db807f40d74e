import type { State } from "../../../venue/engine/state/state.ts";
import type { Invariant } from "../defineInvariant.ts";
import { KindSet } from "../ledger/fieldsOf.ts";
import { invariants } from "../list.ts";
import type { Tally } from "../tally.ts";

/** An invariant with what a watch keeps for it. */
export interface Watched {
  readonly invariant: Invariant;
  readonly kinds: KindSet | undefined;
  /** Of a user: that it only reads is seen to. */
  readonly guest: boolean;
  memory: never;
  met: number;
  /** The least distance from broken that its checks said, and where. */
  least: number;
  leastHeight: number;
  /** Height of the last block whose sweep it saw. */
  swept: number;
}

const KNOWN: ReadonlySet<Invariant> = new Set(invariants);

export function createWatched(invariant: Invariant, state: State): Watched {
  return {
    invariant,
    kinds: invariant.kinds === undefined ? undefined : KindSet.of(invariant.kinds),
    guest: !KNOWN.has(invariant),
    memory: invariant.start?.(state) as never,
    met: 0,
    least: Number.POSITIVE_INFINITY,
    leastHeight: state.height,
    swept: state.height,
  };
}

/** Whether its memory is carried from moment to moment, not from sweep to sweep. */
export function looksAtMoments({ touched, event }: Invariant): boolean {
  return touched !== undefined || event !== undefined;
}

/** Keeps what a check said. */
export function note(watched: Watched, tally: Tally, height: number): void {
  watched.met += tally.met;
  // Most checks have no distance to say.
  if (tally.least === Number.POSITIVE_INFINITY) return;
  if (tally.least < watched.least) {
    watched.least = tally.least;
    watched.leastHeight = height;
  }
  tally.least = Number.POSITIVE_INFINITY;
}
