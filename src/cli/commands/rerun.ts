import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventSource } from "../../product/market-data/types.ts";
import type { ReadBundle } from "../../product/research/bundle/format.ts";
import type { BundleProof } from "../../product/research/bundle/proveBundle.ts";
import { readVersions, withTape } from "../bundles.ts";
import { type Context, defineCommand } from "../command.ts";
import { CliError, EXIT } from "../fail.ts";
import { formatCount } from "../format.ts";
import type { PolicyOptions } from "../policy.ts";
import { withProgress } from "../progress.ts";

interface Options extends PolicyOptions {
  readonly show?: boolean;
  readonly trust?: boolean;
  readonly anyVersion?: boolean;
  readonly data?: readonly string[];
}

/** A bundle, proved. */
export const rerunCommand = defineCommand<Options>({
  name: "rerun",
  summary: "Make the run of a bundle again and prove that it gives the same result",
  description:
    "Checks every byte of a bundle, makes its run again, and compares every block, the effects head and the state " +
    "root. A difference is named by its first block; exit code 4. It RUNS the strategy's code with your rights: a bundle with " +
    "code of its own is refused without --trust. Look at it first with --show, and only run what you would run " +
    "anyway. Another version of perplab is refused, too, since it may rightly give another result.",
  examples: [
    { args: "rerun run.bundle", does: "Prove a bundle" },
    {
      args: "rerun small.bundle --data data/BTC-PERP-klines-1m-2024-07-19.csv.gz --show",
      does: "Show what is in a bundle, and run nothing",
    },
  ],
  configure(command) {
    command
      .argument("<bundle>", "the file that `bundle` or `backtest --bundle` wrote")
      .option("--show", "show what is in the bundle, with the code of its strategy, and run nothing")
      .option("--trust", "run the code of the strategy in the bundle")
      .option("--any-version", "run it although versions differ")
      .option("-d, --data <source...>", "the data of a bundle that names it by hash")
      .option("--allow <kinds>", "findings in the data that are not errors, separated by commas")
      .option("--deny <kinds>", "findings in the data that are errors: gap, nullRow");
  },
  async run(context, [path = ""], options) {
    const { readBundle } = await import("../../product/research/bundle/format.ts");
    const { describeProof, renderProof } = await import("../../product/research/bundle/text.ts");
    const bundle = await readBundle(path);
    if (options.show === true) {
      await show(context, bundle);
      return;
    }
    await checkVersions(bundle, options);
    await checkTrust(bundle, options);
    const folder = await mkdtemp(join(tmpdir(), "perplab-rerun-"));
    let proof: BundleProof;
    try {
      proof = await withBundleData(context, bundle, options, folder, (data) => prove(context, bundle, data, folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    const { terminal, json } = context;
    terminal.out(json ? JSON.stringify(proof) : renderProof(path, proof));
    if (!proof.equal) {
      const hint = "`backtest --log` and `compare` show what differs in that block";
      throw new CliError(EXIT.differs, "RUNS_DIFFER", describeProof(proof), { place: path, hint });
    }
  },
});

async function show({ terminal, json }: Context, { path, header }: ReadBundle): Promise<void> {
  if (json) {
    terminal.out(JSON.stringify(header));
    return;
  }
  const { renderBundle } = await import("../../product/research/bundle/text.ts");
  terminal.out(renderBundle(path, header));
  for (const [name, text] of Object.entries(header.strategy.files)) {
    terminal.out(`\n--- ${name}\n${text.trimEnd()}`);
  }
}

/** @throws {BundleError} BUNDLE_VERSION with every version that is another here */
async function checkVersions({ path, header }: ReadBundle, { anyVersion }: Options): Promise<void> {
  const { listOtherVersions } = await import("../../product/research/bundle/proveBundle.ts");
  const { BundleError } = await import("../../product/research/bundle/errors.ts");
  const { describePackage } = await import("../../product/research/runs/strategyHash.ts");
  const packages = header.strategy.packages.map((text) => {
    const name = text.replace(/(?<=.)@.*$/, "");
    const own = describePackage(name, process.cwd());
    return own === name ? describePackage(name, import.meta.dirname) : own;
  });
  const others = listOtherVersions(header, await readVersions(), packages);
  if (others.length === 0 || anyVersion === true) return;
  throw new BundleError("BUNDLE_VERSION", `it was made with other versions: ${others.join("; ")}`, {
    place: path,
    hint: "use those versions, or --any-version to see what this one gives",
  });
}

/** @throws {BundleError} BUNDLE_UNTRUSTED */
async function checkTrust({ path, header }: ReadBundle, { trust }: Options): Promise<void> {
  const files = Object.keys(header.strategy.files);
  if (files.length === 0 || trust === true) return;
  const { BundleError } = await import("../../product/research/bundle/errors.ts");
  throw new BundleError("BUNDLE_UNTRUSTED", `this would run code from the bundle: ${files.join(", ")}`, {
    place: path,
    hint: "look at it with --show; if you would run it as a program of your own, give --trust",
  });
}

/** Opens the data: the tape of the bundle, or what is named in its place, if it is the same. */
async function withBundleData<Result>(
  context: Context,
  bundle: ReadBundle,
  { data: named, ...findings }: Options,
  folder: string,
  work: (data: EventSource) => Promise<Result>,
): Promise<Result> {
  const { BundleError } = await import("../../product/research/bundle/errors.ts");
  const { openTape } = await import("../../product/market-data/tape/openTape.ts");
  const { unpackTape } = await import("../../product/research/bundle/format.ts");
  const { readTapeHash } = await import("../../product/market-data/tape/tapeHash.ts");
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
  const { openSources } = await import("../openSources.ts");
  const data = await openSources(context, { data: named, ...findings });
  try {
    await withTape(data, async (_tape, found) => check(found, named.join(" ")));
    return await work(data);
  } finally {
    await data.close();
  }
}

async function prove(context: Context, bundle: ReadBundle, data: EventSource, folder: string): Promise<BundleProof> {
  const { proveBundle } = await import("../../product/research/bundle/proveBundle.ts");
  const { unpackStrategy } = await import("../../product/research/bundle/bundledStrategy.ts");
  const { loadStrategy } = await import("../loadStrategy.ts");
  const { registerPackagesOf } = await import("../selfImports.ts");
  const { paceSource } = await import("../pace.ts");
  const code = join(folder, "strategy");
  const name = await unpackStrategy(bundle.header.strategy, code);
  registerPackagesOf(code);
  const { strategy } = await loadStrategy(name);
  const total = bundle.header.result.blocks;
  return withProgress(context.terminal, { label: "replaying", total, unit: "blocks" }, (progress) =>
    proveBundle(bundle, strategy, paceSource(data), ({ blocks }) =>
      progress.update(blocks, `block ${formatCount(blocks)}`),
    ),
  );
}
