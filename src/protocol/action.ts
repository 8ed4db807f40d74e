import type { ActionEvent } from "./event.ts";
import type { FieldRule } from "./fieldRules.ts";
import type { DecodedFields, Fields, GivenFields, JsonFields } from "./fields.ts";

/** Nonce lanes are kept apart by domain (NON-1). */
export const DOMAINS = ["trading", "risk", "funds", "admin", "system"] as const;
export type Domain = (typeof DOMAINS)[number];

/** Scope that an agent needs to sign the action; `owner` means that no agent may. */
export const SCOPES = ["trade", "reduce", "cancel", "margin", "transfer", "owner", "authority", "any"] as const;
export type Scope = (typeof SCOPES)[number];

/** Keys named in genesis that sign system transactions. */
export const AUTHORITIES = ["oracle", "faucet", "operator"] as const;
export type Authority = (typeof AUTHORITIES)[number];

/** Events of one action, by kind. */
export type ActionEvents = Readonly<Record<string, ActionEvent>>;

/**
 * One action: its fields, who may sign it, and in which lane its nonce counts. TypeScript types, the signed message,
 * the JSON codec, the reference page, and later scenario verbs and fuzz generators are derived from it.
 */
export interface ActionDescriptor<
  Name extends string = string,
  Fs extends Fields = Fields,
  Events extends ActionEvents = ActionEvents,
> {
  readonly name: Name;
  /** Number by which a decoded transaction names it: part of the wire, so it never changes. */
  readonly code: number;
  /** Name of the primary type of the signed message. */
  readonly primaryType: Capitalize<Name>;
  /** Domain of its nonce; `any` lets the header choose one. */
  readonly domain: Domain | "any";
  readonly scope: Scope;
  /** For system actions, the key that signs. */
  readonly authority?: Authority;
  /** It carries a transaction of a user, and is ordered among users' transactions though an authority signs. */
  readonly carries?: boolean;
  /** One sentence for reference pages. */
  readonly doc: string;
  /**
   * Its short form in scenarios, and in the regressions that a search writes: `mint {amount} to {to}`. Fields that are
   * not named are absent. An action without one has its long form, or a grammar of its own.
   */
  readonly sentence?: string;
  /** It needs free collateral: an account without any cannot carry it out. */
  readonly needsCollateral: boolean;
  /**
   * Its outcome depends on how much funding of the account is settled, not only on the sum of collateral and funding.
   * Outflow of a margin account counts received funding but not unsettled funding (MRG-5), and so does what an isolated
   * margin account takes from cross.
   */
  readonly readsUnsettledFunding: boolean;
  /** How often a search draws it, in relation to the others (`placeOrder` is 540); 0 if something else makes it. */
  readonly weight: number;
  readonly fields: Fs;
  /** Events that this action alone emits. */
  readonly events: Events;
  /** When a field is needed or refused (ACT-3); one without a row is honoured. */
  readonly rules: readonly FieldRule[];
}

export function defineAction<
  const Name extends string,
  Fs extends Fields,
  const Of extends Scope,
  const Events extends ActionEvents = Record<never, never>,
>(
  descriptor: Omit<ActionDescriptor<Name, Fs, Events>, "primaryType" | "scope" | "rules" | "events"> & {
    readonly scope: Of;
    readonly rules?: readonly FieldRule[];
    readonly events?: Events;
  },
): ActionDescriptor<Name, Fs, Events> & { readonly scope: Of } {
  const primaryType = (descriptor.name.charAt(0).toUpperCase() + descriptor.name.slice(1)) as Capitalize<Name>;
  return { rules: [], ...descriptor, events: descriptor.events ?? ({} as Events), primaryType };
}

/** Decoded payload of an action. */
export type PayloadOf<A> = A extends ActionDescriptor<string, infer Fs> ? DecodedFields<Fs> : never;
/** JSON payload of an action. */
export type JsonPayloadOf<A> = A extends ActionDescriptor<string, infer Fs> ? JsonFields<Fs> : never;
/** JSON payload of an action as people write it: what is left out is absent. */
export type GivenPayloadOf<A> = A extends ActionDescriptor<string, infer Fs> ? GivenFields<Fs> : never;
