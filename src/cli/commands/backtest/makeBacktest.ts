import { rmSync } from "node:fs";
import { countOf } from "../../../ground/math/counts.ts";
import type { BacktestResult } from "../../../product/backtest/backtestResult.ts";
import type { BacktestOptions, BacktestProgress, PortfolioOptions } from "../../../product/backtest/options.ts";
import type { EventSource } from "../../../product/market-data/types.ts";
import type { Observer } from "../../../venue/simulation/observer.ts";
import type { Context } from "../../command.ts";
import { formatTime } from "../../format.ts";
import { onInterrupt } from "../../interrupt.ts";
import { startProgress } from "../../progress.ts";
import { type BacktestWords, type LoadStrategy, readRun } from "./readRun.ts";

/** A backtest with everything that its options write. */
export interface MadeBacktest extends Ended {
  /** Paths of the files. */
  readonly written: readonly string[];
}

/**
 * Makes a backtest and writes its files, whole or not at all.
 *
 * @param name of an example or path of a file, for `load`
 * @throws what cannot be run or written; a hook that throws is part of the result
 */
export async function makeBacktest(
  context: Context,
  name: string,
  options: BacktestWords,
  load?: LoadStrategy,
): Promise<MadeBacktest> {
  const { planOutputs, renderOutputs } = await import("../../outputs.ts");
  const { requireDistinct, reserveFiles, writeWholeFiles } = await import("../../writeFile.ts");
  const { paceSource } = await import("../../pace.ts");
  const { openSources } = await import("../../openSources.ts");
  const { nameDraft } = await import("../../../product/tables/draftFile.ts");
  const { reports, tables } = await planOutputs(options.out ?? []);
  const run = await readRun(context, name, { ...options, tables }, load);
  const extra = [options.log, options.notes, options.bundle].filter((path) => path !== undefined);

  const written = [...reports.map(({ path }) => path), ...tables, ...extra];
  requireDistinct(written);
  const release = await reserveFiles(written);
  const off = onInterrupt(() => {
    // The drafts that runBacktest would remove itself if it failed.
    for (const path of tables) rmSync(nameDraft(path), { force: true });
    if (options.log !== undefined) rmSync(`${options.log}.${process.pid}.partial`, { force: true });
    release();
  });
  let data: EventSource | undefined;
  try {
    data = await openSources(context, options);
    const recorder = options.bundle === undefined ? undefined : await createEffectsRecorder();
    const ended = await replay(context, { ...run, data: paceSource(data) }, recorder === undefined ? [] : [recorder]);
    const { result } = ended;
    if (options.bundle !== undefined && recorder !== undefined && ended.failure === undefined) {
      const { writeRunBundle } = await import("../../bundles.ts");
      const { effects } = recorder;
      await writeRunBundle(options.bundle, { name, run, result, effects, data, isByHash: false });
    }
    await writeWholeFiles([
      ...renderOutputs(result.report, reports),
      ...(options.notes === undefined ? [] : [{ path: options.notes, text: formatNotes(result) }]),
    ]);
    return { ...ended, written };
  } catch (error) {
    release();
    throw error;
  } finally {
    off();
    await data?.close();
  }
}

async function createEffectsRecorder() {
  const { EffectsRecorder } = await import("../../../product/research/bundle/effects.ts");
  return new EffectsRecorder();
}

/** A run for `perplab bundle`. */
export interface RunForBundle {
  readonly result: BacktestResult;
  write(): Promise<void>;
}

/**
 * Makes a run from the words of a backtest, to be written as a bundle.
 *
 * @throws what the backtest throws, also for a hook that throws
 */
export async function runForBundle(
  context: Context,
  name: string,
  given: object,
  out: string,
  isByHash: boolean,
): Promise<RunForBundle> {
  const options = given as BacktestWords;
  const { openSources } = await import("../../openSources.ts");
  const { paceSource } = await import("../../pace.ts");
  const { reserveFiles } = await import("../../writeFile.ts");
  const { writeRunBundle } = await import("../../bundles.ts");
  const run = await readRun(context, name, { ...options, tables: [] });
  const release = await reserveFiles([out]);
  const recorder = await createEffectsRecorder();
  const source = await openSources(context, options);
  try {
    const { result, failure } = await replay(context, { ...run, data: paceSource(source) }, [recorder]);
    if (failure !== undefined) throw failure;
    return {
      result,
      async write() {
        const data = await openSources(context, { ...options, silent: true });
        try {
          await writeRunBundle(out, { name, run, result, effects: recorder.effects, data, isByHash });
        } finally {
          await data.close();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  } finally {
    await source.close();
  }
}

const MINUTE_MS = 60_000;

/** A run with its report. */
interface Ended {
  readonly result: BacktestResult;
  /** A hook that threw; the report covers the blocks up to then. */
  readonly failure?: unknown;
}

/** Progress goes by the time of the market: the number of events in a range of the data is not known. */
async function replay(
  { terminal }: Context,
  options: BacktestOptions | PortfolioOptions,
  observers: readonly Observer[] = [],
): Promise<Ended> {
  const { runBacktest } = await import("../../../product/backtest/runBacktest.ts");
  const { isBacktestError } = await import("../../../product/backtest/errors.ts");
  const { manifest } = options.data;
  const fromMs = Math.max(options.fromMs ?? 0, manifest.fromMs);
  const toMs = Math.min(options.toMs ?? Number.POSITIVE_INFINITY, manifest.toMs);
  const total = Math.max(1, Math.ceil((toMs - fromMs) / MINUTE_MS));
  const progress = await startProgress(terminal, { label: "replaying", total, unit: "minutes" });
  const onProgress = ({ timeMs, blocks }: BacktestProgress) =>
    progress.update((timeMs - fromMs) / MINUTE_MS, `${formatTime(timeMs)}, ${countOf(blocks, "block")}`);
  try {
    const result = await runBacktest({ ...options, onProgress }, { observers });
    progress.finish(`${countOf(result.events, "event")} in ${countOf(result.blocks, "block")}`);
    return { result };
  } catch (failure) {
    progress.stop();
    if (isBacktestError(failure, "STRATEGY_FAILED") && failure.result !== undefined) {
      return { result: failure.result, failure };
    }
    throw failure;
  }
}

/** Lines in the order of time; of several strategies each with the name of its own. */
function formatNotes({ strategies }: BacktestResult): string {
  const lines = strategies.flatMap(({ name, logs }) =>
    logs.map(({ timeMs, text }) => ({ timeMs, text: strategies.length === 1 ? text : `${name}: ${text}` })),
  );
  if (strategies.length > 1) lines.sort((a, b) => a.timeMs - b.timeMs);
  return lines.map(({ timeMs, text }) => `${new Date(timeMs).toISOString()} ${text}\n`).join("");
}
