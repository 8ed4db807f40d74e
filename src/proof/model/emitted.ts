import type { EventKind, events } from "../../protocol/events.ts";
import type { ModelState } from "./state.ts";

type Value = bigint | number | string;

/** An event of the block, with the fields that the model computes: words as words. */
export interface EmittedEvent {
  readonly kind: EventKind;
  readonly fields: Readonly<Record<string, Value | undefined>>;
}

/** Emits an event (EVT-3). A rollback removes it. */
export function emit<Kind extends EventKind>(
  state: ModelState,
  kind: Kind,
  fields: { readonly [Field in keyof (typeof events)[Kind]["fields"]]?: Value },
): void {
  state.emitted.push({ kind, fields });
}
