import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../perpbench/buildCopy.ts";
import type { SearchOptions } from "./measureSearch.ts";
import type { MeasureOptions } from "./oracles/measureOracle.ts";
import type { OracleName } from "./oracles/openCopy.ts";
import { MUTANTS_USUAL, OTHERS, readOracles } from "./searchDraw.ts";

/** Options of one measurement. */
export type Options = ({ readonly oracle: "search" } & SearchOptions) | MeasureOptions;

type AnyOracle = Options["oracle"];

const ORACLES = ["search", ...OTHERS] as const satisfies readonly AnyOracle[];

/** Options of some oracles only. The others belong to all. */
const OF: Readonly<Record<string, readonly AnyOracle[]>> = {
  grow: ["search"],
  looks: ["search"],
  cases: ["search"],
  "missed-by": ["search"],
  "tried-by": ["search"],
  transactions: ["search"],
  out: ["search"],
  carry: ["search", "scenarios"],
  checked: ["scenarios"],
  results: ["search"],
};

const DEFAULTS = { grow: "6e5", looks: "16", cases: "16", transactions: "6000", checked: "60" } as const;

/** Reads the words of a call; returns what is wrong with them as a text. */
export function readOptions(words: readonly string[]): Options | string {
  try {
    return toOptions(words);
  } catch (error) {
    return (error as Error).message;
  }
}

function toOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      oracle: { type: "string", default: "search" },
      mutants: { type: "string" },
      seed: { type: "string", default: "1" },
      grow: { type: "string" },
      looks: { type: "string" },
      cases: { type: "string" },
      transactions: { type: "string" },
      only: { type: "string", default: "" },
      "missed-by": { type: "string" },
      "tried-by": { type: "string" },
      checked: { type: "string" },
      carry: { type: "boolean" },
      workers: { type: "string", default: String(availableParallelism()) },
      redis: { type: "string" },
      "redis-prefix": { type: "string" },
      patience: { type: "string", default: "1800" },
      report: { type: "boolean", default: false },
      results: { type: "string" },
      out: { type: "string" },
    },
  });
  const oracle = ORACLES.find((name) => name === values.oracle);
  if (oracle === undefined) throw new Error(`--oracle must be ${ORACLES.join(", ")}, not ${values.oracle}`);
  for (const name of Object.keys(values)) {
    const allowed = OF[name] ?? ORACLES;
    if (!allowed.includes(oracle))
      throw new Error(`--${name} belongs to --oracle ${allowed.join(", ")}, not ${oracle}`);
  }
  const countOf = (name: keyof typeof DEFAULTS) => readCount(values[name] ?? DEFAULTS[name], name);
  const { redis, "redis-prefix": redisPrefix } = values;
  if (redis === undefined && redisPrefix !== undefined) throw new Error("--redis-prefix needs --redis");
  const queue = redis && { redis, ...(redisPrefix === undefined ? {} : { redisPrefix }) };
  const common = {
    ...(queue ? { queue } : {}),
    seed: readCount(values.seed, "seed"),
    only: values.only,
    carry: values.carry ?? false,
    workers: readCount(values.workers, "workers"),
    patience: readCount(values.patience, "patience"),
    report: values.report,
  };
  if (oracle !== "search") {
    const drawn = readCount(values.mutants ?? "400", "mutants");
    return { ...common, oracle, drawn, checkedMost: countOf("checked") };
  }
  const [missedBy, triedBy] = [readOthers(values, "missed-by"), readOthers(values, "tried-by")];
  if (missedBy.length > 0 && triedBy.length > 0) throw new Error("--missed-by and --tried-by exclude each other");
  const place = missedBy.length > 0 ? "mutation-missed" : triedBy.length > 0 ? "mutation-together" : "mutation";
  return {
    ...common,
    oracle,
    missedBy,
    triedBy,
    mutants: readCount(values.mutants ?? String(MUTANTS_USUAL), "mutants"),
    grow: countOf("grow"),
    looks: countOf("looks"),
    cases: countOf("cases"),
    transactions: countOf("transactions"),
    results: values.results ?? join(ROOT, "out", "mutation.jsonl"),
    out: values.out ?? join(ROOT, "docs", "evidence", place),
  };
}

/** Oracles whose evidence names the mutants; none without the option. */
function readOthers(
  values: Readonly<Record<string, string | boolean | undefined>>,
  option: "missed-by" | "tried-by",
): OracleName[] {
  const text = values[option];
  if (typeof text !== "string") return [];
  if (values["mutants"] !== undefined)
    throw new Error(`--${option} takes its mutants from the evidence, so --mutants has no use`);
  return readOracles(text, `--${option}`);
}

function readCount(text: string, name: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Error(`--${name} must be a whole number above 0, not ${text}`);
}
