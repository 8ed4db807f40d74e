import type { Address, Bytes32 } from "./fields.ts";
import type { ParameterTexts } from "./parameters.ts";
import { ENVELOPE_VERSION, PROTOCOL_VERSION } from "./transaction.ts";
import type { Role } from "./words.ts";

/** What a venue offers (NET-1). What is off is refused with `FEATURE_DISABLED`, or not served. */
export interface Features {
  /** Owners may grant authorizations to agents (AUT). */
  readonly agents: boolean;
  /** `faucetMint` mints simulated collateral. */
  readonly faucet: boolean;
  /** The service answers questions about accounts. */
  readonly accountReads: boolean;
  /** Several validators run the chain. */
  readonly validators: boolean;
  /** `devnetSet` and `devnetImpersonate` work. */
  readonly devnet: boolean;
}

export const DEFAULT_FEATURES: Features = {
  agents: true,
  faucet: true,
  accountReads: true,
  validators: false,
  devnet: false,
};

/** What `createGenesis` takes: everything, and of the features those that differ. */
export type GenesisInit = Partial<Omit<Genesis, "features">> & { readonly features?: Partial<Features> };

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
  readonly features: Features;
  /** Longest validity of a transaction, in blocks (VAL). */
  readonly validityMax: number;
  /** Most buckets liquidated in a block (LIQ). */
  readonly liquidationsMax: number;
  /** Most intents of a subaccount; each leg of a group counts (INT). Hyperliquid: 1,000 orders of all kinds. */
  readonly intentsMax: number;
  /** How the nonces of trading lanes follow one another (NON-2): `sequential`, also where absent, or `window:N`. */
  readonly nonces?: { readonly trading: string };
}

/** Addresses of the development authorities; genesis files of real networks name their own. */
export const DEVELOPMENT_AUTHORITIES: Genesis["authorities"] = {
  oracle: "0x00000000000000000000000000000000000000a1",
  faucet: "0x00000000000000000000000000000000000000a2",
  operator: "0x00000000000000000000000000000000000000a3",
};

/** A genesis with everything at its default but what is given. */
export function createGenesis(given: GenesisInit = {}): Genesis {
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
    validityMax: 1200,
    liquidationsMax: 10_000,
    intentsMax: 100,
    nonces: { trading: "sequential" },
    ...given,
    features: { ...DEFAULT_FEATURES, ...given.features },
  };
}

/** The one text of a genesis: keys in this order, so that its hash identifies it. The default scheme of nonces is left out. */
export function genesisText(genesis: Genesis): string {
  const { authorities, features, nonces } = genesis;
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
    features: {
      agents: features.agents,
      faucet: features.faucet,
      accountReads: features.accountReads,
      validators: features.validators,
      devnet: features.devnet,
    },
    validityMax: genesis.validityMax,
    liquidationsMax: genesis.liquidationsMax,
    intentsMax: genesis.intentsMax,
    ...(nonces === undefined || nonces.trading === "sequential" ? {} : { nonces: { trading: nonces.trading } }),
  });
}

export type { Bytes32 };
