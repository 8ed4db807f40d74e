import fc from "fast-check";
import { expect, test } from "vitest";
import { buildFieldTree } from "../../../../src/product/market-data/json/fieldTree.ts";
import { formatPath, parsePath, type Step } from "../../../../src/product/market-data/json/path.ts";
import { JsonFault, ValueReader } from "../../../../src/product/market-data/json/readValue.ts";
import {
  ArraySplitter,
  LineSplitter,
  type ValueSplitter,
} from "../../../../src/product/market-data/json/splitValues.ts";

const read = (text: string, names: readonly string[], rows?: readonly string[]): string[][] => {
  const bytes = Buffer.from(`xx${text}yy`);
  return new ValueReader(buildFieldTree(names, rows)).read(bytes, 2, bytes.length - 2);
};

const accepts = (text: string): boolean => {
  try {
    read(text, ["a"]);
    return true;
  } catch (error) {
    if (error instanceof JsonFault) return false;
    throw error;
  }
};

/** Paths and texts of everything in a value that is no object and no array. */
function listScalars(value: unknown, at: readonly Step[] = []): [Step[], string][] {
  if (value === null) return [[[...at], ""]];
  if (typeof value !== "object") return [[[...at], String(value)]];
  const entries: [Step, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return entries.flatMap(([step, inner]) => listScalars(inner, [...at, step]));
}

const json = fc.jsonValue({ maxDepth: 4 });

test("a path is written as it is read", () => {
  const step = fc.oneof(fc.nat(99), fc.string({ minLength: 1, maxLength: 8 }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
      expect(parsePath(formatPath(steps))).toEqual(steps);
    }),
  );
  for (const text of ["", "a..b", "a[", "a[x]", "[-1]", '["a', "a]", "."])
    expect(parsePath(text), text).toBeUndefined();
});

// Goal: every field of every value is found by its path, with the text that JSON.parse gives.
test("the cell at a path is the value that JSON.parse has there", () => {
  let cells = 0;
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      const fields = listScalars(value).filter(([steps]) => steps.length > 0);
      fc.pre(fields.length > 0);
      const names = fields.map(([steps]) => formatPath(steps));
      const [row] = read(JSON.stringify(value, undefined, space), names);
      expect(row).toEqual(fields.map(([, text]) => text));
      cells += fields.length;
    }),
    { numRuns: 500 },
  );
  expect(cells).toBeGreaterThan(500);
});

// Goal: the reader refuses what JSON.parse refuses, and nothing else. NaN and Infinity are left out: Python writes
// them.
test("a text with a changed, missing or further byte is refused exactly where JSON.parse refuses it", () => {
  let refused = 0;
  const place = fc.nat(200);
  const byte = fc.constantFrom(...'{}[],:"\\0123456789+-.eEtrufalsn \n\t\u0001é'.split(""));
  fc.assert(
    fc.property(json, place, byte, fc.constantFrom("change", "remove", "insert"), (value, at, character, how) => {
      const text = JSON.stringify(value);
      const from = at % (text.length + 1);
      const changed =
        text.slice(0, from) + (how === "remove" ? "" : character) + text.slice(how === "insert" ? from : from + 1);
      let isFine = true;
      try {
        JSON.parse(changed);
      } catch {
        isFine = false;
      }
      expect(accepts(changed), changed).toBe(isFine);
      if (!isFine) refused++;
    }),
    { numRuns: 2000 },
  );
  expect(refused).toBeGreaterThan(300);
});

test("numbers stay as they are written, however many digits they have", () => {
  const [row] = read('{"a":0.10000000000000000001,"b":[12345678901234567890,1e-7],"c":-0.0,"d":NaN,"e":-Infinity}', [
    "a",
    "b[0]",
    "b[1]",
    "c",
    "d",
    "e",
    "missing",
  ]);
  expect(row).toEqual(["0.10000000000000000001", "12345678901234567890", "1e-7", "-0.0", "NaN", "-Infinity", ""]);
});

test("of equal keys the last counts, and a key may have escapes", () => {
  expect(read('{"a":1,"a":2,"\\u0061":3}', ["a"])).toEqual([["3"]]);
});

test("elements of the arrays of rows are rows, with the fields around them and the name of their array", () => {
  const text = '{"b":[["1","2"],["3","4"]],"a":[["5","6"]],"u":7,"more":{"t":9}}';
  expect(read(text, ["[0]", "$.u", "$rows", "$.more.t"], ["b", "a"])).toEqual([
    ["1", "7", "b", "9"],
    ["3", "7", "b", "9"],
    ["5", "7", "a", "9"],
  ]);
  expect(read('{"b":[],"a":null}', ["[0]"], ["b", "a"])).toEqual([]);
  expect(() => read('{"c":[]}', ["[0]"], ["b", "a"])).toThrow("no array b or a");
  expect(() => read('{"b":{}}', ["[0]"], ["b"])).toThrow("is an object");
  expect(() => read('{"b":"x"}', ["[0]"], ["b"])).toThrow("is no array");
});

test("a value of many levels is refused, and so is one that ends in the middle of anything", () => {
  expect(accepts(`${"[".repeat(60)}${"]".repeat(60)}`)).toBe(true);
  expect(() => read("[".repeat(100_000), ["a"])).toThrow("deeper than 64");
  for (const wrong of ['{"a":1]', "[1}", '{"a":[1}]', "[1 2]", '{"a" 1}', "{1:2}"])
    expect(accepts(wrong), wrong).toBe(false);
  const text = '{"a":[1.5,"x\\n",true,null,{"b":"é"}]}';
  for (let end = 0; end < text.length; end++) expect(accepts(text.slice(0, end)), text.slice(0, end)).toBe(false);
});

const texts = fc.array(
  json.map((value) => JSON.stringify(value)),
  { maxLength: 8 },
);
const pieces = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 });

function split(splitter: ValueSplitter, text: string, sizes: readonly number[]): string[] {
  const bytes = new TextEncoder().encode(text);
  const found: string[] = [];
  const add = (slices: ReturnType<ValueSplitter["feed"]>): void => {
    for (const { bytes: from, ...slice } of slices) found.push(from.toString("utf8", slice.from, slice.to).trim());
  };
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length]!;
    add(splitter.feed(bytes.subarray(at, at + size)));
    at += size;
  }
  add(splitter.finish());
  return found;
}

test("lines and the elements of an array are found, wherever the chunks of a file end", () => {
  fc.assert(
    fc.property(texts, pieces, fc.constantFrom("", "  ", "\n"), (values, sizes, space) => {
      expect(split(new LineSplitter(), values.join("\n\n"), sizes)).toEqual(values);
      expect(split(new ArraySplitter([]), `[${values.join(`${space},${space}`)}]${space}`, sizes)).toEqual(values);
      const document = `{"x":[[1,"]"]],"c":{"list":2,"}":1},"a":{"b":0,"odd \\"key":{},"list":[${values.join(",")}],"y":[{}]}}`;
      expect(split(new ArraySplitter(["a", "list"]), document, sizes)).toEqual(values);
    }),
  );
});

test.each(["[1,2", "[1,", "[", '["a', "[1,]", "[,1]", "[1}", "[1] 2", '{"a":[1]}', "1", "", '[1] "x'])(
  "the document %j has no whole array",
  (text) => {
    expect(() => split(new ArraySplitter([]), text, [3])).toThrow();
  },
);

test("a value that does not end is refused before it fills the memory", () => {
  const chunk = Buffer.alloc(1 << 20, 97);
  const endless = (splitter: ValueSplitter): void => {
    splitter.feed(Buffer.from('["'));
    for (let count = 0; count < 40; count++) splitter.feed(chunk);
  };
  expect(() => endless(new LineSplitter())).toThrow("longer than");
  expect(() => endless(new ArraySplitter([]))).toThrow("longer than");
});
