import type { CommandGroup } from "../command.ts";
import { fuzzBenchCommand } from "./fuzz/bench.ts";
import { fuzzCminCommand } from "./fuzz/cmin.ts";
import { fuzzExploitCommand } from "./fuzz/exploit.ts";
import { fuzzExploreCommand } from "./fuzz/explore.ts";
import { fuzzReplayCommand } from "./fuzz/replay.ts";
import { fuzzRunCommand } from "./fuzz/run.ts";
import { fuzzShowCommand } from "./fuzz/show.ts";
import { fuzzStrategyCommand } from "./fuzz/strategy.ts";
import { fuzzTminCommand } from "./fuzz/tmin.ts";

/** Search for broken invariants. */
export const fuzzCommands: CommandGroup = {
  name: "fuzz",
  summary: "Search for broken invariants: random venues and flows, with every invariant checked",
  description:
    "Draws venues, transactions and prices, continues from cases that reached new coverage, and checks after every " +
    "transaction and block that every invariant holds. Failures are shrunk and written to files that can be " +
    "run again.",
  commands: [
    fuzzRunCommand,
    fuzzReplayCommand,
    fuzzShowCommand,
    fuzzTminCommand,
    fuzzCminCommand,
    fuzzExploreCommand,
    fuzzExploitCommand,
    fuzzStrategyCommand,
    fuzzBenchCommand,
  ],
};
