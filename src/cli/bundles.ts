import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BacktestResult } from "../product/backtest/backtestResult.ts";
import type { BacktestOptions } from "../product/backtest/options.ts";
import type { EventSource } from "../product/market-data/types.ts";
import type { BundleVersions } from "../product/research/bundle/bundle.ts";

/** A run that has ended, to be bundled. */
export interface BundledRun {
  /** Name or path of the strategy as it was given. */
  readonly name: string;
  readonly run: Omit<BacktestOptions, "data">;
  readonly result: BacktestResult;
  readonly effects: Uint32Array;
  readonly data: EventSource;
  /** Whether the bundle has the hash of the tape in place of the tape. */
  readonly isByHash: boolean;
}

/** Versions that decide the result of a run here. */
export async function readVersions(): Promise<BundleVersions> {
  const { hashCode } = await import("../product/research/runs/codeHash.ts");
  const { PROTOCOL_VERSION } = await import("../protocol/transaction.ts");
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return { perplab: version, protocol: String(PROTOCOL_VERSION), code: hashCode() };
}

/** Writes the bundle of a run. */
export async function writeRunBundle(path: string, bundled: BundledRun): Promise<void> {
  const { bundleStrategy } = await import("../product/research/bundle/bundledStrategy.ts");
  const { BUNDLE_VERSION } = await import("../product/research/bundle/bundle.ts");
  const { writeBundle } = await import("../product/research/bundle/format.ts");
  const { resolveSettings } = await import("../product/backtest/options.ts");
  const { listExamples, loadStrategy } = await import("./loadStrategy.ts");
  const { name, run, result, effects, data, isByHash } = bundled;
  const { params } = resolveSettings(run).strategies[0]!;
  // What only names, writes or shows is no part of the run.
  const { strategy, params: _given, dataNames: _names, log: _log, command: _command, ...rest } = run;
  const { onProgress: _progress, tables: _tables, equityMs: _equity, ...options } = rest;
  const example = listExamples().includes(name) ? name : undefined;
  const { path: module } = await loadStrategy(name);
  await withTape(data, async (tape, hash) => {
    const header = {
      format: "perplab-bundle",
      version: BUNDLE_VERSION,
      versions: await readVersions(),
      strategy: bundleStrategy(strategy.id, module, example),
      params,
      options,
      data: { included: !isByHash, hash, names: data.manifest.sources.map(({ file }) => file) },
      result: {
        root: result.root,
        head: result.head,
        blocks: result.blocks,
        transactions: result.transactions,
        finalEquity: result.report.summary.finalEquity,
      },
    } as const;
    await writeBundle(path, header, effects, isByHash ? undefined : tape);
  });
}

/** Writes data as a tape of its own for the time of some work: equal data has an equal tape, and so an equal hash. */
export async function withTape<Result>(
  data: EventSource,
  work: (tape: string, hash: string) => Promise<Result>,
): Promise<Result> {
  const { writeTape } = await import("../product/market-data/tape/writeTape.ts");
  const { readTapeHash } = await import("../product/market-data/tape/tapeHash.ts");
  const folder = await mkdtemp(join(tmpdir(), "perplab-bundle-"));
  try {
    const tape = join(folder, "data.tape");
    await writeTape(tape, data.chunks(), () => data.manifest);
    return await work(tape, await readTapeHash(tape));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
