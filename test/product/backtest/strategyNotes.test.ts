import { expect, test } from "vitest";
import { renderHtml } from "../../../src/product/report/html.ts";
import { renderJson } from "../../../src/product/report/json.ts";
import { readReport } from "../../../src/product/report/readReport.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START } from "./memorySource.ts";

const HOURS = 6_000;
const data = memorySource(hourlyBars(Array.from({ length: HOURS }, () => [1_000, 1_001, 999, 1_000] as const)));
/** A figure with one high and one low value among many. */
const figureAt = (hour: number) => (hour === 777 ? 9.5 : hour === 4_321 ? -7.25 : Math.sin(hour / 50));

test("a metric of the strategy is a curve of the report: thinned, with its extremes, and what all values gave", async () => {
  const values: number[] = [];
  const result = await run({
    data,
    strategy: strategy({
      onBar(ctx, { closeTimeMs }) {
        const value = figureAt((closeTimeMs - START) / HOUR);
        values.push(value);
        ctx.metric("figure", value);
        if (values.length === 10) ctx.metric("<b>once</b>", 3);
      },
    }),
  });
  const [figure, once] = result.report.ownMetrics;
  expect(figure).toMatchObject({ name: "figure", count: HOURS, last: values.at(-1), least: -7.25, greatest: 9.5 });
  expect(figure!.mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / HOURS, 12);
  expect(figure!.values.length).toBeLessThanOrEqual(1_000);
  expect(figure!.values.length).toBeGreaterThan(300);
  expect(figure!.values).toContain(9.5);
  expect(figure!.values).toContain(-7.25);
  // Each point is one that was reported, at its time.
  for (const [at, timeMs] of figure!.timeMs.entries()) {
    expect(figure!.values[at]).toBe(figureAt(Math.round((timeMs - START) / HOUR)));
  }
  expect(once).toMatchObject({ name: "<b>once</b>", count: 1, values: [3] });
  expect(result.metrics["figure"]).toMatchObject({ count: HOURS, least: -7.25, greatest: 9.5 });
  expect(readReport(renderJson(result.report)).ownMetrics).toEqual(result.report.ownMetrics);
  const page = renderHtml(result.report);
  expect(page).toContain("figure");
  expect(page).toContain("&lt;b&gt;once&lt;/b&gt;");
  expect(page).not.toContain("<b>once</b>");
});

test("a name beyond the hundredth ends the run with the name", async () => {
  const failing = run({
    data,
    strategy: strategy({
      onBar(ctx, { closeTimeMs }) {
        ctx.metric(`m${(closeTimeMs - START) / HOUR}`, 1);
      },
    }),
  });
  await expect(failing).rejects.toMatchObject({
    code: "STRATEGY_FAILED",
    message: expect.stringContaining("metric m101 is one more than 100"),
  });
});
