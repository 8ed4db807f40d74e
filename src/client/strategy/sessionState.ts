import type { OwnRejection } from "./blockFacts.ts";
import type { PositionTargets } from "./positionTargets.ts";
import { Timers } from "./timers.ts";

/** State that a session shares with the context of its strategy. The strategy cannot reach it. */
export class SessionState {
  /** The time begins as `NaN`, which is a double: its shape never changes. */
  readonly now = { height: 0, timeMs: Number.NaN };
  /** Time up to which series are shown. */
  seriesMs = Number.NEGATIVE_INFINITY;
  isWarmUp = false;
  hasEnded = false;
  readonly timers = new Timers();
  /** The session creates them after the context, which sends their orders. */
  targets!: PositionTargets;
  /** Orders that were refused without being sent, and that no hook has got yet. */
  refused: OwnRejection[] = [];
}
