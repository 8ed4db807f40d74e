import type { AnyStrategy } from "../../../client/strategy/strategy.ts";
import { trimChunk } from "../../market-data/stream/chunkBuilder.ts";
import { openTape } from "../../market-data/tape/openTape.ts";
import { readTapeHash } from "../../market-data/tape/tapeHash.ts";
import type { EventChunk, EventSource } from "../../market-data/types.ts";
import { RunError } from "./errors.ts";
import { hashStrategy } from "./strategyHash.ts";

/** Where the contents that jobs name are on this machine. Plain data: it is sent to every thread. */
export interface RunPlaces {
  /** Absolute path of a strategy's module by the hash of the strategy. */
  readonly strategies: Readonly<Record<string, string>>;
  /** Absolute path of a tape by its hash. */
  readonly tapes: Readonly<Record<string, string>>;
}

/** The contents that jobs name, opened once each. */
export interface RunSources {
  strategy(hash: string): Promise<AnyStrategy>;
  data(hash: string): Promise<EventSource>;
  close(): Promise<void>;
}

/** Events of a tape that stays in memory, about 90 bytes each; a larger one is read from the disk for every run. */
const EVENTS_KEPT = 1_000_000;

/**
 * Opens contents by their places, and checks that they are what the jobs name.
 *
 * @param load loads the strategy of a module
 * @throws {RunError} from its members: RUN_UNKNOWN, STRATEGY_CHANGED, DATA_CHANGED
 */
export function openSources(places: RunPlaces, load: (path: string) => Promise<AnyStrategy>): RunSources {
  const strategies = new Map<string, Promise<AnyStrategy>>();
  const tapes = new Map<string, Promise<EventSource>>();
  return {
    strategy: (hash) => remember(strategies, hash, () => loadChecked(places, hash, load)),
    data: (hash) => remember(tapes, hash, () => openChecked(places, hash)),
    async close() {
      for (const opened of tapes.values()) await (await opened.catch(() => undefined))?.close();
      tapes.clear();
    },
  };
}

function remember<Value>(known: Map<string, Promise<Value>>, hash: string, open: () => Promise<Value>): Promise<Value> {
  const opened = known.get(hash) ?? open();
  known.set(hash, opened);
  return opened;
}

async function loadChecked(
  { strategies }: RunPlaces,
  hash: string,
  load: (path: string) => Promise<AnyStrategy>,
): Promise<AnyStrategy> {
  const path = strategies[hash];
  if (path === undefined) throw new RunError("RUN_UNKNOWN", `no strategy with hash ${hash} was given`);
  const strategy = await load(path);
  if (hashStrategy(path) === hash) return strategy;
  throw new RunError("STRATEGY_CHANGED", "the strategy was changed while its runs were made", {
    place: path,
    hint: "run the command again",
  });
}

async function openChecked({ tapes }: RunPlaces, hash: string): Promise<EventSource> {
  const path = tapes[hash];
  if (path === undefined) throw new RunError("RUN_UNKNOWN", `no tape with hash ${hash} was given`);
  const tape = await openTape(path);
  if ((await readTapeHash(path)) === hash) return keepChunks(tape);
  await tape.close();
  throw new RunError("DATA_CHANGED", "the tape was changed while it was in use", {
    place: path,
    hint: "run the command again",
  });
}

/** A source whose chunks are read and checked once, if there are few enough to keep. */
export function keepChunks(source: EventSource, most = EVENTS_KEPT): EventSource {
  if (source.manifest.events > most) return source;
  let kept: Promise<readonly EventChunk[]> | undefined;
  return {
    ...source,
    async *chunks({ fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = {}) {
      kept ??= readAll(source.chunks());
      for (const chunk of await kept) {
        const trimmed = trimChunk(chunk, fromMs, toMs);
        if (trimmed !== undefined) yield trimmed;
      }
    },
  };
}

async function readAll(chunks: AsyncIterable<EventChunk>): Promise<EventChunk[]> {
  const all: EventChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}
