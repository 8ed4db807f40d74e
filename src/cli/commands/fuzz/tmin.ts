import { resolve } from "node:path";
import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { defineCommand } from "../../command.ts";
import { failure } from "../../fail.ts";
import { withProgress } from "../../progress.ts";
import { readDuration } from "../../values.ts";
import { reserveFiles } from "../../writeFile.ts";
import { readCaseFiles } from "./caseFiles.ts";

interface Options {
  readonly out?: string;
  readonly time?: number;
  readonly model?: boolean;
  readonly userInvariants?: readonly string[];
}

/** A smaller case with the same failure. */
export const fuzzTminCommand = defineCommand<Options>({
  name: "tmin",
  summary: "Shrink a failing case: fewer genes, simpler choices, the same failure",
  description:
    "Removes genes and simplifies choices as long as the case fails in the same way. Each smaller case is written at " +
    "once, so the work may be stopped and resumed. Exit code 1 for a case that does not fail.",
  examples: [],
  configure(command) {
    command
      .argument("<case>", "a case file")
      .option("--out <file>", "file of the smaller case (default: over the one given)")
      .option("--time <t>", "end after this time: 40s, 10m (default: 60s)", readDuration("--time"))
      .option("--model", "the failure is a difference to the reference model")
      .option("--user-invariants <module...>", "modules with invariants of your own");
  },
  async run({ terminal, json }, [path = ""], { out = path, time = 60_000, model = false, userInvariants = [] }) {
    const { countGenes } = await import("../../../proof/fuzz/case/fuzzCase.ts");
    const { writeCase } = await import("../../../proof/fuzz/case/writeCase.ts");
    const { listWatched } = await import("../../../proof/fuzz/campaign/loadSelected.ts");
    const { writeAtomic } = await import("../../../proof/fuzz/corpus/atomic.ts");
    const { runCase } = await import("../../../proof/fuzz/run/runCase.ts");
    const { shrinkCase } = await import("../../../proof/fuzz/shrink/shrinkCase.ts");
    const { formatViolation } = await import("../../../proof/fuzz/reporters/violationText.ts");
    const { registerSelfImports } = await import("../../selfImports.ts");
    registerSelfImports();
    const invariants = await listWatched({ invariants: "", userInvariants: userInvariants.map((one) => resolve(one)) });
    const [file] = await readCaseFiles([path]);
    await reserveFiles([out]);
    const first = runCase(file!.given, { oracles: { watch: { invariants }, model, again: true, restored: true } });
    if (first.violation === undefined) throw failure("CASE_HOLDS", "nothing fails in this case", { place: path });
    // Only the same failure is looked for again.
    const { kind, invariant } = first.violation;
    const broken = invariants.filter(({ id }) => id === invariant);
    const isRepeated = kind === "determinism";
    const oracles = {
      watch: kind === "invariant" ? { invariants: broken } : (false as const),
      model: kind === "model",
      again: isRepeated,
      restored: isRepeated,
    };
    const deadline = performance.now() + time;
    const total = countGenes(file!.given);
    const { small, candidates } = await withProgress(
      terminal,
      { label: "shrinking", total, unit: "genes" },
      (progress) => {
        let best = file!.given;
        const found = shrinkCase(
          file!.given,
          first.violation!,
          (candidate) => {
            const { violation } = runCase(candidate, { oracles });
            if (violation !== undefined) best = candidate;
            return violation;
          },
          {
            candidates: Number.POSITIVE_INFINITY,
            isOver: () => performance.now() >= deadline,
            onProgress: ({ transactions }) => {
              writeAtomic(out, writeCase(best));
              progress.update(total - transactions, `${countOf(transactions, "gene")} left`);
            },
          },
        );
        return { small: found.case, candidates: found.candidates };
      },
    );
    writeAtomic(out, writeCase(small));
    const { violation } = runCase(small, { oracles });
    const genes = countGenes(small);
    if (json) terminal.out(JSON.stringify({ genes, genesBefore: total, candidates, violation, out }));
    else {
      terminal.out(formatViolation(violation!));
      terminal.out(
        `${countOf(total, "gene")} became ${formatCount(genes)} in ${countOf(candidates, "try", "tries")}: ${out}`,
      );
    }
  },
});
