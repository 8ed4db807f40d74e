import type { Address, Bytes32 } from "./fields.ts";
import type { ParameterTexts } from "./parameters.ts";
import { ENVELOPE_VERSION, PROTOCOL_VERSION } from "./transaction.ts";
import type { Role } from "./words.ts";

/** Features of a venue (NET-1). A feature that is off is refused with `FEATURE_DISABLED`, or not served. */
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

/**
 * The most that is withdrawn in a UTC hour or day of block time (MRG-5). It is the greater of an amount in USD and a
 * share of the venue's holdings at the start of the window ("0.01" for a hundredth). A missing one is 0; if both are
 * missing, there is no cap.
 */
export interface OutflowCap {
  readonly amount?: string;
  readonly share?: string;
}

/** The venue's gates before withdrawals (MRG-5), and before nothing else. */
export interface Outflow {
  readonly hourly: OutflowCap;
  readonly daily: OutflowCap;
  /** Deficits of a block that the insurance fund did not pay, in USD: above this, withdrawals are paused. */
  readonly deficitThreshold: string;
  /** How many blocks after that one they are paused, too; 0 for no pause. */
  readonly deficitBlocks: number;
}

/**
 * Numbers of dYdX's withdrawal gating, which pauses after any deficit. They are on by default, as in other venues.
 * Withdrawals of tests and backtests are far below them.
 */
export const DEFAULT_OUTFLOW: Outflow = {
  hourly: { amount: "1000000", share: "0.01" },
  daily: { amount: "10000000", share: "0.1" },
  deficitThreshold: "0",
  deficitBlocks: 50,
};

/** No cap, no pause. */
export const NO_OUTFLOW_GATES: Outflow = { hourly: {}, daily: {}, deficitThreshold: "0", deficitBlocks: 0 };

/** What `createGenesis` takes: everything, and of the features and gates those that differ. */
export type GenesisInit = Partial<Omit<Genesis, "features" | "outflow">> & {
  readonly features?: Partial<Features>;
  readonly outflow?: Partial<Outflow>;
};

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
  /** Most margin accounts liquidated in a block (LIQ). */
  readonly liquidationsMax: number;
  /** Most intents of a subaccount; each leg of a group counts (INT). Hyperliquid: 1,000 orders of all kinds. */
  readonly intentsMax: number;
  /** How the nonces of trading lanes follow one another (NON-2): `sequential`, also where absent, or `window:N`. */
  readonly nonces?: { readonly trading: string };
  /** Caps on withdrawals and the pause after a deficit (MRG-5). */
  readonly outflow: Outflow;
  /**
   * Distinguishes networks that are equal otherwise: 1 to 64 letters, digits, `.`, `_` and `-`. It is part of the
   * genesis hash, to which signatures are bound, and of every root. Default: none.
   */
  readonly salt?: string;
  /** Only of a fork that changed something here: the hash of the genesis that it came from, which it keeps (TX-1). */
  readonly origin?: Bytes32;
}

/** Addresses of the development authorities; genesis files of real networks name their own. */
export const DEVELOPMENT_AUTHORITIES: Genesis["authorities"] = {
  oracle: "0x00000000000000000000000000000000000000a1",
  faucet: "0x00000000000000000000000000000000000000a2",
  operator: "0x00000000000000000000000000000000000000a3",
};

/** A genesis with the given values, and defaults for all others. */
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
    outflow: { ...DEFAULT_OUTFLOW, ...given.outflow },
  };
}

/**
 * The one text of a genesis: keys in this order, so that its hash identifies it. The default scheme of nonces is left
 * out.
 */
export function genesisText(genesis: Genesis): string {
  const { authorities, features, nonces, outflow } = genesis;
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
      parameters: Object.fromEntries(Object.entries(parameters).sort(compareNames)),
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
    outflow: {
      hourly: capText(outflow.hourly),
      daily: capText(outflow.daily),
      deficitThreshold: outflow.deficitThreshold,
      deficitBlocks: outflow.deficitBlocks,
    },
    ...(genesis.salt === undefined ? {} : { salt: genesis.salt }),
    ...(genesis.origin === undefined ? {} : { origin: genesis.origin }),
  });
}

function compareNames([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function capText({ amount = "0", share = "0" }: OutflowCap): OutflowCap {
  return { amount, share };
}

export type { Bytes32 };
