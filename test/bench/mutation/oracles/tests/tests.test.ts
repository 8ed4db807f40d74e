import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { orderByLot } from "../../../../../bench/mutation/drawMutants.ts";
import type { Mutant } from "../../../../../bench/mutation/instrument.ts";
import type { OracleCopy } from "../../../../../bench/mutation/oracles/openCopy.ts";
import type { JobRunner } from "../../../../../bench/mutation/oracles/runners.ts";
import { runTestOracle } from "../../../../../bench/mutation/oracles/tests/tests.ts";
import type { Kill, KillJob, ReachJob, RoundResult } from "../../../../../bench/mutation/oracles/tests/testWorker.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-oracle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mutants = new Map([1, 2, 3, 4, 5].map((number) => [number, { key: `k${number}` } as Mutant]));
const copy: OracleCopy = { version: "v", mutants, total: 9, keys: [], folder, hash: "h", worker: "" };
const PARTS = ["ground", "protocol", "venue", "proof"].map((room) => `src/${room}`);
for (const part of [
  ...PARTS,
  ...[
    "ground",
    "protocol",
    "venue",
    "proof/invariants",
    "proof/model",
    "golden",
    "helpers",
    "reference",
    "vectors",
  ].map((room) => `test/${room}`),
])
  mkdirSync(join(folder, part), { recursive: true });
writeFileSync(join(folder, "test", "slow.json"), '[{ "file": "test/venue/slow.test.ts", "reason": "" }]');
for (const file of ["venue/a.test.ts", "venue/slow.test.ts", "golden/g.test.ts"])
  writeFileSync(join(folder, "test", file), "");

const seen = (list: readonly number[]) => list.map((mutant) => ({ mutant, ran: 1, differed: 1 }));
const at = (file: string, list: readonly number[]) => [
  { file, id: file, title: "", cpuMs: 1, before: [], seen: seen(list) },
];

/** In place of processes: `killed` are red with a test of the file. */
function fake(killed: Readonly<Record<string, readonly number[]>>, most = 99, fault?: string) {
  const asked: (ReachJob | KillJob)[] = [];
  const runner: JobRunner = async ({ jobs, onDone }) => {
    for (const job of jobs) {
      if (asked.length >= most) throw new Error("stopped");
      const one = job as unknown as ReachJob | KillJob;
      asked.push(one);
      const done =
        one.kind === "reach"
          ? {
              kind: "reach",
              first: at(one.files[0]!, [1, 2, 3, 4]),
              second: at(one.files[0]!, [1, 2, 3, 4]),
              seconds: 2,
              fault,
            }
          : toKill(one, killed);
      onDone(done as never, job);
    }
  };
  return { asked, runners: { here: runner, mutants: runner } };
}

function toKill({ mutant, rounds }: KillJob, killed: Readonly<Record<string, readonly number[]>>): Kill {
  const results: RoundResult[] = [];
  for (const { mode, steps } of rounds) {
    const file = steps[0]?.parts[0]?.file ?? "";
    const isKilled = killed[file]?.includes(mutant) === true;
    const killer = { file, id: file, kind: "test", what: "red" } as const;
    results.push({ mode, tests: 1, seconds: 1, ...(isKilled ? { killer } : {}) });
    if (isKilled) break;
  }
  return { kind: "kill", results };
}

let equivalent = "";

const run = (name: string, { runners }: ReturnType<typeof fake>, only = "") =>
  runTestOracle(copy, {
    seed: 1,
    runners,
    progress: join(folder, name),
    only,
    report: false,
    isEquivalent: (key) => key === equivalent,
    say: () => undefined,
  });

test("the recorded roots are asked only where no other test fails, and slow tests never", async () => {
  const one = fake({ "test/venue/a.test.ts": [1, 2], "test/golden/g.test.ts": [2, 3] });
  const { fates, proofs, cost } = await run("all.jsonl", one);
  expect(proofs).toBe(2);
  expect([1, 2, 3, 4, 5].map((mutant) => fates.get(mutant)?.killer?.mode)).toEqual([
    "plain",
    "plain",
    "checked",
    undefined,
    undefined,
  ]);
  expect(fates.get(4)).toMatchObject({ reached: 2, differed: 2 });
  expect(fates.get(5)).toMatchObject({ reached: 0, differed: 0 });
  const kills = one.asked.filter((job) => job.kind === "kill");
  expect(kills.map(({ rounds }) => rounds.length)).toEqual([2, 2, 2, 2, 2]);
  expect(cost).toEqual({ reach: 4, mutant: 8 / 5 });
  expect(JSON.stringify(one.asked)).not.toContain("slow.test.ts");
});

test("a stopped measurement has the fates of the first mutants in the order of their lot, and resumes with the others", async () => {
  const kills = { "test/venue/a.test.ts": [1, 2, 3] };
  await expect(run("stopped.jsonl", fake(kills, 4))).rejects.toThrow("stopped");
  const order = orderByLot(mutants, 1);
  // Asked for none, it reports what is kept: two mutants after two runs without one.
  const { fates } = await run("stopped.jsonl", fake(kills), "none of them");
  expect([...fates.keys()]).toEqual(order.slice(0, 2));
  // A later one that is known, too, does not make the sample larger.
  await run("stopped.jsonl", fake(kills), mutants.get(order[3]!)!.key);
  expect((await run("stopped.jsonl", fake(kills), "none of them")).fates.size).toBe(2);
  const rest = fake(kills);
  expect((await run("stopped.jsonl", rest)).fates.size).toBe(5);
  expect(rest.asked.map((job) => (job as KillJob).mutant)).toEqual([order[2], order[4]]);
});

test("a mutant that is explained as equivalent comes last", async () => {
  const [first] = orderByLot(mutants, 1);
  equivalent = mutants.get(first!)!.key;
  const one = fake({});
  const { fates } = await run("last.jsonl", one);
  equivalent = "";
  expect([...fates.keys()]).toEqual([...orderByLot(mutants, 1).slice(1), first]);
  expect(one.asked.at(-1)).toMatchObject({ mutant: first });
});

test("a test that is red without a mutant ends the measurement with its name", async () => {
  await expect(run("red.jsonl", fake({}, 99, "test/venue/a.test.ts (test): no"))).rejects.toThrow(
    "red without a mutant: test/venue/a.test.ts (test): no",
  );
});

test("the order of the lot depends on the seed and on the keys alone", () => {
  const order = orderByLot(mutants, 1);
  expect(new Set(order).size).toBe(5);
  expect(orderByLot(mutants, 2)).not.toEqual(order);
  const others = new Map([...mutants, [6, { key: "k6" } as Mutant]]);
  expect(orderByLot(others, 1).filter((mutant) => mutant !== 6)).toEqual(order);
});
