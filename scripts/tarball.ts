import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { root, runNpm } from "./runtimes.ts";

/**
 * The package as npm packs it, built from scratch. Packing builds, which takes longer than most checks of the result:
 * where `PERPLAB_TARBALL` names a file, the first check writes it and the later ones use it.
 *
 * @param folder where the tarball is written if no file is named
 * @returns path of the tarball
 */
export function packOnce(folder: string): string {
  const named = process.env["PERPLAB_TARBALL"];
  if (named !== undefined && existsSync(named)) return named;
  const packed = runNpm(["pack", "--silent", "--pack-destination", folder], { cwd: root });
  if (packed.status !== 0) throw new Error(`npm pack failed:\n${packed.stdout}\n${packed.stderr}`);
  const tarball = join(folder, packed.stdout.trim().split("\n").at(-1) ?? "");
  if (named === undefined) return tarball;
  copyFileSync(tarball, named);
  return named;
}
