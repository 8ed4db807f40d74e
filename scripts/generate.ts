// Writes every generated file again, or with --check lists those that differ. A file of scripts/generate exports
// `path`, relative to the top folder, and `render`, which returns the whole text, or `outputs`, a list of such; sources
// are formatted like all others.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

interface Output {
  readonly path: string;
  render(): string;
}
type Generator = Output | { readonly outputs: readonly Output[] };

const root = join(import.meta.dirname, "..");
const isCheck = process.argv.includes("--check");
const stale: string[] = [];
let files = 0;

for (const file of globSync("scripts/generate/*.ts", { cwd: root }).sort()) {
  const generator = await load(file);
  for (const { path, render } of "outputs" in generator ? generator.outputs : [generator]) {
    const text = format(path, render());
    files++;
    if (text === readOrEmpty(join(root, path))) continue;
    stale.push(path);
    if (isCheck) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

for (const path of stale) console.log(isCheck ? `out of date: ${path} (run \`npm run generate\`)` : `wrote ${path}`);
console.log(`generated: ${files} files, ${stale.length} ${isCheck ? "out of date" : "written"}`);
process.exitCode = isCheck && stale.length > 0 ? 1 : 0;

async function load(file: string): Promise<Generator> {
  try {
    return (await import(pathToFileURL(join(root, file)).href)) as Generator;
  } catch (error) {
    if (!(error instanceof Error && error.name === "SourceFault")) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

function format(path: string, text: string): string {
  // Vectors have the format of JSON.stringify: other tools can produce them again.
  if (!/\.(ts|json)$/.test(path) || path.startsWith("test/vectors/")) return text;
  const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
  const ended = spawnSync(process.execPath, [biome, "format", `--stdin-file-path=${path}`], {
    cwd: root,
    input: text,
    encoding: "utf8",
  });
  if (ended.status !== 0) throw new Error(`${path} cannot be formatted: ${ended.stderr}`);
  return ended.stdout;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
