import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { createReport, renderJson } from "../../../src/product/report/index.ts";
import { projectRoot } from "../../helpers/project.ts";
import { memorySource } from "../backtest/memorySource.ts";
import { restless, wander } from "../backtest/wander.ts";
import { createSampleInput } from "./sample.ts";

const schema = JSON.parse(readFileSync(join(projectRoot, "docs/reference/report.schema.json"), "utf8")) as object;
const validate = new Ajv2020({ allErrors: true }).compile(schema);

/** Faults of a document by ajv, as place and reason. */
function findFaults(document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe("the published schema of a report", () => {
  test.each([1, 2, 3])("takes the report of a run, seed %i", async (seed) => {
    const { report } = await runBacktest({
      strategy: restless,
      data: memorySource(wander(seed, 400)),
      leverage: seed,
      latencyMs: 0,
      tick: "1",
      lot: "0.01",
    });
    expect(findFaults(JSON.parse(renderJson(report)))).toEqual([]);
  });

  test("takes the report of a run that was liquidated, and of one that stopped", () => {
    const crash = createReport(createSampleInput({ crashAt: 1_700, leverage: 10 }));
    expect(crash.liquidations.total).toBeGreaterThan(0);
    expect(findFaults(crash)).toEqual([]);
    const stopped = { reason: "wipedOut", height: 3, timeMs: 1, text: "Wiped out." } as const;
    expect(findFaults({ ...crash, run: { ...crash.run, stopped } })).toEqual([]);
  });

  test("refuses a field that is missing, one that is too many, and a number where text is exact", () => {
    const report = createReport(createSampleInput({ hours: 48 }));
    const { attribution, ...missing } = report;
    expect(findFaults(missing)).toEqual([" must have required property 'attribution'"]);
    expect(findFaults({ ...report, more: 1 })).toEqual([" must NOT have additional properties"]);
    expect(findFaults({ ...report, attribution: { ...attribution, fees: 1.5 } })).toEqual([
      "/attribution/fees must be string",
    ]);
  });

  test("is exported by the package", () => {
    expect(createRequire(import.meta.url)("perplab/report.schema.json")).toEqual(schema);
  });
});
