import type { Address, Bytes32 } from "./fields.ts";
import type { ParameterTexts } from "./parameters.ts";
import { ENVELOPE_VERSION, PROTOCOL_VERSION } from "./transaction.ts";
import type { Role } from "./words.ts";

/** Where a chain starts (NET-1). Amounts are canonical decimal text in USD. */
export interface Genesis {
  readonly network: string;
  readonly chainId: number;
  readonly protocolVersion: number;
  readonly envelopeVersion: number;
  readonly timeMs: number;
  /** Keys that sign system transactions. */
  readonly authorities: { readonly oracle: Address; readonly faucet: Address; readonly operator: Address };
  readonly markets: readonly { readonly name: string; readonly preset: string; readonly parameters: ParameterTexts }[];
  readonly accounts: readonly {
    readonly address: Address;
    readonly subaccount: number;
    readonly role: Role;
    readonly balance: string;
    /** Of a backstop: how much of the balance it may lose (LIQ-3); all of it where absent. */
    readonly lossLimit?: string;
  }[];
  readonly insurance: string;
  readonly features: { readonly faucet: boolean };
  /** Longest validity of a transaction, in blocks (VAL). */
  readonly validityMax: number;
  /** Most buckets liquidated in a block (LIQ). */
  readonly liquidationsMax: number;
}

/** Addresses of the development authorities; genesis files of real networks name their own. */
export const DEVELOPMENT_AUTHORITIES: Genesis["authorities"] = {
  oracle: "0x00000000000000000000000000000000000000a1",
  faucet: "0x00000000000000000000000000000000000000a2",
  operator: "0x00000000000000000000000000000000000000a3",
};

/** A genesis with everything at its default but what is given. */
export function createGenesis(given: Partial<Genesis> = {}): Genesis {
  return {
    network: "perplab",
    chainId: 31_337,
    protocolVersion: PROTOCOL_VERSION,
    envelopeVersion: ENVELOPE_VERSION,
    timeMs: 0,
    authorities: DEVELOPMENT_AUTHORITIES,
    markets: [],
    accounts: [],
    insurance: "0",
    features: { faucet: true },
    validityMax: 1200,
    liquidationsMax: 10_000,
    ...given,
  };
}

/** The one text of a genesis: keys in this order, so that its hash identifies it. */
export function genesisText(genesis: Genesis): string {
  const { authorities, features } = genesis;
  return JSON.stringify({
    network: genesis.network,
    chainId: genesis.chainId,
    protocolVersion: genesis.protocolVersion,
    envelopeVersion: genesis.envelopeVersion,
    timeMs: genesis.timeMs,
    authorities: { oracle: authorities.oracle, faucet: authorities.faucet, operator: authorities.operator },
    markets: genesis.markets.map(({ name, preset, parameters }) => ({
      name,
      preset,
      parameters: Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))),
    })),
    accounts: genesis.accounts.map(({ address, subaccount, role, balance, lossLimit }) => ({
      address,
      subaccount,
      role,
      balance,
      ...(lossLimit === undefined ? {} : { lossLimit }),
    })),
    insurance: genesis.insurance,
    features: { faucet: features.faucet },
    validityMax: genesis.validityMax,
    liquidationsMax: genesis.liquidationsMax,
  });
}

export type { Bytes32 };
