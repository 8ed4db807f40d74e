import { EVENT_KINDS, type VenueEvent } from "../../protocol/events.ts";
import { readEvent } from "../../venue/engine/events/readEvents.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { BlockEntry } from "../host/host.ts";
import type { Happening, Model } from "./model.ts";
import { EventWalk } from "./walkEvents.ts";

type Reaction = (event: VenueEvent, at: Happening) => void;

/** Handlers of all models: by the index of an event's kind, and for the end of a segment. */
export class Reactions {
  readonly ofKind: readonly (readonly Reaction[])[];
  readonly ends: readonly Model[];

  constructor(models: readonly Model[]) {
    this.ofKind = EVENT_KINDS.map((kind) =>
      models.flatMap(({ on }) => (on[kind] === undefined ? [] : [on[kind] as unknown as Reaction])),
    );
    this.ends = models.filter((model) => model.endSegment !== undefined);
  }
}

/** Folds the events of one block into models, in pieces that the caller chooses. */
export class BlockFold extends EventWalk implements Happening {
  readonly state: State;
  readonly #reactions: Reactions;

  constructor(entry: BlockEntry, state: State, reactions: Reactions) {
    super(entry);
    this.state = state;
    this.#reactions = reactions;
  }

  /** Folds up to `most` further events; true if none is left. */
  fold(most: number): boolean {
    const { events, height } = this.entry;
    const { ofKind, ends } = this.#reactions;
    const visit = (at: number) => {
      const reactions = ofKind[events[at]!]!;
      if (reactions.length === 0) return;
      const event = readEvent(events, at);
      for (const react of reactions) react(event, this);
    };
    return this.advance(most, visit, () => {
      for (const model of ends) model.endSegment!(height);
    });
  }
}
