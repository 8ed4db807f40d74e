import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { listPages, readCodeBlocks } from "../helpers/pages.ts";
import { projectRoot } from "../helpers/project.ts";

/** The clone's `tsconfig.json`, without the files that it names. */
function readProject() {
  const { config } = ts.readConfigFile(join(projectRoot, "tsconfig.json"), ts.sys.readFile);
  const host = { ...ts.sys, readDirectory: () => [] };
  return {
    include: (config as { include: string[] }).include,
    ...ts.parseJsonConfigFileContent(config, host, projectRoot),
  };
}

/** Faults that the compiler finds in programs that are in no file, by their path in the clone. */
function check(programs: ReadonlyMap<string, string>): string[] {
  // The clone's own options, but for one that few users have: theirs are `strict` and `noUncheckedIndexedAccess`.
  const options = { ...readProject().options, exactOptionalPropertyTypes: false, incremental: false };
  const texts = new Map([...programs].map(([path, text]) => [join(projectRoot, path), text]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()].flatMap((path) => {
    const file = program.getSourceFile(path)!;
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map((fault) => {
      const { line } = file.getLineAndCharacterOfPosition(fault.start ?? 0);
      return `${path.slice(projectRoot.length + 1)}:${line + 1}: ${ts.flattenDiagnosticMessageText(fault.messageText, "\n")}`;
    });
  });
}

const SCRIPT = `
import { createVenueDriver } from "perplab/simulation";
import { fileOutbox } from "perplab/sdk/node";
import { createDevnet } from "perplab/devnet";
export const names: string[] = [createVenueDriver.name, fileOutbox.name, createDevnet.name];
export const wrong: string = createVenueDriver;
`;

// In one compilation, since most of it is reading the sources: a script with a planted fault, and every program of a
// page.
test("programs of the pages compile with strict and noUncheckedIndexedAccess, and a script sees types without a build", () => {
  const blocks = listPages().flatMap((page) => readCodeBlocks(page).filter(({ language }) => language === "ts"));
  expect(blocks.length).toBeGreaterThan(20);
  const programs = blocks.map(({ place, text }) => [`${place.replace(/\W+/g, "-")}.ts`, text] as const);
  const { strict, noUncheckedIndexedAccess } = readProject().options;
  expect({ strict, noUncheckedIndexedAccess }).toEqual({ strict: true, noUncheckedIndexedAccess: true });
  expect(check(new Map([["mine.ts", SCRIPT], ...programs]))).toEqual([
    expect.stringMatching(/^mine\.ts:6: Type '.*' is not assignable to type 'string'/),
  ]);
});

test("an editor takes a script at the top of the clone, and the examples, for part of the project", () => {
  expect(readProject().include).toEqual(expect.arrayContaining(["*.ts", "examples/**/*.ts"]));
});
