import { setImmediate } from "node:timers/promises";
import { formatDecimal } from "../../../math/decimal.ts";
import { PRICE_DECIMALS } from "../../../math/fixed.ts";
import type { VenueHost } from "../../host/host.ts";
import { readPayload } from "../pokes.ts";
import { type PriceStep, readPrices } from "./prices.ts";
import type { Recording } from "./recording.ts";

export interface PlayOptions {
  /** Recorded time that passes in a moment of the clock; Infinity for as fast as the venue goes. */
  readonly speed: number;
  /** Ends it before the data does. */
  readonly signal?: AbortSignal;
  /** Resolves after so many milliseconds, or when the signal says so. Default: by timers. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Milliseconds of the clock. Default: the machine's. */
  readonly clock?: () => number;
}

/** What became of a recording. */
export interface Played {
  readonly blocks: number;
  readonly prices: number;
  /** Prices that the venue's rules refused. */
  readonly refused: number;
  /** Recorded time of the last price; without one, the time at which the venue stands. */
  readonly timeMs: number;
  /** False where it was ended before. */
  readonly isWhole: boolean;
}

/** Longest time that a timer takes. */
const TIMER_MOST = 2 ** 31 - 1;

/**
 * Reports the prices of a recording to a venue that runs: all prices of an instant in one block, whose time is that of the
 * recording. Blocks of others in between come right behind it. What answers a price, such as makers, has done so before
 * the next one, so that the same data in a venue of the same beginning, in memory, gives the same chain.
 *
 * Prices up to the venue's time are past: a venue that was kept goes on where it ended.
 */
export async function playRecording(host: VenueHost, recording: Recording, options: PlayOptions): Promise<Played> {
  const { speed, signal, sleep = sleepByTimer, clock = () => performance.now() } = options;
  const [startedAt, fromMs] = [clock(), host.state.timeMs];
  let [blocks, prices, refused, timeMs] = [0, 0, 0, fromMs];
  const end = (isWhole: boolean) => ({ blocks, prices, refused, timeMs, isWhole });
  for await (const step of readPrices(recording, fromMs)) {
    for (;;) {
      const waitMs = (step.timeMs - fromMs) / speed - (clock() - startedAt);
      if (waitMs <= 0 || signal?.aborted) break;
      await sleep(Math.min(Math.ceil(waitMs), TIMER_MOST), signal);
    }
    if (signal?.aborted) return end(false);
    refused += await report(host, step);
    prices += step.prices.length;
    blocks++;
    timeMs = step.timeMs;
    await settle(host);
  }
  return end(true);
}

/** Has the oracle report the prices in a block of their own time. Returns how many the rules refused. */
async function report(host: VenueHost, { timeMs, prices }: PriceStep): Promise<number> {
  const submitted = prices.map(({ market, price }) =>
    host.submitSystem(
      "oracleUpdate",
      readPayload("oracleUpdate", { market, price: formatDecimal(price, PRICE_DECIMALS) }),
    ),
  );
  await host.mine({ timeMs });
  let refused = 0;
  for (const answer of await Promise.all(submitted)) {
    const entry = answer.accepted ? host.transaction(answer.id) : undefined;
    if (entry?.status === "committed" ? entry.receipt.code !== undefined : !answer.accepted) refused++;
  }
  return refused;
}

/** Where blocks are made by themselves, those that answer the last one come first. */
async function settle(host: VenueHost): Promise<void> {
  await setImmediate();
  const isAuto = () => host.blockMode.mode === "auto" && host.failure === undefined;
  for (let turns = 0; turns < 100 && isAuto() && host.pool.size > 0; turns++) await setImmediate();
}

function sleepByTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}
