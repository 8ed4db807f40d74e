import { existsSync, statSync } from "node:fs";
import { defineCommand } from "../../command.ts";
import { formatColumns, formatCount } from "../../format.ts";
import { readWhole } from "../../values.ts";
import { readCaseFiles } from "./caseFiles.ts";

interface Options {
  readonly from?: number;
  readonly to?: number;
  readonly events?: boolean;
}

/** What is in a case or a corpus. */
export const fuzzShowCommand = defineCommand<Options>({
  name: "show",
  summary: "Print a case as venue, blocks and outcomes, or list a corpus",
  description:
    "Prints what a case file comes to: the venue, and block by block what was asked for and what became of it. Of a corpus, " +
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
      const list = await listCorpus(path);
      terminal.out(json ? JSON.stringify(list) : formatCorpus(list));
      return;
    }
    const [file] = await readCaseFiles([path]);
    if (json) {
      const { resolveCase } = await import("../../../fuzz/case/resolveCase.ts");
      terminal.out(
        JSON.stringify(resolveCase(file!.given), (_, value) => (typeof value === "bigint" ? `${value}` : value)),
      );
      return;
    }
    const { tellCase } = await import("../../../fuzz/reporters/caseText.ts");
    for (const line of tellCase(file!.given, { from, to, events })) terminal.out(line);
  },
});

interface Listed {
  readonly name: string;
  readonly genes: number;
  readonly transactions: number;
  readonly places: number;
  readonly news: number;
  readonly iteration: number;
}

async function listCorpus(path: string): Promise<Listed[]> {
  const { CorpusFolder } = await import("../../../fuzz/corpus/corpusFolder.ts");
  const { countGenes } = await import("../../../fuzz/case/fuzzCase.ts");
  const folder = new CorpusFolder(path);
  return folder.list().map((name) => {
    const note = folder.noteOf(name);
    return note ?? { name, genes: countGenes(folder.read(name)), transactions: 0, places: 0, news: 0, iteration: -1 };
  });
}

function formatCorpus(list: readonly Listed[]): string {
  const rows = list.map(({ name, genes, transactions, places, news, iteration }) => [
    name,
    ...[genes, transactions, places, news].map(formatCount),
    iteration < 0 ? "" : `${iteration}`,
  ]);
  const head = ["case", "genes", "transactions", "places", "new", "found in"];
  return `${formatColumns([head, ...rows], [1, 2, 3, 4, 5])}\n${formatCount(list.length)} cases`;
}
