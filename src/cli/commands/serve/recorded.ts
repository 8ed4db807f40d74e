import { countOf, formatCount } from "../../../ground/math/counts.ts";
import type { Played } from "../../../server/devnet/feed/feed.ts";
import type { Recording } from "../../../server/devnet/feed/recording.ts";
import type { VenueHost } from "../../../server/host/host.ts";
import type { Context } from "../../command.ts";
import { printFailure, usageError } from "../../fail.ts";
import { HISTORY_OPTIONS, type HistoryOptions, readHistoryOptions } from "../../historyOptions.ts";
import type { PolicyOptions } from "../../policy.ts";

/** Options of a recording that is played in a served venue. */
export interface RecordedOptions extends PolicyOptions, HistoryOptions {
  /** A tape, or files as `[MARKET[:LAYOUT]=]PATH`. */
  readonly data?: readonly string[];
  /** Recorded time in a moment of the clock; Infinity for as fast as it goes. */
  readonly speed?: number;
  readonly blockStep?: number;
  readonly silent?: boolean;
}

/**
 * The recording named by the options.
 *
 * @throws {DataError} the fault of its files
 * @throws {ReplayError} a replay that is not possible as requested
 */
export async function openRecorded(context: Context, options: RecordedOptions): Promise<Recording | undefined> {
  const { data } = options;
  for (const name of ["speed", "allow", "deny", ...HISTORY_OPTIONS] as const) {
    if (data !== undefined || options[name] === undefined) continue;
    throw usageError("OPTION_INVALID", "goes with --data only", { place: `--${name}` });
  }
  if (data === undefined) return undefined;
  const { openSources } = await import("../../openSources.ts");
  const { openRecording } = await import("../../../server/devnet/feed/recording.ts");
  const history = await readHistoryOptions(options);
  const source = await openSources(context, { ...options, data });
  return openRecording(source, history);
}

/** @throws {ReplayError} OPTION_INVALID if the recording does not fit the venue */
export async function checkRecorded({ state }: VenueHost, recording: Recording | undefined): Promise<void> {
  if (recording === undefined) return;
  const { checkVenue } = await import("../../../server/devnet/feed/venueHistory.ts");
  checkVenue(state, recording);
}

/**
 * Starts playing the recording, and reports its end. Block time then follows the clock, and the last prices and quotes
 * stay. Returns the function that stops it.
 */
export function startRecorded(
  { terminal, json }: Context,
  host: VenueHost,
  recording: Recording | undefined,
  { speed = 1, blockStep, silent }: RecordedOptions,
): () => Promise<void> {
  if (recording === undefined) return () => Promise.resolve();
  const stop = new AbortController();
  const print = (line: string) => {
    if (!json && silent !== true) terminal.out(line);
  };
  const followClock = () => {
    if (blockStep === undefined) host.time.change({ kind: "wall" }, host.state.timeMs);
  };
  const play = async () => {
    try {
      const { playRecording } = await import("../../../server/devnet/feed/feed.ts");
      const step = blockStep === undefined ? {} : { stepMs: blockStep };
      const played = await playRecording(host, recording, { speed, ...step, signal: stop.signal });
      if (!played.isWhole) return;
      followClock();
      print(describeEnd(played));
    } catch (error) {
      // A host that has stopped reports it itself.
      if (host.failure !== undefined) return;
      followClock();
      terminal.err("The recording ended early; the venue continues.");
      printFailure(terminal, error, false);
    } finally {
      await recording.source.close();
    }
  };
  const playing = play();
  return () => {
    stop.abort();
    return playing;
  };
}

/** The text for a person when a recording has been played whole. */
export function describeEnd({ blocks, prices, flows, refused, timeMs }: Played): string {
  const time = new Date(timeMs).toISOString();
  if (blocks === 0)
    return `The recording has no events after ${time}, the venue's present time. The venue keeps its prices.`;
  const count = `${countOf(prices, "price")} and ${countOf(flows, "flow of trades and quotes", "flows of trades and quotes")}`;
  const refusals = refused === 0 ? "" : `, ${formatCount(refused)} of them refused`;
  return `The recording has ended at ${time}: ${count}${refusals}, in ${countOf(blocks, "block")}. The last prices and quotes stay.`;
}
