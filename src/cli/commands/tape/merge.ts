import { defineCommand } from "../../command.ts";
import { usageError } from "../../fail.ts";
import { writeDerived } from "./writeDerived.ts";

interface Options {
  readonly out: string;
}

/** Several tapes as one. */
export const tapeMergeCommand = defineCommand<Options>({
  name: "merge",
  summary: "Join tapes into one",
  description:
    "Joins tapes of other markets, of other kinds of events or of other times into one tape in the order of time. Tapes that have the " +
    "same kind of events of one market at the same time are refused.",
  examples: [
    { args: "tape merge july.tape rest.tape --out second-half.tape", does: "Two parts of a year as one tape" },
  ],
  configure(command) {
    command.argument("<tapes...>", "two tapes or more").requiredOption("-o, --out <tape>", "the tape to write");
  },
  async run(context, paths, { out }) {
    if (paths.length < 2) {
      throw usageError("USAGE", "there is nothing to join", { place: "<tapes...>", hint: "name two tapes or more" });
    }
    const { openTape } = await import("../../../product/market-data/tape/openTape.ts");
    const { mergeData } = await import("../../../product/market-data/select/mergeData.ts");
    await writeDerived(context, out, () => Promise.all(paths.map(openTape)), mergeData);
  },
});
