/**
 * A process that runs a backtest twice and prints what the second run took, from opening the tape to the result. Its
 * report is not made:
 *
 *     node bench/lib/secondRun.ts <tape> hold|maker
 *
 * A user who tries one thing after another sees the second run: code is loaded, and only partly compiled for speed.
 */
import { runBacktest } from "../../src/product/backtest/runBacktest.ts";
import { openTape } from "../../src/product/market-data/tape/openTape.ts";
import maker from "../../src/product/strategies/maker.ts";
import { hold } from "./hold.ts";
import { timeTask } from "./measure.ts";

export interface SecondRun {
  /** Seconds, with the threads that compile and collect. */
  readonly cpu: number;
  readonly events: number;
  readonly blocks: number;
  readonly fills: number;
}

const [tape = "", name] = process.argv.slice(2);

async function run() {
  const data = await openTape(tape);
  const { events, blocks, input } = await runBacktest({ strategy: name === "maker" ? maker : hold, data });
  await data.close();
  return { events, blocks, fills: input.recording.fills.length };
}

await run();
const { cpu, result } = await timeTask(run);
console.log(JSON.stringify({ cpu, ...result } satisfies SecondRun));
