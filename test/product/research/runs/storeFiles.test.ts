import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  choosePruned,
  listStore,
  removeStored,
  type StoredFile,
  type StoredKind,
  sumBytes,
} from "../../../../src/product/research/runs/storeFiles.ts";
import { createFolder } from "../../../helpers/project.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2024, 5, 1);
const hash = (digit: string) => digit.repeat(64);

/** Writes a file of a store, of some bytes, used some days ago. */
function put(folder: string, name: string, bytes: number, days: number): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "x".repeat(bytes));
  const used = new Date(NOW - days * DAY);
  utimesSync(path, used, used);
  return path;
}

test("a store has results, tapes and unfinished files of killed processes, and no other file of its folder", () => {
  const folder = createFolder();
  const result = put(folder, `aa/${hash("a")}.run`, 10, 3);
  const tape = put(folder, `tapes/${hash("b")}.tape`, 20, 2);
  const left = put(folder, `tapes/${hash("c")}.tape.77.part`, 30, 2);
  const begun = put(folder, `aa/${hash("d")}.run.78.part`, 30, 0.5);
  const others = ["notes.txt", "aa/notes.run", "tapes/mine.tape", "more/x.run", `${hash("e")}.run`].map((name) =>
    put(folder, name, 5, 99),
  );
  const outside = createFolder();
  put(outside, `${hash("f")}.run`, 5, 99);
  symlinkSync(outside, join(folder, "ff"));
  symlinkSync(join(outside, `${hash("f")}.run`), join(folder, "aa", `${hash("f")}.run`));
  const files = listStore(folder, NOW)!;
  expect(files).toEqual([
    { path: result, kind: "result", bytes: 10, usedMs: NOW - 3 * DAY },
    { path: tape, kind: "tape", bytes: 20, usedMs: NOW - 2 * DAY },
    { path: left, kind: "remnant", bytes: 30, usedMs: NOW - 2 * DAY },
  ]);
  removeStored(files);
  expect([result, tape, left].some((path) => existsSync(path))).toBe(false);
  expect([begun, ...others, join(outside, `${hash("f")}.run`)].every((path) => existsSync(path))).toBe(true);
});

test("a folder that is empty after it is removed with its last file", () => {
  const folder = createFolder();
  put(folder, `ab/${hash("a")}.run`, 1, 1);
  removeStored(listStore(folder, NOW)!);
  expect(existsSync(join(folder, "ab"))).toBe(false);
  expect(listStore(folder, NOW)).toEqual([]);
  expect(listStore(join(folder, "nothing"), NOW)).toBeUndefined();
});

const anyFiles = fc
  .array(
    fc.record({
      kind: fc.constantFrom<StoredKind>("result", "tape", "remnant"),
      bytes: fc.nat(50),
      usedMs: fc.nat(20).map((days) => NOW - days * DAY),
    }),
    { maxLength: 12 },
  )
  .map((files) => files.map((file, place): StoredFile => ({ ...file, path: `${place}` })));
const anyKinds = fc.constantFrom<readonly StoredKind[]>(["result"], ["tape"], ["result", "tape"]);
const anyLimit = fc.oneof(fc.nat(20), fc.constant(Number.POSITIVE_INFINITY));

test("old files are removed, then those whose last use is oldest until the rest is small enough, and no others", () => {
  fc.assert(
    fc.property(anyFiles, anyKinds, anyLimit, anyLimit, (files, kinds, days, bytesMost) => {
      const gone = new Set(choosePruned(files, { kinds, olderMs: days * DAY, bytesMost }, NOW));
      const isOld = ({ usedMs }: StoredFile) => NOW - usedMs > days * DAY;
      const bounded = files.filter(({ kind }) => kinds.includes(kind));
      const kept = bounded.filter((file) => !gone.has(file));
      for (const file of files) {
        if (file.kind === "remnant") expect(gone.has(file)).toBe(true);
        else if (!kinds.includes(file.kind)) expect(gone.has(file)).toBe(false);
      }
      expect(kept.some(isOld)).toBe(false);
      expect(sumBytes(kept)).toBeLessThanOrEqual(bytesMost);
      const young = bounded.filter((file) => gone.has(file) && !isOld(file));
      // The last one that went for its size had to: with it, the rest is too large.
      const last = young.sort((a, b) => a.usedMs - b.usedMs || (a.path < b.path ? -1 : 1)).at(-1);
      if (last === undefined) return;
      expect(sumBytes(kept) + last.bytes).toBeGreaterThan(bytesMost);
      for (const { usedMs } of kept) expect(usedMs).toBeGreaterThanOrEqual(last.usedMs);
    }),
  );
});
