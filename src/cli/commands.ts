import type { CommandEntry } from "./command.ts";
import { backtestCommand } from "./commands/backtest.ts";
import { bundleCommand } from "./commands/bundle.ts";
import { compareCommand } from "./commands/compare.ts";
import { compareRulesCommand } from "./commands/compareRules.ts";
import { explainCommand } from "./commands/explain.ts";
import { forkCommand } from "./commands/fork.ts";
import { freezeCommand } from "./commands/freeze.ts";
import { fuzzCommands } from "./commands/fuzz.ts";
import { importCommand } from "./commands/import.ts";
import { jobsCommands } from "./commands/jobs.ts";
import { monteCarloCommand } from "./commands/monteCarlo.ts";
import { reportCommand } from "./commands/report.ts";
import { rerunCommand } from "./commands/rerun.ts";
import { runCommand } from "./commands/run.ts";
import { runsCommands } from "./commands/runs.ts";
import { scenarioCommands } from "./commands/scenario.ts";
import { serveCommand } from "./commands/serve.ts";
import { strategiesCommand } from "./commands/strategies.ts";
import { strategyHostCommand } from "./commands/strategyHost.ts";
import { sweepCommand } from "./commands/sweep.ts";
import { tapeCommands } from "./commands/tape.ts";
import { verifyCommand } from "./commands/verify.ts";
import { walkForwardCommand } from "./commands/walkForward.ts";
import { workerCommand } from "./commands/worker.ts";

/** Every command, in the order of the help. The examples of a command may use files that earlier examples wrote. */
export const commands: readonly CommandEntry[] = [
  backtestCommand,
  sweepCommand,
  walkForwardCommand,
  runsCommands,
  workerCommand,
  jobsCommands,
  monteCarloCommand,
  strategiesCommand,
  importCommand,
  tapeCommands,
  verifyCommand,
  explainCommand,
  forkCommand,
  compareCommand,
  bundleCommand,
  rerunCommand,
  freezeCommand,
  compareRulesCommand,
  reportCommand,
  scenarioCommands,
  fuzzCommands,
  serveCommand,
  runCommand,
  strategyHostCommand,
];
