import type { EventKind, EventOf } from "../../protocol/events.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { BlockEntry } from "../host/host.ts";
import type { EventPlace } from "./walkEvents.ts";

/** An event that a model receives; the next event overwrites it. */
export interface Happening extends EventPlace {
  readonly entry: BlockEntry;
  /** State at the head: only for data that never changes, such as names and price grids of markets. */
  readonly state: State;
}

export type Reactions = { readonly [K in EventKind]?: (event: EventOf<K>, at: Happening) => void };

/** A part of the history that lists read, folded from the events of blocks. */
export interface Model {
  readonly on: Reactions;
  /** Called after the events of a transaction, or of the steps between two. */
  endSegment?(height: number): void;
  /**
   * Called after the blocks that existed when the service started.
   *
   * @param state    the venue at the height of the last of them
   * @param complete they were all blocks of the chain
   */
  settle?(state: State, complete: boolean): void;
}
