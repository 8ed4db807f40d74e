import { join } from "node:path";
import { expect, test } from "vitest";
import { CorpusFolder } from "../../../../src/proof/fuzz/corpus/corpusFolder.ts";
import { runCase } from "../../../../src/proof/fuzz/run/runCase.ts";
import { projectRoot } from "../../../helpers/project.ts";

// The cases that every short search begins with; with sweeps now and then, as a search has them.
test("every case of the committed corpus holds, twice and after a restore", { timeout: 60_000 }, () => {
  const folder = new CorpusFolder(join(projectRoot, "test/corpus"));
  expect(folder.list().length).toBeGreaterThan(10);
  const oracles = { watch: { sweepEvery: 8, heavyEvery: 64 }, again: true, restored: true };
  for (const name of folder.list()) expect(runCase(folder.read(name), { oracles }).violation, name).toBeUndefined();
});
