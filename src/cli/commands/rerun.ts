import type { ReadBundle } from "../../product/research/bundle/format.ts";
import { type Context, defineCommand } from "../command.ts";
import { CliError, EXIT } from "../fail.ts";
import { type RerunOptions, rerunBundle } from "../rerunBundle.ts";

interface Options extends RerunOptions {
  readonly show?: boolean;
}

/** A bundle, proved. */
export const rerunCommand = defineCommand<Options>({
  name: "rerun",
  summary: "Repeat the run of a bundle and prove that it gives the same result",
  description:
    "Checks every byte of a bundle, makes its run again, and compares every block, the effects head and the state " +
    "root. A difference is named by its first block; exit code 4. It RUNS the strategy's code with your rights: a bundle with " +
    "code of its own is refused without --trust. Inspect it first with --show, and only run what you would run " +
    "anyway. A bundle of another version of perplab is refused, too, because that version may correctly give another result.",
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
    const { proof } = await rerunBundle(context, bundle, options);
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
  const { codeOf } = await import("../../product/research/bundle/bundledStrategy.ts");
  for (const [name, text] of Object.entries(codeOf(header).files)) {
    terminal.out(`\n--- ${name}\n${text.trimEnd()}`);
  }
}
