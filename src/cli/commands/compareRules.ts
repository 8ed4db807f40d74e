import { extname } from "node:path";
import { countOf } from "../../ground/math/counts.ts";
import type { EventSource } from "../../product/market-data/types.ts";
import type { RulesReport } from "../../product/report/rules/model.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { RuleComparison } from "../../venue/simulation/compare/compareRules.ts";
import type { SealedBlock } from "../../venue/simulation/observer.ts";
import { type Context, defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { formatColumns, formatTime } from "../format.ts";
import { startProgress } from "../progress.ts";
import { checkAmount, readPairs, readTime, readWhole } from "../values.ts";

interface Options {
  readonly presets?: string;
  readonly accounts?: number;
  readonly seed?: string;
  readonly from?: string;
  readonly to?: string;
  readonly insurance?: string;
  readonly set?: readonly string[];
  readonly out?: string;
}

/** Accounts of the crowd. */
const ACCOUNTS = 1_000;
/** Above this many the genesis alone takes minutes. */
const ACCOUNTS_MOST = 100_000;

/** A chain to run under several rules, with its description. */
interface Source {
  readonly title: string;
  readonly facts: readonly string[];
  readonly genesis: Genesis;
  readonly blocks: Iterable<SealedBlock>;
  /** 0 where it is not known before the end. */
  readonly count: number;
}

/** One block stream under several sets of rules. */
export const compareRulesCommand = defineCommand<Options>({
  name: "compare-rules",
  summary: "Run one block stream under several sets of rules and compare the results",
  description:
    "Runs the same blocks under each preset: fees, margin tiers, liquidation, insurance and deleveraging. The blocks " +
    "are those of a block log or a scenario, or recorded market data with a seeded crowd of leveraged traders in it. " +
    "Shows liquidated accounts, payments of the insurance fund, bad debt, and deleveraged accounts; --out writes it " +
    "as a page.",
  examples: [
    {
      args: "compare-rules data/BTC-PERP-klines-1m-2024-07-19.csv.gz --accounts 300 --out rules.html",
      does: "A crowd of 300 in a day of minute bars under every preset, with a page of charts",
    },
    {
      args: "compare-rules crash.log --presets perplab --json",
      does: "The log of a backtest under the venue's defaults, for a program",
    },
  ],
  configure(command) {
    command
      .argument("<source...>", "a block log (.log), a scenario (.yaml), or data as [MARKET[:LAYOUT]=]PATH")
      .option("--presets <names>", "presets separated by commas (default: all)")
      .option(
        "--accounts <count>",
        `data: traders in the crowd (default: ${ACCOUNTS})`,
        readWhole("--accounts", ACCOUNTS_MOST),
      )
      .option("--seed <text>", "data: seed of the crowd (default: 1)")
      .option("--from <time>", "data: first moment that is replayed, UTC; a bar counts by its open")
      .option("--to <time>", "data: end of the replay, not included")
      .option("--insurance <usd>", "data: insurance fund at the start (default: 1000000)")
      .option("--set <name=value...>", "data: parameters of the recorded markets")
      .option("-o, --out <file>", "write the comparison: .html or .json");
  },
  async run(context, sources, options) {
    const { ruleSetNames } = await import("../../venue/simulation/compare/ruleSets.ts");
    const presets = options.presets?.split(",").map((name) => name.trim());
    const unknown = presets?.find((name) => !ruleSetNames().includes(name));
    if (unknown !== undefined) {
      const hint = `use ${ruleSetNames().join(", ")}`;
      throw usageError("OPTION_INVALID", `there is no preset ${JSON.stringify(unknown)}`, { place: "--presets", hint });
    }
    const ending = options.out === undefined ? ".html" : extname(options.out).toLowerCase();
    if (ending !== ".html" && ending !== ".json") {
      throw usageError("REPORT_FORMAT", "the ending names no format", {
        place: options.out,
        hint: "use .html or .json",
      });
    }
    const { reserveFiles } = await import("../writeFile.ts");
    const release = await reserveFiles(options.out === undefined ? [] : [options.out]);
    try {
      const source = await openSource(context, sources, options);
      await publish(context, source, await compare(context, source, presets), options.out);
    } catch (error) {
      release();
      throw error;
    }
  },
});

async function openSource(context: Context, paths: readonly string[], options: Options): Promise<Source> {
  const [first = ""] = paths;
  const kind = extname(first).toLowerCase();
  if (paths.length > 1 || ![".log", ".yaml", ".yml"].includes(kind)) return populate(context, paths, options);
  if (kind === ".log") return readLog(first);
  const { chainOf } = await import("../../product/scenario/run/chainOf.ts");
  const { name, genesis, blocks } = chainOf(first);
  return { title: name, facts: ["scenario", first], genesis, blocks, count: blocks.length };
}

async function readLog(path: string): Promise<Source> {
  const { BlockLogReader } = await import("../../venue/simulation/log/readBlockLog.ts");
  const reader = new BlockLogReader(path);
  function* blocks(): Generator<SealedBlock> {
    try {
      for (const record of reader) if (record.kind === "block") yield record.block;
    } finally {
      reader.close();
    }
  }
  return { title: path, facts: ["block log"], genesis: reader.genesis, blocks: blocks(), count: 0 };
}

async function populate(context: Context, paths: readonly string[], options: Options): Promise<Source> {
  const { openData } = await import("../../product/market-data/readSources.ts");
  const { recordPopulation } = await import("../../product/backtest/population/recordPopulation.ts");
  const { paceSource } = await import("../pace.ts");
  const { checkParameterTexts } = await import("../checkParameters.ts");
  const { accounts = ACCOUNTS, seed = "1", set = [] } = options;
  const fromMs = await readTime("--from", options.from);
  const toMs = await readTime("--to", options.to);
  const parameters = readPairs("--set", set);
  checkParameterTexts("--set", parameters);
  await checkAmount("--insurance", options.insurance);
  const data: EventSource = await openData(paths);
  const end = Math.min(toMs ?? data.manifest.toMs, data.manifest.toMs);
  const begin = Math.max(fromMs ?? data.manifest.fromMs, data.manifest.fromMs);
  const total = Math.max(1, Math.ceil((end - begin) / MINUTE_MS));
  const progress = await startProgress(context.terminal, { label: "recording", total, unit: "minutes" });
  try {
    const chain = await recordPopulation({
      data: paceSource(data),
      range: { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) },
      accounts,
      seed,
      parameters,
      ...(options.insurance === undefined ? {} : { insurance: options.insurance }),
      onProgress: (timeMs, blocks) => progress.update((timeMs - begin) / MINUTE_MS, countOf(blocks, "block")),
    });
    progress.finish(countOf(chain.blocks.length, "block"));
    const markets = chain.genesis.markets.map(({ name }) => name).join(", ");
    const last = chain.blocks.at(-1)!.timeMs;
    return {
      title: markets,
      facts: [
        `${formatTime(chain.genesis.timeMs + 1)} to ${formatTime(last)} UTC`,
        `${countOf(accounts, "trader")}, seed ${seed}`,
        countOf(chain.blocks.length, "block"),
      ],
      ...chain,
      count: chain.blocks.length,
    };
  } catch (error) {
    progress.stop();
    throw error;
  } finally {
    await data.close();
  }
}

const MINUTE_MS = 60_000;

async function compare(
  { terminal }: Context,
  source: Source,
  presets: readonly string[] | undefined,
): Promise<RuleComparison> {
  const { compareRules } = await import("../../venue/simulation/compare/compareRules.ts");
  const progress = await startProgress(terminal, {
    label: "comparing",
    total: Math.max(1, source.count),
    unit: "blocks",
  });
  try {
    const comparison = compareRules(source.genesis, source.blocks, {
      ...(presets === undefined ? {} : { presets }),
      onProgress: (blocks) => progress.update(blocks, countOf(blocks, "block")),
    });
    progress.finish(countOf(comparison.sets.length, "set of rules", "sets of rules"));
    return comparison;
  } catch (error) {
    progress.stop();
    throw error;
  }
}

async function publish(
  context: Context,
  source: Source,
  comparison: RuleComparison,
  out: string | undefined,
): Promise<void> {
  const { terminal, json } = context;
  const { outcomeRows, plainAmounts } = await import("../outcomeRows.ts");
  const { title, facts } = source;
  const plain = JSON.stringify(plainAmounts({ source: { title, facts }, ...comparison }));
  if (out !== undefined) {
    const { writeWholeFiles } = await import("../writeFile.ts");
    const { renderRulesHtml } = await import("../../product/report/rules/html.ts");
    const text = out.toLowerCase().endsWith(".json")
      ? `${plain}\n`
      : renderRulesHtml(await toReport(context, source, comparison));
    await writeWholeFiles([{ path: out, text }]);
  }
  if (json) {
    terminal.out(plain);
    return;
  }
  const names = ["recorded", ...comparison.sets.map(({ name }) => name)];
  const outcomes = [comparison.recorded, ...comparison.sets.map(({ outcome }) => outcome)];
  terminal.out(`${title}: ${facts.join(", ")}\n`);
  terminal.out(
    formatColumns(
      [["", ...names], ...outcomeRows(outcomes)],
      names.map((_, place) => place + 1),
    ),
  );
  if (out !== undefined) terminal.out(`\nWritten\n  ${out}`);
}

async function toReport(
  context: Context,
  { title, facts, genesis }: Source,
  comparison: RuleComparison,
): Promise<RulesReport> {
  const { outcomeFigures } = await import("../outcomeRows.ts");
  const { createVenue } = await import("../../venue/engine/genesis.ts");
  const { ruleSetOf } = await import("../../venue/simulation/compare/ruleSets.ts");
  const venue = createVenue(genesis);
  const sets = [{ name: "recorded", outcome: comparison.recorded }, ...comparison.sets];
  return {
    title,
    facts,
    fromMs: genesis.timeMs,
    toMs: comparison.recorded.timeMs,
    command: context.call(["out"]),
    figures: outcomeFigures(sets.map(({ outcome }) => outcome)),
    sets: sets.map(({ name, outcome }, place) => ({
      name,
      insurance: outcome.insurance.path.map(
        ({ timeMs, balance }) => [timeMs, Number(balance / 10_000n) / 100] as const,
      ),
      rules: place === 0 ? [] : rulesOf(ruleSetOf(name, venue)!.changes),
    })),
  };
}

/** With several markets, the parameters of the first are shown for all. */
function rulesOf(
  changes: readonly { readonly market?: string; readonly parameters: Readonly<Record<string, string>> }[],
) {
  return Object.entries(changes[0]?.parameters ?? {}).map(
    ([name, text]) => [name, text === "" ? "none" : text] as const,
  );
}
