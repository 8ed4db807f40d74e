import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { CorpusFolder } from "../../../../src/proof/fuzz/corpus/corpusFolder.ts";
import { PROTOCOL_VERSION } from "../../../../src/protocol/transaction.ts";
import { createFolder } from "../../../helpers/project.ts";

const NOTE = { genes: 2, transactions: 3, places: 4, news: 5, iteration: 6 };

test("an added case can be read by its name, also after the folder is opened again", () => {
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

test("a folder that does not exist is empty, and reading does not create it", () => {
  const path = join(createFolder(), "none");
  expect(new CorpusFolder(path).list()).toEqual([]);
  expect(existsSync(path)).toBe(false);
});

test("an interrupted write leaves no file, and none under the name of a case", () => {
  const path = createFolder();
  const folder = new CorpusFolder(path);
  folder.add(createCase([], [1]), NOTE);
  folder.writeIndex();
  expect(readdirSync(path, { recursive: true }).filter((file) => String(file).endsWith(".part"))).toEqual([]);
});

test("a corpus of another protocol version is refused and not changed", () => {
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

test("a changed index or case is reported as damaged", () => {
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
