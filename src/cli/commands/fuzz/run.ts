import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { countOf, formatCount } from "../../../ground/math/counts.ts";
import type { CampaignSettings } from "../../../proof/fuzz/campaign/campaignFile.ts";
import type { CanaryName } from "../../../proof/fuzz/campaign/canaryNames.ts";
import type { SearchProfileName } from "../../../proof/fuzz/campaign/profiles.ts";
import type { SearchReport } from "../../../proof/fuzz/campaign/report.ts";
import { type Context, defineCommand } from "../../command.ts";
import { CliError, EXIT, failure, usageError } from "../../fail.ts";
import { formatOfFile } from "../../formatOfFile.ts";
import { onInterrupt } from "../../interrupt.ts";
import { withProgress } from "../../progress.ts";
import { addQueueOptions, NO_MODULES, OWN_THREADS, refuseOnQueue } from "../../queueOptions.ts";
import type { QueueOptions } from "../../runs/queueAddress.ts";
import { readCount, readDuration, readWhole, readWord, TIMER_DAYS, WORKERS_MOST } from "../../values.ts";
import { reserveFiles, writeWholeFiles } from "../../writeFile.ts";
import { createWorker } from "./createWorker.ts";
import { readSeed } from "./seed.ts";
import { fuzzStrategyCommand } from "./strategy.ts";
import { CANARY_WORDS, PROFILE_WORDS } from "./words.ts";

const FORMATS = ["text", "json", "junit", "html", "github"] as const;

interface Options extends QueueOptions {
  readonly seed?: number;
  readonly time?: number;
  readonly tx?: number;
  readonly workers?: number;
  readonly caseTimeout?: number;
  readonly profile?: SearchProfileName;
  readonly invariants?: string;
  readonly userInvariants?: readonly string[];
  readonly model?: boolean;
  readonly corpus?: string;
  readonly resume?: boolean;
  readonly from?: readonly string[];
  readonly failures?: string;
  readonly failFast?: boolean;
  readonly maxFailures?: number;
  readonly format?: (typeof FORMATS)[number];
  readonly out?: string;
  readonly canary?: CanaryName;
  readonly strategy?: string;
  readonly assert?: readonly string[];
  readonly attempts?: number;
}

/** Runs a search. */
export const fuzzRunCommand = defineCommand<Options>({
  name: "run",
  summary: "Search for broken invariants until a number of transactions or a time is over",
  description:
    "Runs cases, drawn and mutated, with every invariant watched. The same seed, profile and number of transactions " +
    "give the same result, with any number of threads, and on the workers of a queue. Exit code 0 when everything held, 1 when something is broken, " +
    "3 when the search reached too little to prove anything, 4 when the same case gave two different results.",
  examples: [
    {
      args: "fuzz run --seed 1 --tx 2000 --corpus corpus",
      does: "Search for a moment and keep the cases that reached new places",
    },
    {
      args: "fuzz run --seed 1 --tx 3000 --corpus corpus --resume --format json --out search.json",
      does: "Continue the search, and write a report",
    },
    {
      args: "fuzz run --seed 7 --tx 1000 --invariants conservation,openInterest --workers 2",
      does: "Watch two invariants only, on two threads",
    },
  ],
  configure(command) {
    addQueueOptions(command, "run the cases")
      .option("--profile <name>", `${PROFILE_WORDS.join(", ")} (default: smoke)`, readWord("--profile", PROFILE_WORDS))
      .option(
        "--seed <n>",
        "a whole number, the hash of a commit, or `commit` (default: the campaign's with --resume, else from the " +
          "clock)",
        readSeed,
      )
      .option("--tx <n>", "end after this many transactions: 200000, 5e6", readCount("--tx"))
      .option(
        "--time <t>",
        "end after this time: 40s, 10m, 8h (default, without --tx: the profile's)",
        readDuration("--time"),
      )
      .option("--workers <n>", "threads (default: one a core)", readWhole("--workers", WORKERS_MOST))
      .option(
        "--case-timeout <t>",
        "end if a case takes more CPU time: a venue or a check does not return (default: 5m)",
        readDuration("--case-timeout", TIMER_DAYS),
      )
      .option("--invariants <list>", "only these, by id or number of the catalogue: `G*,-G07`")
      .option("--user-invariants <module...>", "modules with invariants of your own")
      .option("--model", "run the reference model in lock step with the venue and compare them after every block")
      .option(
        "--corpus <folder>",
        "start with the cases of this folder, and store cases there that reach something new",
      )
      .option("--resume", "continue the campaign of the corpus, with its settings, as if it had never stopped")
      .option("--from <folder...>", "start with the cases of these folders too; nothing is written there")
      .option("--failures <folder>", "write failures there (default: in the corpus, or fuzz-failures)")
      .option("--fail-fast", "end with the first failure")
      .option("--max-failures <n>", "end after this many different failures (default: 5)", readCount("--max-failures"))
      .option("--format <name>", `${FORMATS.join(", ")} (default: text)`, readWord("--format", FORMATS))
      .option("--out <file>", "write the report there, by its ending if no format is named; without it, it is printed")
      .option(
        "--canary <name>",
        `plant a fault that the search must find: ${CANARY_WORDS.join(", ")}`,
        readWord("--canary", CANARY_WORDS),
      )
      .option("--strategy <module>", "search for a market that breaks a strategy instead, as `fuzz strategy` does")
      .option("--assert <assertion...>", "assertions about the strategy (default: no-liquidation)")
      .option("--attempts <n>", "markets to try for it (default: 500)", readWhole("--attempts"));
  },
  async run(context, _args, options) {
    const { redis } = options;
    if (redis !== undefined) refuseUnsent(options);
    refuseUnused(options);
    if (options.strategy !== undefined) {
      const { seed, assert, attempts, out } = options;
      const own = {
        ...(seed === undefined ? {} : { seed }),
        ...(assert === undefined ? {} : { assert }),
        ...(attempts === undefined ? {} : { attempts }),
        ...(out === undefined ? {} : { out }),
      };
      return fuzzStrategyCommand.run(context, [options.strategy], own);
    }
    const { terminal, json } = context;
    const { out, corpus } = options;
    const named = FORMATS.find((format) => format === formatOfFile(out));
    const format = options.format ?? named ?? (json ? "json" : "text");
    const { SEARCH_PROFILES } = await import("../../../proof/fuzz/campaign/profiles.ts");
    const { search } = await import("../../../proof/fuzz/campaign/search.ts");
    const { SEARCH_REPORTERS } = await import("../../../proof/fuzz/reporters/list.ts");
    const { registerSelfImports } = await import("../../selfImports.ts");
    if (options.resume === true && corpus === undefined) {
      throw usageError("OPTION_INVALID", "--resume needs the folder of the campaign", { place: "--corpus" });
    }
    if (out !== undefined) await reserveFiles([out]);
    const failures = options.failures ?? (corpus === undefined ? "fuzz-failures" : join(corpus, "failures"));
    // A long search must not find out at its first failure that the folder cannot be written.
    const release = await reserveFiles([join(failures, "a.case")]);
    release();
    registerSelfImports();
    const { seed, profile, invariants, userInvariants, model } = await readSettings(options);
    if (redis !== undefined && userInvariants.length > 0) throw refuseOnQueue("--user-invariants", NO_MODULES);
    const caseMs = options.caseTimeout ?? 300_000;
    const isOpen = options.tx === undefined && options.time === undefined;
    const { [profile]: defaults } = SEARCH_PROFILES;
    const timeMs = options.time ?? (isOpen ? defaults.timeMs : Number.POSITIVE_INFINITY);
    const transactions = options.tx ?? (isOpen ? defaults.transactions : Number.POSITIVE_INFINITY);
    const started = performance.now();
    const elapsed = () => performance.now() - started;
    const isCounted = Number.isFinite(transactions);
    const total = isCounted ? transactions : Math.ceil(timeMs / 1000);
    const unit = isCounted ? "transactions" : "seconds";
    let off = () => {};
    const report = await withProgress(terminal, { label: "searching", total, unit }, (progress) =>
      search({
        seed,
        profile,
        transactions,
        isOver: () => elapsed() >= timeMs,
        workers: Math.max(1, options.workers ?? availableParallelism()),
        caseMs,
        invariants,
        userInvariants,
        model,
        ...(corpus === undefined ? {} : { corpus }),
        isResumed: options.resume === true,
        from: options.from ?? [],
        failures,
        failuresMost: options.failFast === true ? 1 : (options.maxFailures ?? 5),
        ...(options.canary === undefined ? {} : { canary: options.canary }),
        now: () => performance.now(),
        createWorker,
        ...(redis === undefined
          ? {}
          : {
              async openCrew(setup) {
                const { openCrew } = await import("../../searches/openCrew.ts");
                return openCrew(terminal, { ...options, redis }, setup, caseMs);
              },
            }),
        onStart(save) {
          off = onInterrupt(() => {
            save();
            terminal.err(`stopped; ${formatResume(context, corpus, seed)}`);
          });
        },
        onProgress({ transactions: done, spentMs, coverage, pool }, { notes }) {
          const rate = `${formatCount((done * 1000) / Math.max(1, spentMs))} tx/s`;
          const found = notes.length === 0 ? "" : `, ${countOf(notes.length, "failure")}`;
          progress.update(
            isCounted ? done : Math.floor(elapsed() / 1000),
            `${rate}, ${countOf(coverage.places, "place")}, ${countOf(pool.entries.length, "case")}${found}`,
          );
        },
      }).finally(() => off()),
    );
    const text = SEARCH_REPORTERS[format](report, out === undefined ? undefined : dirname(out));
    if (out === undefined) terminal.out(text);
    else {
      await writeWholeFiles([{ path: out, text: `${text}\n` }]);
      terminal.err(`wrote ${out}`);
    }
    judge(report);
  },
});

/** Refuses options of a search that a queue does not carry. */
function refuseUnsent({ workers, strategy }: Options): void {
  if (workers !== undefined) throw refuseOnQueue("--workers", OWN_THREADS);
  if (strategy !== undefined) throw refuseOnQueue("--strategy", "a search for a market runs here alone");
}

/** Options that a search for a market takes, and those that only it takes. */
const OF_STRATEGY = ["strategy", "seed", "assert", "attempts", "out", "json", "color"];
const OF_STRATEGY_ONLY = ["assert", "attempts"];

/** Refuses options that the kind of search would not use. */
function refuseUnused({ strategy, ...others }: Options): void {
  const isUnused = (name: string) =>
    strategy === undefined ? OF_STRATEGY_ONLY.includes(name) : !OF_STRATEGY.includes(name);
  const name = Object.keys(others).find(isUnused);
  if (name === undefined) return;
  const place = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (strategy === undefined) {
    throw usageError("OPTION_MISSING", "only a search for a market has it", { place, hint: "add --strategy MODULE" });
  }
  throw usageError("OPTION_INVALID", "a search for a market does not have it", {
    place,
    hint: `leave out ${place} or --strategy`,
  });
}

/** Settings of a search: the options, or, when it continues a campaign, that campaign's settings. */
async function readSettings(options: Options) {
  const { corpus, resume = false } = options;
  let kept: CampaignSettings | undefined;
  if (resume && corpus !== undefined) {
    const { readCampaignSettings } = await import("../../../proof/fuzz/campaign/campaignFile.ts");
    const { CorpusFolder } = await import("../../../proof/fuzz/corpus/corpusFolder.ts");
    kept = readCampaignSettings(new CorpusFolder(corpus));
  }
  return {
    seed: options.seed ?? kept?.seed ?? Math.floor(Date.now() / 1000),
    profile: options.profile ?? (kept?.profile as SearchProfileName | undefined) ?? "smoke",
    invariants: options.invariants ?? kept?.invariants ?? "",
    userInvariants: options.userInvariants?.map((path) => resolve(path)) ?? kept?.userInvariants ?? [],
    model: options.model ?? kept?.model ?? false,
  };
}

/** Command that continues a search that was stopped. */
function formatResume({ call }: Context, corpus: string | undefined, seed: number): string {
  if (corpus !== undefined) return `continue with:\n  ${call(["resume"])} --resume`;
  return `without --corpus no state is kept; begin again with:\n  ${call(["seed"])} --seed ${seed}`;
}

/** @throws CliError with the exit code of the verdict */
function judge({ verdict, failures, missing, blind, transactions }: SearchReport): void {
  const [first] = failures;
  if (verdict === "differs") {
    throw new CliError(EXIT.differs, "SEARCH_DIFFERS", "the same case gave two different results", {
      hint: first?.again,
    });
  }
  const guest = failures.find(({ violation }) => violation.broken !== undefined)?.violation;
  if (guest !== undefined) {
    const fault = guest.broken === "threw" ? "its check threw" : "its check changed the venue";
    throw failure("INVARIANT_FAILED", `${guest.invariant}: ${fault}: ${guest.observed.split("\n")[0]}`, {
      hint: "an invariant must only read the venue and return a result; the fault is in the invariant, not in the venue",
    });
  }
  if (verdict === "violated") {
    throw failure(
      "SEARCH_VIOLATED",
      `${failures.length === 1 ? "an invariant is" : `${countOf(failures.length, "failure")}:`} broken`,
      { hint: first?.again },
    );
  }
  if (verdict === "vacuous") {
    const reason =
      blind.length > 0
        ? `${blind.length} planted faults were not found`
        : missing.length > 0
          ? `${missing.length} goals were never reached`
          : "no case was run";
    throw new CliError(EXIT.vacuous, "SEARCH_VACUOUS", `${reason} in ${countOf(transactions, "transaction")}`, {
      hint: "search longer, or with another profile",
    });
  }
}
