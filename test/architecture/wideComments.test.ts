import { expect, test } from "vitest";
import { findWideComments } from "../../scripts/wideComments.ts";

const long = "word ".repeat(30).trim();

test("a wide line is found in each form of a comment, and code is not", () => {
  const text = [`// ${long}`, `/** ${long} */`, "/**", ` * ${long}`, " */", `const text = "${long}";`].join("\n");
  expect(findWideComments(text)).toEqual([1, 2, 4]);
});

test("a line of exactly 120 columns is allowed, and one of 121 is not", () => {
  const line = `// ${"x".repeat(117)}`;
  expect(findWideComments(line)).toEqual([]);
  expect(findWideComments(`${line}x`)).toEqual([1]);
});

test("a text that looks like a line of a block is none", () => {
  expect(findWideComments(["const text = `", `* ${long}`, `**${long}**`, "`;"].join("\n"))).toEqual([]);
});

test("commands, tables and long addresses are left out", () => {
  const address = `https://example.org/${"a".repeat(60)}`;
  expect(
    findWideComments(["/**", ` *     ${long}`, ` * | ${long} |`, " */", `// ${long} ${address}`].join("\n")),
  ).toEqual([]);
});
