import { setImmediate } from "node:timers/promises";
import type { HistoryAction } from "../../../product/replay/history.ts";
import type { Submitted, VenueHost } from "../../host/host.ts";
import type { BlockMode } from "../../host/options.ts";
import type { Recording } from "./recording.ts";
import { VenueHistory } from "./venueHistory.ts";

/** How a recording is replayed in a running venue. */
export interface PlayOptions {
  /** Recorded time per clock time; Infinity for as fast as possible. */
  readonly speed: number;
  /** Block time of blocks of other transactions after a block, while it plays and after. Default: unchanged. */
  readonly stepMs?: number;
  /**
   * Called after each block of the recording, and awaited: a bot that reacts to it has done so before the next one. In
   * a mode without automatic blocks, its transactions enter the block in which a backtest without latency has them.
   * That is the next multiple of the time that a block gathers, or, if only bars are recorded, 1 ms later.
   */
  readonly afterBlock?: () => unknown;
  /** Ends the replay before the end of the data. */
  readonly signal?: AbortSignal;
  /** Resolves after the time, or on the signal. Default: by timers. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Milliseconds of the clock. Default: the machine's. */
  readonly clock?: () => number;
}

/** Result of replaying a recording. */
export interface Played {
  readonly blocks: number;
  /** Reported prices, and flows of trades and quotes: at most one of each for a market and block. */
  readonly prices: number;
  readonly flows: number;
  /** Number of them that the venue's rules rejected. */
  readonly refused: number;
  /** Recorded time of the last block; without one, the time of the head. */
  readonly timeMs: number;
  /** False if it was ended early. */
  readonly isWhole: boolean;
}

/** Longest time that a timer takes. */
const TIMER_MOST = 2 ** 31 - 1;

/**
 * Replays a recording in a running venue, block by block as a backtest does. The oracle reports its prices, and the
 * house account trades and quotes the recorded trades. Blocks of other transactions follow directly. Reactions to a
 * block, for example of makers, are in before the next one. So the same data in a venue with the same start, in memory,
 * gives the same chain.
 *
 * Data up to the head's time is skipped: a stored venue continues where it ended.
 *
 * @throws {ReplayError} data or options do not fit the venue
 * @throws {DataError} the data is invalid
 */
export async function playRecording(host: VenueHost, recording: Recording, options: PlayOptions): Promise<Played> {
  const history = new VenueHistory(host.state, recording);
  try {
    return await play(host, history, options);
  } finally {
    await history.close();
  }
}

async function play(host: VenueHost, history: VenueHistory, options: PlayOptions): Promise<Played> {
  const { speed, stepMs, afterBlock, signal, sleep = sleepByTimer, clock = () => performance.now() } = options;
  // The venue's opening blocks must not take longer steps, which would reach into the recording.
  await settle(host);
  if (stepMs !== undefined) host.time.change({ kind: "step", stepMs }, host.state.timeMs);
  const fromMs = host.state.timeMs;
  const played = { blocks: 0, prices: 0, flows: 0, refused: 0, timeMs: fromMs };
  let nextMs = await history.nextMs();
  while (nextMs !== undefined && nextMs <= fromMs) {
    history.take(nextMs);
    nextMs = await history.nextMs();
  }
  const startedAt = clock();
  let release = () => {};
  try {
    while (nextMs !== undefined) {
      const timeMs = nextMs;
      for (;;) {
        const waitMs = (timeMs - fromMs) / speed - (clock() - startedAt);
        if (waitMs <= 0 || signal?.aborted) break;
        await sleep(Math.min(Math.ceil(waitMs), TIMER_MOST), signal);
      }
      if (signal?.aborted) return { ...played, isWhole: false };
      const { actions } = history.take(timeMs);
      const followingMs = await history.nextMs();
      const submitted = actions.map((action) => submit(host, action));
      const mined = host.mine({ timeMs });
      release();
      release = leavesRoom(host, timeMs, followingMs) ? () => {} : holdBlocks(host);
      await mined;
      const left = host.pool.size;
      played.refused += countRefused(host, await Promise.all(submitted));
      const flows = actions.filter(({ action }) => action === "houseFlow").length;
      played.flows += flows;
      played.prices += actions.length - flows;
      played.blocks++;
      played.timeMs = timeMs;
      await afterBlock?.();
      await settle(host);
      const isOwed = host.blockMode.mode !== "auto" && afterBlock !== undefined && host.pool.size > left;
      nextMs = await history.nextMs(isOwed ? host.state.timeMs + 1 : undefined);
    }
  } finally {
    release();
  }
  return { ...played, isWhole: true };
}

/** Submits as the authority that the action needs. */
function submit(host: VenueHost, one: HistoryAction): Promise<Submitted> {
  return one.action === "oracleUpdate"
    ? host.submitSystem(one.action, one.payload)
    : host.submitSystem(one.action, one.payload);
}

function countRefused(host: VenueHost, submitted: readonly Submitted[]): number {
  return submitted.filter((answer) => {
    if (!answer.accepted) return true;
    const entry = host.transaction(answer.id);
    return entry?.status === "committed" && entry.receipt.code !== undefined;
  }).length;
}

/** Whether a block of other transactions fits between two of the recording. */
function leavesRoom({ time }: VenueHost, timeMs: number, followingMs: number | undefined): boolean {
  const stepMs = time.mode.kind === "step" ? Math.max(1, time.mode.stepMs) : 1;
  return followingMs === undefined || followingMs > timeMs + stepMs;
}

/**
 * Stops automatic blocks until the release: other transactions enter the next block of the recording, after its own.
 */
function holdBlocks(host: VenueHost): () => void {
  const { blockMode } = host;
  if (blockMode.mode !== "auto" && blockMode.mode !== "batch") return () => {};
  const held: BlockMode = { mode: "manual" };
  host.blockMode = held;
  return () => {
    // The mode may have been changed meanwhile.
    if (host.blockMode === held) host.blockMode = blockMode;
  };
}

/** If blocks are automatic, those that react to the last one come first. */
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
