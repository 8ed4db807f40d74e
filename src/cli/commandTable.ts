// Generated from src/cli/commands.ts by `npm run generate`. Do not edit.
import type { CommandListing } from "./command.ts";

/** Every command, in the order of the help. A command is loaded when it is called. */
export const commandTable: readonly CommandListing[] = [
  {
    name: "backtest",

    summary: "Run a strategy against recorded market data, in the venue",
    arguments: "<strategy>",
    load: async () => (await import("./commands/backtest.ts")).backtestCommand,
  },
  {
    name: "sweep",

    summary: "Run a strategy at every point of a grid of parameters and options",
    arguments: "<strategy>",
    load: async () => (await import("./commands/sweep.ts")).sweepCommand,
  },
  {
    name: "walk-forward",

    summary: "Choose parameters on past data and test them on the data after it, window by window",
    arguments: "<strategy>",
    load: async () => (await import("./commands/walkForward.ts")).walkForwardCommand,
  },
  {
    name: "runs",

    summary: "List or remove what sweeps and walk-forwards have stored",

    load: async () => (await import("./commands/runs.ts")).runsCommands,
  },
  {
    name: "worker",

    summary: "Make the jobs that commands on other machines have put into a queue",

    load: async () => (await import("./commands/worker.ts")).workerCommand,
  },
  {
    name: "jobs",

    summary: "List, show, cancel or retry jobs of a queue in Redis",

    load: async () => (await import("./commands/jobs.ts")).jobsCommands,
  },
  {
    name: "monte-carlo",

    summary: "Draw many paths from the report of a backtest: drawdown and ruin with intervals",
    arguments: "<report.json>",
    load: async () => (await import("./commands/monteCarlo.ts")).monteCarloCommand,
  },
  {
    name: "strategies",

    summary: "List the example strategies, or show the parameters of one",
    arguments: "[strategy]",
    load: async () => (await import("./commands/strategies.ts")).strategiesCommand,
  },
  {
    name: "import",

    summary: "Read recorded market data into a tape",
    arguments: "<source...>",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  {
    name: "tape",

    summary: "Look at recorded data, check it, cut it, join it, export it",

    load: async () => (await import("./commands/tape.ts")).tapeCommands,
  },
  {
    name: "verify",

    summary: "Replay a block log and compare every block with what it recorded",
    arguments: "<log>",
    load: async () => (await import("./commands/verify.ts")).verifyCommand,
  },
  {
    name: "explain",

    summary: "Explain a transaction or a liquidation of a block log with its numbers",
    arguments: "<log> <subject>",
    load: async () => (await import("./commands/explain.ts")).explainCommand,
  },
  {
    name: "fork",

    summary: "Continue a block log from a height under other parameters or with further transactions",
    arguments: "<log>",
    load: async () => (await import("./commands/fork.ts")).forkCommand,
  },
  {
    name: "compare",

    summary: "Compare two runs: the first block that differs, and why",
    arguments: "<a> <b>",
    load: async () => (await import("./commands/compare.ts")).compareCommand,
  },
  {
    name: "bundle",

    summary: "Write a run as one file that proves itself: strategy, options, data and result",
    arguments: "<report.json>",
    load: async () => (await import("./commands/bundle.ts")).bundleCommand,
  },
  {
    name: "rerun",

    summary: "Repeat the run of a bundle and prove that it gives the same result",
    arguments: "<bundle>",
    load: async () => (await import("./commands/rerun.ts")).rerunCommand,
  },
  {
    name: "freeze",

    summary: "Freeze blocks of a run as a scenario that must give the same results",
    arguments: "<run>",
    load: async () => (await import("./commands/freeze.ts")).freezeCommand,
  },
  {
    name: "compare-rules",

    summary: "Run one block stream under several sets of rules and compare the results",
    arguments: "<source...>",
    load: async () => (await import("./commands/compareRules.ts")).compareRulesCommand,
  },
  {
    name: "report",

    summary: "Show a report, or write it in another format",
    arguments: "<report.json>",
    load: async () => (await import("./commands/report.ts")).reportCommand,
  },
  {
    name: "scenario",

    summary: "Run and write scenario files: flows with their expected results",

    load: async () => (await import("./commands/scenario.ts")).scenarioCommands,
  },
  {
    name: "fuzz",

    summary: "Search for broken invariants: random venues and flows, with every invariant checked",

    load: async () => (await import("./commands/fuzz.ts")).fuzzCommands,
  },
  {
    name: "serve",
    alias: "devnet",
    summary: "Serve a development venue by REST and WebSocket",

    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  {
    name: "run",

    summary: "Run a TypeScript or JavaScript file that imports perplab/…",
    arguments: "<script> [arguments...]",
    load: async () => (await import("./commands/run.ts")).runCommand,
  },
  {
    name: "strategy-host",

    summary: "Run strategies of another program, which speaks to this one over stdin and stdout",

    load: async () => (await import("./commands/strategyHost.ts")).strategyHostCommand,
  },
];
