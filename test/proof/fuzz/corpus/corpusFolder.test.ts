import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { CorpusFolder } from "../../../../src/proof/fuzz/corpus/corpusFolder.ts";
import { PROTOCOL_VERSION } from "../../../../src/protocol/transaction.ts";
import { createFolder } from "../../../helpers/project.ts";

const NOTE = { genes: 2, transactions: 3, places: 4, news: 5, iteration: 6 };

test("what is added can be read by its name, from another opening of the folder too", () => {
  const path = join(createFolder(), "deep", "corpus");
  const folder = new CorpusFolder(path);
  const given = createCase([1, 2], [3, 4, 5]);
  const name = folder.add(given, NOTE);
  folder.writeIndex();
  const again = new CorpusFolder(path);
  expect(again.list()).toEqual([name]);
  expect(again.read(name)).toEqual(given);
  expect(again.noteOf(name)).toEqual({ name, ...NOTE });
  expect(folder.add(given, NOTE)).toBe(name);
  again.remove(name);
  again.writeIndex();
  expect(new CorpusFolder(path).list()).toEqual([]);
});

test("a folder that does not exist is empty, and reading makes none", () => {
  const path = join(createFolder(), "none");
  expect(new CorpusFolder(path).list()).toEqual([]);
  expect(existsSync(path)).toBe(false);
});

test("no file of a broken write is left, and none stands under a case's name", () => {
  const path = createFolder();
  const folder = new CorpusFolder(path);
  folder.add(createCase([], [1]), NOTE);
  folder.writeIndex();
  expect(readdirSync(path, { recursive: true }).filter((file) => String(file).endsWith(".part"))).toEqual([]);
});

test("a corpus of another protocol version is refused, and nothing of it changes", () => {
  const path = createFolder();
  const folder = new CorpusFolder(path);
  const name = folder.add(createCase([], [1]), NOTE);
  folder.writeIndex();
  const index = join(path, "index.json");
  const text = readFileSync(index, "utf8").replace(
    /"protocolVersion": \d+/,
    `"protocolVersion": ${PROTOCOL_VERSION + 1}`,
  );
  writeFileSync(index, text);
  expect(() => new CorpusFolder(path)).toThrow(expect.objectContaining({ code: "CORPUS_VERSION", place: path }));
  expect(readFileSync(index, "utf8")).toBe(text);
  expect(existsSync(folder.pathOf(name))).toBe(true);
});

test("an index or a case that was changed is named as damaged", () => {
  const path = createFolder();
  const folder = new CorpusFolder(path);
  const name = folder.add(createCase([], [1, 2, 3]), NOTE);
  folder.writeIndex();
  const bytes = readFileSync(folder.pathOf(name));
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(folder.pathOf(name), bytes);
  expect(() => folder.read(name)).toThrow(expect.objectContaining({ code: "CORPUS_CORRUPT" }));
  expect(() => folder.read("0123456789abcdef")).toThrow(expect.objectContaining({ code: "CORPUS_MISSING" }));
  writeFileSync(join(path, "index.json"), "{");
  expect(() => new CorpusFolder(path)).toThrow(expect.objectContaining({ code: "CORPUS_CORRUPT" }));
});
