import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { findScenarioFiles } from "../../../src/product/scenario/run/findFiles.ts";
import { projectRoot } from "../../helpers/project.ts";

const folder = join(projectRoot, "scenarios").replaceAll("\\", "/");
const schema = JSON.parse(readFileSync(join(folder, "schema/scenario.schema.json"), "utf8"));
const validate = new Ajv({ strict: false, allErrors: false }).compile(schema);
const files = findScenarioFiles([folder]).files;

test("every scenario is right by the schema that editors use", () => {
  for (const file of files) {
    const isRight = validate(parse(readFileSync(file, "utf8")));
    expect(isRight, `${file}: ${JSON.stringify(validate.errors?.slice(0, 3))}`).toBe(true);
  }
});

test("the schema refuses what the check refuses: unknown keys at every depth, and decimals without quotes", () => {
  const scenario = { scenario: "x", markets: { TEST: {} }, blocks: [] as unknown[] };
  expect(validate(scenario)).toBe(true);
  expect(validate({ ...scenario, blocs: [] })).toBe(false);
  expect(validate({ ...scenario, blocks: [{ expct: {} }] })).toBe(false);
  expect(validate({ ...scenario, blocks: [{ transactions: [{ from: "a", withdraw: { amout: "5" } }] }] })).toBe(false);
  expect(validate({ ...scenario, blocks: [{ transactions: [{ from: "a", withdraw: { amount: 5 } }] }] })).toBe(false);
  expect(validate({ ...scenario, blocks: [{ transactions: [{ from: "a", withdraw: { amount: "5" } }] }] })).toBe(true);
});

test("every scenario names the schema in its first line, by its own path", () => {
  for (const file of files) {
    const depth = file.slice(folder.length + 1).split("/").length - 1;
    const [first] = readFileSync(file, "utf8").split("\n");
    expect(first, file).toBe(`# yaml-language-server: $schema=${"../".repeat(depth)}schema/scenario.schema.json`);
  }
});
