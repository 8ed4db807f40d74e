import { describe, expect, test } from "vitest";
import { applyBlock } from "../../../src/engine/applyBlock.ts";
import { createVenue } from "../../../src/engine/genesis.ts";
import { writeRegression } from "../../../src/fuzz/regression/writeRegression.ts";
import { readScript } from "../../../src/fuzz/shrink/readScript.ts";
import type { Script } from "../../../src/fuzz/shrink/script.ts";
import { Flow } from "../../../src/generators/flow.ts";
import { formatScenario } from "../../../src/scenario/lint/formatScenario.ts";
import { lintScenario } from "../../../src/scenario/lint/lintScenario.ts";
import { runScenarioFile } from "../../../src/scenario/run/runScenario.ts";

const failure = { invariant: "conservation", height: 3, observed: "5 quote units are there, 4 came in and stayed" };
const options = { sentence: "What is there is what came in.", rules: ["POS-4"] };

function readFlow(seed: number, count: number): Script {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const blocks = Array.from({ length: count }, () => {
    const block = flow.next(state);
    applyBlock(state, block);
    return block;
  });
  return readScript({ genesis: flow.genesis, blocks });
}

describe("a regression file", () => {
  // Goal: what a script does can be read from its file. Method: files of whole flows, thousands of lines with every
  // action, run as scenarios, and every outcome has to be the one that the flow had.
  test.each([2, 4, 6, 12, 16])("does again what flow %i did", (seed) => {
    const { name, text } = writeRegression(readFlow(seed, 12), failure, options);
    const file = `scenarios/regressions/${name}`;
    const readText = () => text;
    const { faults, advice } = lintScenario(file, readText);
    expect([...faults, ...advice].map(({ message }) => message)).toEqual([]);
    expect(formatScenario(text)).toBe(text);
    const { cases, status } = runScenarioFile(file, { readText });
    expect(cases.flatMap(({ failures }) => failures).map(({ what, observed }) => `${what}: ${observed}`)).toEqual([]);
    expect(status).toBe("passed");
  });

  // Where both agree the model's outcomes are the venue's; the planted ones show that they are the model's where they differ.
  test("expects of a difference what the model does", () => {
    const script = readFlow(4, 12);
    const differs = { ...failure, kind: "model", invariant: "venueEqualsModel" } as const;
    const { text } = writeRegression(script, differs, options);
    expect(text).toBe(writeRegression(script, differs, { ...options, apply: applyBlock }).text);
  });

  test("begins with the schema, the sentence and what was found", () => {
    const { text } = writeRegression(readFlow(2, 1), failure, options);
    expect(text.split("\n").slice(0, 5)).toEqual([
      "# yaml-language-server: $schema=../schema/scenario.schema.json",
      "# What is there is what came in.",
      "# Found broken: 5 quote units are there, 4 came in and stayed",
      "scenario: conservation holds",
      "rules: [POS-4]",
    ]);
  });

  test("has the same name for the same failure, whatever the numbers are, and another for another", () => {
    const script = readFlow(2, 2);
    const { name } = writeRegression(script, failure, options);
    expect(name).toMatch(/^conservation-[0-9a-f]{8}\.yaml$/);
    const numbers = { ...failure, height: 9, observed: "7 quote units are there, 1 came in and stayed" };
    expect(writeRegression(script, numbers, options).name).toBe(name);
    expect(writeRegression(script, { ...failure, invariant: "bounds" }, options).name).not.toBe(name);
    expect(writeRegression({ ...script, lines: script.lines.slice(1) }, failure, options).name).not.toBe(name);
  });
});
