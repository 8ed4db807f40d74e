import type { AccountKey } from "../../../protocol/accountKey.ts";
import { type ActionName, actions, type GivenPayloads, type Payloads } from "../../../protocol/actions/index.ts";
import { createPayload } from "../../../protocol/createPayload.ts";
import type { Fields } from "../../../protocol/fields.ts";
import { DriverError } from "./errors.ts";

/**
 * Fields of an action as a driver takes them: as `createPayload`, with two short forms. `market` is optional if the
 * venue has one market. An account's name gives its address, and its subaccount if the action has a field for that.
 */
export type DriverPayload<A extends ActionName> = GivenPayloads[A] extends { readonly market: string }
  ? Omit<GivenPayloads[A], "market"> & { readonly market?: string }
  : GivenPayloads[A];

/**
 * The payload of an action.
 *
 * @throws {ValidationError} a field is missing, or does not fit its wire schema; the place begins with the action
 * @throws {DriverError} MARKET_MISSING, ACCOUNT_NAME
 */
export function payloadOf<A extends ActionName>(
  action: A,
  given: DriverPayload<A>,
  context: PayloadContext,
): Payloads[A] {
  const { fields } = actions[action] as { readonly fields: Fields };
  const json = fill(fields, { ...given }, context);
  return createPayload(action, json as unknown as GivenPayloads[A], action);
}

/** The markets and accounts that the fields of a payload can name. */
export interface PayloadContext {
  /** The market of an action that names none. @throws {DriverError} MARKET_MISSING */
  readonly market: () => string;
  /** The account of a name. @throws {DriverError} ACCOUNT_NAME */
  readonly keyOf: (name: string) => AccountKey;
}

type Json = Record<string, unknown>;

function fill(fields: Fields, given: Json, context: PayloadContext): Json {
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name];
    switch (field.kind) {
      case "market":
        if (value === undefined && !field.optional) given[name] = context.market();
        break;
      case "address":
        if (typeof value === "string" && !value.startsWith("0x"))
          nameAccount(fields, given, name, context.keyOf(value));
        break;
      case "record":
        if (isObject(value)) given[name] = fill(field.members as Fields, { ...value }, context);
        break;
      case "list":
        if (Array.isArray(value) && field.item.kind === "record") {
          const { members } = field.item as { readonly members: Fields };
          given[name] = value.map((item) => (isObject(item) ? fill(members, { ...item }, context) : item));
        }
        break;
      default:
        break;
    }
  }
  return given;
}

/** `to: "alice/1"` is her address and, where it is not given, `toSubaccount: 1`. */
function nameAccount(fields: Fields, given: Json, field: string, { address, subaccount }: AccountKey): void {
  given[field] = address;
  const place = field === "account" ? "subaccount" : `${field}Subaccount`;
  if (Object.hasOwn(fields, place)) given[place] ??= subaccount;
  else if (subaccount !== 0) {
    throw new DriverError(
      "ACCOUNT_NAME",
      `${field} takes an address, which all subaccounts of an owner share; leave out /${subaccount}`,
    );
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
