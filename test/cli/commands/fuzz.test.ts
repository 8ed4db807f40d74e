import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSeed } from "../../../src/cli/commands/fuzz/seed.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

const FEW = ["--seed", "3", "--tx", "800", "--workers", "1", "--invariants", "conservation,openInterest"] as const;

test("run ends with 0 when everything held, and says what was done", async () => {
  const { exitCode, out } = await callCli("fuzz", "run", ...FEW);
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^action +calls +applied/);
  expect(out).toContain("everything held");
});

test("run ends with 1 when something is broken, and what it wrote fails again", async () => {
  const failures = join(createFolder(), "failures");
  const found = await callCli("fuzz", "run", ...FEW, "--canary", "freeUnit", "--failures", failures, "--fail-fast");
  expect(found).toMatchObject({ exitCode: 1, err: expect.stringContaining("SEARCH_VIOLATED") });
  const file = readdirSync(failures).find((name) => name.endsWith(".case"));
  // Without the planted fault nothing is wrong with it.
  const again = await callCli("fuzz", "replay", join(failures, file!), "--invariants", "conservation");
  expect(again).toMatchObject({ exitCode: 0, out: expect.stringContaining("everything holds") });
  const shown = await callCli("fuzz", "show", join(failures, file!), "--to", "3");
  expect(shown.out).toContain("block 1, ");
});

// Every search with all invariants on begins with the search for each planted fault, `npm run fuzz:smoke` among them.
test("run ends with 3 when a planted fault is not found", async () => {
  const blind = await callCli("fuzz", "run", ...FEW, "--canary", "lateTrigger");
  expect(blind).toMatchObject({ exitCode: 3, err: expect.stringContaining("SEARCH_VACUOUS") });
  expect(blind.out).toContain("planted and not found: lateTrigger");
});

test("a corpus is stored, listed, replayed and minimised", async () => {
  const folder = createFolder();
  const [corpus, small] = [join(folder, "corpus"), join(folder, "small")];
  expect((await callCli("fuzz", "run", ...FEW, "--corpus", corpus)).exitCode).toBe(0);
  const listed = JSON.parse((await callCli("fuzz", "show", corpus, "--json")).out);
  expect(listed.length).toBeGreaterThan(3);
  expect((await callCli("fuzz", "cmin", corpus, "--out", small)).out).toMatch(
    /^\d+ of \d+ cases reach what all of them do$/,
  );
  expect(readdirSync(join(small, "cases")).length).toBeLessThanOrEqual(listed.length);
  const replayed = await callCli("fuzz", "replay", small, "--invariants", "conservation", "--json");
  expect(JSON.parse(replayed.out).every(({ violation }: { violation: unknown }) => violation === null)).toBe(true);
  expect((await callCli("fuzz", "cmin", small, "--in-place")).exitCode).toBe(0);
  expect((await callCli("fuzz", "cmin", small)).exitCode).toBe(2);
});

test.each([
  ["threw", "throw new Error('mine');"],
  ["changed the venue", "state.accounts.collateral[0]++;"],
])("an invariant of the user whose check %s is reported as faulty", async (fault, body) => {
  const folder = createFolder({
    "mine.mjs": `export default { id: "mine", sentence: "Mine.", rules: [], when: "block", sweep(state) { ${body} } };`,
  });
  const args = ["--user-invariants", join(folder, "mine.mjs"), "--invariants", "mine", "--fail-fast"];
  const called = await callCli(
    "fuzz",
    "run",
    "--seed",
    "1",
    "--tx",
    "2000",
    "--workers",
    "1",
    ...args,
    "--failures",
    folder,
  );
  expect(called).toMatchObject({ exitCode: 1, err: expect.stringContaining("INVARIANT_FAILED") });
  expect(called.err).toContain(fault);
});

// Also while planted faults are looked for, which comes first where all invariants are watched.
test.each([["alone", ["--invariants", "mine"]] as const, ["with all others", []] as const])(
  "an invariant of the user that never returns, %s, ends the search, and its case is kept",
  async (_, patterns) => {
    const folder = createFolder({
      "mine.mjs": `export default { id: "mine", sentence: "Mine.", rules: [], when: "block", sweep({ height }) { while (height > 2); } };`,
    });
    const [mine, out] = [join(folder, "mine.mjs"), join(folder, "report.xml")];
    const args = ["--seed", "1", "--tx", "2000", "--workers", "1", "--case-timeout", "2s", "--user-invariants", mine];
    const called = await callCli(
      "fuzz",
      "run",
      ...args,
      ...patterns,
      "--failures",
      folder,
      "--format",
      "junit",
      "--out",
      out,
    );
    expect(called).toMatchObject({ exitCode: 1, err: expect.stringContaining("SEARCH_VIOLATED") });
    expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^everythingEnds-[0-9a-f]{8}\.case$/));
    expect(readFileSync(out, "utf8")).toMatch(
      /everythingEnds is broken at block [34]: the case did not end within 2 s; this is the last block that had started/,
    );
  },
);

test("tmin shrinks a failing case, and refuses one that does not fail", async () => {
  const folder = createFolder({
    "mine.mjs": `export default { id: "fewAccounts", sentence: "There are few accounts.", rules: [], when: "block",
      sweep: (state) => (state.orders.rows.count > 2 ? "orders " + state.orders.rows.count : undefined) };`,
  });
  const mine = join(folder, "mine.mjs");
  const args = ["--user-invariants", mine, "--invariants", "fewAccounts", "--fail-fast", "--failures", folder];
  expect((await callCli("fuzz", "run", "--seed", "1", "--tx", "5000", "--workers", "1", ...args)).exitCode).toBe(1);
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith(".case"))!);
  const small = join(folder, "small.case");
  const shown = await callCli(
    "fuzz",
    "tmin",
    file,
    "--user-invariants",
    mine,
    "--out",
    small,
    "--time",
    "4s",
    "--json",
  );
  expect(shown.exitCode).toBe(0);
  const { genes, genesBefore, violation } = JSON.parse(shown.out);
  expect(genes).toBeLessThan(genesBefore);
  expect(violation.invariant).toBe("fewAccounts");
  expect((await callCli("fuzz", "replay", small, "--user-invariants", mine)).exitCode).toBe(1);
  expect(await callCli("fuzz", "tmin", small, "--time", "1s")).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining("CASE_HOLDS"),
  });
});

test("reports go to a file in every format", async () => {
  const folder = createFolder();
  for (const [format, begin] of [
    ["json", "{"],
    ["junit", "<?xml"],
    ["html", "<!doctype html>"],
    ["github", "seed 3"],
  ] as const) {
    const file = join(folder, `report.${format}`);
    expect((await callCli("fuzz", "run", ...FEW, "--format", format, "--out", file)).exitCode, format).toBe(0);
    expect(readFileSync(file, "utf8").startsWith(begin), format).toBe(true);
  }
  for (const [name, begin, ...words] of [
    ["by-ending.html", "<!doctype html>"],
    ["by-ending.json", "{"],
    ["named.html", "seed 3", "--format", "github"],
  ] as const) {
    const file = join(folder, name);
    expect((await callCli("fuzz", "run", ...FEW, "--out", file, ...words)).exitCode, name).toBe(0);
    expect(readFileSync(file, "utf8").startsWith(begin), name).toBe(true);
  }
});

test("a wrong call ends with 2", async () => {
  const folder = createFolder({ "not.case": "nothing" });
  for (const [args, code] of [
    [["run", "--tx", "many"], "OPTION_INVALID"],
    [["run", "--time", "10"], "OPTION_INVALID"],
    [["run", "--seed", "-1"], "OPTION_INVALID"],
    [["run", "--seed", "4294967296"], "OPTION_INVALID"],
    [["run", "--profile", "huge"], "OPTION_INVALID"],
    [["run", "--invariants", "nothing"], "INVARIANT_UNKNOWN"],
    [["run", "--resume"], "OPTION_INVALID"],
    [["run", "--resume", "--corpus", join(folder, "none")], "CAMPAIGN_MISSING"],
    [["replay", join(folder, "not.case")], "CASE_MALFORMED"],
    [["replay", join(folder, "gone.case")], "FILE_MISSING"],
    [["replay", folder], "CORPUS_MISSING"],
    [["cmin", folder, "--out", folder], "OPTION_INVALID"],
  ] as const) {
    const { exitCode, err } = await callCli("fuzz", ...args);
    expect([exitCode, err.includes(code)], `${args.join(" ")}\n${err}`).toEqual([2, true]);
  }
});

test("a corpus of another version is refused with its code and stays as it is", async () => {
  const corpus = join(createFolder(), "corpus");
  await callCli("fuzz", "run", ...FEW, "--corpus", corpus);
  const index = join(corpus, "index.json");
  writeFileSync(index, readFileSync(index, "utf8").replace(/"protocolVersion": \d+/, '"protocolVersion": 99'));
  const files = readdirSync(corpus, { recursive: true });
  for (const args of [
    ["run", ...FEW, "--corpus", corpus],
    ["show", corpus],
    ["replay", corpus],
  ]) {
    const { exitCode, err } = await callCli("fuzz", ...args);
    expect([exitCode, err.includes("CORPUS_VERSION")]).toEqual([2, true]);
  }
  expect(readdirSync(corpus, { recursive: true })).toEqual(files);
});

test("a seed is a number, the hash of a commit, or the commit that is checked out", () => {
  expect(readSeed("0")).toBe(0);
  expect(readSeed("4294967295")).toBe(4_294_967_295);
  expect(readSeed(`0000002a${"f".repeat(32)}`)).toBe(42);
  expect(readSeed("commit")).toBe(readSeed("commit"));
  for (const text of ["01", "1.5", "abc", "", "4294967296"]) {
    expect(() => readSeed(text), text).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  }
});
