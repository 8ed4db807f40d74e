import { createHash } from "node:crypto";
import type { Mutant } from "./instrument.ts";

/**
 * Draws mutants of several files: from each in proportion to its number, at least one, so small files are not left out.
 * The same seed draws the same mutants. After a change of sources, surviving mutants keep their draw: each mutant's
 * draw follows from its key, and the first ones of a file are taken.
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
  return files.flatMap(([file, mutants]) => pick(mutants, sizes.get(file)!, seed));
}

/** Mutants in an order of the seed: the first ones are a fair sample of all, however many they are. */
export function orderByLot<Name>(mutants: ReadonlyMap<Name, Mutant>, seed: number): Name[] {
  return [...mutants]
    .map(([name, { key }]) => ({ name, lot: drawLot(seed, `order ${key}`) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .map(({ name }) => name);
}

/** This many of a list, in its order. */
function pick(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const lots = mutants.map(({ key }, place) => ({ place, lot: drawLot(seed, key) }));
  return lots
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count)
    .sort((a, b) => a.place - b.place)
    .map(({ place }) => mutants[place]!);
}

function drawLot(seed: number, key: string): string {
  return createHash("sha256").update(`${seed} ${key}`).digest("hex");
}
