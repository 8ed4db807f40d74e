import { formatCount } from "../../../ground/math/counts.ts";
import { defineCommand } from "../../command.ts";
import { formatColumns } from "../../format.ts";
import { withProgress } from "../../progress.ts";
import { readCount } from "../../values.ts";
import { readSeed } from "./seed.ts";

interface Options {
  readonly tx?: number;
  readonly seed?: number;
}

/** How fast a search is here, part by part. */
export const fuzzBenchCommand = defineCommand<Options>({
  name: "bench",
  summary: "Measure the speed of a search on this machine, part by part",
  description:
    "Runs the same cases with more and more checks: the venue alone, with feedback, with every invariant after every " +
    "transaction and block, with occasional sweeps as in campaigns, with cases run again in other ways, and " +
    "in lock step with the model. One thread.",
  examples: [{ args: "fuzz bench --tx 500", does: "Measure with few transactions" }],
  configure(command) {
    command
      .option("--tx <n>", "transactions of each part (default: 20000)", readCount("--tx"))
      .option("--seed <n>", "seed of the cases (default: 1)", readSeed);
  },
  async run({ terminal, json }, _args, { tx = 20_000, seed = 1 }) {
    const { measureParts, PARTS } = await import("../../../proof/fuzz/campaign/measureParts.ts");
    // Time of the processor, not of the clock: other work of the machine does not count.
    const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
    const total = PARTS.length;
    const figures = await withProgress(terminal, { label: "measuring", total, unit: "parts" }, (progress) =>
      measureParts({ seed, transactions: tx, now: cpuMs, onPart: (done) => progress.update(done) }),
    );
    if (json) terminal.out(JSON.stringify(figures));
    else {
      const rows = figures.map(({ part, rate, transactions }) => [part, formatCount(rate), formatCount(transactions)]);
      terminal.out(formatColumns([["part", "tx/s", "transactions"], ...rows], [1, 2]));
    }
  },
});
