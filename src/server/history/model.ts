import type { EventKind, EventOf } from "../../protocol/events.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { BlockEntry } from "../host/host.ts";
import type { EventPlace } from "./walkEvents.ts";

/** An event on its way into a model. */
export interface Happening extends EventPlace {
  readonly entry: BlockEntry;
  /** At the head: only for what never changes, as names and the grids of markets. */
  readonly state: State;
}

export type Reactions = { readonly [K in EventKind]?: (event: EventOf<K>, at: Happening) => void };

/** A part of the past that lists are made of, folded from the events of blocks. */
export interface Model {
  readonly on: Reactions;
  /** After the events of a transaction, or of the steps between two. */
  endSegment?(height: number): void;
  /**
   * After the blocks that were there when the service began.
   *
   * @param state    the venue at the height of the last of them
   * @param complete they were all blocks of the chain
   */
  settle?(state: State, complete: boolean): void;
}
