import type { EventKind, events } from "../../protocol/events.ts";
import type { ModelState } from "./state.ts";

type Value = bigint | number | string;

/** What an event of the block says, as far as the model works it out: words as words. */
export interface EmittedEvent {
  readonly kind: EventKind;
  readonly fields: Readonly<Record<string, Value | undefined>>;
}

/** Says that something happened (EVT-3). What is undone was never said. */
export function emit<Kind extends EventKind>(
  state: ModelState,
  kind: Kind,
  fields: { readonly [Field in keyof (typeof events)[Kind]["fields"]]?: Value },
): void {
  state.emitted.push({ kind, fields });
}
