import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import type { CanaryName } from "../../../../src/proof/fuzz/campaign/canaryNames.ts";
import { type SearchOptions, search } from "../../../../src/proof/fuzz/campaign/search.ts";
import { SEARCH_REPORTERS } from "../../../../src/proof/fuzz/reporters/list.ts";
import { createFolder, projectRoot } from "../../../helpers/project.ts";

function run(options: Partial<SearchOptions> = {}) {
  return search({
    seed: 5,
    profile: "smoke",
    transactions: 3_000,
    isOver: () => false,
    workers: 1,
    caseMs: 60_000,
    invariants: "conservation,openInterest,bookUncrossed,marginAfterAction",
    userInvariants: [],
    model: false,
    isResumed: false,
    from: [],
    failures: join(createFolder(), "failures"),
    failuresMost: 5,
    now: () => 0,
    createWorker: (setup) => new Worker(join(projectRoot, "src/cli/commands/fuzz/worker.ts"), { workerData: setup }),
    onProgress: () => undefined,
    ...options,
  });
}

// Report of a search without paths.
const reportOf = async (options: Partial<SearchOptions>) => SEARCH_REPORTERS.json(await run(options));

// Long enough for cases that start at moments of other cases: each thread stores different venues for them.
test("the result is the same with any number of workers", async () => {
  const [one, two] = [
    await reportOf({ workers: 1, profile: "deep", transactions: 12_000 }),
    await reportOf({ workers: 3, profile: "deep", transactions: 12_000 }),
  ];
  expect(two).toBe(one);
  expect(JSON.parse(one)).toMatchObject({ verdict: "held", transactions: expect.any(Number) });
});

test("a campaign that is stopped and resumed ends like one that never stopped", async () => {
  const corpus = join(createFolder(), "corpus");
  const whole = await reportOf({ profile: "deep", transactions: 12_000 });
  await run({ profile: "deep", corpus, transactions: 9_000 });
  expect(readdirSync(join(corpus, "cases")).length).toBeGreaterThan(10);
  // The stop may be in the middle of a round, which then runs again.
  expect(await reportOf({ profile: "deep", corpus, isResumed: true, transactions: 12_000 })).toBe(whole);
});

test("resuming needs a campaign with the same settings and the same version", async () => {
  const corpus = join(createFolder(), "corpus");
  await expect(run({ corpus, isResumed: true })).rejects.toMatchObject({ code: "CAMPAIGN_MISSING" });
  await run({ corpus, transactions: 100 });
  await expect(run({ corpus, isResumed: true, seed: 6 })).rejects.toMatchObject({ code: "CAMPAIGN_DIFFERS" });
  await expect(run({ corpus, isResumed: true, profile: "swarm" })).rejects.toMatchObject({ code: "CAMPAIGN_DIFFERS" });
  const file = join(corpus, "campaign.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(/"protocolVersion":\d+/, '"protocolVersion":99'));
  await expect(run({ corpus, isResumed: true })).rejects.toMatchObject({ code: "CORPUS_VERSION" });
});

test("a search starts with the cases of its corpus, and with those of read-only folders", async () => {
  const corpus = join(createFolder(), "corpus");
  const first = await run({ corpus });
  const before = readdirSync(corpus, { recursive: true }).length;
  const second = await run({ from: [corpus], seed: 6, transactions: 6_000 });
  expect(second.places).toBeGreaterThanOrEqual(first.places);
  expect(readdirSync(corpus, { recursive: true }).length).toBe(before);
});

test("a planted fault is found, shrunk, written once and counted", async () => {
  const canary: CanaryName = "freeUnit";
  const failures = join(createFolder(), "failures");
  const report = await run({ canary, failures, failuresMost: 1 });
  expect(report).toMatchObject({ verdict: "violated", failures: [{ violation: { invariant: "conservation" } }] });
  expect(readdirSync(failures).length).toBeGreaterThan(0);
  for (const render of Object.values(SEARCH_REPORTERS)) expect(render(report)).toContain("conservation");
});

test("a failure shrinks to the same case on any clock", async () => {
  const shrink = async (now: () => number) => {
    const failures = join(createFolder(), "failures");
    const { failures: found } = await run({ canary: "freeUnit", failures, failuresMost: 1, now });
    const scenarios = readdirSync(failures).filter((name) => name.endsWith(".yaml"));
    return {
      transactions: found[0]?.transactions,
      texts: scenarios.map((name) => readFileSync(join(failures, name), "utf8")),
    };
  };
  let passed = 0;
  const slow = await shrink(() => (passed += 60_000));
  expect(slow.transactions).toBeLessThan(10);
  expect(slow.texts).toHaveLength(1);
  const strip = (texts: readonly string[]) => texts.map((text) => text.replace(/^#.*$/gm, ""));
  const still = await shrink(() => 0);
  expect([slow.transactions, strip(slow.texts)]).toEqual([still.transactions, strip(still.texts)]);
});

test("a search reports the smallest slack of each invariant, and its case", async () => {
  const report = await run();
  expect(report.nearest.map(({ id, unit }) => `${id}: ${unit}`).sort()).toEqual([
    "bookUncrossed: ticks",
    "marginAfterAction: quote units",
  ]);
  for (const { distance, iteration } of report.nearest) {
    expect(distance).toBeGreaterThanOrEqual(0);
    expect(iteration).toBeLessThan(report.iterations);
  }
  for (const name of ["text", "html", "json"] as const)
    expect(SEARCH_REPORTERS[name](report)).toContain("bookUncrossed");
});

test("only a long search reports that it reached too little", async () => {
  expect((await run({ transactions: 100 })).verdict).toBe("held");
});

test("user invariants are checked, and invalid ones are refused before the search starts", async () => {
  const folder = createFolder({
    "mine.mjs": `export default { id: "fewBlocks", sentence: "There are few blocks.", rules: [], when: "block",
      sweep: (state) => (state.height > 20 ? "height " + state.height : undefined) };`,
    "broken.mjs": "export default ;",
    "none.mjs": "export default { id: 'x', sentence: 'x', when: 'block', check() {} };",
  });
  const at = (name: string) => ({ userInvariants: [join(folder, name)], invariants: "" });
  expect(await run({ ...at("mine.mjs"), invariants: "fewBlocks", failuresMost: 1 })).toMatchObject({
    failures: [{ violation: { invariant: "fewBlocks", observed: expect.stringMatching(/^height 2\d$/) } }],
  });
  await expect(run(at("broken.mjs"))).rejects.toMatchObject({ code: "INVARIANT_BROKEN" });
  await expect(run(at("none.mjs"))).rejects.toMatchObject({ code: "INVARIANT_INVALID" });
  await expect(run({ invariants: "nothing" })).rejects.toMatchObject({ code: "INVARIANT_UNKNOWN" });
});
