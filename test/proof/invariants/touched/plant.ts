/** Faults that are planted right after a transaction or a step of a block. */
import { NONE } from "../../../../src/ground/collections/table.ts";
import type { Payloads } from "../../../../src/protocol/actions/index.ts";
import type { EventKind } from "../../../../src/protocol/events.ts";
import type { MarketParameters } from "../../../../src/protocol/parameters.ts";
import { ROLE } from "../../../../src/protocol/words.ts";
import { type Instant, type PlantedFault, setField } from "../../../helpers/moments.ts";

export interface Plant extends PlantedFault {
  readonly fault: string;
}

/** Faults by the id of the invariant that finds them. */
export type Plants = Readonly<Record<string, readonly Plant[]>>;

type Order = Payloads["placeOrder"];

export const has = (kind: string) => (instant: Instant) => instant.events.some((event) => event.kind === kind);

/** A single fill: with more of them a later event of the same account would hide a fault in an earlier one. */
export const filledOnce = ({ events }: Instant) =>
  events.filter(({ kind }) => kind === "fill").length === 1 &&
  events.filter(({ kind }) => kind === "positionChanged").length === 2;

/** An action of a normal account. */
export const isUser = ({ actor, status, state }: Instant) =>
  actor !== NONE && status === "applied" && state.accounts.role[actor] === ROLE.normal;

/** The order of a `placeOrder`, for a change after the fact. */
export const payloadOf = ({ transaction }: Instant) =>
  transaction!.payload as { -readonly [K in keyof Order]: Order[K] };

export const isOrder = ({ transaction }: Instant) => transaction?.action === "placeOrder";

/** An order of a normal account that filled, or that rests. */
export const traded = (instant: Instant) => isOrder(instant) && isUser(instant) && has("fill")(instant);

export const opened = (instant: Instant) => isOrder(instant) && isUser(instant) && has("orderOpened")(instant);

/** Sets a field of the first event of a kind. */
export const set = (instant: Instant, kind: EventKind, field: string, value: number) => {
  const at = instant.events.findIndex((event) => event.kind === kind);
  setField(instant.state, instant.places[at]!, kind, field, value);
};

/** Sets other parameters for all markets. */
export const replaceRules = ({ state }: Instant, rules: Partial<MarketParameters>) => {
  for (const [market, old] of state.parameters.entries()) state.parameters[market] = { ...old, ...rules };
};
