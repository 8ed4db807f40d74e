import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { BacktestOptions, PortfolioOptions } from "../../../product/backtest/options.ts";
import { resolveSettings } from "../../../product/backtest/options.ts";
import type { EventSource } from "../../../product/market-data/types.ts";
import type { LookaheadReport } from "../../../product/research/lookahead/checkLookahead.ts";
import type { ProbeResult } from "../../../product/research/lookahead/probe.ts";
import type { ProbeAnswer, ProbeThread } from "../../../product/research/lookahead/serveProbe.ts";
import type { Context } from "../../command.ts";
import { CliError, EXIT, failure } from "../../fail.ts";
import { onInterrupt } from "../../interrupt.ts";
import { type PolicyOptions, readPolicy } from "../../policy.ts";
import { withProgress } from "../../progress.ts";
import { threadOptions } from "../../threadOptions.ts";

/** A run to check. */
export interface CheckedRun extends PolicyOptions {
  /** Name or path of the strategy, or of the file of several. */
  readonly name: string;
  readonly options: Omit<BacktestOptions, "data"> | Omit<PortfolioOptions, "data">;
  readonly cuts: number;
  /** As they were given. */
  readonly sources: readonly string[];
  readonly data: EventSource;
}

/** Checks a strategy for look-ahead, prints the result, and throws what is wrong with it. */
export async function checkRun(context: Context, run: CheckedRun): Promise<void> {
  const { checkLookahead } = await import("../../../product/research/lookahead/checkLookahead.ts");
  const { createDataCopies } = await import("../../../product/research/lookahead/dataCopies.ts");
  const { writeTape } = await import("../../../product/market-data/tape/writeTape.ts");
  const { parseSource } = await import("../../../product/market-data/stream/marketName.ts");
  const { data, name, cuts, options } = run;
  const resolved = resolveSettings(options).strategies;
  const { settings, strategies } = await splitStrategies(run);
  const policy = await readPolicy(run);
  const folder = await mkdtemp(join(tmpdir(), "perplab-lookahead-"));
  const off = onInterrupt(() => rmSync(folder, { recursive: true, force: true }));
  let report: LookaheadReport;
  try {
    const tape = join(folder, "recorded.tape");
    await writeTape(tape, data.chunks(), () => data.manifest);
    report = await withProgress(
      context.terminal,
      { label: "checking", total: 3 + 2 * cuts, unit: "runs" },
      (progress) =>
        checkLookahead({
          strategies: resolved.map(({ name: own, strategy, params }) => ({ name: own, id: strategy.id, params })),
          settings,
          data,
          probe: (job) => runThread({ job, strategies, tape, own: ownFolders(folder) }),
          copies: createDataCopies(folder, run.sources.map(parseSource), policy, data.manifest),
          cuts,
          seed: seedOf(resolved.map(({ seed }) => seed).join()),
          onProgress: (done) => progress.update(done),
        }),
    );
  } finally {
    off();
    await rm(folder, { recursive: true, force: true });
  }
  await print(context, name, report);
}

/** What a thread is sent: settings without code, and where the code of each strategy is. */
async function splitStrategies({ name, options }: CheckedRun) {
  const { onProgress: _progress, log: _log, ...shared } = options;
  if (!("strategies" in shared)) {
    const { strategy: _strategy, ...settings } = shared;
    return { settings, strategies: [name] };
  }
  const { readPortfolioFile } = await import("../../portfolioFile.ts");
  const paths = new Map((await readPortfolioFile(name)).map((entry) => [entry.options.name, entry.path]));
  const settings = { ...shared, strategies: shared.strategies.map(({ strategy: _strategy, ...own }) => own) };
  return { settings, strategies: shared.strategies.map((one) => paths.get(one.name)!) };
}

/** Of the text that seeds the strategy. */
function seedOf(text: string): number {
  let seed = 0;
  for (let at = 0; at < text.length; at++) seed = (Math.imul(seed, 31) + text.charCodeAt(at)) | 0;
  return seed;
}

/** The folder of the check, and perplab's own code. */
function ownFolders(folder: string): string[] {
  const top = join(import.meta.dirname, "../../../..");
  return [folder, ...["src", "dist", "node_modules", "bin"].map((name) => join(top, name))];
}

function runThread(start: ProbeThread): Promise<ProbeResult> {
  // The build renames the file, and no compiler rewrites the name in a URL.
  const file = import.meta.url.endsWith(".ts") ? "./lookaheadWorker.ts" : "./lookaheadWorker.js";
  const worker = new Worker(new URL(file, import.meta.url), threadOptions(start));
  return new Promise((resolve, reject) => {
    worker.once("message", (answer: ProbeAnswer) => {
      void worker.terminate();
      if ("result" in answer) resolve(answer.result);
      else reject(Object.assign(new Error(String(answer.error["message"])), answer.error));
    });
    worker.once("error", reject);
    worker.once("exit", (code) => {
      reject(
        failure("STRATEGY_BROKEN", `the strategy ended its thread with exit code ${code}`, {
          hint: "a strategy must not call process.exit",
        }),
      );
    });
  });
}

async function print({ terminal, json }: Context, place: string, report: LookaheadReport): Promise<void> {
  const { describeVerdict, renderLookahead } = await import("../../../product/research/lookahead/text.ts");
  terminal.out(json ? JSON.stringify(report) : renderLookahead(report));
  const message = describeVerdict(report);
  switch (report.verdict) {
    case "clean":
    case "disturbed":
      return;
    case "looksAhead":
      throw failure("LOOKAHEAD_FOUND", message, {
        place,
        hint: "let the strategy decide only with data that its hooks have passed so far",
      });
    case "unproved":
      throw failure("LOOKAHEAD_UNPROVED", message, {
        place,
        hint: "import the files into a tape, and let the strategy read the tape",
      });
    case "unrepeatable":
      throw failure("STRATEGY_UNREPEATABLE", message, {
        place,
        hint: "use ctx.rng and ctx.now in place of Math.random and Date.now",
      });
    case "vacuous":
      throw new CliError(EXIT.vacuous, "LOOKAHEAD_VACUOUS", message, {
        place,
        hint: "choose data or parameters with which the strategy trades",
      });
  }
}
