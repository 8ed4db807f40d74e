import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeOldCopies } from "../../../bench/perpbench/removeOldCopies.ts";
import { createFolder } from "../../helpers/project.ts";

const DAY_MS = 24 * 3_600_000;
const NOW = Date.UTC(2026, 0, 20);

test("copies and drafts that no run has opened for a week are removed, and nothing else", () => {
  const folder = createFolder({ "aaaaaaaaaaaaaaaa/src/a.ts": "", "draft-12/b.ts": "", "results.jsonl": "" });
  for (const name of ["bbbbbbbbbbbbbbbb", "draft-13", "mine", "cccccccccccccccc0"]) mkdirSync(join(folder, name));
  const age = (days: number, ...names: string[]) => {
    for (const name of names)
      utimesSync(join(folder, name), new Date(NOW - days * DAY_MS), new Date(NOW - days * DAY_MS));
  };
  age(8, "aaaaaaaaaaaaaaaa", "draft-12", "mine", "cccccccccccccccc0", "results.jsonl");
  age(6, "bbbbbbbbbbbbbbbb", "draft-13");
  expect(removeOldCopies(folder, NOW)).toEqual(["aaaaaaaaaaaaaaaa", "draft-12"]);
  expect(readdirSync(folder).sort()).toEqual([
    "bbbbbbbbbbbbbbbb",
    "cccccccccccccccc0",
    "draft-13",
    "mine",
    "results.jsonl",
  ]);
});
