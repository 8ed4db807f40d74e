import { join } from "node:path";
import { runBacktest } from "../../backtest/runBacktest.ts";
import { openData } from "../../market-data/readSources.ts";
import trend from "../../strategies/trend.ts";

/** A day of minute bars in the package. */
const SAMPLE = join(import.meta.dirname, "../../../../data/BTC-PERP-klines-1m-2024-07-19.csv.gz");

/**
 * Makes one small run and returns its state root. Every machine must compute the same root. A machine that computes
 * another one makes no jobs, since its results would differ.
 */
export async function makeProbe(): Promise<string> {
  const data = await openData([SAMPLE]);
  try {
    const { root } = await runBacktest({ strategy: trend, data, leverage: 5 });
    return root;
  } finally {
    await data.close();
  }
}
