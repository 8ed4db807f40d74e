import { join } from "node:path";
import { expect, test } from "vitest";
import { CorpusFolder } from "../../../../src/proof/fuzz/corpus/corpusFolder.ts";
import { runCase } from "../../../../src/proof/fuzz/run/runCase.ts";
import { projectRoot } from "../../../helpers/project.ts";

// The starting cases of every short search, with sweeps at intervals as in a search.
test("every case of the committed corpus passes, twice and after a restart", () => {
  const folder = new CorpusFolder(join(projectRoot, "test/corpus"));
  expect(folder.list().length).toBeGreaterThan(10);
  const oracles = { watch: { sweepEvery: 8, heavyEvery: 64 }, again: true, restored: true };
  for (const name of folder.list()) expect(runCase(folder.read(name), { oracles }).violation, name).toBeUndefined();
});
