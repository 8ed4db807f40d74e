/** Units of event fields; `protocol/events.ts` says what they are. */
export type EventUnit =
  | "account"
  | "market"
  | "order"
  | "intent"
  | "code"
  | "liquidation"
  | "ticks"
  | "lots"
  | "amount"
  | "priceE8"
  | "ppb"
  | "timeMs"
  | "count"
  | "word"
  | "flag"
  | "text"
  | "word32"
  | "authorization"
  | "high"
  | "low";

export interface EventDescriptor {
  /** Number of the kind in the log of a block: part of the chain of effects, so it never changes. */
  readonly code: number;
  readonly doc: string;
  readonly fields: Readonly<Record<string, EventUnit>>;
  /** Fields that are not zero, since the event would report nothing otherwise (EVT-3). */
  readonly notZero?: readonly string[];
}

/** An event that one action emits, and reports that collateral moved by `amount`. */
export interface ActionEvent extends EventDescriptor {
  readonly fields: Readonly<Record<string, EventUnit>> & { readonly amount: "amount" };
  readonly notZero: readonly string[];
  /** Collateral came into the venue, left it, or went from one account to another. */
  readonly moves: "in" | "out" | "within";
}
