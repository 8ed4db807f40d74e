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

// What a search says, without where files lie.
const told = async (options: Partial<SearchOptions>) => SEARCH_REPORTERS.json(await run(options));

// Long enough for cases that begin at moments of others: which of these are kept is another matter in each thread.
test("the result is the same with any number of workers", { timeout: 120_000 }, async () => {
  const [one, two] = [
    await told({ workers: 1, profile: "deep", transactions: 12_000 }),
    await told({ workers: 3, profile: "deep", transactions: 12_000 }),
  ];
  expect(two).toBe(one);
  expect(JSON.parse(one)).toMatchObject({ verdict: "held", transactions: expect.any(Number) });
});

test("a campaign that stops and goes on ends like one that never stopped", { timeout: 60_000 }, async () => {
  const corpus = join(createFolder(), "corpus");
  const whole = await told({ profile: "deep", transactions: 12_000 });
  await run({ profile: "deep", corpus, transactions: 9_000 });
  expect(readdirSync(join(corpus, "cases")).length).toBeGreaterThan(10);
  // Also from a stop in the middle of a round, which is done again.
  expect(await told({ profile: "deep", corpus, isResumed: true, transactions: 12_000 })).toBe(whole);
});

test("going on needs a campaign, of the same settings and the same version", async () => {
  const corpus = join(createFolder(), "corpus");
  await expect(run({ corpus, isResumed: true })).rejects.toMatchObject({ code: "CAMPAIGN_MISSING" });
  await run({ corpus, transactions: 100 });
  await expect(run({ corpus, isResumed: true, seed: 6 })).rejects.toMatchObject({ code: "CAMPAIGN_DIFFERS" });
  await expect(run({ corpus, isResumed: true, profile: "swarm" })).rejects.toMatchObject({ code: "CAMPAIGN_DIFFERS" });
  const file = join(corpus, "campaign.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(/"protocolVersion":\d+/, '"protocolVersion":99'));
  await expect(run({ corpus, isResumed: true })).rejects.toMatchObject({ code: "CORPUS_VERSION" });
});

test("a search begins with the cases of its corpus, and with those of folders that it only reads", async () => {
  const corpus = join(createFolder(), "corpus");
  const first = await run({ corpus });
  const before = readdirSync(corpus, { recursive: true }).length;
  const second = await run({ from: [corpus], seed: 6, transactions: 6_000 });
  expect(second.places).toBeGreaterThanOrEqual(first.places);
  expect(readdirSync(corpus, { recursive: true }).length).toBe(before);
});

test("a planted fault is found, made small, written once and counted", { timeout: 60_000 }, async () => {
  const canary: CanaryName = "freeUnit";
  const failures = join(createFolder(), "failures");
  const report = await run({ canary, failures, failuresMost: 1 });
  expect(report).toMatchObject({ verdict: "violated", failures: [{ violation: { invariant: "conservation" } }] });
  expect(readdirSync(failures).length).toBeGreaterThan(0);
  for (const render of Object.values(SEARCH_REPORTERS)) expect(render(report)).toContain("conservation");
});

test("a search tells how near it came to breaking what has a distance, and in which case", async () => {
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

test("a search that ends before it reached anything says so only when it was long enough to mean it", async () => {
  expect((await run({ transactions: 100 })).verdict).toBe("held");
});

test("invariants of the user's own are watched, and what is none is refused before anything runs", async () => {
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
