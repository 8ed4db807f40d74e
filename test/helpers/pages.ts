import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Ended, projectRoot, runNode, writeFiles } from "./project.ts";

/** A block of code on a page. */
export interface CodeBlock {
  /** Page and line of the opening fence. */
  readonly place: string;
  readonly language: string;
  /** The file named by the code block, after its language; empty for none. */
  readonly file: string;
  readonly text: string;
}

/** A page of Python alone, and those with samples in both languages: `python/tests/test_guide.py` runs their blocks. */
const PYTHON_PAGE = "docs/guides/python.md";
export const PYTHON_PAGES: readonly string[] = [PYTHON_PAGE, "docs/guides/sdk.md", "docs/guides/devnet.md"];

/** The pages whose code blocks run as tests. */
export function listPages(): string[] {
  const guides = globSync("docs/guides/**/*.md", { cwd: projectRoot }).sort();
  return ["README.md", "docs/contributing.md", ...guides.filter((page) => page !== PYTHON_PAGE)];
}

/** The fenced blocks of a page, in order. */
export function readCodeBlocks(
  page: string,
  text: string = readFileSync(join(projectRoot, page), "utf8"),
): CodeBlock[] {
  return [...text.matchAll(/^```(\w*)(?: ([\w.-]+))?\n(.*?)^```$/gms)].map((match) => ({
    place: `${page}:${text.slice(0, match.index).split("\n").length}`,
    language: match[1] ?? "",
    file: match[2] ?? "",
    text: match[3] ?? "",
  }));
}

/**
 * Languages that nothing runs here: pictures, output, data; and pages for browsers, which `browserPage.test.ts` opens.
 */
const SHOWN: readonly string[] = ["text", "mermaid", "json", "yaml", "csv", "html", "js"];

/**
 * Runs a block as a reader would, in `folder`: a block that is a file is written, a `ts` block runs as a file of its
 * own that imports `perplab/…`, the lines of an `sh` block run one by one, `node bin/perplab.js …` as the one of this
 * clone. Lines that start with `npm` are left to the tests of the manifest and the continuous check.
 *
 * @returns the first run that failed; undefined when everything ran
 */
export function runCodeBlock({ place, language, file, text }: CodeBlock, folder: string): Ended | undefined {
  if (file !== "") writeFiles(folder, { [file]: text });
  if (SHOWN.includes(language)) return undefined;
  if (language === "python" && PYTHON_PAGES.some((page) => place.startsWith(`${page}:`))) return undefined;
  if (language === "ts") {
    const program = file === "" ? `block-${place.replace(/\W+/g, "-")}.ts` : file;
    writeFiles(folder, { [program]: text });
    const preload = pathToFileURL(join(projectRoot, "test/helpers/selfImports.ts")).href;
    return failed(runNode(["--import", preload, program], { cwd: folder }));
  }
  if (language !== "sh") return { status: 1, stdout: "", stderr: `${place}: no way to run "${language}"` };
  for (const line of text.replaceAll(/ *\\\n */g, " ").split("\n")) {
    if (line === "" || line.startsWith("#") || line.startsWith("npm ")) continue;
    const [program, name, ...args] = splitWords(line);
    if (program !== "node" || name !== "bin/perplab.js")
      return { status: 1, stdout: "", stderr: `${place}: no way to run "${line}"` };
    const ended = failed(runNode([join(projectRoot, "bin/perplab.js"), ...args], { cwd: folder }));
    if (ended !== undefined) return ended;
  }
  return undefined;
}

/** The words of a line as a shell splits it: quotes keep a word together. */
function splitWords(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}

function failed(ended: Ended): Ended | undefined {
  return ended.status === 0 ? undefined : ended;
}
