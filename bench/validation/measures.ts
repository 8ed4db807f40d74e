import { measureAccount, readAccount } from "./accountReplay/measure.ts";
import { compareFunding, MARKETS, readFunding } from "./fundingRates/measure.ts";
import { measureHft } from "./hftbacktest/measure.ts";
import { measureLrvx } from "./lrvx/measure.ts";
import { measureOctober, readOctober } from "./october/measure.ts";
import { explainAbsent } from "./recorded.ts";
import type { Check, Results } from "./results.ts";
import { measureOwnSma, measurePeers, PEER_COUNT, readBars } from "./sma/measure.ts";
import { measureVaultFills, readVaultFills } from "./vaultFills/measure.ts";

/** Runs each check; undefined, and a line on the console, where data or a peer is absent. */
export const MEASURES: { readonly [Name in Check]: () => Promise<Results[Name]> } = {
  sma: async () => {
    const read = readBars();
    if (read === undefined) return explainAbsent("binance_um_1h_2019_2023");
    const { figures, entries } = await measureOwnSma(read.bars, read.settlements);
    const peers = measurePeers(read.bars, figures, entries);
    return peers.length < PEER_COUNT ? undefined : { ...figures, peers };
  },
  vaultFills: async () => {
    const read = readVaultFills();
    return read === undefined ? explainAbsent("hyperliquid_vault_fills") : measureVaultFills(read);
  },
  accountReplay: async () => {
    const record = readAccount();
    return record === undefined ? explainAbsent("hyperliquid_account_replay") : measureAccount(record);
  },
  fundingRates: async () => {
    const rows = MARKETS.map((market) => ({ market, hours: readFunding(market) }));
    if (rows.some(({ hours }) => hours === undefined)) return explainAbsent("funding_hyperliquid_binance");
    return rows.map(({ market, hours }) => compareFunding(market, hours!));
  },
  october: async () => {
    const read = readOctober();
    const funding = MARKETS.map((market) => [market, readFunding(market)] as const);
    if (read === undefined) return explainAbsent("hyperliquid_vault_fills");
    if (funding.some(([, rows]) => rows === undefined)) return explainAbsent("funding_hyperliquid_binance");
    return measureOctober(read, Object.fromEntries(funding.map(([market, rows]) => [market, rows!])));
  },
  lrvx: measureLrvx,
  hftbacktest: measureHft,
};
