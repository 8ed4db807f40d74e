import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findMisquotes } from "../../scripts/coverage/quotations.ts";
import { readSpecification, type Specification } from "../../scripts/coverage/readSpecification.ts";
import { PROOFS } from "../../scripts/coverage/statementProofs.ts";
import { NO_STATEMENTS, OPEN, SECTIONS, type StatementSection } from "../../scripts/coverage/statements.ts";
import { render } from "../../scripts/generate/traceability.ts";
import { projectRoot } from "../helpers/project.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
const specification = JSON.parse(read("scripts/coverage/specification.json")) as Specification;
const ids = SECTIONS.flatMap(({ statements }) => statements.map(({ id }) => id));
/** The document itself, for machines that have it: the repository has its sentences. */
const document = process.env["PERPLAB_SPECIFICATION"];

test("every statement of the specification has a proof or is listed as open, and every proof a statement", () => {
  expect(ids.filter((id) => (PROOFS[id] ?? []).length === 0 && OPEN[id] === undefined)).toEqual([]);
  expect([...Object.keys(PROOFS), ...Object.keys(OPEN)].filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const missing of Object.values(OPEN)) expect(missing.length).toBeGreaterThan(10);
});

test("every proof exists under its name", () => {
  for (const proof of Object.values(PROOFS).flat()) {
    if (typeof proof === "string") {
      expect(existsSync(join(projectRoot, proof)), proof).toBe(true);
      continue;
    }
    const [file, name] = proof;
    expect(read(file), `${file}: ${name}`).toContain(JSON.stringify(name));
  }
});

test("the page counts open rows on top, and marks each with what is missing", () => {
  const page = render();
  const open = Object.keys(OPEN).length;
  expect(page).toContain(`${ids.length} statements: ${ids.length - open} proven, ${open} open.`);
  for (const [id, missing] of Object.entries(OPEN)) {
    expect(page.split("\n").find((line) => line.startsWith(`| ${id} |`))).toContain(`**open**: ${missing}`);
  }
});

describe("statements", () => {
  test("quote the specification, each in its section, and all of it", () => {
    expect(specification.flatMap(({ sentences }) => sentences).length).toBeGreaterThan(190);
    expect(findMisquotes(specification, SECTIONS, NO_STATEMENTS)).toEqual([]);
  });

  test.skipIf(document === undefined)(
    "have the sentences of the document itself (PERPLAB_SPECIFICATION names it)",
    () => {
      expect(readSpecification(readFileSync(document!, "utf8"))).toEqual(specification);
    },
  );

  // A guard is tested by breaking what it guards.
  const edit = (id: string, says: string): readonly StatementSection[] =>
    SECTIONS.map((section) => ({
      ...section,
      statements: section.statements.map((row) => (row.id === id ? { id, says } : row)),
    }));

  test.each([
    ["VER-6", "A TypeScript SDK exists where a supported release is listed; direct integration is allowed."],
    ["VER-6", "TypeScript and Python SDKs exist when a supported release is listed."],
    ["SVC-2", "Every state-changing action is a typed signed transaction"],
    ["ATH-3", "correct account"],
    ["LMT-1", "`Idempotency-Key` length | 16 to 63 characters"],
    ["RES-7", "validators | none | active validator set"],
    ["SVC-10", "A long position gains when the market price rises above the entry price."],
  ])("are refused where they differ: %s as %j", (id, says) => {
    expect(findMisquotes(specification, edit(id, says), NO_STATEMENTS)).not.toEqual([]);
  });

  test("are refused where the specification has a sentence more, or another title", () => {
    const [first, ...others] = specification;
    const more = [
      first!,
      { ...others[0]!, sentences: [...others[0]!.sentences, "Orders are free."] },
      ...others.slice(1),
    ];
    expect(findMisquotes(more, SECTIONS, NO_STATEMENTS)).toEqual(["nothing quotes: Orders are free."]);
    const renamed = specification.map((part) => (part.title === "Nonce" ? { ...part, title: "Nonces" } : part));
    expect(findMisquotes(renamed, SECTIONS, NO_STATEMENTS)).toContain('no section quotes "Nonces"');
    expect(findMisquotes(specification, SECTIONS, [...NO_STATEMENTS, "Something else."])).toHaveLength(1);
  });
});

test("a document is read by sentence and by table row", () => {
  const text =
    "# Title\n\n1. One is so. `GET /x` is another; and more.\n\n## Part\n\n| a | b |\n|---|---|\n| `x` | 1, 2 |\n| y | |\n";
  expect(readSpecification(text)).toEqual([
    { title: "Title", sentences: ["One is so.", "`GET /x` is another; and more."] },
    { title: "Part", sentences: ["`x` | 1, 2", "y"] },
  ]);
});
