import { Random } from "../../src/math/random.ts";
import type { Mutant } from "./instrument.ts";

/**
 * Draws mutants of several files: from each as many as its share of all of them, one at least, so that small files are
 * not left out. The same seed draws the same.
 *
 * @returns in order of file and place
 */
export function drawMutants(byFile: ReadonlyMap<string, readonly Mutant[]>, count: number, seed: number): Mutant[] {
  const files = [...byFile].filter(([, mutants]) => mutants.length > 0);
  const total = files.reduce((sum, [, mutants]) => sum + mutants.length, 0);
  const shares = files.map(([file, mutants]) => {
    const exact = (mutants.length * count) / total;
    const least = Math.min(mutants.length, Math.max(1, Math.floor(exact)));
    return { file, mutants, least, rest: exact - Math.floor(exact) };
  });
  let left = Math.min(count, total) - shares.reduce((sum, { least }) => sum + least, 0);
  const byRest = [...shares].sort((a, b) => b.rest - a.rest || (a.file < b.file ? -1 : 1));
  const sizes = new Map(shares.map(({ file, least }) => [file, least]));
  for (const { file, mutants } of byRest) {
    if (left <= 0 || sizes.get(file)! >= mutants.length) continue;
    sizes.set(file, sizes.get(file)! + 1);
    left--;
  }
  const random = new Random([seed | 0, 0x3a7a, 0x9d2c, ~seed]);
  for (let warm = 0; warm < 16; warm++) random.int32();
  return files.flatMap(([file, mutants]) => pick(random, mutants, sizes.get(file)!));
}

/** So many of a list, in its order. */
function pick(random: Random, mutants: readonly Mutant[], count: number): Mutant[] {
  const places = mutants.map((_mutant, place) => place);
  for (let at = 0; at < count; at++) {
    const other = at + random.below(places.length - at);
    [places[at], places[other]] = [places[other]!, places[at]!];
  }
  return places
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((place) => mutants[place]!);
}
