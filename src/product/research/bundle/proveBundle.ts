import type { AnyStrategy } from "../../../client/strategy/strategy.ts";
import type { BacktestResult } from "../../backtest/backtestResult.ts";
import type { BacktestOptions, PortfolioOptions } from "../../backtest/options.ts";
import { runBacktest } from "../../backtest/runBacktest.ts";
import type { EventSource } from "../../market-data/types.ts";
import type { BundledResult, BundleHeader, BundleVersions } from "./bundle.ts";
import { codeOf } from "./bundledStrategy.ts";
import { EffectsRecorder } from "./effects.ts";
import type { ReadBundle } from "./format.ts";

/** The outcome of making a bundle's run again. */
export interface BundleProof {
  readonly kind: "rerun";
  readonly equal: boolean;
  readonly bundled: BundledResult;
  readonly again: BundledResult;
  /** The first block whose events differ; undefined where no block does. */
  readonly firstBlock: { readonly height: number; readonly timeMs: number | undefined } | undefined;
}

/** A run that was made again. */
export interface ProvedRun {
  readonly proof: BundleProof;
  readonly result: BacktestResult;
}

/**
 * Makes the run of a bundle again and compares every block.
 *
 * @param strategies in the order of the bundle
 * @param more where to report progress, and where to write the block log
 */
export async function proveBundle(
  { header, effects }: ReadBundle,
  strategies: readonly AnyStrategy[],
  data: EventSource,
  more: Pick<BacktestOptions, "onProgress" | "log"> = {},
): Promise<ProvedRun> {
  const recorder = new EffectsRecorder();
  const { result: bundled } = header;
  const run = { ...describeRun(header, strategies), data, ...more };
  const result = await runBacktest(run, { observers: [recorder] });
  const again: BundledResult = {
    root: result.root,
    head: result.head,
    blocks: result.blocks,
    transactions: result.transactions,
    finalEquity: result.report.summary.finalEquity,
  };
  const at = firstOther(effects, recorder.effects);
  const firstBlock = at < 0 ? undefined : { height: at + 1, timeMs: recorder.timesMs[at] };
  const isEqual = bundled.root === again.root && bundled.head === again.head && firstBlock === undefined;
  return { proof: { kind: "rerun", equal: isEqual, bundled, again, firstBlock }, result };
}

/** The options of a bundle's run, without its data. */
function describeRun(
  header: BundleHeader,
  strategies: readonly AnyStrategy[],
): Omit<BacktestOptions, "data"> | Omit<PortfolioOptions, "data"> {
  const { options } = header;
  if (!("strategies" in header)) return { ...options, strategy: strategies[0]!, params: header.params };
  const entries = header.strategies.map(({ name, params, account }, place) => ({
    name,
    strategy: strategies[place]!,
    params,
    ...account,
  }));
  return { ...options, strategies: entries };
}

function firstOther(a: Uint32Array, b: Uint32Array): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) if (a[at] !== b[at]) return at;
  return -1;
}

/** Versions with which a bundle was made and that differ here, as sentences. */
export function listOtherVersions(
  header: BundleHeader,
  here: BundleVersions,
  packagesHere: readonly string[],
): string[] {
  const { versions } = header;
  const found: string[] = [];
  const other = (what: string, made: string, own: string) => {
    if (made !== own) found.push(`${what} ${made}, here ${own}`);
  };
  other("perplab", versions.perplab, here.perplab);
  other("protocol", versions.protocol, here.protocol);
  if (versions.perplab === here.perplab) other("code", versions.code.slice(0, 12), here.code.slice(0, 12));
  for (const made of codeOf(header).packages) {
    const name = made.replace(/(?<=.)@.*$/, "");
    // A module of Node has no version.
    if (made === name) continue;
    const own = packagesHere.find((text) => text.startsWith(`${name}@`));
    if (own !== made) found.push(`package ${made}, here ${own ?? "none"}`);
  }
  return found;
}
