import { existsSync, statSync } from "node:fs";
import { countOf, formatCount } from "../../../ground/math/counts.ts";
import type { CorpusNote } from "../../../proof/fuzz/corpus/corpusFolder.ts";
import { defineCommand } from "../../command.ts";
import { formatColumns } from "../../format.ts";
import { readWhole } from "../../values.ts";
import { readCaseFiles } from "./caseFiles.ts";

interface Options {
  readonly from?: number;
  readonly to?: number;
  readonly events?: boolean;
}

/** The contents of a case or a corpus. */
export const fuzzShowCommand = defineCommand<Options>({
  name: "show",
  summary: "Print a case as venue, blocks and outcomes, or list a corpus",
  description:
    "Prints what a case file does: the venue, and block by block the transactions and their results. Of a corpus, " +
    "lists the cases with what they reached.",
  examples: [{ args: "fuzz show corpus", does: "List the cases of a corpus" }],
  configure(command) {
    command
      .argument("<path>", "a case file or a corpus")
      .option("--from <height>", "begin with this block", readWhole("--from"))
      .option("--to <height>", "end with this block", readWhole("--to"))
      .option("--events", "print events, too");
  },
  async run({ terminal, json }, [path = ""], { from = 0, to = Number.POSITIVE_INFINITY, events = false }) {
    if (existsSync(path) && statSync(path).isDirectory()) {
      const { CorpusFolder } = await import("../../../proof/fuzz/corpus/corpusFolder.ts");
      const list = new CorpusFolder(path).listNotes();
      terminal.out(json ? JSON.stringify(list) : formatCorpus(list));
      return;
    }
    const [file] = await readCaseFiles([path]);
    if (json) {
      const { resolveCase } = await import("../../../proof/fuzz/case/resolveCase.ts");
      terminal.out(
        JSON.stringify(resolveCase(file!.given), (_, value) => (typeof value === "bigint" ? `${value}` : value)),
      );
      return;
    }
    const { formatCase } = await import("../../../proof/fuzz/reporters/caseText.ts");
    for (const line of formatCase(file!.given, { from, to, events })) terminal.out(line);
  },
});

function formatCorpus(list: readonly CorpusNote[]): string {
  const rows = list.map(({ name, genes, transactions, places, news, iteration }) => [
    name,
    ...[genes, transactions, places, news].map(formatCount),
    iteration < 0 ? "" : `${iteration}`,
  ]);
  const head = ["case", "genes", "transactions", "places", "new", "found in"];
  return `${formatColumns([head, ...rows], [1, 2, 3, 4, 5])}\n${countOf(list.length, "case")}`;
}
