import { decodePayload } from "../../protocol/codec.ts";
import type { Genesis, GenesisInit } from "../../protocol/genesis.ts";
import { developmentGenesis } from "../host/development.ts";
import type { VenueHost } from "../host/host.ts";
import { DEVELOPMENT_ACCOUNTS } from "./accounts.ts";

/** A fixed beginning, so that the same devnet has the same genesis hash at every start: 2026-01-01, UTC. */
export const DEVNET_TIME_MS = Date.UTC(2026, 0, 1);

/** Prices that the markets of a new devnet begin with, in USD; anybody may inject others. */
export const DEVNET_PRICES: Readonly<Record<string, string>> = {
  "BTC-PERP": "60000",
  "ETH-PERP": "3000",
  "SOL-PERP": "150",
};

/** Prices stand until others are injected: they neither grow old nor wait for one after a pause. */
export const STANDING = { oracleStale: "0", blockGap: "0" };

/** Markets of a devnet whose genesis says nothing of them. */
export const DEVNET_MARKETS: Genesis["markets"] = Object.keys(DEVNET_PRICES).map((name) => ({
  name,
  preset: "linear",
  parameters: STANDING,
}));

export interface DevnetOptions {
  /** How many development accounts have something, of ten. */
  readonly accounts?: number;
  /** What each of them has, in USD. */
  readonly balance?: string;
  /** What differs from the genesis of a devnet; accounts are added to those of development. */
  readonly genesis?: GenesisInit;
  /** Salt of a genesis that names none. Default: none. */
  readonly salt?: string | undefined;
}

export function createDevnetGenesis({
  accounts = 10,
  balance = "100000",
  genesis = {},
  salt,
}: DevnetOptions = {}): Genesis {
  const funded = DEVELOPMENT_ACCOUNTS.slice(0, accounts).map(({ address }) => ({
    address,
    subaccount: 0,
    role: "normal" as const,
    balance,
  }));
  const given = genesis.accounts ?? [];
  const isGiven = (address: string) => given.some((account) => account.address === address && account.subaccount === 0);
  return developmentGenesis({
    timeMs: DEVNET_TIME_MS,
    markets: DEVNET_MARKETS,
    ...(salt === undefined ? {} : { salt }),
    ...genesis,
    accounts: [...given, ...funded.filter(({ address }) => !isGiven(address))],
  });
}

/**
 * Gives markets that have no price yet the one they begin with, in a block of its own.
 *
 * @param prices by market, in USD; markets that are not named go without
 */
export async function openMarkets(host: VenueHost, prices: Readonly<Record<string, string>>): Promise<void> {
  const { markets, marketRows } = host.state;
  const named = [...marketRows].filter(([name, row]) => Object.hasOwn(prices, name) && markets.oracle[row] === 0);
  if (named.length === 0) return;
  const submitted = named.map(([name]) =>
    host.submitSystem(
      "oracleUpdate",
      decodePayload("oracleUpdate", {
        market: name,
        price: prices[name]!,
        sources: [],
        mark: "",
        fundingRate: "",
        settleFunding: false,
      }),
    ),
  );
  await Promise.all(submitted);
  if (host.pool.size > 0) await host.mine();
}
