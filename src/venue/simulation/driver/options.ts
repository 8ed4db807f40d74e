import { createGenesis, type Genesis, type GenesisInit } from "../../../protocol/genesis.ts";
import type { ParameterTexts } from "../../../protocol/parameters.ts";
import type { Role } from "../../../protocol/words.ts";
import type { State } from "../../engine/state/state.ts";
import { ACCOUNT_NAME, keyOfName } from "../accountNames.ts";
import type { Observer } from "../observer.ts";
import { DriverError } from "./errors.ts";

/** The definition of a market: a preset, and parameters that differ from it, as text. */
export type DriverMarket = ParameterTexts & {
  /** Default: `linear`. */
  readonly preset?: string;
};

/** An account of genesis: its cross collateral in USD as decimal text, or an object with more fields. */
export type DriverAccount =
  | string
  | {
      /** USD. */
      readonly balance: string;
      /** Default: `normal`. */
      readonly role?: Role;
      /** Of a backstop: how much of the balance it may lose, USD; default: all of it. */
      readonly lossLimit?: string;
    };

export interface DriverOptions {
  /** By name. Default: none. */
  readonly markets?: Readonly<Record<string, DriverMarket>>;
  /** By name: `alice`, or `alice/1` for subaccount 1 of the same owner. Default: none. */
  readonly accounts?: Readonly<Record<string, DriverAccount>>;
  /** Everything else of genesis: insurance, features, gates of withdrawals, authorities, time. */
  readonly genesis?: Omit<GenesisInit, "markets" | "accounts">;
  /**
   * Observers, called for every block in their order, or a function that makes them for the venue: `(state) => [new
   * Watch(state)]`.
   */
  readonly observers?: readonly Observer[] | ((state: State) => readonly Observer[]);
}

/** Genesis of a driver's venue. @throws {DriverError} ACCOUNT_NAME, FIELD_UNKNOWN */
export function genesisOfOptions(options: DriverOptions): Genesis {
  checkFields("createVenueDriver", options, ["markets", "accounts", "genesis", "observers"]);
  const { markets = {}, accounts = {}, genesis = {} } = options;
  for (const name of ["markets", "accounts"] as const) {
    if (name in genesis) {
      throw new DriverError(
        "FIELD_UNKNOWN",
        `createVenueDriver.genesis.${name}: is an option of its own; write ${name}`,
      );
    }
  }
  return createGenesis({
    ...genesis,
    markets: Object.entries(markets).map(([name, { preset = "linear", ...parameters }]) => ({
      name,
      preset,
      parameters: parameters as ParameterTexts,
    })),
    accounts: Object.entries(accounts).map(([name, account]) => {
      const { address, subaccount } = keyOfName(checkName(name));
      const {
        balance,
        role = "normal" as const,
        ...rest
      } = typeof account === "string" ? { balance: account } : account;
      return { address, subaccount, role, balance, ...rest };
    }),
  });
}

/**
 * Refuses options that the call does not have: a typo would otherwise be ignored.
 *
 * @param call name of the call, for the message
 * @throws {DriverError} FIELD_UNKNOWN
 */
export function checkFields<T extends object>(call: string, given: T, known: readonly (keyof T & string)[]): void {
  const names: readonly string[] = known;
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    throw new DriverError(
      "FIELD_UNKNOWN",
      `${call}.${name}: unknown field; leave it out; known are ${names.join(", ")}`,
    );
  }
}

/** @throws {DriverError} ACCOUNT_NAME */
export function checkName(name: string): string {
  if (ACCOUNT_NAME.test(name)) return name;
  const words = `${JSON.stringify(name)} is no name of an account; write a small letter, then letters, digits and hyphens, and /1 for subaccount 1`;
  throw new DriverError("ACCOUNT_NAME", words);
}
