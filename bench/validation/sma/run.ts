import { join } from "node:path";
import type { BacktestResult } from "../../../src/product/backtest/backtestResult.ts";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { openData } from "../../../src/product/market-data/readSources.ts";
import { findRecorded } from "../recorded.ts";
import { movingAverages } from "./strategy.ts";

export const FOLDER = "binance_um_1h_2019_2023";
export const BARS = "BTCUSDT_1h.csv.gz";
export const FUNDING = "BTCUSDT_funding_8h.csv.gz";
/** The bar that closes with 2019. */
export const FROM_MS: number = Date.UTC(2019, 11, 31, 23);
export const DEPOSIT = 100_000;

export interface SmaRun {
  /** 0: one bitcoin. */
  readonly share: number;
  /** Fee of each fill, a ratio. */
  readonly fee: string;
  readonly withFunding: boolean;
  readonly deposit?: string;
  readonly leverage?: number;
}

/**
 * The averages on the recorded bars; undefined where they are absent. The whole volume of a bar is on offer, as it is
 * to the peers.
 */
export async function runSma(run: SmaRun): Promise<BacktestResult | undefined> {
  const folder = findRecorded(FOLDER);
  if (folder === undefined) return undefined;
  const source = (mapping: string, file: string) =>
    `BTC-PERP:${join(import.meta.dirname, "../../../data/mappings", `${FOLDER}_${mapping}.yaml`)}=${join(folder, file)}`;
  const sources = [source("bars", BARS), ...(run.withFunding ? [source("funding", FUNDING)] : [])];
  const data = await openData(sources);
  try {
    return await runBacktest({
      strategy: movingAverages,
      params: { share: run.share },
      data,
      fromMs: FROM_MS,
      participation: "1",
      deposit: run.deposit ?? `${DEPOSIT}`,
      leverage: run.leverage ?? 3,
      fees: { maker: run.fee, taker: run.fee },
    });
  } finally {
    await data.close();
  }
}
