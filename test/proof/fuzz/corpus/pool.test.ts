import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { Pool } from "../../../../src/proof/fuzz/corpus/pool.ts";

const entry = (name: string, genes: number, ...places: number[]) => ({
  name,
  given: createCase([], new Uint16Array(genes)),
  places: Uint16Array.from(places),
  starts: places.map((place) => 10 * place),
});

test("a pool that grows too large keeps the shortest way to each place", () => {
  const pool = new Pool(100);
  pool.add(entry("long", 60, 1, 2));
  pool.add(entry("short", 20, 1, 2));
  expect(pool.entries.map(({ name }) => name)).toEqual(["long", "short"]);
  pool.add(entry("other", 30, 3));
  expect(pool.entries.map(({ name }) => name)).toEqual(["short", "other"]);
});

test("a pool that is still too large drops its oldest cases", () => {
  const pool = new Pool(100);
  for (let at = 0; at < 6; at++) pool.add(entry(`c${at}`, 20, at));
  expect(pool.entries.map(({ name }) => name)).toEqual(["c4", "c5"]);
});

test("an empty pool picks nothing, and a full one picks later cases more often", () => {
  const random = new Random([1, 2, 3, 4]);
  const pool = new Pool();
  expect(pool.pick(random)).toBeUndefined();
  for (let at = 0; at < 10; at++) pool.add(entry(`${at}`, 1, at));
  const starts = Array.from({ length: 200 }, () => pool.pickStart(random)).filter((point) => point !== undefined);
  for (const { entry: one, genes } of starts) expect(one.starts).toContain(genes);
  expect(new Set(starts.map(({ genes }) => genes)).size).toBe(10);
  const picked = Array.from({ length: 2_000 }, () => Number(pool.pick(random)!.name));
  expect(new Set(picked).size).toBe(10);
  expect(picked.reduce((sum, at) => sum + at, 0) / picked.length).toBeGreaterThan(5.5);
});
