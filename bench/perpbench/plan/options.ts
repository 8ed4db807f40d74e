import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bugs } from "../bugs/index.ts";
import { ROOT } from "../buildCopy.ts";
import { GUIDANCES, type Guidance } from "../guided.ts";
import { METHODS, type Method } from "../job.ts";
import { type PlantedBug, TIERS } from "../plantedBug.ts";

/** What is run. */
export interface BenchOptions {
  readonly methods: readonly Method[];
  readonly bugs: readonly PlantedBug[];
  readonly seeds: readonly number[];
  /** Transactions of a trial by bug. */
  readonly budgetOf: (bug: PlantedBug) => number;
  /** Trials without a bug. */
  readonly clean: number;
  readonly model: boolean;
  /** Findings of the first seeds are shrunk, of this many. */
  readonly shrunkSeeds: number;
  readonly guidance?: Guidance;
  readonly depth: number;
  /** Blocks that an exploration of worlds, or around scenarios, tries at most for one bug. */
  readonly blocks: number;
  /** One scenario of this many is explored around. */
  readonly every: number;
  /** The options that are not as by default, as they were written. */
  readonly words: readonly string[];
}

/** Where and how it is run: decides no result. */
export interface RunOptions {
  readonly workers: number;
  /** Seconds for one job. */
  readonly patience: number;
  /** Only the report of what is stored. */
  readonly isReport: boolean;
  /** Copy whose stored results are reported. */
  readonly from?: string;
  readonly redis?: string;
  readonly redisPrefix?: string;
  /** File of stored results. */
  readonly results: string;
  readonly out: string;
}

/** An option that cannot be honoured. */
export class BenchOptionError extends Error {}

/** @throws {BenchOptionError} an option that does not exist or has a value that it cannot have */
export function readOptions(args: readonly string[]): BenchOptions & RunOptions {
  const { values } = parse(args);
  const wanted = values.bugs?.split(",").map((text) => readCount(text, "bugs"));
  const unknown = wanted?.find((number) => !bugs.some((bug) => bug.number === number));
  if (unknown !== undefined) throw new BenchOptionError(`--bugs: there is no bug ${unknown}`);
  const methods = values.methods?.split(",") ?? METHODS;
  for (const method of methods) readWord(method, METHODS, "methods");
  const tier = values.tier && readWord(values.tier, ["A", "B", "C"] as const, "tier");
  const guidance = values.guidance && readWord(values.guidance, GUIDANCES, "guidance");
  const budget = readCount(values.budget ?? (values.tiers ? "5e6" : "1e5"), "budget");
  if (values.from !== undefined && !values.report) throw new BenchOptionError("--from needs --report");
  if (values.redis === undefined && values["redis-prefix"] !== undefined)
    throw new BenchOptionError("--redis-prefix needs --redis");
  return {
    methods: METHODS.filter((method) => methods.includes(method)),
    bugs: bugs.filter((bug) => (wanted?.includes(bug.number) ?? true) && (tier || bug.tier) === bug.tier),
    seeds: Array.from({ length: readCount(values.seeds, "seeds") }, (_, at) => at + 1),
    budgetOf: (bug) => (values.tiers ? Math.min(TIERS[bug.tier], budget) : budget),
    clean: values.clean === "0" ? 0 : readCount(values.clean, "clean"),
    model: values.model,
    shrunkSeeds: values.shrink === "0" ? 0 : readCount(values.shrink, "shrink"),
    ...(guidance ? { guidance } : {}),
    depth: readCount(values.depth, "depth"),
    blocks: readCount(values.blocks, "blocks"),
    every: readCount(values.every, "every"),
    words: DECIDING.flatMap((name) => wordsOf(name, values[name], parse([]).values[name])),
    workers: readCount(values.workers, "workers"),
    patience: readCount(values.patience, "patience"),
    isReport: values.report,
    ...(values.from === undefined ? {} : { from: values.from }),
    ...(values.redis === undefined ? {} : { redis: values.redis }),
    ...(values["redis-prefix"] === undefined ? {} : { redisPrefix: values["redis-prefix"] }),
    results: values.results,
    out: values.out,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        methods: { type: "string" },
        bugs: { type: "string" },
        tier: { type: "string" },
        seeds: { type: "string", default: "3" },
        budget: { type: "string" },
        tiers: { type: "boolean", default: false },
        clean: { type: "string", default: "0" },
        model: { type: "boolean", default: true },
        shrink: { type: "string", default: "1" },
        guidance: { type: "string" },
        depth: { type: "string", default: "2" },
        blocks: { type: "string", default: "1e5" },
        every: { type: "string", default: "9" },
        workers: { type: "string", default: String(availableParallelism()) },
        patience: { type: "string", default: "7200" },
        report: { type: "boolean", default: false },
        from: { type: "string" },
        redis: { type: "string" },
        "redis-prefix": { type: "string" },
        results: { type: "string", default: join(ROOT, "out", "perpbench.jsonl") },
        out: { type: "string", default: join(ROOT, "docs", "evidence", "perpbench") },
      },
    });
  } catch (error) {
    throw new BenchOptionError((error as Error).message.split("\n", 1)[0]!, { cause: error });
  }
}

/** Options that decide what is run. */
const DECIDING = [
  ...(["methods", "bugs", "tier", "seeds", "budget", "tiers", "clean", "model", "guidance", "shrink"] as const),
  ...(["depth", "blocks", "every"] as const),
];

function wordsOf(name: string, value: string | boolean | undefined, usual: string | boolean | undefined): string[] {
  if (value === undefined || value === usual) return [];
  return typeof value === "string" ? [`--${name}`, value] : [value ? `--${name}` : `--no-${name}`];
}

function readCount(text: string, name: string): number {
  const count = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new BenchOptionError(`--${name} must be a whole number above 0, not ${JSON.stringify(text)}`);
}

function readWord<Word extends string>(text: string, words: readonly Word[], name: string): Word {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  throw new BenchOptionError(`--${name} must be ${words.join(", ")}, not ${JSON.stringify(text)}`);
}
