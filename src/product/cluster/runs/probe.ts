import { join } from "node:path";
import { runBacktest } from "../../backtest/runBacktest.ts";
import { openData } from "../../market-data/readSources.ts";
import trend from "../../strategies/trend.ts";

/** A day of minutes that comes with perplab. */
const SAMPLE = join(import.meta.dirname, "../../../../data/BTC-PERP-klines-1m-2024-07-19.csv.gz");

/**
 * State root of one small run that is the same everywhere. A machine that computes another one makes no jobs: its
 * results would not be those of the others.
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
