import fc from "fast-check";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { describeParams, parseParams, resolveParams } from "../../../src/client/strategy/params.ts";

const schema = Type.Object({
  fast: Type.Integer({ default: 10, minimum: 1, maximum: 100, description: "Bars of the fast average." }),
  share: Type.Number({ default: 0.5, exclusiveMinimum: 0, maximum: 1, description: "Share of equity." }),
  short: Type.Boolean({ default: true, description: "Whether to go short." }),
  mode: Type.Union([Type.Literal("calm"), Type.Literal("bold")], { default: "calm", description: "How." }),
  note: Type.String({ default: "", description: "Free text." }),
});

test("a parameter that is not given has its default", () => {
  expect(parseParams(schema, [])).toEqual({ fast: 10, share: 0.5, short: true, mode: "calm", note: "" });
});

test("texts become values of the schema's types", () => {
  expect(parseParams(schema, ["fast=20", "share=0.25", "short=false", "mode=bold", "note=a=b"])).toEqual({
    fast: 20,
    share: 0.25,
    short: false,
    mode: "bold",
    note: "a=b",
  });
});

test("an unknown name is refused with the one that was meant", () => {
  expect(() => parseParams(schema, ["fsat=20"])).toThrow(
    expect.objectContaining({
      code: "PARAM_UNKNOWN",
      place: "fsat",
      hint: expect.stringContaining("did you mean fast?"),
    }),
  );
  expect(() => parseParams(schema, ["__proto__=1"])).toThrow(expect.objectContaining({ code: "PARAM_UNKNOWN" }));
  expect(() => resolveParams(schema, { colour: 1 })).toThrow(expect.objectContaining({ code: "PARAM_UNKNOWN" }));
});

test("a value that the schema refuses names the parameter and what it may be", () => {
  const cases = [
    "fast=1.5",
    "fast=0",
    "fast=101",
    "fast=ten",
    "fast=",
    "share=0",
    "short=yes",
    "mode=wild",
    "fast=0x10",
  ];
  for (const text of cases) {
    expect(() => parseParams(schema, [text]), text).toThrow(
      expect.objectContaining({ code: "PARAM_INVALID", place: text.split("=")[0], exitCode: 2 }),
    );
  }
  expect(() => parseParams(schema, ["fast"])).toThrow(expect.objectContaining({ code: "PARAM_INVALID" }));
});

test("a parameter that is given twice is refused", () => {
  expect(() => parseParams(schema, ["fast=1", "fast=2"])).toThrow(expect.objectContaining({ code: "PARAM_REPEATED" }));
});

test("whatever is typed, the result fits the schema or is an error with a code", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("fast", "share", "short", "mode", "x"), fc.string())), (pairs) => {
      try {
        const { fast, share } = parseParams(
          schema,
          pairs.map(([name, value]) => `${name}=${value}`),
        );
        expect(Number.isInteger(fast) && fast >= 1 && fast <= 100 && share > 0 && share <= 1).toBe(true);
      } catch (error) {
        expect((error as { code: string }).code).toMatch(/^PARAM_/);
      }
    }),
  );
});

test("a description has type, default, bounds and meaning of each parameter, in order", () => {
  expect(describeParams(schema).map(({ name, type, initial, allowed }) => [name, type, initial, allowed])).toEqual([
    ["fast", "integer", 10, "at least 1, at most 100"],
    ["share", "number", 0.5, "above 0, at most 1"],
    ["short", "boolean", true, ""],
    ["mode", "choice", "calm", "one of calm, bold"],
    ["note", "string", "", ""],
  ]);
});
