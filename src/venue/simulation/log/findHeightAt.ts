import { BlockLogReader } from "./readBlockLog.ts";

/** The last block of a log at or before a time. */
export interface HeightAtTime {
  /** 0 for genesis; undefined for a time before genesis or after the last block. */
  readonly height: number | undefined;
  /** Times of genesis and of the last block that was read. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Finds the last block at or before a time, without replaying any. A time at which no block was made, such as an
 * instant that a backtest passed, belongs to the block before it. Nothing has happened since then.
 *
 * @throws {LogError} of reading the log
 */
export function findHeightAt(path: string, timeMs: number): HeightAtTime {
  const reader = new BlockLogReader(path);
  try {
    const fromMs = reader.genesis.timeMs;
    let [height, toMs] = [0, fromMs];
    let isWithin = false;
    for (const record of reader) {
      if (record.kind !== "block") continue;
      if (record.block.timeMs > timeMs) {
        isWithin = timeMs >= fromMs;
        if (isWithin) break;
      } else height = record.block.height;
      toMs = record.block.timeMs;
    }
    return { height: isWithin || toMs === timeMs ? height : undefined, fromMs, toMs };
  } finally {
    reader.close();
  }
}
