import { defineCommand } from "../../command.ts";
import { openSources } from "../../openSources.ts";
import { addPartOptions, type PartOptions, readPart } from "./partOptions.ts";
import { writeDerived } from "./writeDerived.ts";

interface Options extends PartOptions {
  readonly out: string;
}

/** A part of the data as a tape of its own. */
export const tapeSliceCommand = defineCommand<Options>({
  name: "slice",
  summary: "Write a part of the data as a tape",
  description:
    "A range of time, some markets or some kinds of events. A backtest of the slice gives what a backtest with the same --from and " +
    "--to gives. An order book that has begun earlier is given whole at the start of the slice.",
  examples: [
    {
      args: "tape slice btc-2024.tape --from 2024-07-01 --to 2024-08-01 --out july.tape",
      does: "The month of the crash",
    },
    { args: "tape slice btc-2024.tape --from 2024-08-01 --out rest.tape", does: "What comes after it" },
  ],
  configure(command) {
    addPartOptions(command.argument("<data...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH")).requiredOption(
      "-o, --out <tape>",
      "the tape to write",
    );
  },
  async run(context, data, { out, ...part }) {
    const { sliceData } = await import("../../../product/market-data/select/sliceData.ts");
    const slice = await readPart(part);
    const open = async () => [await openSources(context, { data, silent: context.json })];
    await writeDerived(context, out, open, ([source]) => sliceData(source!, slice));
  },
});
