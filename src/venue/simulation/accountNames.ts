import { AccountKey } from "../../protocol/accountKey.ts";
import { AUTHORITIES, type Authority } from "../../protocol/action.ts";
import type { Address } from "../../protocol/fields.ts";
import { DEVELOPMENT_AUTHORITIES } from "../../protocol/genesis.ts";

/** A name of an account: `alice`, or `alice/1` for a subaccount of the same owner. */
export const ACCOUNT_NAME = /^[a-z][a-zA-Z0-9-]{0,19}(?:\/[0-9]{1,9})?$/;

export function isAuthority(name: string): name is Authority {
  return (AUTHORITIES as readonly string[]).includes(name);
}

/** Address of a name, the same for all its subaccounts: an authority's, or the letters as bytes, filled with zeros. */
export function addressOfName(name: string): Address {
  const [owner = ""] = name.split("/");
  if (isAuthority(owner)) return DEVELOPMENT_AUTHORITIES[owner];
  let hex = "";
  for (const letter of owner) hex += letter.charCodeAt(0).toString(16).padStart(2, "0");
  return `0x${hex.padEnd(40, "0")}`;
}

export function keyOfName(name: string): AccountKey {
  return new AccountKey(addressOfName(name), Number(name.split("/")[1] ?? 0));
}

/** Names of accounts, both ways: the account of a name, and the name of an account. */
export class Names {
  readonly #keys = new Map<string, AccountKey>();
  readonly #names = new Map<string, string>();
  readonly #authorities = new Map<string, AccountKey>();

  /**
   * @param address of its owner; of the name by default
   */
  declare(name: string, address?: Address): void {
    const named = keyOfName(name);
    const key = address === undefined ? named : new AccountKey(address, named.subaccount);
    this.#keys.set(name, key);
    this.#names.set(`${key.address}/${key.subaccount}`, name);
  }

  /** Gives an authority the address that it has in this venue. */
  nameAuthority(name: string, address: Address): void {
    this.#authorities.set(name, new AccountKey(address, 0));
  }

  get all(): readonly string[] {
    return [...this.#keys.keys()];
  }

  has(name: string): boolean {
    return this.#keys.has(name);
  }

  key(name: string): AccountKey {
    return this.#keys.get(name) ?? this.#authorities.get(name) ?? keyOfName(name);
  }

  /** The name of an account; its address where it was not declared. */
  nameOf(address: string, subaccount: number): string {
    return this.#names.get(`${address}/${subaccount}`) ?? (subaccount === 0 ? address : `${address}/${subaccount}`);
  }
}
