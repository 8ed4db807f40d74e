import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyStrategy } from "../client/strategy/strategy.ts";
import { formatCount } from "../ground/math/counts.ts";
import type { BacktestResult } from "../product/backtest/backtestResult.ts";
import type { EventSource } from "../product/market-data/types.ts";
import type { ReadBundle } from "../product/research/bundle/format.ts";
import type { ProvedRun } from "../product/research/bundle/proveBundle.ts";
import { readVersions, withTape } from "./bundles.ts";
import type { Context } from "./command.ts";
import { CliError, EXIT } from "./fail.ts";
import type { PolicyOptions } from "./policy.ts";
import { withProgress } from "./progress.ts";

/** Permissions of a user when the run of a bundle is made again. */
export interface RerunOptions extends PolicyOptions {
  readonly trust?: boolean;
  readonly anyVersion?: boolean;
  readonly data?: readonly string[];
}

/**
 * Makes the run of a bundle again.
 *
 * @param log where to write its block log; none by default
 * @throws {BundleError} BUNDLE_VERSION, BUNDLE_UNTRUSTED, BUNDLE_DATA, before anything of it runs
 */
export async function rerunBundle(
  context: Context,
  bundle: ReadBundle,
  options: RerunOptions,
  log?: string,
): Promise<ProvedRun> {
  await checkVersions(bundle, options);
  await checkTrust(bundle, options);
  const folder = await mkdtemp(join(tmpdir(), "perplab-rerun-"));
  try {
    return await withBundleData(context, bundle, options, folder, (data) => prove(context, bundle, data, folder, log));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the run of a bundle again for its block log.
 *
 * @throws as `rerunBundle`; {CliError} RUNS_DIFFER for a run that gives another result here, unless versions may differ
 */
export async function rerunToLog(
  context: Context,
  bundle: ReadBundle,
  options: RerunOptions,
  log: string,
): Promise<BacktestResult> {
  const { proof, result } = await rerunBundle(context, bundle, options, log);
  if (proof.equal || options.anyVersion === true) return result;
  const { describeProof } = await import("../product/research/bundle/text.ts");
  throw new CliError(EXIT.differs, "RUNS_DIFFER", `its run gives another result here: ${describeProof(proof)}`, {
    place: bundle.path,
    hint: "`rerun` proves one bundle",
  });
}

/** @throws {BundleError} BUNDLE_VERSION with every version that is another here */
async function checkVersions({ path, header }: ReadBundle, { anyVersion }: RerunOptions): Promise<void> {
  const { codeOf } = await import("../product/research/bundle/bundledStrategy.ts");
  const { listOtherVersions } = await import("../product/research/bundle/proveBundle.ts");
  const { BundleError } = await import("../product/research/bundle/errors.ts");
  const { describePackage } = await import("../product/research/runs/strategyHash.ts");
  const packages = codeOf(header).packages.map((text) => {
    const name = text.replace(/(?<=.)@.*$/, "");
    const own = describePackage(name, process.cwd());
    return own === name ? describePackage(name, import.meta.dirname) : own;
  });
  const others = listOtherVersions(header, await readVersions(), packages);
  if (others.length === 0 || anyVersion === true) return;
  throw new BundleError("BUNDLE_VERSION", `it was made with other versions: ${others.join("; ")}`, {
    place: path,
    hint: "use those versions, or --any-version to run it with this version",
  });
}

/** @throws {BundleError} BUNDLE_UNTRUSTED */
async function checkTrust({ path, header }: ReadBundle, { trust }: RerunOptions): Promise<void> {
  const { codeOf } = await import("../product/research/bundle/bundledStrategy.ts");
  const files = Object.keys(codeOf(header).files);
  if (files.length === 0 || trust === true) return;
  const { BundleError } = await import("../product/research/bundle/errors.ts");
  throw new BundleError("BUNDLE_UNTRUSTED", `this would run code from the bundle: ${files.join(", ")}`, {
    place: path,
    hint: "inspect it with --show; give --trust only if you would run it as your own program",
  });
}

/** Opens the data: the tape of the bundle, or what is named in its place, if it is the same. */
async function withBundleData<Result>(
  context: Context,
  bundle: ReadBundle,
  { data: named, ...findings }: RerunOptions,
  folder: string,
  work: (data: EventSource) => Promise<Result>,
): Promise<Result> {
  const { BundleError } = await import("../product/research/bundle/errors.ts");
  const { openTape } = await import("../product/market-data/tape/openTape.ts");
  const { unpackTape } = await import("../product/research/bundle/format.ts");
  const { readTapeHash } = await import("../product/market-data/tape/tapeHash.ts");
  const { path, header } = bundle;
  const { included, hash, names } = header.data;
  if (included !== (named === undefined)) {
    throw included
      ? new BundleError("BUNDLE_DATA", "the bundle has its data in it", { place: path, hint: "leave out --data" })
      : new BundleError("BUNDLE_DATA", `the bundle names its data by hash: ${names.join(", ")}`, {
          place: path,
          hint: "give the same files with --data",
        });
  }
  const check = (found: string, place: string) => {
    if (found === hash) return;
    throw new BundleError("BUNDLE_DATA", `this is not the data of the bundle: its hash is ${found}, not ${hash}`, {
      place,
      hint: `the bundle was made with ${names.join(", ")}`,
    });
  };
  if (named === undefined) {
    const tape = join(folder, "data.tape");
    await unpackTape(bundle, tape);
    check(await readTapeHash(tape), path);
    const data = await openTape(tape);
    return work(data).finally(() => data.close());
  }
  const { openSources } = await import("./openSources.ts");
  const data = await openSources(context, { data: named, ...findings });
  try {
    await withTape(data, async (_tape, found) => check(found, named.join(" ")));
    return await work(data);
  } finally {
    await data.close();
  }
}

async function prove(
  context: Context,
  bundle: ReadBundle,
  data: EventSource,
  folder: string,
  log: string | undefined,
): Promise<ProvedRun> {
  const { proveBundle } = await import("../product/research/bundle/proveBundle.ts");
  const { unpackStrategies } = await import("../product/research/bundle/bundledStrategy.ts");
  const { loadStrategy } = await import("./loadStrategy.ts");
  const { registerPackagesOf } = await import("./selfImports.ts");
  const { paceSource } = await import("./pace.ts");
  const code = join(folder, "strategy");
  const names = await unpackStrategies(bundle.header, code);
  registerPackagesOf(code);
  const strategies: AnyStrategy[] = [];
  for (const name of names) strategies.push((await loadStrategy(name)).strategy);
  const total = bundle.header.result.blocks;
  return withProgress(context.terminal, { label: "replaying", total, unit: "blocks" }, (progress) =>
    proveBundle(bundle, strategies, paceSource(data), {
      onProgress: ({ blocks }) => progress.update(blocks, `block ${formatCount(blocks)}`),
      ...(log === undefined ? {} : { log }),
    }),
  );
}
