import { decodePayload } from "../../protocol/codec.ts";
import type { Genesis, GenesisInit } from "../../protocol/genesis.ts";
import { developmentGenesis } from "../host/development.ts";
import type { VenueHost } from "../host/host.ts";
import { DEVELOPMENT_ACCOUNTS } from "./accounts.ts";

/** A fixed start, so that the same devnet has the same genesis hash every time: 2026-01-01, UTC. */
export const DEVNET_TIME_MS = Date.UTC(2026, 0, 1);

/** First prices of the markets of a new devnet, in USD; control may inject others. */
export const DEVNET_PRICES: Readonly<Record<string, string>> = {
  "BTC-PERP": "60000",
  "ETH-PERP": "3000",
  "SOL-PERP": "150",
};

/** Prices last until others are injected: they do not become stale and do not wait for a report after a pause. */
export const LASTING_PRICES = { oracleStale: "0", blockGap: "0" };

/** Markets of a devnet whose genesis names none. */
export const DEVNET_MARKETS: Genesis["markets"] = Object.keys(DEVNET_PRICES).map((name) => ({
  name,
  preset: "linear",
  parameters: LASTING_PRICES,
}));

/** Accounts, balances and genesis of a development venue. */
export interface DevnetOptions {
  /** Number of development accounts with a balance, at most ten. */
  readonly accounts?: number;
  /** Balance of each of them, USD. */
  readonly balance?: string;
  /** Overrides of a devnet's genesis; its accounts are added to those of development. */
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
 * Sets the first price of markets without one, in a block of its own.
 *
 * @param prices by market, in USD; other markets get none
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
