import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `src` in a clone, `dist` in the package. */
export const CODE_ROOT = join(import.meta.dirname, "../../..");

/** Files of these folders that only show a result. */
const SHOWING = /^product\/report\/(html|text|rules)\//;

/** Folders whose code decides the result of a run, or what its record holds. */
const FOLDERS: readonly string[] = [
  "ground",
  "protocol",
  "client/strategy",
  "client/signing",
  "venue",
  "product/market-data",
  "product/replay",
  "product/backtest",
  "product/report",
  "product/research/runs",
];

/** Folders whose code decides the result of any job: of a case, of paths, of a scenario. */
export const ALL_FOLDERS: readonly string[] = ["ground", "protocol", "client", "venue", "product", "proof", "cli/jobs"];

/**
 * SHA-256, as hex, of perplab's own code: with another version of it, a run is another run. Clone and package differ.
 *
 * @param folders folders whose code counts; by default those that decide the result of a run
 */
export function hashCode(root = CODE_ROOT, folders = FOLDERS): string {
  const hash = createHash("sha256");
  for (const folder of folders) {
    for (const file of listCode(join(root, folder))) {
      if (SHOWING.test(`${folder}/${file}`)) continue;
      hash.update(`${folder}/${file}\n`);
      hash.update(readFileSync(join(root, folder, file)));
    }
  }
  return hash.digest("hex");
}

function listCode(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith(".d.ts"))
    .sort();
}
