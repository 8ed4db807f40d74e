import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Ended, projectRoot, runNode, writeFiles } from "./project.ts";

/** A block of code on a page. */
export interface CodeBlock {
  /** Page and line of the opening fence. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

/** The pages whose code blocks run as tests. */
export function listPages(): string[] {
  return ["README.md", ...globSync("docs/guides/**/*.md", { cwd: projectRoot }).sort()];
}

/** The fenced blocks of a page, in order. */
export function readCodeBlocks(
  page: string,
  text: string = readFileSync(join(projectRoot, page), "utf8"),
): CodeBlock[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ index, 1: language = "", 2: body = "" }) => ({
    place: `${page}:${text.slice(0, index).split("\n").length}`,
    language,
    text: body,
  }));
}

/** Languages that nothing runs: pictures and output. */
const SHOWN: readonly string[] = ["text", "mermaid", "json", "yaml", "csv"];

/**
 * Runs a block as a reader would, in `folder`: a `ts` block as a file of its own that imports `perplab/…`, the lines of
 * an `sh` block one by one. Lines that start with `npm` are left to the tests of the manifest and the continuous check.
 *
 * @returns the first run that failed; undefined when everything ran
 */
export function runCodeBlock({ place, language, text }: CodeBlock, folder: string): Ended | undefined {
  if (SHOWN.includes(language)) return undefined;
  if (language === "ts") {
    const file = `block-${place.replace(/\W+/g, "-")}.ts`;
    writeFiles(folder, { [file]: text });
    const preload = pathToFileURL(join(projectRoot, "test/helpers/selfImports.ts")).href;
    return failed(runNode(["--import", preload, file], { cwd: folder }));
  }
  if (language !== "sh") return { status: 1, stdout: "", stderr: `${place}: no way to run "${language}"` };
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#") || line.startsWith("npm ")) continue;
    const [program, ...args] = line.split(" ");
    if (program !== "perplab") return { status: 1, stdout: "", stderr: `${place}: no way to run "${line}"` };
    const ended = failed(runNode([join(projectRoot, "bin/perplab.js"), ...args], { cwd: folder }));
    if (ended !== undefined) return ended;
  }
  return undefined;
}

function failed(ended: Ended): Ended | undefined {
  return ended.status === 0 ? undefined : ended;
}
