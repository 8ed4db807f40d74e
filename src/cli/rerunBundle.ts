import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventSource } from "../product/market-data/types.ts";
import type { ReadBundle } from "../product/research/bundle/format.ts";
import type { ProvedRun } from "../product/research/bundle/proveBundle.ts";
import { readVersions, withTape } from "./bundles.ts";
import type { Context } from "./command.ts";
import { formatCount } from "./format.ts";
import type { PolicyOptions } from "./policy.ts";
import { withProgress } from "./progress.ts";

/** What a user allows when the run of a bundle is made again. */
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

/** @throws {BundleError} BUNDLE_VERSION with every version that is another here */
async function checkVersions({ path, header }: ReadBundle, { anyVersion }: RerunOptions): Promise<void> {
  const { listOtherVersions } = await import("../product/research/bundle/proveBundle.ts");
  const { BundleError } = await import("../product/research/bundle/errors.ts");
  const { describePackage } = await import("../product/research/runs/strategyHash.ts");
  const packages = header.strategy.packages.map((text) => {
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
  const files = Object.keys(header.strategy.files);
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
  const { unpackStrategy } = await import("../product/research/bundle/bundledStrategy.ts");
  const { loadStrategy } = await import("./loadStrategy.ts");
  const { registerPackagesOf } = await import("./selfImports.ts");
  const { paceSource } = await import("./pace.ts");
  const code = join(folder, "strategy");
  const name = await unpackStrategy(bundle.header.strategy, code);
  registerPackagesOf(code);
  const { strategy } = await loadStrategy(name);
  const total = bundle.header.result.blocks;
  return withProgress(context.terminal, { label: "replaying", total, unit: "blocks" }, (progress) =>
    proveBundle(bundle, strategy, paceSource(data), {
      onProgress: ({ blocks }) => progress.update(blocks, `block ${formatCount(blocks)}`),
      ...(log === undefined ? {} : { log }),
    }),
  );
}
