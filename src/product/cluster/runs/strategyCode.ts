import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { bundleStrategies, type StrategySource } from "../../research/bundle/bundledStrategy.ts";
import { toCanonicalJson } from "../../research/runs/job.ts";
import { describePackage } from "../../research/runs/strategyHash.ts";
import { type Content, createContent } from "../queue/contents.ts";
import { ClusterError } from "../queue/errors.ts";

/** Most characters of a strategy's files together. */
const CODE_MOST = 4_000_000;

/** The code of a strategy as it is sent: the name of an example, or files. */
interface PackedStrategy {
  readonly id: string;
  readonly example: string | null;
  readonly entry: string | null;
  readonly files: Readonly<Record<string, string>>;
  /** Imported packages as `name@version`. They are not sent; the worker must have them. */
  readonly packages: readonly string[];
}

/** The code of a strategy, ready to be sent. */
export interface StrategyCode {
  /** See `hashStrategy`. */
  readonly hash: string;
  readonly content: Content;
  /** Folder of its files on this machine; undefined for an example. */
  readonly home: string | undefined;
}

/** SHA-256 of each content by the hash of its strategy, as a task needs them. */
export function nameCodes(codes: readonly StrategyCode[]): Readonly<Record<string, string>> {
  return Object.fromEntries(codes.map(({ hash, content }) => [hash, content.sha256]));
}

/** Placeholder for the folder of a strategy in a result. A failure then names the same place on every machine. */
const markOf = (sha256: string) => `strategy-home-${sha256}`;
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * Replaces folders of this machine in a text of JSON by placeholders.
 *
 * @param homes folders by the SHA-256 of their content
 */
export function hideHomes(json: string, homes: ReadonlyMap<string, string>): string {
  let hidden = json;
  for (const [sha256, home] of homes) hidden = hidden.replaceAll(inJson(home), markOf(sha256));
  return hidden;
}

/** Replaces the placeholders of `hideHomes` by the folders of this machine. */
export function showHomes(json: string, codes: readonly StrategyCode[]): string {
  let shown = json;
  for (const { content, home } of codes) {
    if (home !== undefined) shown = shown.replaceAll(markOf(content.sha256), inJson(home));
  }
  return shown;
}

/**
 * Packs the code of a strategy into one text. Equal code gives an equal text.
 *
 * @throws {ClusterError} CODE_LARGE
 */
export function packStrategy(hash: string, source: StrategySource): StrategyCode {
  const { modules, code } = bundleStrategies([source]);
  const { example, entry } = modules[0]!;
  const packed: PackedStrategy = { id: source.id, example, entry, ...code };
  const content = createContent(toCanonicalJson(packed));
  const home = entry === null ? undefined : source.path.slice(0, -entry.length - 1);
  if (content.text.length <= CODE_MOST) return { hash, content, home };
  const files = Object.entries(code.files).sort(([, a], [, b]) => b.length - a.length);
  throw new ClusterError("CODE_LARGE", `the strategy's files have more than ${CODE_MOST / 1e6} MB together`, {
    place: files[0]?.[0],
    hint: "put large data into the tape, and let the strategy read it there",
  });
}

/** Folder of the unpacked code of a strategy. */
export function homeOf(folder: string, sha256: string): string {
  return join(folder, sha256);
}

/**
 * Writes the code of a strategy into a folder of its own, unless it is there. That folder lies below the packages that
 * the strategy imports, so that Node finds them.
 *
 * @param folder   for the code of all strategies
 * @param examples returns the path of an example by its name
 * @returns path of the module
 * @throws {ClusterError} CODE_BROKEN if a package is missing or has another version
 */
export async function unpackStrategy(
  { sha256, text }: Content,
  folder: string,
  examples: (name: string) => string | undefined,
): Promise<string> {
  const { id, example, entry, files, packages } = JSON.parse(text) as PackedStrategy;
  if (example !== null) {
    const path = examples(example);
    if (path !== undefined) return path;
    throw new ClusterError("CODE_BROKEN", `there is no example ${example}`, { place: id });
  }
  checkPackages(id, packages, folder);
  const home = homeOf(folder, sha256);
  if (!existsSync(home)) await writeAll(home, files);
  return join(home, entry ?? "");
}

function checkPackages(place: string, packages: readonly string[], folder: string): void {
  const nameOf = (text: string) => text.replace(/(?<=.)@.*$/, "");
  const others = packages.filter((wanted) => describePackage(nameOf(wanted), folder) !== wanted);
  if (others.length === 0) return;
  const found = others.map((wanted) => `${wanted} (here ${describePackage(nameOf(wanted), folder)})`);
  throw new ClusterError(
    "CODE_BROKEN",
    `the strategy needs packages that this worker does not have: ${found.join(", ")}`,
    {
      place,
      hint: "install them in a folder above --cache; by default, the folder in which the worker is started",
    },
  );
}

/** Writes a folder as a whole or not at all, since several threads and processes may unpack the same code at once. */
async function writeAll(home: string, files: Readonly<Record<string, string>>): Promise<void> {
  const part = `${home}.${process.pid}.${Math.floor(performance.now() * 1e3)}.part`;
  for (const [name, text] of Object.entries(files)) {
    const path = join(part, name);
    if (!path.startsWith(part + sep))
      throw new ClusterError("CODE_BROKEN", `the file ${name} is outside of its folder`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await rename(part, home).catch(async (error: NodeJS.ErrnoException) => {
    await rm(part, { recursive: true, force: true });
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  });
}
