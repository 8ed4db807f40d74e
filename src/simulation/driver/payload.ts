import { type ActionName, actions, type GivenPayloads, type Payloads } from "../../protocol/actions/index.ts";
import { createPayload } from "../../protocol/createPayload.ts";
import type { Fields } from "../../protocol/fields.ts";
import { keyOfName } from "../accountNames.ts";
import { DriverError } from "./errors.ts";
import { checkName } from "./options.ts";

/**
 * Fields of an action as a driver takes them: as `createPayload`, and `market` may be left out where the venue has one
 * market; an account's name stands for its address, and for its subaccount where the action has a field for that.
 */
export type DriverPayload<A extends ActionName> = GivenPayloads[A] extends { readonly market: string }
  ? Omit<GivenPayloads[A], "market"> & { readonly market?: string }
  : GivenPayloads[A];

/**
 * The payload of an action.
 *
 * @param market of actions that name none
 * @throws {ValidationError} a field is missing, or is not what the wire describes; the place begins with the action
 * @throws {DriverError} MARKET_MISSING, ACCOUNT_NAME
 */
export function payloadOf<A extends ActionName>(action: A, given: DriverPayload<A>, market: () => string): Payloads[A] {
  const { fields } = actions[action] as { readonly fields: Fields };
  const json = fill(fields, { ...given }, market);
  return createPayload(action, json as unknown as GivenPayloads[A], action);
}

type Json = Record<string, unknown>;

function fill(fields: Fields, given: Json, market: () => string): Json {
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name];
    switch (field.kind) {
      case "market":
        if (value === undefined && !field.optional) given[name] = market();
        break;
      case "address":
        if (typeof value === "string" && !value.startsWith("0x")) nameAccount(fields, given, name, value);
        break;
      case "record":
        if (isObject(value)) given[name] = fill(field.members as Fields, { ...value }, market);
        break;
      case "list":
        if (Array.isArray(value) && field.item.kind === "record") {
          const { members } = field.item as { readonly members: Fields };
          given[name] = value.map((item) => (isObject(item) ? fill(members, { ...item }, market) : item));
        }
        break;
      default:
        break;
    }
  }
  return given;
}

/** `to: "alice/1"` is her address and, where it is not given, `toSubaccount: 1`. */
function nameAccount(fields: Fields, given: Json, field: string, name: string): void {
  const { address, subaccount } = keyOfName(checkName(name));
  given[field] = address;
  const place = field === "account" ? "subaccount" : `${field}Subaccount`;
  if (Object.hasOwn(fields, place)) given[place] ??= subaccount;
  else if (subaccount !== 0) {
    throw new DriverError("ACCOUNT_NAME", `${field} takes an address, which all subaccounts of ${name} share`);
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
