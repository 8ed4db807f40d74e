import type { Played } from "../../../service/devnet/feed/feed.ts";
import type { Recording } from "../../../service/devnet/feed/recording.ts";
import type { VenueHost } from "../../../service/host/host.ts";
import type { Context } from "../../command.ts";
import { usageError } from "../../fail.ts";
import { formatCount } from "../../format.ts";
import type { PolicyOptions } from "../../policy.ts";

/** What is said about a recording that a served venue reports. */
export interface RecordedOptions extends PolicyOptions {
  /** A tape, or files as `[MARKET[:LAYOUT]=]PATH`. */
  readonly data?: readonly string[];
  /** Recorded time in a moment of the clock; Infinity for as fast as it goes. */
  readonly speed?: number;
  readonly blockStep?: number;
  readonly silent?: boolean;
}

/**
 * The recording that the options name.
 *
 * @throws {DataError} what is wrong with its files
 */
export async function openRecorded(context: Context, options: RecordedOptions): Promise<Recording | undefined> {
  const { data } = options;
  for (const name of ["speed", "allow", "deny"] as const) {
    if (data !== undefined || options[name] === undefined) continue;
    throw usageError("OPTION_INVALID", "goes with --data only", { place: `--${name}` });
  }
  if (data === undefined) return undefined;
  const { openSources } = await import("../../openSources.ts");
  const { openRecording } = await import("../../../service/devnet/feed/recording.ts");
  const source = await openSources(context, { ...options, data });
  return openRecording(source);
}

/** A venue that was kept has the markets that it began with, and no others. */
export function checkMarkets(host: VenueHost, recording: Recording | undefined): void {
  const lacking = recording?.markets.find(({ name }) => !host.state.marketRows.has(name));
  if (lacking === undefined) return;
  throw usageError("OPTION_INVALID", `the venue has no market ${lacking.name}`, {
    place: "--data",
    hint: `it has ${[...host.state.marketRows.keys()].join(", ")}; name one of them: MARKET=PATH`,
  });
}

/**
 * Begins to report, and says when the recording has ended; block time then goes on with the clock, and the last prices
 * stand. Returns what ends it.
 */
export function startRecorded(
  { terminal, json }: Context,
  host: VenueHost,
  recording: Recording | undefined,
  { speed = 1, blockStep, silent }: RecordedOptions,
): () => Promise<void> {
  if (recording === undefined) return () => Promise.resolve();
  const stop = new AbortController();
  const say = (line: string) => {
    if (!json && silent !== true) terminal.out(line);
  };
  const play = async () => {
    try {
      const { playRecording } = await import("../../../service/devnet/feed/feed.ts");
      const played = await playRecording(host, recording, { speed, signal: stop.signal });
      if (!played.isWhole) return;
      if (blockStep === undefined) host.time.change({ kind: "wall" }, host.state.timeMs);
      say(describeEnd(played));
    } catch (error) {
      // A host that has stopped says so itself.
      if (host.failure === undefined) terminal.err(`The recording ended early: ${(error as Error).message}`);
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

/** What a person reads when everything of a recording was reported. */
export function describeEnd({ blocks, prices, refused, timeMs }: Played): string {
  const time = new Date(timeMs).toISOString();
  if (blocks === 0) return `The recording has nothing after ${time}, where the venue stands; its prices stay.`;
  const refusals = refused === 0 ? "" : `, ${formatCount(refused)} of them refused`;
  return `The recording has ended at ${time}: ${formatCount(prices)} prices${refusals}, in ${formatCount(blocks)} blocks. The last prices stand.`;
}
