import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROOFS } from "../../scripts/coverage/statementProofs.ts";
import { SECTIONS } from "../../scripts/coverage/statements.ts";
import { projectRoot } from "../helpers/project.ts";

const ids = SECTIONS.flatMap(({ statements }) => statements.map(({ id }) => id));

test("every statement of the specification has a proof, and every proof a statement", () => {
  expect(ids.filter((id) => (PROOFS[id] ?? []).length === 0)).toEqual([]);
  expect(Object.keys(PROOFS).filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every proof exists under its name", () => {
  for (const proof of Object.values(PROOFS).flat()) {
    if (typeof proof === "string") {
      expect(existsSync(join(projectRoot, proof)), proof).toBe(true);
      continue;
    }
    const [file, name] = proof;
    expect(readFileSync(join(projectRoot, file), "utf8"), `${file}: ${name}`).toContain(JSON.stringify(name));
  }
});
