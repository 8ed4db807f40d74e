import { resolve } from "node:path";
import { countOf } from "../../../ground/math/counts.ts";
import type { CanaryName } from "../../../proof/fuzz/campaign/canaryNames.ts";
import { defineCommand } from "../../command.ts";
import { CliError, EXIT, failure } from "../../fail.ts";
import { withProgress } from "../../progress.ts";
import { readDuration, readWord, TIMER_DAYS } from "../../values.ts";
import { readCaseFiles } from "./caseFiles.ts";
import type { Replayed } from "./replayCase.ts";
import { CANARY_WORDS } from "./words.ts";

interface Options {
  readonly invariants?: string;
  readonly userInvariants?: readonly string[];
  readonly model?: boolean;
  readonly canary?: CanaryName;
  readonly caseTimeout?: number;
}

/** Runs cases again. */
export const fuzzReplayCommand = defineCommand<Options>({
  name: "replay",
  summary: "Run cases again, with every invariant after every transaction and block",
  description:
    "Runs case files, or every case of a corpus, with every invariant on; each twice, and once more with restarts. " +
    "Exit code 0 when everything holds, 1 when something is broken, 4 when two runs differ.",
  examples: [
    { args: "fuzz replay corpus --invariants conservation,openInterest", does: "Run every case of a corpus again" },
  ],
  configure(command) {
    command
      .argument("<paths...>", "case files or corpora")
      .option("--invariants <list>", "only these, by id or number of the catalogue: `G*,-G07`")
      .option("--user-invariants <module...>", "modules with invariants of your own")
      .option("--model", "run the reference model in lock step with the venue and compare them after every block")
      .option(
        "--canary <name>",
        `plant the fault that was planted in the search: ${CANARY_WORDS.join(", ")}`,
        readWord("--canary", CANARY_WORDS),
      )
      .option(
        "--case-timeout <t>",
        "stop a case that takes more CPU time: 40s, 5m",
        readDuration("--case-timeout", TIMER_DAYS),
      );
  },
  async run({ terminal, json }, paths, options) {
    const { invariants = "", userInvariants = [], model = false, canary, caseTimeout } = options;
    const { createReplay } = await import("./replayCase.ts");
    const { formatViolation } = await import("../../../proof/fuzz/reporters/violationText.ts");
    const { registerSelfImports } = await import("../../selfImports.ts");
    registerSelfImports();
    const replay = await createReplay({
      invariants,
      userInvariants: userInvariants.map((path) => resolve(path)),
      model,
      ...(canary === undefined ? {} : { canary }),
      ...(caseTimeout === undefined ? {} : { caseMs: caseTimeout }),
    });
    const cases = await readCaseFiles(paths);
    const results = await withProgress(
      terminal,
      { label: "replaying", total: cases.length, unit: "cases" },
      async (progress) => {
        const done: (Replayed & { readonly path: string })[] = [];
        for (const { path, given } of cases) {
          done.push({ path, ...(await replay(given)) });
          progress.update(done.length);
        }
        return done;
      },
    );
    if (json) terminal.out(JSON.stringify(results));
    const broken = results.filter(({ violation }) => violation !== null);
    if (!json) {
      for (const { path, violation } of broken) terminal.out(`${path}\n${formatViolation(violation!)}`);
      const transactions = results.reduce((sum, result) => sum + result.transactions, 0);
      const verdict = broken.length === 0 ? "everything holds" : `${broken.length} of them fail`;
      terminal.out(`${countOf(cases.length, "case")}, ${countOf(transactions, "transaction")}: ${verdict}`);
    }
    const [first] = broken;
    if (first === undefined) return;
    if (first.violation!.kind === "determinism") {
      throw new CliError(EXIT.differs, "SEARCH_DIFFERS", "the same case gave two different results", {
        place: first.path,
      });
    }
    throw failure("SEARCH_VIOLATED", `${first.violation!.invariant} is broken`, { place: first.path });
  },
});
