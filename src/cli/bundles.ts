import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatDecimal } from "../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../ground/math/fixed.ts";
import type { BacktestResult } from "../product/backtest/backtestResult.ts";
import type { BacktestOptions, PortfolioOptions, Settings } from "../product/backtest/options.ts";
import type { EventSource } from "../product/market-data/types.ts";
import type { BundleVersions } from "../product/research/bundle/bundle.ts";
import type { StrategySource } from "../product/research/bundle/bundledStrategy.ts";
import type { RunOptions } from "../product/research/runs/job.ts";

/** A run that has ended, to be bundled. */
export interface BundledRun {
  /** Name or path of the strategy, or of the file of several, as it was given. */
  readonly name: string;
  readonly run: Omit<BacktestOptions, "data"> | Omit<PortfolioOptions, "data">;
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
  const { writeBundle } = await import("../product/research/bundle/format.ts");
  const { result, effects, data, isByHash } = bundled;
  const strategies = await describeStrategies(bundled);
  await withTape(data, async (tape, hash) => {
    const header = {
      format: "perplab-bundle",
      versions: await readVersions(),
      ...strategies,
      options: keepOptions(bundled.run),
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

/** What of a run's options decides its result, besides its strategies: the rest only names, writes or shows. */
function keepOptions(run: BundledRun["run"]): RunOptions {
  const {
    strategy: _strategy,
    params: _params,
    strategies: _several,
    ...own
  } = run as Partial<BacktestOptions & PortfolioOptions>;
  const { dataNames: _names, log: _log, command: _command, onProgress: _progress, ...rest } = own;
  const { tables: _tables, equityMs: _equity, data: _data, ...options } = rest;
  return options;
}

/** The strategies of a run with their code, as its header has them. */
async function describeStrategies({ name, run }: BundledRun) {
  const { bundleStrategies } = await import("../product/research/bundle/bundledStrategy.ts");
  const { BUNDLE_VERSION } = await import("../product/research/bundle/bundle.ts");
  const { resolveSettings } = await import("../product/backtest/options.ts");
  const settings = resolveSettings(run).strategies;
  if ("strategy" in run) {
    const { listExamples, loadStrategy } = await import("./loadStrategy.ts");
    const example = listExamples().includes(name) ? name : undefined;
    const { path } = await loadStrategy(name);
    const { modules, code } = bundleStrategies([{ id: run.strategy.id, path, example }]);
    return { version: BUNDLE_VERSION.one, strategy: { ...modules[0]!, ...code }, params: settings[0]!.params };
  }
  const { readPortfolioFile } = await import("./portfolioFile.ts");
  const entries = await readPortfolioFile(name);
  const sources = settings.map(({ name: own, strategy }): StrategySource => {
    const { path, example } = entries.find(({ options }) => options.name === own)!;
    return { id: strategy.id, path, example };
  });
  const { modules, code } = bundleStrategies(sources);
  const strategies = settings.map((one, place) => {
    return { name: one.name, ...modules[place]!, params: one.params, account: describeAccount(one) };
  });
  return { version: BUNDLE_VERSION.several, code, strategies };
}

function describeAccount({ deposit, leverage, margin, link, seed }: Settings["strategies"][number]) {
  const { latencyMs, ...others } = link.options;
  const { feedLatencyMs, receiptLatencyMs, ...more } = others;
  return {
    ...{ deposit: formatDecimal(deposit, AMOUNT_DECIMALS), leverage, margin, latencyMs },
    ...(feedLatencyMs === 0 ? {} : { feedLatencyMs }),
    ...(receiptLatencyMs === 0 ? {} : { receiptLatencyMs }),
    ...more,
    seed,
  };
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
