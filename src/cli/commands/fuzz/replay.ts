import { resolve } from "node:path";
import { defineCommand } from "../../command.ts";
import { CliError, EXIT, failure } from "../../fail.ts";
import { formatCount } from "../../format.ts";
import { withProgress } from "../../progress.ts";
import { readCaseFiles } from "./caseFiles.ts";

interface Options {
  readonly invariants?: string;
  readonly userInvariants?: readonly string[];
  readonly model?: boolean;
}

/** Runs cases again. */
export const fuzzReplayCommand = defineCommand<Options>({
  name: "replay",
  summary: "Run cases again, with every invariant after every transaction and block",
  description:
    "Runs case files, or every case of a corpus, with every invariant on; each twice, and once more with the venue written " +
    "and read on the way. Exit code 0 when everything holds, 1 when something is broken, 4 when two runs differ.",
  examples: [
    { args: "fuzz replay corpus --invariants conservation,openInterest", does: "Run every case of a corpus again" },
  ],
  configure(command) {
    command
      .argument("<paths...>", "case files or corpora")
      .option("--invariants <list>", "only these, by id or number of the catalogue: `G*,-G07`")
      .option("--user-invariants <module...>", "modules with invariants of your own")
      .option("--model", "run the reference model beside the venue and compare them after every block");
  },
  async run({ terminal, json }, paths, { invariants = "", userInvariants = [], model = false }) {
    const { runCase } = await import("../../../fuzz/run/runCase.ts");
    const { listWatched } = await import("../../../fuzz/campaign/watched.ts");
    const { formatViolation } = await import("../../../fuzz/reporters/violationText.ts");
    const { registerSelfImports } = await import("../../selfImports.ts");
    registerSelfImports();
    const watched = await listWatched({ invariants, userInvariants: userInvariants.map((path) => resolve(path)) });
    const cases = await readCaseFiles(paths);
    const results = await withProgress(
      terminal,
      { label: "replaying", total: cases.length, unit: "cases" },
      (progress) =>
        cases.map(({ path, given }, at) => {
          const { violation, transactions, blocks, digest } = runCase(given, {
            oracles: { watch: { invariants: watched }, model, again: true, restored: true, metamorphic: true },
          });
          progress.update(at + 1);
          return { path, transactions, blocks, digest, violation: violation ?? null };
        }),
    );
    if (json) terminal.out(JSON.stringify(results));
    const broken = results.filter(({ violation }) => violation !== null);
    if (!json) {
      for (const { path, violation } of broken) terminal.out(`${path}\n${formatViolation(violation!)}`);
      const transactions = results.reduce((sum, result) => sum + result.transactions, 0);
      const verdict = broken.length === 0 ? "everything holds" : `${broken.length} of them fail`;
      terminal.out(`${formatCount(cases.length)} cases, ${formatCount(transactions)} transactions: ${verdict}`);
    }
    const [first] = broken;
    if (first === undefined) return;
    if (first.violation!.kind === "determinism") {
      throw new CliError(EXIT.differs, "SEARCH_DIFFERS", "the same thing done twice was not the same", {
        place: first.path,
      });
    }
    throw failure("SEARCH_VIOLATED", `${first.violation!.invariant} is broken`, { place: first.path });
  },
});
