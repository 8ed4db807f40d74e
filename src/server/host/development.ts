import { addressFromKey, type PrivateKey } from "../../client/signing/sign.ts";
import type { Authority } from "../../protocol/action.ts";
import { createGenesis, type Genesis, type GenesisInit } from "../../protocol/genesis.ts";

/**
 * Keys of the authorities of development venues: they are public, so they must not protect anything elsewhere. Each is
 * its own name in ASCII, padded with zeros.
 */
export const DEVELOPMENT_AUTHORITY_KEYS: Readonly<Record<Authority, PrivateKey>> = {
  oracle: keyOfName("perplab oracle"),
  faucet: keyOfName("perplab faucet"),
  operator: keyOfName("perplab operator"),
};

/** Chain id of development venues, unlike that of any other development chain, so that wallets can separate them. */
export const DEVELOPMENT_CHAIN_ID = 735_711;
export const DEVELOPMENT_NETWORK = "perplab-devnet";

/** A genesis of a development venue: its keys, its features, and one market, overridden by `given`. */
export function developmentGenesis(given: GenesisInit = {}): Genesis {
  return createGenesis({
    network: DEVELOPMENT_NETWORK,
    chainId: DEVELOPMENT_CHAIN_ID,
    authorities: developmentAuthorities(),
    markets: [{ name: "BTC-PERP", preset: "linear", parameters: {} }],
    insurance: "1000000",
    ...given,
    features: { devnet: true, ...given.features },
  });
}

let authorities: Genesis["authorities"] | undefined;

/** Derived once: that takes most of the time of making a venue for a test. */
function developmentAuthorities(): Genesis["authorities"] {
  authorities ??= {
    oracle: addressFromKey(DEVELOPMENT_AUTHORITY_KEYS.oracle),
    faucet: addressFromKey(DEVELOPMENT_AUTHORITY_KEYS.faucet),
    operator: addressFromKey(DEVELOPMENT_AUTHORITY_KEYS.operator),
  };
  return authorities;
}

function keyOfName(name: string): PrivateKey {
  return `0x${Buffer.from(name, "ascii").toString("hex").padStart(64, "0")}`;
}
