import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { writeBookFile } from "../../lib/bookFile.ts";
import { createQuoter } from "../../lib/bookStrategies.ts";
import { runPeer } from "../../peers/environments.ts";
import { openCapture } from "./capture.ts";

/** Lots of a quote at the best price. */
const LOTS = 10;

/** Quotes at the best prices, checked every 100 ms, that may fill in parts. */
export interface PartialFills {
  readonly lots: number;
  readonly here: OwnQuotes;
  readonly there: {
    /** Times at which it decided until its partial fills ended the run, and the code of that end. */
    readonly decisions: number;
    readonly code: number;
    /** Times at which it decides where orders fill whole. */
    readonly allDecisions: number;
  };
}

export interface OwnQuotes {
  readonly decisions: number;
  readonly orders: number;
  /** Orders with more than one fill. */
  readonly ordersInParts: number;
}

/** The quotes in the recorded order book here. */
export async function quoteInParts(): Promise<OwnQuotes> {
  const data = await openCapture();
  const { strategy, counts } = createQuoter({ away: 0, lots: LOTS });
  await runBacktest({ data, strategy, blockMs: 1, latencyMs: 0, deposit: "1000000", leverage: 10 });
  await data.close();
  const { decisions, orders, ordersInParts } = counts;
  return { decisions, orders, ordersInParts };
}

export async function measurePartialFills(python: string): Promise<PartialFills> {
  const scratch = mkdtempSync(join(tmpdir(), "perplab-validation-"));
  try {
    const data = await openCapture();
    const path = join(scratch, "book.bin");
    await writeBookFile(data, path);
    await data.close();
    const quote = (...words: readonly string[]) =>
      runPeer<{ decisions: number; code: number }>(python, "books/quote_hftbacktest.py", [
        path,
        "0",
        `${LOTS}`,
        ...words,
      ]);
    const [partial, whole] = [quote("partial"), quote()];
    const there = { decisions: partial.decisions, code: partial.code, allDecisions: whole.decisions };
    return { lots: LOTS, here: await quoteInParts(), there };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
