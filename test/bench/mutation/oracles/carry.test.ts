import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Mutant } from "../../../../bench/mutation/instrument.ts";
import type { OracleCopy } from "../../../../bench/mutation/oracles/openCopy.ts";
import type { OracleReport } from "../../../../bench/mutation/oracles/oracleReport.ts";
import type { JobRunner } from "../../../../bench/mutation/oracles/runners.ts";
import { runScenarioOracle } from "../../../../bench/mutation/oracles/scenarios.ts";
import type { KillJob, ReachJob } from "../../../../bench/mutation/oracles/scenarioWorker.ts";
import { projectRoot } from "../../../helpers/project.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-carry-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mutants = new Map([1, 2, 3, 4].map((number) => [number, { key: `k${number}` } as Mutant]));
const copy: OracleCopy = { version: "v", mutants, total: 9, keys: [], folder, hash: "h", worker: "" };
for (const part of ["ground", "protocol", "venue", "product/scenario", "proof/invariants"])
  mkdirSync(join(folder, "src", part), { recursive: true });
mkdirSync(join(folder, "scenarios"));
const FILE = "scenarios/margin/free-to-leave.yaml";
const addScenario = (name: string) => cpSync(join(projectRoot, FILE), join(folder, "scenarios", name));
addScenario("old.yaml");

/** In place of processes: every mutant differs in every file, and the files of `red` see it. */
function fake(red: Readonly<Record<number, string>>) {
  const asked: string[] = [];
  const runner: JobRunner = async ({ jobs, onDone }) => {
    for (const job of jobs) {
      const one = job as unknown as ReachJob | KillJob;
      asked.push(one.kind === "reach" ? `${one.mode} ${one.file}` : `${one.mode} ${one.mutant} ${one.files.join(" ")}`);
      const seen = [1, 2, 3, 4].map((mutant) => ({ mutant, ran: 1, differed: 1 }));
      const file = one.kind === "reach" ? "" : one.files.find((name) => red[one.mutant] === `${one.mode} ${name}`);
      const killer = file === undefined ? undefined : { file, kind: "expectation", what: "x" };
      const done =
        one.kind === "reach" ? { kind: "reach", seen, loaded: [], seconds: 1 } : { kind: "kill", killer, seconds: 1 };
      onDone(done as never, job);
    }
  };
  return { asked, runners: { here: runner, mutants: runner } };
}

const run = (name: string, { runners }: ReturnType<typeof fake>, earlier?: OracleReport) =>
  runScenarioOracle(copy, {
    runners,
    progress: join(folder, name),
    only: "",
    report: false,
    carry: earlier !== undefined,
    earlier,
    checkedMost: 60,
    say: () => undefined,
  });

// Goal: the evidence alone is enough to continue from, and a new file runs with the survivors, not with those that are
// killed.
test("with --carry the fates of the last report count, and its survivors run only new files", async () => {
  const first = await run("first.jsonl", fake({ 1: "plain scenarios/old.yaml", 2: "checked scenarios/old.yaml" }));
  const modes = (fates: typeof first.fates) => [1, 2, 3, 4].map((mutant) => fates.get(mutant)?.killer?.mode);
  expect(modes(first.fates)).toEqual(["plain", "checked", undefined, undefined]);
  const survivor = (key: string) => ({ key, reached: 1, differed: 1 });
  const earlier = {
    fates: { k1: "plain", k2: "checked", k3: "survived", k4: "survived" },
    survivors: [survivor("k3"), survivor("k4")],
    texts: first.texts,
  } as unknown as OracleReport;
  writeFileSync(join(folder, "scenarios", "note.txt"), "");
  cpSync(join(projectRoot, "scenarios/orders/price-then-time.yaml"), join(folder, "scenarios", "new.yaml"));
  const second = fake({ 3: "plain scenarios/new.yaml" });
  const { fates, carried } = await run("second.jsonl", second, earlier);
  expect(modes(fates)).toEqual(["plain", "checked", "plain", undefined]);
  expect(carried).toBe(2);
  expect(fates.get(4)).toMatchObject({ reached: 2, differed: 2 });
  expect(second.asked.filter((asked) => /^\w+ \d/.test(asked))).toEqual([
    // Seen with the invariants before, so the expectations of new and old files are tried.
    expect.stringMatching(/^plain 2 /),
    "plain 3 scenarios/new.yaml",
    "plain 4 scenarios/new.yaml",
    "checked 4 scenarios/new.yaml",
  ]);
  expect(second.asked).not.toContain("checked scenarios/old.yaml");
});
