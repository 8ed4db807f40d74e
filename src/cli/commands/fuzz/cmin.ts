import { resolve } from "node:path";
import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { defineCommand } from "../../command.ts";
import { usageError } from "../../fail.ts";
import { withProgress } from "../../progress.ts";

interface Options {
  readonly out?: string;
  readonly inPlace?: boolean;
}

/**
 * How near invariants come to being broken is measured at every moment; over everything, now and then, as in a
 * campaign.
 */
const SAMPLED = { sweepEvery: 16, heavyEvery: 0 } as const;

/** The few cases that together reach all that the corpus reaches. */
export const fuzzCminCommand = defineCommand<Options>({
  name: "cmin",
  summary: "Find a small set of cases that reaches everything the corpus reaches",
  description:
    "Runs every case of a corpus, and picks a small set that reaches the same places. Writes it into another folder, or, " +
    "with --in-place, removes the other cases.",
  examples: [{ args: "fuzz cmin corpus --out small", does: "Write the smaller corpus into another folder" }],
  configure(command) {
    command
      .argument("<corpus>", "the folder")
      .option("--out <folder>", "write the smaller corpus there")
      .option("--in-place", "remove cases that are not needed");
  },
  async run({ terminal, json }, [path = ""], { out, inPlace = false }) {
    if ((out === undefined) === !inPlace || (out !== undefined && resolve(out) === resolve(path))) {
      throw usageError("OPTION_INVALID", "the smaller corpus is written either into another folder or into this one", {
        place: "--out",
        hint: "give --out with another folder, or --in-place",
      });
    }
    const { CorpusFolder } = await import("../../../proof/fuzz/corpus/corpusFolder.ts");
    const { minimizeCorpus } = await import("../../../proof/fuzz/corpus/minimize.ts");
    const { countGenes } = await import("../../../proof/fuzz/case/fuzzCase.ts");
    const { Feedback } = await import("../../../proof/fuzz/feedback/feedback.ts");
    const { runCase } = await import("../../../proof/fuzz/run/runCase.ts");
    const folder = new CorpusFolder(path);
    const names = folder.list();
    if (names.length === 0) throw usageError("CORPUS_MISSING", "the folder has no case", { place: path });
    const feedback = new Feedback();
    const measured = await withProgress(
      terminal,
      { label: "running", total: names.length, unit: "cases" },
      (progress) =>
        names.map((name, at) => {
          const given = folder.read(name);
          const { reached, transactions } = runCase(given, { oracles: { watch: SAMPLED }, feedback });
          progress.update(at + 1);
          return { name, given, genes: countGenes(given), reached, transactions };
        }),
    );
    const kept = new Set(minimizeCorpus(measured));
    const target = out === undefined ? folder : new CorpusFolder(out);
    for (const { name, given, genes, reached, transactions } of measured) {
      if (!kept.has(name)) {
        if (out === undefined) folder.remove(name);
        continue;
      }
      const before = folder.noteOf(name);
      const { iteration, news } = before ?? { iteration: -1, news: 0 };
      target.add(given, { genes, transactions, places: reached.length / 2, news, iteration });
    }
    target.writeIndex();
    if (json) terminal.out(JSON.stringify({ cases: names.length, kept: [...kept] }));
    else
      terminal.out(
        `${formatCount(kept.size)} of ${countOf(names.length, "case reaches", "cases reach")} what all of them do`,
      );
  },
});
